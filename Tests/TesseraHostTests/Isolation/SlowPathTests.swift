import Foundation
import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Turns that pass through the socket, as where threads of two processes cannot wait for a word.
@Suite struct SlowPathTests {
  private func host(seconds: Double = 10) -> TesseraHost.Host {
    Soak.host { configuration in
      configuration.path = .socket
      configuration.limits.secondsPerCall = seconds
    }
  }

  private func session(_ host: TesseraHost.Host) throws -> Session {
    let session = try Session(host.engine("org.tessera.aspect-flow"))
    try session.setSections([3, 40])
    return session
  }

  @Test func answersAreThoseOfTheFastPath() throws {
    let (slow, fast) = (try session(host()), try session(Soak.host(.none)))
    for width in [375.0, 500, 1000] {
      for session in [slow, fast] {
        session.bounds.width = width
        let answer: (UInt32, UInt32) -> UInt8 = { section, item in
          UInt8((section + item) % 2)
        }
        try session.setDelegate(
          "layoutModeForItem", DelegateFunction("layoutModeForItem", answer))
      }
      #expect(try slow.contentSize() == fast.contentSize())
      #expect(try Array(slow.elements()) == Array(fast.elements()))
    }
  }

  @Test func aDeathAndAHangAreToldInTime() async {
    await #expect(processExitsWith: .success) {
      let tests = SlowPathTests()
      let session = try tests.session(tests.host(seconds: 1))
      let expected = try session.elements().count
      for (signal, words) in [(SIGKILL, "SIGKILL"), (SIGSTOP, "within 1 s")] {
        let worker = try #require(OwnProcess.children.first)
        kill(worker, signal)
        usleep(20_000)
        session.bounds.width += 1
        let start = ContinuousClock.now
        let error = try hostError { _ = try session.elements() }
        #expect(ContinuousClock.now - start < .seconds(3))
        #expect(error.kind == .died && error.message.contains(words), "\(error)")
        #expect(try session.elements().count == expected)
      }
    }
  }
}
