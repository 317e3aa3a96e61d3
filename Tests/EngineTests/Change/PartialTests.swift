import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// A layout that was changed step by step is the layout that is made at once, to the bit, and less
/// is done for it.
@Suite struct PartialTests {
  @Test(arguments: ShippedEngines.ids, 1...20 as ClosedRange<UInt64>)
  func stepsLeadToTheFreshLayout(_ id: String, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let engine = try ShippedEngines.host.engine(id)
    var given = ChangingCase(of: engine, counts: [7, 0, 30, 4], using: &random)
    let session = try given.fresh()
    var steps: [String] = []
    for _ in 0..<12 {
      steps.append(try given.step(session, using: &random))
      // Several changes become one prepare.
      if Bool.random(using: &random) { steps.append(try given.step(session, using: &random)) }
      let found = try Snapshot(session)
      #expect(try found == Snapshot(given.fresh()), "\(steps)")
    }
  }

  @Test(arguments: incremental, 1...3 as ClosedRange<UInt64>)
  func largeLayoutsToo(_ id: String, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let engine = try ShippedEngines.host.engine(id)
    var given = ChangingCase(of: engine, counts: [9000, 3, 14000], using: &random)
    let session = try given.fresh()
    for _ in 0..<8 {
      let step = try given.step(session, using: &random)
      let found = try PreparedRowsImage(session)
      #expect(try found == PreparedRowsImage(given.fresh()), "\(step)")
    }
  }

  private static let incremental = ["flow", "mosaic", "stagger", "table", "column-flow"].map {
    "org.tessera.\($0)"
  }

  /// The most rows that are redone when the last of many items changes and some are appended.
  @Test(arguments: [
    // Flow begins again at a place that it noted, one in 4096 items.
    ("flow", 4096 + 100), ("table", 0), ("mosaic", 16), ("stagger", 0),
  ])
  func onlyWhatFollowsIsRedone(_ name: String, _ slack: Int) throws {
    var random = SeededGenerator(seed: 5)
    let engine = try ShippedEngines.host.engine("org.tessera.\(name)")
    let count = 20_000
    var given = ChangingCase(of: engine, counts: [count, 50], using: &random)
    let session = try given.fresh()
    for item in [count - 1, count / 2, 1] where !given.items.isEmpty {
      try RowMark.set(session)
      _ = try given.changeItem(session, at: (0, item), using: &random)
      let redone = try RowMark.countOfRedone(session)
      // Cells from the item on; separators lie between those of a table; then headers.
      let cells = count - item + 50
      #expect(redone >= min(cells, count - item))
      #expect(redone <= cells * (name == "table" ? 2 : 1) + slack + 4)
    }
    given.insert(9, at: 50, section: 1, using: &random)
    try RowMark.set(session)
    try session.setSections(given.layout.counts)
    try given.supply(session)
    #expect(try RowMark.countOfRedone(session) <= 2 * (50 + 9) + slack + 4)
  }

  /// A line ends where the next item does not fit: an item that begins a line and shrinks changes the
  /// line before, also where flow noted that a line begins there.
  @Test(arguments: 4086...4104)
  func anItemThatShrinksJoinsTheLineBefore(_ item: Int) throws {
    func session(_ sizes: [Size]) throws -> Session {
      let session = try ShippedEngines.session("org.tessera.flow")
      try session.setSections([sizes.count])
      try session.setItemValues("size", .sizes(sizes))
      _ = try session.contentSize()
      return session
    }
    // Six to a line of 375 points, with room for 15 more.
    var sizes = Array(repeating: Size(width: 50, height: 50), count: 5000)
    let changing = try session(sizes)
    sizes[item].width = 15
    try changing.setItemValues("size", .sizes(sizes))
    #expect(try PreparedRowsImage(changing) == PreparedRowsImage(session(sizes)))
  }

  /// Bounds that change nothing relevant prepare nothing, others do.
  @Test(arguments: [
    ("flow", true, false), ("table", true, false), ("mosaic", true, false),
    ("stagger", false, true), ("cover-flow", false, true),
  ])
  func boundsThatChangeNothingPrepareNothing(
    _ name: String, _ dependsOnWidth: Bool, _ dependsOnHeight: Bool
  ) throws {
    let session = try ShippedEngines.session("org.tessera.\(name)")
    try session.setSections([50])
    for (dependsOn, size) in [
      (dependsOnWidth, Size(width: 720, height: 667)),
      (dependsOnHeight, Size(width: 375, height: 900)),
    ] {
      session.bounds = Size(width: 375, height: 667)
      try RowMark.set(session)
      session.bounds = size
      #expect(try (RowMark.countOfRedone(session) > 0) == dependsOn)
      let fresh = try ShippedEngines.session("org.tessera.\(name)")
      try fresh.setSections([50])
      fresh.bounds = size
      session.bounds = Size(width: 1, height: 1)
      _ = try session.contentSize()
      session.bounds = size
      #expect(try PreparedRowsImage(session) == PreparedRowsImage(fresh))
    }
  }
}
