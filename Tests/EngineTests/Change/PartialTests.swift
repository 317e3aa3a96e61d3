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
  /// Engines that keep rows, or whose base does.
  private static let incremental = ShippedEngines.ids.filter {
    guard let engine = try? ShippedEngines.host.engine($0) else { return false }
    return engine.chain.contains { $0.traits.contains(.incremental) }
  }

  @Test(
    arguments: ShippedEngines.ids,
    1...(Soak.isFull ? 100 : Ring.isSecond ? 8 : 2) as ClosedRange<UInt64>)
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

  @Test(arguments: incremental, 1...2 as ClosedRange<UInt64>)
  func largeLayoutsToo(_ id: String, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let engine = try ShippedEngines.host.engine(id)
    var given = ChangingCase(of: engine, counts: [9000, 3, 14000], using: &random)
    let session = try given.fresh()
    for _ in 0..<8 {
      let step = try given.step(session, using: &random)
      let found = try PreparedRowsImage(session)
      #expect(try found == PreparedRowsImage(given.fresh()), "\(step)")
      // The index knows what changed.
      let content = try session.contentSize()
      for part in [0, 0.4, 0.8] {
        let rect = Rect(
          x: part * content.width * 0.9, y: part * content.height * 0.9,
          width: content.width / 50, height: content.height / 50)
        #expect(try Array(session.elements(in: rect)) == Array(given.fresh().elements(in: rect)))
      }
    }
  }
}

extension PartialTests {
  @Test func oneValueForAllIsTheSameAsOneForEach() throws {
    let session = try ShippedEngines.session("org.tessera.waterfall")
    try session.setSections([40, 60])
    try session.setSectionValues("columnCount", .integers([3, 3]))
    let steps: [(values: ValueColumn, redone: Int)] = [
      (.constant(.integer(3)), 0), (.integers([3, 3]), 0), (.integers([3, 4]), 60),
      (.constant(.integer(4)), 100),
    ]
    for step in steps {
      try RowMark.set(session)
      try session.setSectionValues("columnCount", step.values)
      #expect(try RowMark.countOfRedone(session) == step.redone, "\(step.values)")
    }
  }
}

/// Checks of how little an engine does again, which the tests of an engine make with what its rules
/// say.
enum PartialChecks {
  /// Expects that only rows from a changed or appended item on are laid out again.
  ///
  /// - Parameters:
  ///   - slack: How many more rows may be.
  ///   - rowsPerItem: A cell, and what lies between cells.
  static func expectOnlyWhatFollowsIsRedone(
    _ id: String, slack: Int, rowsPerItem: Int = 1
  ) throws {
    var random = SeededGenerator(seed: 5)
    let engine = try ShippedEngines.host.engine(id)
    let count = 20_000
    var given = ChangingCase(of: engine, counts: [count, 50], using: &random)
    let session = try given.fresh()
    for item in [count - 1, count / 2, 1] where !given.items.isEmpty {
      try RowMark.set(session)
      _ = try given.changeItem(session, at: (0, item), using: &random)
      let redone = try RowMark.countOfRedone(session)
      // Cells from the item on, what lies between them, then headers.
      let cells = count - item + 50
      #expect(redone >= min(cells, count - item))
      #expect(redone <= cells * rowsPerItem + slack + 4)
    }
    given.insert(9, at: 50, section: 1, using: &random)
    try RowMark.set(session)
    try session.setSections(given.layout.counts)
    try given.supply(session)
    #expect(try RowMark.countOfRedone(session) <= 2 * (50 + 9) + slack + 4)
  }

  /// Expects that a layout is prepared again where the length that it depends on changes, and only
  /// there.
  static func expectReuse(
    _ id: String, dependsOnWidth: Bool = false, dependsOnHeight: Bool = false
  ) throws {
    let session = try ShippedEngines.session(id)
    try session.setSections([50])
    for (dependsOn, size) in [
      (dependsOnWidth, Size(width: 720, height: 667)),
      (dependsOnHeight, Size(width: 375, height: 900)),
    ] {
      session.bounds = Size(width: 375, height: 667)
      try RowMark.set(session)
      session.bounds = size
      #expect(try (RowMark.countOfRedone(session) > 0) == dependsOn)
      let fresh = try ShippedEngines.session(id)
      try fresh.setSections([50])
      fresh.bounds = size
      session.bounds = Size(width: 1, height: 1)
      _ = try session.contentSize()
      session.bounds = size
      #expect(try PreparedRowsImage(session) == PreparedRowsImage(fresh))
    }
  }
}
