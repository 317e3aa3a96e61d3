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
    #expect(try session.restingOffset(for: Point(x: 75, y: 1e4)) == Point(x: 75, y: 1e4))
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
    // Not clamped to the content.
    #expect(try session.restingOffset(for: Point(x: -200, y: 0)).x == -70)
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

  /// The function that it publishes and the ability to snap give the same.
  private func check(_ rules: CoverFlowRules, _ session: Session, _ proposed: Point) throws {
    let expected = rules.rest(for: proposed)
    let found = try session.restingOffset(for: proposed)
    let called = try session.call("restingOffset", [.number(proposed.x), .number(proposed.y)])
    guard found == expected, called == .point(expected) else {
      throw Laws.Broken(
        "a scroll rests at the nearest cover",
        "\(rules): \(proposed) rests at \(found), \(called), by the rules at \(expected)")
    }
  }
}
