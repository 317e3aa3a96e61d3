import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

@Suite struct AbilityTests {
  @Test(arguments: WrapperCompiler.tested)
  func aLazyEngineAnswersForItself(_ compiler: WrapperCompiler) throws {
    let table = try Table(
      compiler.tessera(
        "layout", "ticks", "--sections", "500000,500000000", "--bounds", "100x25", "--offset",
        "0,4999990", "--visible", "--format", "csv"))
    #expect(
      table.frames == [
        [0, 4_999_990, 100, 10], [0, 5_000_000, 100, 10], [0, 5_000_010, 100, 10],
      ])
    #expect(table["section"] == ["0", "1", "1"])
    #expect(table["item"] == ["499999", "0", "1"])
  }

  @Test(arguments: WrapperCompiler.tested)
  func eachElementIsMeasuredForItsOwnProposal(_ compiler: WrapperCompiler) throws {
    let session = try compiler.session("list")
    session.bounds = Size(width: 300, height: 400)
    try session.setSections([3, 1])
    try session.setParameter("estimatedHeight", to: .number(20))
    try session.setParameter("estimatedHeaderHeight", to: .number(10))
    session.measure = { _, item, proposed in
      Size(width: proposed.width, height: proposed.width / 10 + Double(item))
    }
    session.measureSupplementary = { kind, section, proposed in
      Size(
        width: proposed.width, height: kind == "header" ? proposed.width / 20 + Double(section) : -1
      )
    }
    // Proposed height + index: headers get 300 / 20; items get 300, 150 and 300 wide, / 10 + index.
    let heights = [
      ("header", 15), ("cell", 30), ("cell", 16), ("cell", 32), ("header", 16), ("cell", 30),
    ]
    let elements = try session.visibleElements().sorted { $0.frame.y < $1.frame.y }
    #expect(elements.map(\.frame.height) == heights.map { Double($0.1) })
    #expect(elements.map(\.frame.y) == [0, 15, 45, 61, 93, 109])
    #expect(
      elements.map { $0.identity.category == .cell ? "cell" : "header" } == heights.map(\.0))
    let kind = try #require(session.engine.chain.first?.kinds.first)
    #expect(kind.role == .header && kind.shows == "rowCount")
    #expect(session.engine.chain.first?.attributes.first?.unit == "d")
  }

  /// Halfway in, the first is still half of its 300 points to the left.
  @Test(arguments: WrapperCompiler.tested)
  func appearingElementsComeFromTheLeft(_ compiler: WrapperCompiler) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "script.json",
      """
      {
        "before": { "bounds": [300, 400], "sections": [ { "items": 2 } ] },
        "after": { "bounds": [300, 400], "sections": [ { "items": 3 } ] },
        "operations": [ { "insert": [0, 1] } ]
      }
      """)
    let table = try Table(
      compiler.tessera(
        "update", "list", "--script", "script.json", "--progress", "0.5", "--format", "csv",
        in: folder))
    #expect(table.frames == [[0, 0, 300, 44], [-150, 44, 300, 44], [0, 66, 300, 44]])
    #expect(table["alpha"] == ["1", "0.5", "1"])
  }

  @Test(arguments: WrapperCompiler.tested)
  func engineDecidesWhereADraggedItemGoes(_ compiler: WrapperCompiler) throws {
    let session = try compiler.session("list")
    session.bounds = Size(width: 300, height: 400)
    try session.setSections([4, 4])
    try session.beginReordering(ItemPath(section: 0, item: 0))
    // Row 3; the engine rejects a row of the other section, so the host's proposal holds.
    #expect(try session.drag(to: Point(x: 10, y: 100)) == ItemPath(section: 0, item: 2))
    #expect(try session.drag(to: Point(x: 10, y: 100 + 4 * 44)) == ItemPath(section: 1, item: 2))
    try session.cancelReordering()
  }

  @Test(arguments: WrapperCompiler.tested)
  func onlyWhatFollowsAChangeIsRedoneAndTheLayoutIsTheSame(
    _ compiler: WrapperCompiler
  ) throws {
    func frames(_ session: Session) throws -> [Rect] {
      let size = try session.contentSize()
      return try session.elements(in: Rect(x: 0, y: 0, width: size.width, height: size.height))
        .map(\.frame)
    }
    let session = try compiler.session("list")
    session.bounds = Size(width: 300, height: 400)
    try session.setSections([3, 5])
    #expect(try frames(session).count == 8)
    try session.setSections([3, 7])
    #expect(
      try frames(session) == (0..<10).map { Rect(x: 0, y: Double($0) * 44, width: 300, height: 44) }
    )
  }
}
