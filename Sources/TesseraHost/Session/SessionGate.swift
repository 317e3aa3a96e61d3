import TesseraCatalog
import TesseraRuntime

/// What goes on in a session: a call, or a background prepare.
struct SessionGate {
  /// Nesting depth of running calls.
  var depth = 0
  /// A background prepare that hasn't been waited for.
  var preparation: Preparation?
}

// Settings pass the gate as `settled`. Calls that name or count something, or ask the engine, begin
// with `enter()`. Only `enter()` loads a replaced library, so names stay valid during a call.
extension Session {
  /// The session once no background prepare uses it; returns at once on the preparing thread.
  @inline(__always)
  var settled: Session {
    if gate.preparation != nil { waitForPreparation() }
    return self
  }

  @inline(never)
  private func waitForPreparation() { gate.preparation?.wait() }

  // The outermost call waits for a background prepare, and reloads a replaced library unless an
  // item is held. All engine calls inside share the time limit.
  @inline(__always)
  package func enter() {
    if settled.gate.depth == 0 {
      if reordering == nil { reloadIfReplaced() }
      time.begin()
    }
    gate.depth += 1
  }

  @inline(__always)
  package func leave() {
    gate.depth -= 1
    if gate.depth == 0 { time.end() }
  }

  func checkNothingKeepsVersion() throws(HostError) {
    guard gate.depth == 0 else {
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
