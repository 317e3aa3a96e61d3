import Glibc

/// Threads with stacks of a given size.
package enum Threads {
  /// Runs work on several threads at once, of which one is the caller's, and waits.
  ///
  /// Each has a stack as large as the main thread's. Where the system starts fewer threads, those that
  /// it starts do all of the work.
  package static func run(_ count: Int, _ work: @escaping @Sendable () -> Void) {
    var threads: [pthread_t] = []
    for _ in 1..<count {
      guard let thread = start(stack: 8 << 20, work) else { break }
      threads.append(thread)
    }
    work()
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Starts work, for which nobody waits, on a thread with a stack of 1 MiB; runs it at once if the
  /// system starts no thread.
  package static func detach(_ work: @escaping @Sendable () -> Void) {
    guard let thread = start(stack: 1 << 20, work) else { return work() }
    pthread_detach(thread)
  }

  /// Starts work on a thread; nil if the system starts none.
  private static func start(stack: Int, _ work: @escaping @Sendable () -> Void) -> pthread_t? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stack)
    let passed = Unmanaged.passRetained(ThreadWork(work))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { passed in
        Unmanaged<ThreadWork>.fromOpaque(passed!).takeRetainedValue().run()
        return nil
      }, passed.toOpaque())
    guard status == 0 else {
      passed.release()
      return nil
    }
    return thread
  }
}

/// A closure behind a pointer.
private final class ThreadWork {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
