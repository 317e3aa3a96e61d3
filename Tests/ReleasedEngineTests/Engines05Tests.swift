import TesseraHost
import Testing

/// The engines of version 0.5 lay out as their sources say; each frame here was computed by hand.
@Suite struct Engines05Tests {
  /// Columns of 83 = (200 - 8 - 16 - 10) / 2, rows of 20 and 40 with nothing between them, tiles at their
  /// bottom; then a row of one tile that takes all of 176.
  @Test(arguments: ReleasedRun.all) func tiles(_ run: ReleasedRun) throws {
    let session = try run.session("org.example.tiles", Size(width: 200, height: 300), [4, 1])
    try session.setParameter("columns", to: .integer(2))
    try session.setParameter("alignment", to: .choice("bottom"))
    try session.setParameter("fillsRow", to: .bool(true))
    try session.setItemValues("height", .numbers([10, 20, 30, 40, 5]))
    try session.setSectionValues(
      "spacing", .sizes([Size(width: 10, height: 0), Size(width: 6, height: 10)]))
    #expect(
      try session.elements().frames() == [
        Rect(x: 8, y: 14, width: 83, height: 10), Rect(x: 101, y: 4, width: 83, height: 20),
        Rect(x: 8, y: 34, width: 83, height: 30), Rect(x: 101, y: 24, width: 83, height: 40),
        Rect(x: 8, y: 80, width: 176, height: 5),
      ])
    #expect(try session.contentSize() == Size(width: 200, height: 97))
    session.direction = .rightToLeft
    #expect(try session.elements().frames().map(\.x) == [109, 16, 109, 16, 16])
  }

  /// Rungs of 2 · 30, the first as far down as the first lead says, twice; each further right by 5, and
  /// every second one as wide as its room, the others half as wide.
  @Test(arguments: ReleasedRun.all) func climbingRungs(_ run: ReleasedRun) throws {
    let session = try run.session(
      "org.example.climbing-rungs", Size(width: 100, height: 100), [2, 2])
    try session.setParameter("indent", to: .number(10))
    try session.setSectionValues("lead", .numbers([4, 6]))
    let frames = [
      Rect(x: 10, y: 8, width: 90, height: 60), Rect(x: 57.5, y: 68, width: 42.5, height: 60),
      Rect(x: 10, y: 134, width: 90, height: 60), Rect(x: 57.5, y: 194, width: 42.5, height: 60),
    ]
    #expect(try session.elements().frames() == frames)
    #expect(try session.contentSize() == Size(width: 100, height: 254))
    #expect(try session.element(.cell(section: 1, item: 1))?.frame == frames[3])

    // The first has begun to leave through the top.
    session.offset = Point(x: 0, y: 30)
    let visible = try session.elements(in: session.visibleRect)
    #expect(visible.frames() == Array(frames[..<2]))
    #expect(visible.map(\.alpha) == [0.5, 1])
    #expect(visible.map(\.zIndex) == [0, 1])

    // The layout of this width is kept, with all that the derived engine set.
    session.bounds.height = 120
    #expect(try session.elements().frames() == frames)

    // At the left when narrow.
    session.bounds.width = 60
    #expect(
      try session.elements().frames()[..<2] == [
        Rect(x: 10, y: 8, width: 50, height: 60), Rect(x: 15, y: 68, width: 22.5, height: 60),
      ])

    session.bounds.width = 100
    try session.setParameter("rungHeight", to: .number(12))
    try session.setParameter("alternates", to: .bool(false))
    try session.setDelegate(
      "isWide", DelegateFunction("isWide") { (section: UInt32, _: UInt64) in section == 1 })
    #expect(
      try session.elements().frames() == [
        Rect(x: 55, y: 8, width: 45, height: 24), Rect(x: 57.5, y: 32, width: 42.5, height: 24),
        Rect(x: 10, y: 62, width: 90, height: 24), Rect(x: 15, y: 86, width: 85, height: 24),
      ])
  }

  @Test(arguments: ReleasedRun.all) func squares(_ run: ReleasedRun) throws {
    let session = try run.session("org.example.squares", Size(width: 200, height: 100), [4, 2])
    try session.setParameter("side", to: .number(10))
    try session.setParameter("columns", to: .integer(3))
    try session.setParameter("origin", to: .point(Point(x: 5, y: 7)))
    let elements = try session.elements()
    #expect(
      elements.frames()
        == [(5, 17), (15, 17), (25, 17), (5, 27), (5, 47), (15, 47)].map {
          Rect(x: $0, y: $1, width: 10, height: 10)
        })
    #expect(
      elements.frames(.supplementary) == [
        Rect(x: 5, y: 7, width: 30, height: 10), Rect(x: 5, y: 37, width: 30, height: 10),
      ])
    #expect(
      elements.filter { $0.identity.category == .cell }.map(\.attributes)
        == [false, true, false, true, false, true].map { [.bool($0)] })
    #expect(try session.contentSize() == Size(width: 200, height: 57))

    // Only what is looked at is laid out: 333,333,334 lines of three, and the label's.
    try session.setSections([1_000_000_000])
    #expect(try session.contentSize() == Size(width: 200, height: 3_333_333_357))
    let last = try session.elements(in: Rect(x: 0, y: 3_333_333_347, width: 200, height: 20))
    #expect(last.frames() == [Rect(x: 5, y: 3_333_333_347, width: 10, height: 10)])
    #expect(last.first?.identity == .cell(section: 0, item: 999_999_999))
  }

  @Test(arguments: ReleasedRun.all) func notices(_ run: ReleasedRun) throws {
    let session = try run.session("org.example.notices", Size(width: 100, height: 50), [2, 1])
    try session.setDelegate(
      "heightOfItem",
      DelegateFunction("heightOfItem") { (_: UInt32, item: UInt64) in 20 + 10 * Double(item) })
    var elements = try session.elements()
    #expect(
      elements.frames() == [
        Rect(x: 10, y: 24, width: 90, height: 20), Rect(x: 10, y: 44, width: 90, height: 30),
        Rect(x: 10, y: 104, width: 90, height: 20),
      ])
    #expect(
      elements.frames(.supplementary) == [
        Rect(x: 0, y: 0, width: 100, height: 24), Rect(x: 0, y: 80, width: 100, height: 24),
      ])
    #expect(
      elements.frames(.decoration) == [
        Rect(x: 0, y: 0, width: 100, height: 74), Rect(x: 0, y: 80, width: 100, height: 44),
      ])
    #expect(try session.contentSize() == Size(width: 100, height: 124))
    let first = try #require(elements.first)
    #expect(
      first.attributes == [
        .number(2), .choice("loud"), .point(Point(x: 45, y: 2)),
        .rect(Rect(x: 1, y: 2, width: 3, height: 4)), .number(0),
      ])
    #expect(elements[1].attributes[1] == .choice("calm"))

    #expect(try session.call("topOf", [.unsigned(0), .unsigned(1)]) == .number(44))
    #expect(try session.call("topOf", [.unsigned(2), .unsigned(0)]) == .number(-1))
    // The first board, its header and the first notice.
    let top = Value.rect(Rect(x: 0, y: 0, width: 100, height: 30))
    #expect(try session.call("countIn", [top]) == .unsigned(3))
    let space = Value.insets(Insets(top: 1, left: 2, bottom: 3, right: 4))
    #expect(
      try session.call("boardOf", [.integer(1), space])
        == .rect(Rect(x: -2, y: 79, width: 6, height: 48)))

    // The header stays in sight until its board ends.
    session.offset = Point(x: 0, y: 60)
    elements = try session.elements(in: session.visibleRect)
    let pinned = try #require(elements.first { $0.identity.category == .supplementary })
    #expect(pinned.frame == Rect(x: 0, y: 50, width: 100, height: 24))
    #expect(pinned.zIndex == 1)
    #expect(pinned.transform.m42 == 2)
    #expect(pinned.attributes[4] == .number(50))
    #expect(elements.map(\.alpha).filter { $0 == 0.25 }.count == 2)

    // It lays out right-to-left itself.
    (session.offset, session.direction) = (.zero, .rightToLeft)
    try session.setDelegate(
      "headerSize", DelegateFunction("headerSize") { (_: UInt32) in Size(width: 30, height: 10) })
    elements = try session.elements()
    #expect(elements.frames().map(\.x) == [0, 0, 0])
    #expect(
      elements.frames(.supplementary) == [
        Rect(x: 70, y: 0, width: 30, height: 10), Rect(x: 70, y: 66, width: 30, height: 10),
      ])
  }

  @Test(arguments: ReleasedRun.all) func queue(_ run: ReleasedRun) throws {
    let session = try run.session("org.example.queue", Size(width: 100, height: 50), [2, 1])
    func row(_ y: Double, _ height: Double) -> Rect {
      Rect(x: 0, y: y, width: 100, height: height)
    }
    try session.setItemValues("height", .numbers([10, 20, 30]))
    #expect(try session.elements().frames() == [row(0, 10), row(10, 20), row(35, 30)])
    #expect(try session.contentSize() == Size(width: 100, height: 70))
    // Only what follows the change is laid out again.
    try session.setItemValues("height", .numbers([10, 25, 30]))
    #expect(try session.elements().frames() == [row(0, 10), row(10, 25), row(40, 30)])

    // The nearer end of the item, or the one that it moves to.
    #expect(try session.restingOffset(for: Point(x: 0, y: 14)) == Point(x: 0, y: 10))
    #expect(
      try session.restingOffset(for: Point(x: 0, y: 14), velocity: Point(x: 0, y: 9))
        == Point(x: 0, y: 35))

    // It stays in its section.
    try session.beginReordering(ItemPath(section: 0, item: 0))
    #expect(try session.drag(to: Point(x: 10, y: 20)) == ItemPath(section: 0, item: 1))
    #expect(try session.drag(to: Point(x: 10, y: 50)) == ItemPath(section: 0, item: 1))
    try session.cancelReordering()

    // Halfway, what is new is half a width from the left of its place.
    try session.setSections([2, 1])
    let batch = try UpdateBatch(
      [.insert(ItemPath(section: 0, item: 1))], before: [2, 1], after: [3, 1])
    let moment = try session.update(batch) { _ in }.elements(at: 0.5)
    #expect(
      moment.map(\.frame)
        == [row(0, 44), Rect(x: -50, y: 44, width: 100, height: 44), row(66, 44), row(115, 44)])
    #expect(moment.map(\.alpha) == [1, 0.5, 1, 1])

    try session.setParameter("estimatedHeight", to: .number(20))
    session.measure = { _, item, proposed in
      Size(width: proposed.width, height: 30 + Double(item))
    }
    #expect(
      try session.elements().frames() == [row(0, 30), row(30, 31), row(61, 32), row(98, 30)])
  }

  /// Three columns of 50 and 10 between them, in rows of 60.
  @Test(
    .enabled(if: ReleasedLibraries.forms.contains(.kept), "it is kept for x86-64 only"),
    arguments: [Isolation.sandbox, .none])
  func grid(_ isolation: Isolation) throws {
    let run = ReleasedRun(form: .kept, isolation: isolation)
    let session = try run.session("org.tessera.grid", Size(width: 175, height: 100), [4])
    try session.setParameter("itemSize", to: .size(Size(width: 50, height: 50)))
    try session.setParameter("spacing", to: .number(10))
    #expect(
      try session.elements().frames()
        == [(0, 0), (60, 0), (120, 0), (0, 60)].map {
          Rect(x: $0, y: $1, width: 50, height: 50)
        })
    #expect(try session.contentSize() == Size(width: 175, height: 110))
  }
}
