import TesseraCatalog
import TesseraRuntime

// Calls that name or count something, or ask the engine, begin with `enter()`. Only `enter()` loads
// a replaced library, so names stay valid during a call.
extension Session {
  // The outermost call waits for a background prepare, and reloads a replaced library unless an
  // item is held. All engine calls inside share the time limit.
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
