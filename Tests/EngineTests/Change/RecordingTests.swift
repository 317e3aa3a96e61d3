import Synchronization
import TesseraHost
import TestSupport
import Testing

/// The order in which an engine is called, seen by one that notes it.
@Suite struct RecordingTests {
  private let folder: TemporaryFolder
  private let host: Host

  init() throws {
    folder = try TemporaryFolder()
    try CCompiler("gcc").compile(
      FixtureEngine.source("recording"), to: folder.path("librecording.so"))
    host = Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: .none))
  }

  private func session(_ name: String = "recording") throws -> Session {
    let session = try Session(host.engine("org.example.\(name)"))
    try session.setSections([5, 5])
    return session
  }

  /// The digits of the calls since this was last asked.
  private func calls(_ session: Session, _ function: String = "takeBaseCalls") throws -> Double {
    try session.call(function, []).numbers[0]
  }

  private static let batch = Result {
    try UpdateBatch(
      [.delete(ItemPath(section: 0, item: 1)), .insert(ItemPath(section: 1, item: 2))],
      before: [5, 5], after: [4, 6])
  }

  @Test func layoutIsPreparedThenMeasuredThenQueried() throws {
    let session = try session()
    _ = try session.contentSize()
    #expect(try calls(session) == 1)
    _ = try session.elements(in: session.visibleRect)
    _ = try session.elements()
    _ = try session.element(.cell(section: 0, item: 1))
    #expect(try calls(session) == 222)
    session.bounds.width += 1
    session.scale = 3
    _ = try session.elements(in: session.visibleRect)
    #expect(try calls(session) == 712)
    try session.setSections([6])
    _ = try session.elements(in: session.visibleRect)
    #expect(try calls(session) == 12)
  }

  @Test func beginAndEndOfAnUpdateComeInPairs() throws {
    let session = try session()
    let animation = try session.update(Self.batch.get()) { _ in }
    // Prepared and listed with the old data; begin; prepared, the anchor found and listed with the
    // new; what appears; what disappears; end.
    #expect(try calls(session) == 123_122_456)
    let left = try #require(animation.tracks.first { $0.after == nil })
    #expect(left.to.transform.m41 == 1)
    _ = try session.elements()
    #expect(try calls(session) == 2)
  }

  @Test func initialAttributesAreOnlyCalledForAppearingElements() throws {
    let session = try session()
    let batch = try UpdateBatch(
      [.reload(ItemPath(section: 0, item: 1))], before: [5, 5], after: [5, 5])
    _ = try session.update(batch) { _ in }
    #expect(try calls(session) == 1_231_226)
  }

  @Test(arguments: [3, 4])
  func endIsCalledAfterAFailure(_ place: Int64) throws {
    let session = try session()
    try session.setParameter("failsIn", to: .integer(place))
    #expect(throws: HostError.self) { try session.update(Self.batch.get()) { _ in } }
    let digits = String(Int(try calls(session)))
    #expect(digits.filter { $0 == "3" }.count == 1 && digits.hasSuffix("6"))
    // A batch that begin refused has not been applied.
    #expect(session.itemCounts == (place == 3 ? [5, 5] : [4, 6]))
    try session.resetParameter("failsIn")
    #expect(try session.elements().count == 10)
  }

  @Test func baseIsCalledFirst() throws {
    let session = try session("recording-derived")
    let order = Mutex<[String]>([])
    session.trace = { line in order.withLock { $0.append(String(line.prefix { $0 != "(" })) } }
    _ = try session.update(Self.batch.get()) { _ in }
    let told = order.withLock { $0 }.filter { $0.hasPrefix("updates") }
    #expect(
      told == [
        "updates.begin", "updates.begin", "updates.initial_attributes",
        "updates.initial_attributes", "updates.final_attributes", "updates.final_attributes",
        "updates.end", "updates.end",
      ])
    let (base, derived) = try (calls(session), calls(session, "takeDerivedCalls"))
    // What an engine has of its own is called; its base's only through it.
    #expect(String(Int(base)) == "131456")
    #expect(String(Int(derived)) == "123122456")
  }
}
