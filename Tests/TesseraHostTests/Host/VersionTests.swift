import Foundation
import TestSupport
import Testing

@testable import TesseraHost

/// A library whose declarations change while in use.
///
/// Calls resolve names in the new version, and item values stay with items. versions.c's layouts
/// are calculated by hand.
@Suite struct VersionTests {
  private let folder: TemporaryFolder
  private var library: String { folder.path("libversions.so") }

  init() throws { folder = try TemporaryFolder() }

  private func put(_ flags: String...) throws {
    try CCompiler("gcc").compile(
      FixtureEngine.source("versions"), to: folder.path("new.so"),
      flags: ["-std=c11", "-shared", "-fPIC"] + flags)
    #expect(rename(folder.path("new.so"), library) == 0)
  }

  private func session(_ counts: [Int], _ isolation: Isolation = .sandbox) throws -> Session {
    try put()
    let host = Host(
      searchPath: SearchPath(folders: []), configuration: HostConfiguration(isolation: isolation))
    let session = try Session(host.engine(library))
    try session.setSections(counts)
    return session
  }

  private func heights(_ session: Session) throws -> [Double] {
    try session.elements().filter { $0.identity.category == .cell }.map(\.frame.height)
  }

  private func kind(_ name: String) -> ElementIdentity {
    ElementIdentity(category: .supplementary, kind: name, section: 0, item: 0)
  }

  @Test(arguments: Isolation.allCases) func aKindIsLookedUpInTheNewVersion(
    _ isolation: Isolation
  ) throws {
    let session = try session([2], isolation)
    #expect(try session.element(kind("footer"))?.frame == Rect(x: 0, y: 25, width: 375, height: 7))
    try put("-DTHIRD")
    session.bounds = Size(width: 100, height: 100)
    #expect(try session.element(kind("footer"))?.frame == Rect(x: 0, y: 20, width: 100, height: 7))
    try put("-DSECOND")
    session.bounds = Size(width: 200, height: 100)
    #expect(try session.element(kind("header"))?.frame == Rect(x: 0, y: 0, width: 200, height: 5))
    try put("-DTHIRD")
    session.bounds = Size(width: 100, height: 100)
    #expect(try session.element(kind("header")) == nil)
  }

  @Test func aBatchKeepsItsVersionToTheEnd() throws {
    let session = try session([2, 3])
    var measured: [[Int]] = []
    session.measure = { (section, item, _) throws(HostError) in
      if measured.isEmpty {
        do { try self.put("-DTHIRD") } catch { Issue.record(error) }
        usleep(60_000)
      }
      let part = session.batchPart
      measured.append([part?.layout ?? -1, (part?.firstSection ?? 0) + section, item])
      return Size(width: 0, height: 4)
    }
    let batch = try session.batch()
    #expect(batch.errors.isEmpty)
    #expect(batch.contentSizes.map(\.height) == [20, 24] as [Double])
    #expect(batch.elements.kinds.compactMap { $0.name } == ["header", "footer"])
    #expect(measured == [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [1, 1, 2]])
    #expect(session.batchPart == nil)
    #expect(session.engine.description.version == "1.0.0")
    // The next call uses the new version, without header; unseen sizes are estimates.
    #expect(try session.contentSize().height == 64)
    #expect(session.engine.description.version == "3.0.0")
  }

  @Test func anUpdateKeepsItsVersionToTheEnd() throws {
    let session = try session([3])
    try session.setItemValues("height", .numbers([1, 2, 3]))
    let batch = try UpdateBatch([.delete(ItemPath(section: 0, item: 0))], before: [3], after: [2])
    let animation = try session.update(batch) { session throws(HostError) in
      do { try put("-DTHIRD") } catch { Issue.record(error) }
      usleep(60_000)
      try session.setItemValues("height", .numbers([2, 3]))
    }
    #expect(session.engine.description.version == "1.0.0")
    #expect(animation.contentSizeAfter.height == 17)
    #expect(try session.contentSize().height == 12)
  }

