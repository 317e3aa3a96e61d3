import TesseraGeometry
import TesseraHost
import TesseraScenario
import TestSupport
import Testing

/// The cover-flow engine against its formulas, followed by hand.
@Suite struct CoverFlowTests {
  /// As it comes, at every offset, from far before the first cover to far behind the last.
  @Test func everyOffsetIsByTheFormulas() throws {
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    var rules = CoverFlowRules()
    rules.inset = Insets(left: 70, right: 70)
    try rules.apply(to: session)
    for x in stride(from: -400.0, through: 1000, by: 2.5) {
      rules.offset = Point(x: x, y: 13)
      session.offset = rules.offset
      try check(rules, session)
    }
  }

  @Test(arguments: 1...60) func randomLayoutIsByTheFormulas(_ seed: UInt64) throws {
    let rules = CoverFlowRules.random(seed)
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    try rules.apply(to: session)
    try check(rules, session)
  }

  /// The cover in the middle is not untransformed: it stands in front, larger.
  @Test func theCoverInTheMiddleIsLargerAndInFront() throws {
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    session.bounds = Size(width: 320, height: 480)
    session.offset.x = 50
    try session.setSections([3])
    let cover = try #require(try session.element(.cell(section: 0, item: 1)))
    #expect(cover.transform.m11 == 1.2 && cover.transform.m22 == 1.2)
    #expect(abs(cover.transform.m34 - -0.001187668) < 1e-9)
    #expect(cover.transform.m43 == 40000 && cover.zIndex == 1)
  }

  /// Headers are not covers: they stay as flow has them.
  @Test func headersAreNotReshaped() throws {
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    try session.setParameter("headerReferenceSize", to: .size(Size(width: 30, height: 30)))
    try session.setSections([2, 2])
    for element in try session.elements() where element.identity.category == .supplementary {
      #expect(element.transform == .identity && element.zIndex == 0)
    }
    #expect(try session.elements().count == 6)
  }

  /// A scroll prepares nothing: it re-shapes the covers that are asked for.
  @Test func queryReturnsTheCoversThatItIntersects() throws {
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    session.bounds = Size(width: 320, height: 480)
    try session.setSections([40])
    for x in stride(from: -100.0, through: 5000, by: 97.5) {
      session.offset.x = x
      let all = Array(try session.elements())
      try Laws.checkQuery(session, session.visibleRect, all)
      try Laws.checkQuery(session, Rect(x: x + 160, y: 200, width: 1, height: 1), all)
    }
  }

  @Test func boundsWithoutEffectAreNotPrepared() throws {
    try PartialChecks.expectReuse("org.tessera.cover-flow", dependsOnHeight: true)
  }

  /// Covers lean the other way.
  @Test func coversAreMirroredOneByOne() throws {
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    session.bounds = Size(width: 320, height: 480)
    session.offset.x = 75
    try session.setSections([5])
    let leftToRight = Array(try session.elements())
    session.direction = .rightToLeft
    // 660 wide: the viewport at 75 is that at 265 from the other side.
    session.offset.x = 660 - 320 - 75
    for (mirrored, element) in zip(try session.elements(), leftToRight) {
      #expect(mirrored.frame.x == 660 - element.frame.maxX)
      let (left, right) = (element.transform, mirrored.transform)
      #expect(right.m11 == left.m11 && right.m22 == left.m22 && right.m33 == left.m33)
      #expect(right.m13 == -left.m13 && right.m14 == -left.m14 && right.m31 == -left.m31)
      #expect(right.m41 == -left.m41 && right.m43 == left.m43 && right.m34 == left.m34)
      #expect(mirrored.attributes == element.attributes && mirrored.zIndex == element.zIndex)
    }
  }

  private func check(_ rules: CoverFlowRules, _ session: Session) throws {
    try rules.place().check(session, rules)
    let elements = try session.elements()
    let names = elements.attributes.map(\.name)
    for element in elements {
      let cover = rules.cover(element.frame)
      let numbers = cover.transform.joined()
      guard element.zIndex == cover.zIndex,
        zip(element.transform.elements, numbers).allSatisfy({
          abs($0 - $1) <= 1e-9 * max(1, abs($1))
        }), let grey = names.firstIndex(of: "maskingValue").map({ element.attributes[$0] }),
        case .number(let masking) = grey, abs(masking - cover.grey) <= 1e-9,
        names.firstIndex(of: "shouldRasterize").map({ element.attributes[$0] }) == .bool(true)
      else {
        throw Laws.Broken("covers stand by the formulas", "\(rules): \(element), \(cover)")
      }
    }
  }
}

extension CoverFlowRules {
  /// Rules with everything at random; all lengths are whole quarters.
  static func random(_ seed: UInt64) -> CoverFlowRules {
    var random = SeededGenerator(seed: seed)
    func quarters(_ range: ClosedRange<Double>) -> Double {
      (Double.random(in: range, using: &random) * 4).rounded() / 4
    }
    var rules = CoverFlowRules()
    rules.activeDistance = quarters(10...300)
    rules.translateDistance = quarters(10...300)
    rules.zoomFactor = quarters(-1...2)
    rules.flowOffset = quarters(-100...100)
    rules.inactiveGrey = quarters(0...1)
    rules.itemSize = Size(width: quarters(20...300), height: quarters(20...300))
    rules.lineSpacing = quarters(-15...40)
    rules.interitemSpacing = quarters(0...200)
    rules.inset = Insets(
      top: quarters(0...20), left: quarters(0...90), bottom: quarters(0...20),
      right: quarters(0...90))
    rules.contentInsets = Insets(
      top: quarters(0...20), left: quarters(0...90), bottom: quarters(0...20),
      right: quarters(0...90))
    rules.bounds = Size(width: quarters(50...900), height: quarters(50...700))
    rules.offset = Point(x: quarters(-300...2000), y: quarters(-9...9))
    rules.counts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Int.random(in: 0...12, using: &random)
    }
    return rules
  }
}
