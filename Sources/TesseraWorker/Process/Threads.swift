import CTesseraSystem
import Glibc
import TesseraCatalog

// Threads with stacks that are large enough, whatever the limit on stacks (`ulimit -s`).

/// The least stack of a thread that reads JSON, in bytes: 1 MiB besides the deepest nesting.
package let leastStack = JSON.deepestNesting * JSON.stackPerLevel + (1 << 20)

/// Runs the body of a program's main thread.
///
/// - Parameter stack: The least stack of the thread, and of those that libraries start, in bytes.
package func runMainThread(stack: Int = 1 << 20, _ body: @convention(c) () -> Void) {
  tessera_run_on_large_stack(UInt64(stack), body)
}

/// Runs work on several threads at once, of which one is the caller's, and waits.
///
/// Each has a stack as large as the main thread's. Where the system starts fewer threads, those that
/// it starts do all of the work.
package func runOnThreads(_ count: Int, _ work: @escaping @Sendable () -> Void) {
  var threads: [pthread_t] = []
  for _ in 1..<count {
    guard let thread = startThread(work) else { break }
    threads.append(thread)
  }
  work()
  for thread in threads { pthread_join(thread, nil) }
}

/// Starts work, for which nobody waits, on a thread with the least stack; runs it at once if the
/// system starts no thread.
package func detachThread(_ work: @escaping @Sendable () -> Void) {
  guard let thread = startThread(stack: leastStack, work) else { return work() }
  pthread_detach(thread)
}

/// Starts work on a thread, which must be joined or detached; nil if the system starts none.
package func startThread(
  stack: Int = 8 << 20, _ work: @escaping @Sendable () -> Void
) -> pthread_t? {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setstacksize(&attributes, stack)
  // A large variable must not lie beyond the guard of a small stack, in other memory.
  if stack < 1 << 20 { pthread_attr_setguardsize(&attributes, 16 << 20) }
  let passed = UnsafeMutablePointer<@Sendable () -> Void>.allocate(capacity: 1)
  passed.initialize(to: work)
  var thread = pthread_t()
  let status = pthread_create(
    &thread, &attributes,
    { context in
      let passed = context!.assumingMemoryBound(to: (@Sendable () -> Void).self)
      let work = passed.move()
      passed.deallocate()
      work()
      return nil
    }, passed)
  guard status == 0 else {
    passed.deinitialize(count: 1)
    passed.deallocate()
    return nil
  }
  return thread
}
