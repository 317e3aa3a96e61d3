import TesseraCatalog
import TesseraRuntime

/// The gate through which calls enter a session.
///
/// Every call that names or counts something, or asks the engine, begins with `enter()` and
/// `defer { leave() }`. Nothing else in the host loads a replaced library, so what a call has looked up
/// by name is what it asks.
extension Session {
  /// Begins a call.
  ///
  /// The outermost call waits for a prepare on another thread, and loads the library again if its file was
  /// replaced. Until it ends, and while an item is held, the session keeps that version. All calls into the engine
  /// until then share the time limit.
  @inline(__always)
  package func enter() {
    waitForPrepare()
    if callDepth == 0 {
      if reordering == nil { reloadIfReplaced() }
      time.begin()
    }
    callDepth += 1
  }

  @inline(__always)
  package func leave() {
    callDepth -= 1
    if callDepth == 0 { time.end() }
  }

  /// - Throws: `.wrongState` within a call and while an item is held, which keep the version.
  func checkNothingKeepsVersion() throws(HostError) {
    guard callDepth == 0 else {
      throw HostError(
        .wrongState,
        "the session is in a call, which keeps its version of the library; reload after it")
    }
    guard reordering == nil else {
      throw HostError(
        .wrongState,
        "an item is held, which keeps the version of the library; end or cancel its reordering "
          + "first")
    }
  }
}
