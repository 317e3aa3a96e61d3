import TesseraCatalog

// A separate file: Tools/Installing/link.sh drops it from binaries that don't call it.

extension Session {
  /// Prepares the layout on another thread.
  ///
  /// Existing results stay valid; other uses of the session wait. `progress` and `trace` run on
  /// that thread. With a delegate function, everything runs on the caller's actor. Cancelling the
  /// task takes effect at the engine's next progress report.
  ///
  /// - Throws: As `prepare()`; `.cancelled`; `.unavailable` without a thread.
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
