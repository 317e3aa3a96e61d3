import Glibc
import TestSupport
import Testing

@testable import TesseraHost

/// The time limit covers one query, however many engine calls it takes.
///
/// All elements of `slow.c` take four bands, as content is 5000 long: from 667, an almost empty
/// band is followed by one of twice the length.
@Suite(.serialized) struct QuestionTimeTests {
  private func session(
    limit: Double, _ parameters: [String: Double]
  ) throws -> (Session, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let path = folder.path("libslow.so")
    try CCompiler("gcc").compile(
      FixtureEngine.source("slow"), to: path, flags: ["-std=gnu11", "-shared", "-fPIC"])
    let session = try Session(Soak.host(.sandbox) { $0.limits.secondsPerCall = 20 }.engine(path))
    session.timeLimit = limit
    try session.setSections([0])
    for (name, number) in parameters { try session.setParameter(name, to: .number(number)) }
    return (session, folder)
  }

  private func expectEnd(
    of session: Session, in call: String, after limit: Double,
    _ ask: (Session) throws -> Void
  ) throws {
    let start = ContinuousClock.now
    let error = try hostError { try ask(session) }
    let time = ContinuousClock.now - start
    #expect(error.code == .hung && error.remedy == .allowMoreTime, "\(error)")
    #expect(
      error.message.contains("did not return from \(call) within \(limit.shortText) s, together"),
      "\(error.message)")
    // Tolerates 2x on busy machines.
    #expect(time > .seconds(0.9 * limit) && time < .seconds(2 * limit), "\(time)")
  }

  /// Content of 1e9 takes over twenty bands, each within the limit.
  @Test func bandsShareTheLimit() throws {
    let (session, folder) = try session(limit: 1, ["band": 0.3, "length": 1e9])
    defer { _ = folder }
    try expectEnd(of: session, in: "elements_in_rect", after: 1) { _ = try $0.elements() }
    #expect(try session.elements(in: Rect(x: 0, y: 0, width: 10, height: 10)).isEmpty)
  }

  @Test func eachLayoutOfABatchHasTheWholeLimit() throws {
    let (session, folder) = try session(limit: 1, ["band": 0.15])
    defer { _ = folder }
    session.measure = { _, _, size in size }
    try session.setSections([0, 0, 0])
    let batch = try session.batch()
    #expect(batch.errors.isEmpty && batch.contentSizes.count == 3)
  }

  /// Callback time is excluded, but can at most double the query's.
  @Test func theProgramsTimeDoesNotCountUpToTheLimit() throws {
    let (session, folder) = try session(limit: 0.6, [:])
    defer { _ = folder }
    try session.setDelegate(
      "pause",
      DelegateFunction("pause") { () -> UInt32 in
        usleep(200_000)
        return 0
      })
    #expect(try session.elements().isEmpty)
    session.timeLimit = 0.25
    let start = ContinuousClock.now
    let error = try hostError { _ = try session.elements() }
    #expect(error.code == .hung && ContinuousClock.now - start < .seconds(1.2))
  }
}
