import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The even-flow engine against its rules, followed by hand.
@Suite struct EvenFlowTests {
  private static let sizes = [
    Size(width: 30, height: 20), Size(width: 55, height: 45), Size(width: 120, height: 70.5),
  ]

  @Test func everySmallSectionIsPlacedByTheRules() throws {
    let session = try ShippedEngines.session("org.tessera.even-flow")
    for count in 0...4 {
      for sizes in lists(of: Self.sizes, count: count) {
        for inset in [Insets.zero, Insets(top: 30, left: 17, bottom: 30, right: 5)] {
          for header in [0.0, 9] {
            for scale in [1.0, 2, 3] {
              var rules = EvenFlowRules()
              rules.flow.scale = scale
              rules.flow.bounds.width = 150
              rules.flow.sections = [
                FlowRules.Section(
                  inset: inset, lineSpacing: 20, interitemSpacing: 20,
                  header: Size(width: 60, height: header), sizes: sizes),
                FlowRules.Section(
                  inset: inset, lineSpacing: 3, interitemSpacing: 1,
                  header: Size(width: 60, height: 7), sizes: sizes.reversed()),
              ]
              try check(rules, session)
            }
          }
        }
      }
    }
  }

  @Test(arguments: 1...60) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = EvenFlowRules()
    rules.flow.bounds = random.extent(in: 100...1200)
    rules.flow.contentInsets = random.edges(upTo: 20)
    rules.flow.scale = random.pick([1, 2, 3])
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      var section = FlowRules.Section()
      section.inset = random.edges(upTo: 40)
      section.lineSpacing = random.number(in: 2...30)
      section.interitemSpacing = random.number(in: 0...30)
      section.header = random.pick([.zero, random.extent(in: 0...60)])
      section.footer = random.pick([.zero, random.extent(in: 0...60)])
      let isUniform = Bool.random(using: &random)
      let size = random.extent(in: 3...160)
      section.sizes = (0..<Int.random(in: 0...random.pick([3, 40, 200]), using: &random)).map {
        _ in isUniform ? size : random.extent(in: 3...160)
      }
      rules.flow.sections.append(section)
    }
    try check(rules, try ShippedEngines.session("org.tessera.even-flow"))
  }

  @Test func onlyWhatFollowsIsRedone() throws {
    try PartialChecks.expectOnlyWhatFollowsIsRedone("org.tessera.even-flow", slack: 4096 + 100)
  }

  @Test func itScrollsVertically() throws {
    let session = try ShippedEngines.session("org.tessera.even-flow")
    let error = #expect(throws: HostError.self) {
      try session.setParameter("scrollDirection", to: .choice("horizontal"))
    }
    #expect(
      error?.message == "scrollDirection cannot be set: org.tessera.even-flow sets it itself")
  }

  /// Cells whose edges are put on whole points reach further down than those of the base.
  @Test func contentHoldsCellsOnWholePoints() throws {
    let session = try ShippedEngines.session("org.tessera.even-flow")
    try session.setParameter("sectionInset", to: .insets(.zero))
    try session.setParameter("itemSize", to: .size(Size(width: 50, height: 20.25)))
    try session.setSections([1])
    // A header of 70, then a cell from 70 to 90.25.
    #expect(try session.element(.cell(section: 0, item: 0))?.frame.maxY == 91)
    #expect(try session.contentSize().height == 91)
  }

  private func check(_ rules: EvenFlowRules, _ session: Session) throws {
    try rules.apply(to: session)
    var expected = rules.places()
    let content = try session.contentSize()
    var cells: [Int: [Rect]] = [:]
    var binders: [Int: Element] = [:]
    for element in try session.elements() {
      let (identity, frame) = (element.identity, element.frame)
      if identity.kind == "binder" {
        binders[identity.section] = element
        continue
      }
      guard let place = expected.removeValue(forKey: identity),
        isMet(place, by: frame), element.zIndex == 0
      else { throw Laws.Broken("elements lie where the rules say", (rules, element)) }
      if identity.category == .cell { cells[identity.section, default: []].append(frame) }
    }
    guard expected.isEmpty else { throw Laws.Broken("no element is missing", (rules, expected)) }
    for section in rules.flow.sections.indices {
      let frame = rules.binder(
        ofSection: section, behind: cells[section] ?? [], contentWidth: content.width)
      guard binders[section]?.frame == frame, frame == nil || binders[section]?.zIndex == -1 else {
        throw Laws.Broken("binders lie behind their sections", (rules, binders[section] as Any))
      }
    }
    let height = rules.flow.place().contentSize.height
    let furthest = cells.values.joined().map(\.maxY).max() ?? 0
    guard content.width == rules.flow.place().contentSize.width,
      abs(content.height - max(height, furthest)) < 1e-6
    else { throw Laws.Broken("the content ends behind the last element", (rules, content)) }
  }

  /// Whether a frame is the one of the rules, where an edge that lies within a billionth of a whole
  /// point may be put there or on the next.
  private func isMet(_ place: EvenFlowRules.Place, by found: Rect) -> Bool {
    let frame = place.frame
    let numbers = [
      (frame.minX, found.minX, -1.0), (frame.minY, found.minY, -1), (frame.maxX, found.maxX, 1),
      (frame.maxY, found.maxY, 1),
    ]
    return numbers.allSatisfy { expected, found, outward in
      let slack = 1e-9 * max(1, abs(expected))
      guard place.isIntegral else { return abs(expected - found) <= slack }
      let edges = [expected - slack, expected + slack].map {
        outward < 0 ? $0.rounded(.down) : $0.rounded(.up)
      }
      return edges.contains(found)
    }
  }
}
