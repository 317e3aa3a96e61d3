import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The flow engine against its rules, followed by hand: exhaustively over small inputs, randomly over
/// large ones.
@Suite struct FlowRulesTests {
  /// Narrow, half the line, wider than the line, nothing.
  private static let sizes = [
    Size(width: 30, height: 20), Size(width: 50, height: 45), Size(width: 120, height: 120),
  ]
  private static let insets = [
    Insets.zero, Insets(top: 5, left: 10, bottom: 15, right: 20),
    Insets(top: -4, left: -10, bottom: -30, right: -8),
    Insets(top: 60, left: 60, bottom: 60, right: 60),
  ]
  /// Between lines and between items; 30 - 35 is below 0, so nothing is pretended to fit.
  private static let spacings = [(10.0, 10.0), (0, 0), (-5, -35), (7, 2.5)]

  @Test(arguments: [false, true])
  func everySmallSectionIsPlacedByTheRules(_ isHorizontal: Bool) throws {
    let session = try ShippedEngines.session("org.tessera.flow")
    for count in 0...4 {
      for sizes in lists(of: Self.sizes, count: count) {
        for inset in Self.insets {
          for (line, interitem) in Self.spacings {
            for header in [Size.zero, Size(width: 12, height: 9)] {
              var rules = FlowRules()
              rules.isHorizontal = isHorizontal
              rules.sections = [
                FlowRules.Section(
                  inset: inset, lineSpacing: line, interitemSpacing: interitem, header: header,
                  footer: header.transposed, sizes: sizes)
              ]
              try check(rules, session, asParameters: true)
            }
          }
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func everyPairOfSmallSectionsIsPlacedByTheRules(_ isHorizontal: Bool) throws {
    let session = try ShippedEngines.session("org.tessera.flow")
    var sections: [FlowRules.Section] = []
    for (number, sizes) in (0...4).flatMap({ count in
      [Array(repeating: Self.sizes[0], count: count), Array(Self.sizes.reversed().prefix(count))]
    }).enumerated() {
      let spacing = Self.spacings[number % 4]
      for header in [Size.zero, Size(width: 12, height: 9)] {
        sections.append(
          FlowRules.Section(
            inset: Self.insets[number % 3], lineSpacing: spacing.0, interitemSpacing: spacing.1,
            header: header, footer: header, sizes: sizes))
      }
    }
    var rules = FlowRules()
    rules.isHorizontal = isHorizontal
    try check(rules, session)
    for first in sections {
      for second in sections {
        rules.sections = [first, second]
        try check(rules, session)
      }
    }
  }

  /// Edges below, at and above those of the content insets, on sides that differ.
  @Test(arguments: ["contentInset", "safeArea", "layoutMargins"], [false, true])
  func sectionInsetsAreMeasuredFromTheirReference(
    _ reference: String, _ isHorizontal: Bool
  ) throws {
    let session = try ShippedEngines.session("org.tessera.flow")
    let edges = [
      Insets.zero, Insets(top: 7, left: 3, bottom: 2, right: 11),
      Insets(top: 20, left: 15, bottom: 9, right: 5),
      Insets(top: 0, left: 0, bottom: 90, right: 80),
    ]
    for contentInsets in edges {
      for safeArea in edges {
        for layoutMargins in edges {
          for inset in Self.insets.prefix(2) {
            var rules = FlowRules()
            rules.contentInsets = contentInsets
            rules.safeArea = safeArea
            rules.layoutMargins = layoutMargins
            rules.reference = reference
            rules.isHorizontal = isHorizontal
            rules.sections = [
              FlowRules.Section(
                inset: inset, header: Size(width: 5, height: 5),
                sizes: Array(repeating: Self.sizes[0], count: 3))
            ]
            try check(rules, session, asParameters: true)
          }
        }
      }
    }
  }

  @Test(arguments: 1...60) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
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
      section.inset = random.edges(in: -5...40)
      section.lineSpacing = random.number(in: -10...30)
      section.interitemSpacing = random.number(in: -10...30)
      section.header = random.extent(in: 0...60)
      section.footer = random.pick([.zero, random.extent(in: 0...60)])
      let isUniform = Bool.random(using: &random)
      let size = random.extent(in: 1...160)
      section.sizes = (0..<Int.random(in: 0...random.pick([3, 40, 300]), using: &random)).map {
        _ in isUniform ? size : random.extent(in: 0...160)
      }
      rules.sections.append(section)
    }
    try check(rules, try ShippedEngines.session("org.tessera.flow"))
  }

  /// Equal sizes make equal lines, of which there may be very many, between pixels and far out.
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

  /// Flow starts again at a noted place, one in 4096 items.
  @Test func onlyWhatFollowsIsRedone() throws {
    try PartialChecks.expectOnlyWhatFollowsIsRedone("org.tessera.flow", slack: 4096 + 100)
  }

  @Test func boundsWithoutEffectAreNotPrepared() throws {
    try PartialChecks.expectReuse("org.tessera.flow", dependsOnWidth: true)
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

  private func check(
    _ rules: FlowRules, _ session: Session, asParameters: Bool = false
  ) throws {
    try rules.apply(to: session, asParameters: asParameters)
    try rules.place().check(session, rules)
  }
}
