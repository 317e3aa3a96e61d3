import Foundation
import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// Time limits include time spent in the host and in callbacks: at most twice the limit plus the
/// last callback.
extension HostileEngineTests {
  @Suite(.serialized) struct DeadlineTests {
    /// A quiet machine takes less than 1.1 s.
    private static let latest = Duration.seconds(4)

    private static let endless = AnswerCases.all.filter {
      $0.source == "takes-over" && $0.flags.contains("-DCOUNT=0")
    }.prefix(Ring.isSecond ? .max : 1)

    /// An answer takes 20 ms; the host must not wait for unrequested ones.
    @Test(arguments: endless) func slowAnswersOfTheProgramEndInTime(_ hostile: HostileCase) throws {
      let library = try HostileLibrary(hostile)
      var configuration = HostConfiguration()
      configuration.limits.secondsPerCall = 0.5
      configuration.refusalTime = 0
      let host = Host(searchPath: SearchPath(folders: []), configuration: configuration)
      let session = try Session(host.engine(library.name))
      session.bounds = Size(width: 375, height: 667)
      try session.setSections([100_000])
      session.progress = { _ in
        usleep(20_000)
        return true
      }
      let slow: (UInt32, UInt32) -> UInt32 = { _, _ in
        usleep(20_000)
        return 3
      }
      try session.setDelegate("answer", DelegateFunction("answer", slow))
      let start = ContinuousClock.now
      let error = #expect(throws: HostError.self) { try session.contentSize() }
      #expect(ContinuousClock.now - start < Self.latest)
      #expect(error?.kind == .died && error?.remedy == .allowMoreTime)
    }
  }
}
