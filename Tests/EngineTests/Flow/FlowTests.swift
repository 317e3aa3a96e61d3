import TesseraHost
import TestSupport
import Testing

@Suite struct FlowRulesTests {
  @Test(arguments: 1...200) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = FlowRules()
    rules.bounds = Size(width: random.number(in: 0...900), height: random.number(in: 0...900))
    rules.scale = random.pick([1, 2, 3, 1.5])
    rules.isHorizontal = Bool.random(using: &random)
    rules.reference = random.pick(["contentInset", "safeArea", "layoutMargins"])
    rules.contentInsets = random.edges(in: 0...30)
    rules.safeArea = random.edges(in: 0...50)
    rules.layoutMargins = random.edges(in: 0...50)
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      var section = FlowRules.Section()
      section.inset = random.edges(in: random.pick([0...0, -5...40, -30...60]))
      section.lineSpacing = random.pick([0, 10, random.number(in: -10...30)])
      section.interitemSpacing = random.pick([0, 10, random.number(in: -35...30)])
      section.header = random.extent(in: 0...60)
      section.footer = random.pick([.zero, random.extent(in: 0...60)])
      let isUniform = Bool.random(using: &random)
      let size = random.extent(in: 1...160)
      section.sizes = (0..<Int.random(in: 0...random.pick([1, 4, 40, 300]), using: &random)).map {
        _ in isUniform ? size : random.extent(in: 0...160)
      }
      rules.sections.append(section)
    }
    try check(rules, try ShippedEngines.session("org.tessera.flow"))
  }

  /// Equal sizes make equal lines: very many, between pixels and far out.
  @Test(arguments: 1...40) func randomLayoutOfEqualItemsIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = FlowRules()
    rules.bounds = Size(width: random.number(in: 1...900), height: random.number(in: 1...900))
    rules.scale = random.pick([1, 2, 3, 1.5])
    rules.isHorizontal = Bool.random(using: &random)
    let size = random.extent(in: 0...random.pick([20, 160]))
    let inset = random.edges(in: -5...40)
    let spacing = (random.number(in: -10...30), random.number(in: -10...30))
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let count = Int.random(in: 0...random.pick([3, 40, 1000]), using: &random)
      rules.sections.append(
        FlowRules.Section(
          inset: inset, lineSpacing: spacing.0, interitemSpacing: spacing.1,
          sizes: Array(repeating: size, count: count)))
    }
    let session = try ShippedEngines.session("org.tessera.flow")
    try check(rules, session, asParameters: true)
    try check(rules, session)
  }

  /// An item that starts a line and shrinks joins the line before, even at flow's line checkpoints.
  @Test(arguments: 4086...4104)
  func anItemThatShrinksJoinsTheLineBefore(_ item: Int) throws {
    func session(_ sizes: [Size]) throws -> Session {
      let session = try ShippedEngines.session("org.tessera.flow")
      try session.setSections([sizes.count])
      try session.setItemValues("size", .sizes(sizes))
      _ = try session.contentSize()
      return session
    }
    // Six per line of 375 points, with room for 15 more.
    var sizes = Array(repeating: Size(width: 50, height: 50), count: 5000)
    let changing = try session(sizes)
    sizes[item].width = 15
    try changing.setItemValues("size", .sizes(sizes))
    #expect(try Snapshot(changing) == Snapshot(session(sizes)))
  }

  @Test(arguments: ["safeArea", "layoutMargins"], LayoutDirection.allCases)
  func theEdgesOfTheDisplayStayWhereTheyAre(
    _ reference: String, _ direction: LayoutDirection
  ) throws {
    let session = try ShippedEngines.session("org.tessera.flow")
    session.bounds = Size(width: 300, height: 400)
    session.contentInsets = Insets(left: 10, right: 5)
    session.safeAreaInsets = Insets(left: 50)
    session.layoutMargins = Insets(left: 50)
    session.direction = direction
    try session.setParameter("sectionInsetReference", to: .choice(reference))
    try session.setParameter("sectionInset", to: .insets(Insets(left: 7)))
    try session.setSections([9])
    let frames = try session.elements().map(\.frame)
    // The extent is 285; 40 of it lie under the left edge. The section inset follows the direction.
    let isLeftToRight = direction == .leftToRight
    #expect(frames.map(\.minX).min() == (isLeftToRight ? 47 : 40))
    #expect(frames.map(\.maxX).max() == (isLeftToRight ? 285 : 278))
    #expect(frames[0].minX == (isLeftToRight ? 47 : 228))
  }

  private func check(
    _ rules: FlowRules, _ session: Session, asParameters: Bool = false
  ) throws {
    try rules.apply(to: session, asParameters: asParameters)
    try rules.place().check(session, rules)
  }
}

/// Three cells per row with equal gaps, at least a point.
@Suite struct BookishTests {
  @Test func aLineMayBeTooLongByAMillionthOfAPointAndNoMore() throws {
    let width = (390.0 - 2 * 5) / 3
    #expect(try lines(ofItemsWide: width + 3e-7) == [0, 0, 0, 20, 20, 20, 40, 40, 40])
    #expect(try lines(ofItemsWide: width + 4e-7) == [0, 0, 20, 20, 40, 40, 60, 60, 80])
  }

  private func lines(ofItemsWide width: Double) throws -> [Double] {
    let session = try ShippedEngines.session("org.tessera.flow")
    session.bounds = Size(width: 390, height: 667)
    try session.setParameter("itemSize", to: .size(Size(width: width, height: 10)))
    try session.setParameter("minimumInteritemSpacing", to: .number(5))
    try session.setSections([9])
    return try session.elements().map(\.frame.y)
  }
}
