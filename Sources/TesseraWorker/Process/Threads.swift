import CTesseraSystem
import Glibc
import TesseraCatalog

// Threads with sufficient stacks regardless of `ulimit -s`.

/// For a thread that reads JSON: 1 MiB besides the deepest nesting.
package let leastStack = JSON.deepestNesting * JSON.stackPerLevel + (1 << 20)

/// `stack` is the minimum in bytes, also for threads that libraries start.
package func runMainThread(stack: Int = 1 << 20, _ body: @convention(c) () -> Void) {
  tessera_run_on_large_stack(UInt64(stack), body)
}

/// If the system refuses threads, the others do all the work.
package func runOnThreads(_ count: Int, _ work: @escaping @Sendable () -> Void) {
  var threads: [pthread_t] = []
  for _ in 1..<count {
    guard let thread = startThread(work) else { break }
    threads.append(thread)
  }
  work()
  for thread in threads { pthread_join(thread, nil) }
}

/// Starts detached work with the minimum stack; runs it in place if out of threads.
package func detachThread(_ work: @escaping @Sendable () -> Void) {
  guard let thread = startThread(stack: leastStack, work) else { return work() }
  pthread_detach(thread)
}

/// The caller must join or detach the thread; nil if out of threads.
package func startThread(
  stack: Int = 8 << 20, _ work: @escaping @Sendable () -> Void
) -> pthread_t? {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setstacksize(&attributes, stack)
  // Keeps large variables from skipping the guard page of a small stack.
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
