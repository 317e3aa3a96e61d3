import Synchronization
import TesseraHost
import Testing

/// That long calls tell how far they are, and stop when they are told to.
@Suite struct ProgressTests {
  let library: FixtureLibrary

  init() throws { library = try FixtureLibrary.misbehaving.get() }

  @Test func fractionsGoFromNothingToAll() throws {
    let session = try library.session("asks-progress")
    let fractions = Mutex<[Double]>([])
    session.progress = { fraction in
      fractions.withLock { $0.append(fraction) }
      return true
    }
    #expect(try session.elements().count == 6)
    #expect(fractions.withLock { $0 } == (0...100).map { Double($0) / 100 })
  }

  @Test func aCallThatIsToldToStopIsCancelledAndCanBeMadeAgain() throws {
    let session = try library.session("asks-progress")
    let calls = Mutex(0)
    session.progress = { fraction in
      calls.withLock { $0 += 1 }
      return fraction < 0.3
    }
    let error = try hostError { _ = try session.elements() }
    #expect(error.kind == .cancelled)
    #expect(calls.withLock { $0 } == 31)
    session.progress = nil
    #expect(try session.elements().count == 6)
  }

  /// What an engine makes that does not hear is whole, since it returned OK.
  @Test func whoSaidStopIsNotAskedAgain() throws {
    let session = try library.session("asks-progress", which: 1)
    let calls = Mutex(0)
    session.progress = { _ in
      calls.withLock { $0 += 1 }
      return false
    }
    #expect(try session.elements().count == 6)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func cancellingUnaskedBreaksTheContract() throws {
    let session = try library.session("cancels-unasked")
    #expect(try hostError { _ = try session.elements() }.kind == .brokenContract)
  }
}
