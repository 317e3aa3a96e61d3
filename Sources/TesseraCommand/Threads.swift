import TesseraWorker

/// Threads of a program.
public enum Threads {
  /// Runs work on a new thread, for which nobody waits.
  ///
  /// The thread has a stack as large as the main thread's. Use it for work that blocks.
  public static func detach(_ work: @escaping @Sendable () -> Void) { detachThread(work) }
}