  @Test func aHeldItemKeepsTheVersionUntilItIsDropped() throws {
    let session = try session([3])
    try session.setItemValues("height", .numbers([1, 2, 3]))
    try session.beginReordering(ItemPath(section: 0, item: 0))
    try put("-DTHIRD")
    usleep(60_000)
    #expect(try session.drag(to: Point(x: 5, y: 10)) == ItemPath(section: 0, item: 2))
    #expect(try heights(session) == [2, 3, 1])
    #expect(try hostError { try session.reload() }.code == .wrongState)
    try session.cancelReordering()
    session.bounds = Size(width: 100, height: 100)
    #expect(try session.contentSize().height == 13)
    #expect(try heights(session) == [1, 2, 3])
  }

  @Test func aCallRefusesToReload() throws {
    let session = try session([1])
    var refusal: HostError?
    session.measure = { (_, _, _) throws(HostError) in
      do throws(HostError) { try session.reload() } catch { refusal = error }
      return Size(width: 0, height: 4)
    }
    #expect(try heights(session) == [4])
    #expect(refusal?.code == .wrongState)
  }

  @Test func aSettingIsThatOfTheNewVersion() throws {
    let session = try session([3])
    try session.setItemValues("height", .numbers([1, 2, 3]))
    try session.prepare()
    try put("-DSECOND")
    session.bounds = Size(width: 100, height: 100)
    try session.setParameter("gap", to: .number(1))
    #expect(session.engine.description.version == "2.0.0")
    #expect(try session.contentSize().height == 21)
    // Replacing the library between setting sections and values keeps both.
    try put()
    try session.setSections([4])
    try session.setItemValues("height", .numbers([4]), from: 3)
    #expect(try heights(session) == [1, 2, 3, 4])
    #expect(session.engine.description.version == "1.0.0")
  }

  @Test func aFunctionIsCalledByTheSignatureOfItsVersion() throws {
    let session = try session([1])
    #expect(try session.call("twice", [.number(2)]) == .number(4))
    try put("-DSECOND")
    session.bounds = Size(width: 100, height: 100)
    #expect(try session.call("twice", [.number(2)]) == .point(Point(x: 4, y: 6)))
  }

  private func failing(_ session: Session) throws -> [Int] {
    try session.batch().errors.filter { $0.value.message.contains("is missing") }.keys.sorted()
  }

  private func sessionWithFault(at item: Int) throws -> Session {
    let session = try session([2, 2, 2])
    try session.setItemValues("height", .numbers([1, 2, 3, 4, 5, 6]))
    session.values.note([(item, "is missing")], of: "height")
    return session
  }

  @Test func aFaultMovesWithItsValue() throws {
    let session = try sessionWithFault(at: 3)
    #expect(try failing(session) == [1])
    // Two values fewer before, two more behind.
    try session.spliceValues("height", at: 0, removing: 2, inserting: .numbers([]))
    try session.spliceValues("height", at: 4, removing: 0, inserting: .numbers([7, 8]))
    #expect(try failing(session) == [0])
    #expect(try hostError { _ = try session.elements() }.message.contains("item 1 in section 0"))
    try session.spliceValues("height", at: 0, removing: 1, inserting: .numbers([9, 9, 9]))
    try session.spliceValues("height", at: 6, removing: 2, inserting: .numbers([]))
    #expect(try failing(session) == [1])
    try session.spliceValues("height", at: 3, removing: 1, inserting: .numbers([4]))
    #expect(try failing(session) == [])
    #expect(try heights(session) == [9, 9, 9, 4, 5, 6])
  }

  @Test func measuredSizesOutliveAReloadAndABatch() throws {
    let session = try session([2, 2])
    let path = ItemPath(section: 1, item: 0)
    let sizes = [30, 40].map { Size(width: 0, height: $0) }
    try session.setMeasuredSizes(sizes, from: path)
    #expect(try heights(session) == [10, 10, 30, 40])
    #expect(try session.batch().contentSizes.map(\.height) == [32, 82] as [Double])
    #expect(try heights(session) == [10, 10, 30, 40])
    try put("-DSECOND")
    try session.reload()
    #expect(try session.lastReload?.get() == [])
    #expect(try heights(session) == [10, 10, 30, 40])
    session.bounds = Size(width: 100, height: 100)
    #expect(try heights(session) == [10, 10, 10, 10])
  }
}
