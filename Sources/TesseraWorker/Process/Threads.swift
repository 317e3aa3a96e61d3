import CTesseraSystem
import Glibc

/// The main thread of a program of this package.
public enum MainThread {
  /// Runs a body with a stack that is large enough, also where the program was started with a low limit
  /// on stacks (`ulimit -s`).
  public static func run(_ body: @convention(c) () -> Void) { tessera_run_on_large_stack(body) }
}

/// Runs work on several threads at once, of which one is the caller's, and waits.
///
/// Each has a stack as large as the main thread's. Where the system starts fewer threads, those that
/// it starts do all of the work.
package func inThreads(_ count: Int, _ work: @escaping @Sendable () -> Void) {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 8 << 20)
  defer { pthread_attr_destroy(&attributes) }
  var threads: [pthread_t] = []
  for _ in 1..<count {
    let task = UnsafeMutablePointer<@Sendable () -> Void>.allocate(capacity: 1)
    task.initialize(to: work)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { context in
        let task = context!.assumingMemoryBound(to: (@Sendable () -> Void).self)
        let work = task.move()
        task.deallocate()
        work()
        return nil
      }, task)
    guard status == 0 else {
      task.deinitialize(count: 1)
      task.deallocate()
      break
    }
    threads.append(thread)
  }
  work()
  for thread in threads { pthread_join(thread, nil) }
}
