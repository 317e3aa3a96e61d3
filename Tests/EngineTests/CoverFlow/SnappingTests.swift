import TesseraGeometry
import TesseraHost
import Testing

/// Where cover-flow comes to rest, against a look at every cell.
@Suite struct SnappingTests {
  @Test func everyProposalRestsAtTheNearestCover() throws {
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    var rules = CoverFlowRules()
    rules.inset = Insets(left: 70, right: 70)
    rules.counts = [4, 0, 3]
    try rules.apply(to: session)
    for x in stride(from: -600.0, through: 1600, by: 2.5) {
      try check(rules, session, Point(x: x, y: 5))
    }
    // Far below all covers none is in sight, however near it is across.
    try check(rules, session, Point(x: 75, y: 1e4))
    #expect(
      try session.call("restingOffset", [.number(75), .number(1e4)]) == .point(Point(x: 75, y: 1e4))
    )
  }

  @Test(arguments: 1...40) func randomProposalRestsAtTheNearestCover(_ seed: UInt64) throws {
    let rules = CoverFlowRules.random(seed)
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    try rules.apply(to: session)
    for step in -8...20 { try check(rules, session, Point(x: 61.25 * Double(step), y: 0)) }
  }

  /// The middle of two covers rests at the lower one; what rests already stays.
  @Test func ofTwoEquallyNearTheLowerOneIsTaken() throws {
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    session.bounds = Size(width: 320, height: 480)
    try session.setSections([5])
    // Centres lie at 90, 210, 330…; with the middle at 160 they rest at -70, 50, 170…
    #expect(try session.restingOffset(for: Point(x: 110, y: 0)).x == 50)
    #expect(try session.restingOffset(for: Point(x: 109, y: 0)).x == 50)
    #expect(try session.restingOffset(for: Point(x: 111, y: 0)).x == 170)
    #expect(try session.restingOffset(for: Point(x: 50, y: 0)).x == 50)
    // The engine would stop before the content, but nothing scrolls there: the host limits the result,
    // to 5 covers of 180 that overlap by 60, 660, less the bounds at the other end.
    #expect(try session.restingOffset(for: Point(x: -200, y: 0)).x == 0)
    #expect(try session.restingOffset(for: Point(x: 900, y: 7)) == Point(x: 340, y: 0))
    session.contentInsets = Insets(left: 30, right: 25)
    #expect(try session.restingOffset(for: Point(x: -200, y: 0)).x == -30)
    #expect(try session.restingOffset(for: Point(x: 900, y: 0)).x == 365)
  }

  @Test func invalidProposalsAreReported() throws {
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    for x in [Double.nan, .infinity] {
      #expect(throws: HostError.self) { try session.restingOffset(for: Point(x: x, y: 0)) }
      #expect(throws: HostError.self) {
        try session.call("restingOffset", [.number(x), .number(0)])
      }
    }
  }

  /// The function that it publishes and the ability to snap give the same, which the host limits to the
  /// range of scrolling.
  private func check(_ rules: CoverFlowRules, _ session: Session, _ proposed: Point) throws {
    let expected = rules.rest(for: proposed)
    let found = try session.restingOffset(for: proposed)
    let (content, insets) = (try session.contentSize(), session.contentInsets)
    var limited = expected
    limited.x = max(
      -insets.left, min(limited.x, content.width + insets.right - session.bounds.width))
    limited.y = max(
      -insets.top, min(limited.y, content.height + insets.bottom - session.bounds.height))
    let called = try session.call("restingOffset", [.number(proposed.x), .number(proposed.y)])
    guard found == limited, called == .point(expected) else {
      throw Laws.Broken(
        "a scroll rests at the nearest cover",
        "\(rules): \(proposed) rests at \(found), \(called), by the rules at \(expected)")
    }
  }
}
