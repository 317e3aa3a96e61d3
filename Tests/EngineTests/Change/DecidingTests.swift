import TesseraHost
import TestSupport
import Testing

/// Engines that say themselves where a dragged item goes: rows 10 high, so the row at y is y / 10.
@Suite struct DecidingTests {
  private let folder: TemporaryFolder
  private let host: Host

  init() throws {
    folder = try TemporaryFolder()
    try CCompiler("gcc").compile(
      FixtureEngine.source("deciding"), to: folder.path("libdeciding.so"))
    host = Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: .none))
  }

  private func session(_ name: String) throws -> Session {
    let session = try Session(host.engine("org.example.\(name)"))
    try session.setSections([6, 4])
    return session
  }

  @Test func theEngineFindsItsOwnRowAndDecides() throws {
    let session = try session("deciding")
    let item = ItemPath(section: 0, item: 5)
    for (y, section, place) in [(5.0, 0, 0), (15, 0, 0), (39, 0, 2), (65, 1, 0), (99, 1, 2)] {
      let target = try session.reorderingTarget(for: item, at: Point(x: 50, y: y))
      #expect(target == ItemPath(section: section, item: place))
    }
    // No row is there: the host's own answer stands, the nearest cell.
    let below = try session.reorderingTarget(for: item, at: Point(x: 50, y: 500))
    #expect(below == ItemPath(section: 1, item: 3))
  }

  @Test func derivedEngineWins() throws {
    let session = try session("deciding-last")
    try session.beginReordering(ItemPath(section: 0, item: 1))
    #expect(try session.drag(to: Point(x: 0, y: 0)) == ItemPath(section: 0, item: 5))
    let batch = try session.endReordering()
    #expect(
      batch.operations == [.move(ItemPath(section: 0, item: 1), to: ItemPath(section: 0, item: 5))])
  }

  @Test func invalidIndexPathBreaksTheContract() throws {
    let session = try session("deciding-nowhere")
    #expect(
      throws: HostError(
        .targetOutOfRange,
        "it returned the target item 0 of section 7, which does not "
          + "exist", engine: "org.example.deciding-nowhere")
    ) {
      try session.reorderingTarget(for: ItemPath(section: 0, item: 0), at: Point(x: 0, y: 0))
    }
  }
}
