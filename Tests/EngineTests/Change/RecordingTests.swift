import Synchronization
import TesseraHost
import TestSupport
import Testing

@Suite struct RecordingTests {
  private let library: LayerLibrary
  private let calls = Calls()

  init() throws { library = try LayerLibrary("recording") }

  private final class Calls: Sendable {
    private let names = Mutex<[String]>([])

    func add(_ line: String) { names.withLock { $0.append(String(line.prefix { $0 != "(" })) } }

    func take() -> [String] {
      names.withLock { names in
        defer { names = [] }
        return names
      }
    }
  }

  private func session(_ name: String = "recording") throws -> Session {
    let session = try library.session("org.example.\(name)")
    session.trace = { [calls] in calls.add($0) }
    try session.setSections([5, 5])
    return session
  }

  private static let batch = Result {
    try UpdateBatch(
      [.delete(ItemPath(section: 0, item: 1)), .insert(ItemPath(section: 1, item: 2))],
      before: [5, 5], after: [4, 6])
  }

  @Test func beginAndEndOfAnUpdateComeInPairs() throws {
    let session = try session()
    let animation = try session.update(Self.batch.get()) { _ in }
    // Expected order: old data; begin; new data with the anchor; appearing; disappearing; end.
    #expect(
      calls.take() == [
        "prepare", "adjust", "updates.begin", "prepare", "adjust", "adjust",
        "updates.initial_attributes", "updates.final_attributes", "updates.end",
      ])
    let left = try #require(animation.tracks.first { $0.after == nil })
    #expect(left.to.transform.m41 == 1)
    _ = try session.update(
      UpdateBatch([.reload(ItemPath(section: 0, item: 1))], before: [4, 6], after: [4, 6])
    ) { _ in }
    #expect(
      calls.take().filter { $0.hasPrefix("updates") } == ["updates.begin", "updates.end"])
  }

  @Test(arguments: [1, 2])
  func endIsCalledAfterAFailure(_ place: Int64) throws {
    let session = try session()
    try session.setParameter("failsIn", to: .integer(place))
    #expect(throws: HostError.self) { try session.update(Self.batch.get()) { _ in } }
    let names = calls.take()
    #expect(names.filter { $0 == "updates.begin" }.count == 1 && names.last == "updates.end")
    #expect(session.itemCounts == (place == 1 ? [5, 5] : [4, 6]))
    try session.resetParameter("failsIn")
    #expect(try session.elements().count == 10)
  }

  @Test func baseIsCalledFirst() throws {
    let session = try session("recording-derived")
    _ = try session.update(Self.batch.get()) { _ in }
    #expect(
      calls.take().filter { $0.hasPrefix("updates") }
        == ["begin", "initial_attributes", "final_attributes", "end"].flatMap {
          ["updates.\($0)", "updates.\($0)"]
        })
    try session.setSections([5, 5])
    try session.setParameter("failsIn", to: .integer(1))
    let error = #expect(throws: HostError.self) { try session.update(Self.batch.get()) { _ in } }
    #expect(error?.engine == "org.example.recording-derived")
    #expect(calls.take().count { $0 == "updates.begin" } == 2)
  }
}
