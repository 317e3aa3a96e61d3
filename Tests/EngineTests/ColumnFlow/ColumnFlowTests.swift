import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The column-flow engine against its rules, followed by hand.
@Suite struct ColumnFlowTests {
  @Test(arguments: [0, 1, 3, 7])
  func everyWidthIsPlacedByTheRules(_ count: Int) throws {
    let session = try ShippedEngines.session("org.tessera.column-flow")
    for width in stride(from: 0.0, through: 1600, by: 12.5) {
      for (margin, safe) in [(0.0, 0.0), (16, 0), (16, 44), (300, 10)] {
        var rules = ColumnFlowRules()
        rules.flow.bounds.width = width
        rules.flow.layoutMargins = Insets(top: 3, left: margin, bottom: 5, right: margin / 2)
        rules.flow.safeArea = Insets(top: 9, left: safe, bottom: 7, right: safe / 4)
        rules.flow.sections = [FlowRules.Section(sizes: Array(repeating: .zero, count: count))]
        try check(rules, session)
      }
    }
  }

  @Test(arguments: 1...60) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = ColumnFlowRules()
    rules.minColumnWidth = random.number(in: 1...400)
    rules.cellHeight = random.number(in: 0...90)
    rules.interitemSpacing = random.number(in: 0...30)
    rules.flow.bounds = Size(
      width: random.number(in: 0...1500), height: random.number(in: 0...900))
    rules.flow.isHorizontal = random.pick([false, false, true])
    rules.flow.scale = random.pick([1, 2, 3])
    rules.flow.contentInsets = random.edges(upTo: 30)
    rules.flow.safeArea = random.edges(upTo: 60)
    rules.flow.layoutMargins = random.edges(upTo: 60)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      var section = FlowRules.Section()
      section.lineSpacing = random.number(in: 0...30)
      section.interitemSpacing = random.pick([rules.interitemSpacing, random.number(in: 0...30)])
      section.header = Size(width: 20, height: random.pick([0, random.number(in: 1...50)]))
      section.footer = Size(width: 0, height: random.pick([0, random.number(in: 1...50)]))
      section.inset = random.edges(upTo: 30)
      section.sizes = Array(
        repeating: Size(width: 7, height: 9), count: Int.random(in: 0...20, using: &random))
      rules.flow.sections.append(section)
    }
    try check(rules, try ShippedEngines.session("org.tessera.column-flow"))
  }

  /// A width under the least column's is one column, and as many as are counted lie on a line.
  @Test func columnsAreReallyThere() throws {
    let session = try ShippedEngines.session("org.tessera.column-flow")
    try session.setSections([40])
    for width in stride(from: 133.0, through: 2500, by: 33) {
      for (margin, safe) in [(0.0, 0.0), (8, 20), (20, 0)] {
        for spacing in [0.0, 10, 45] {
          session.bounds.width = width
          session.layoutMargins = Insets(top: 0, left: margin, bottom: 0, right: margin)
          session.safeAreaInsets = Insets(top: 0, left: safe, bottom: 0, right: safe)
          try session.setParameter("minimumInteritemSpacing", to: .number(spacing))
          let frames = try session.elements().map(\.frame)
          let columns = max(1, Int(max(0, width - 2 * margin) / 300))
          #expect(
            frames.prefix { $0.y == frames[0].y }.count == columns,
            "width \(width), margin \(margin), safe area \(safe), spacing \(spacing)")
          #expect(Set(frames.map(\.width)).count == 1)
          if columns > 1 {
            #expect(frames.allSatisfy { $0.x >= safe && $0.maxX <= width - safe })
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("itemSize", Value.size(Size(width: 9, height: 9))), ("estimatedItemSize", .size(.zero)),
    ("sectionInset", .insets(.zero)),
    ("sectionInsetReference", .choice("contentInset")),
  ])
  func overriddenParametersCannotBeSet(_ name: String, _ value: Value) throws {
    let session = try ShippedEngines.session("org.tessera.column-flow")
    let error = #expect(throws: HostError.self) { try session.setParameter(name, to: value) }
    #expect(
      error
        == HostError(
          .reservedParameter, "\(name) cannot be set: org.tessera.column-flow sets it itself"))
  }

  /// An engine that decides the size of items itself has the last word.
  @Test func overriddenSizesAreNotMeasured() throws {
    let engine = try ShippedEngines.host.engine("org.tessera.column-flow")
    let (measuring, plain) = (try Session(engine), try Session(engine))
    measuring.measure = { _, _, _ in Size(width: 7, height: 7) }
    for session in [measuring, plain] { try session.setSections([30]) }
    #expect(try Snapshot(measuring) == Snapshot(plain))
  }

  @Test(arguments: LayoutDirection.allCases)
  func columnsKeepOffTheSafeArea(_ direction: LayoutDirection) throws {
    let session = try ShippedEngines.session("org.tessera.column-flow")
    session.bounds = Size(width: 700, height: 400)
    session.safeAreaInsets = Insets(left: 60)
    session.direction = direction
    try session.setSections([6])
    let frames = try session.elements().map(\.frame)
    // Two columns of (640 - 10) / 2, and the gap between them.
    #expect(Set(frames.map(\.width)) == [315])
    #expect(Set(frames.map(\.minX)) == [60, 385])
    #expect(frames[0].minX == (direction == .leftToRight ? 60 : 385))
  }

  private func check(_ rules: ColumnFlowRules, _ session: Session) throws {
    try rules.apply(to: session)
    try rules.place().check(session, rules)
  }
}
