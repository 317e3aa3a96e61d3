import TesseraCatalog

// A file of its own, which Tools/Installing/link.sh leaves out of programs and libraries that do not call it.

extension Session {
  /// Prepares the layout as `prepare()` does, on another thread, while the caller's actor goes on.
  ///
  /// Results and animations that the program has stay as they are. Whatever else is asked of the session
  /// meanwhile waits for the prepare, as it would without this function. `progress` and `trace` are called on
  /// the other thread. With a delegate function, which runs on the caller's actor, the prepare does, too.
  ///
  /// Cancelling the task cancels the prepare as `progress` does: once the engine next reports its progress. The
  /// session can be used afterwards.
  ///
  /// - Throws: The errors of `prepare()`; `.cancelled`; `.unavailable` if the system provides no thread.
  nonisolated(nonsending) public func prepareInBackground() async throws(HostError) {
    guard !Task.isCancelled else { throw .cancelled("prepare", of: engine.description.id) }
    guard !hasDelegates else { return try prepare() }
    let preparation = Preparation(self)
    var failure: HostError?
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(HostError) { try preparation.start { continuation.resume() } } catch {
          failure = error
          continuation.resume()
        }
      }
    } onCancel: {
      preparation.cancel()
    }
    if let failure { throw failure }
    try preparation.finish()
  }
}
