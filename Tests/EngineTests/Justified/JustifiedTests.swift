import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The justified engine against its rules, followed by hand.
@Suite struct JustifiedTests {
  private static let id = "org.tessera.justified"

  @Test(arguments: 1...80, [false, true])
  func randomLayoutIsPlacedByTheRules(_ seed: UInt64, _ isBalanced: Bool) throws {
    var random = SeededGenerator(seed: seed)
    let rules = JustifiedRules.random(isBalanced: isBalanced, using: &random)
    try check(rules, try ShippedEngines.session(Self.id))
  }

  /// Against all ways to break 14 items into rows, most of which come to equal totals where the
  /// pictures are alike.
  @Test(arguments: [[1.0], [1.5, 0.75], [0.5, 0.75, 1, 1.5, 2, 3]])
  func balancedRowsAreTheBestOfAll(_ palette: [Double]) throws {
    var random = SeededGenerator(seed: 7)
    let session = try ShippedEngines.session(Self.id)
    for target in [60.0, 90, 130] {
      var rules = JustifiedRules()
      rules.isBalanced = true
      rules.target = target
      rules.interitemSpacing = 0
      rules.sections = [JustifiedRules.Section()]
      rules.sections[0].ratios = (0..<14).map { _ in random.pick(palette) }
      try check(rules, session)
    }
  }

  /// By hand: squares in 400 at a target of 100 with nothing between them.
  ///
  /// Rows of four are exact, and the last one costs nothing: rows of 4, 4 and 2 of the height before.
  @Test func balancedSquaresFormEqualRows() throws {
    let frames = try frames(100, "balanced", Array(repeating: 1, count: 10), width: 400)
    #expect(frames.map(\.y) == [0, 0, 0, 0, 100, 100, 100, 100, 200, 200])
    #expect(frames.allSatisfy { $0.width == 100 && $0.height == 100 })
  }

  /// By hand: of 2, 2 and 1 in 300 at a target of 100, greedy takes 2 and 2 with a row of height 75,
  /// since 4 is as far from 3 as 2 is; then 1 is left at 75.
  @Test func greedyTakesTheNearerRow() throws {
    let rows = try frames(100, "greedy", [2, 2, 1], width: 300)
    #expect(
      rows == [
        Rect(x: 0, y: 0, width: 150, height: 75), Rect(x: 150, y: 0, width: 150, height: 75),
        Rect(x: 0, y: 75, width: 75, height: 75),
      ])
    // 4.1 is further than 2: the row closes without the item.
    #expect(try frames(100, "greedy", [2, 2.1], width: 300).map(\.y) == [0, 150])
  }

  /// By hand: one item of 1 in a last row of 300 at a target of 100 is 100 wide.
  @Test(arguments: [("leading", 0.0), ("center", 100), ("trailing", 200)])
  func lastRowLiesWhereItSays(_ place: String, _ x: Double) throws {
    let session = try session(100, "greedy", [1], width: 300)
    try session.setParameter("lastRow", to: .choice(place))
    #expect(try session.elements().map(\.frame) == [Rect(x: x, y: 0, width: 100, height: 100)])
    try session.setParameter("lastRow", to: .choice("fill"))
    // At most twice the target high.
    #expect(try session.elements().map(\.frame) == [Rect(x: 0, y: 0, width: 300, height: 200)])
  }

  @Test(arguments: 1...10, ["greedy", "balanced"])
  func rowsFillTheWidth(_ seed: UInt64, _ method: String) throws {
    var random = SeededGenerator(seed: seed)
    let ratios = (0..<1000).map { _ in Double.random(in: 0.3...3, using: &random) }
    let width = Double.random(in: 600...1500, using: &random)
    let session = try session(200, method, ratios, width: width)
    try session.setParameter("minimumInteritemSpacing", to: .number(7))
    try session.setParameter("lastRow", to: .choice("fill"))
    let frames = try session.elements().map(\.frame)
    for (item, frame) in frames.enumerated() {
      if item == frames.count - 1 || frames[item + 1].y > frame.y {
        #expect((frame.maxX - width).magnitude <= 1e-9)
        #expect(item == frames.count - 1 || frames[item + 1].x == 0)
      } else {
        #expect((frames[item + 1].x - frame.maxX - 7).magnitude <= 1e-9)
      }
      guard frame.height > 100, frame.height < 400 else { continue }
      #expect((frame.width / frame.height - ratios[item]).magnitude <= 1e-9)
    }
  }

  @Test(arguments: [0.0, -1.5]) func invalidItemIsReportedWithItsPlace(_ ratio: Double) throws {
    for method in ["greedy", "balanced"] {
      let session = try ShippedEngines.session(Self.id)
      try session.setParameter("method", to: .choice(method))
      try session.setSections([1, 3])
      try session.setItemValues("aspectRatio", .numbers([1, 1, ratio, 1]))
      let error = #expect(throws: HostError.self) { try session.contentSize() }
      #expect(error?.kind == .refused)
      #expect(
        error?.message.contains(
          "aspectRatio of item 1 in section 1 is \(ratio.shortText); it must be finite and above 0")
          == true, "\(error as Any)")
    }
  }

  @Test func invalidSectionIsReportedWithItsNumber() throws {
    for (name, column) in [
      ("sectionInset", ValueColumn.insets([.zero, Insets(left: -1)])),
      ("headerReferenceSize", .sizes([.zero, Size(width: 0, height: -1)])),
      ("footerReferenceSize", .sizes([.zero, Size(width: -1, height: 0)])),
    ] {
      let session = try ShippedEngines.session(Self.id)
      try session.setSections([1, 1])
      try session.setSectionValues(name, column)
      let error = #expect(throws: HostError.self) { try session.contentSize() }
      #expect(error?.message.contains("\(name) of section 1 is") == true, "\(error as Any)")
    }
  }

  @Test func targetRowHeightOfNothingIsReported() throws {
    let session = try ShippedEngines.session(Self.id)
    try session.setParameter("targetRowHeight", to: .number(0))
    let error = #expect(throws: HostError.self) { try session.contentSize() }
    #expect(error?.message.contains("targetRowHeight is 0; it must be above 0") == true)
  }

  @Test func onlyWhatFollowsIsRedone() throws {
    // From the row that the change is in; a row here has at most 100 items.
    try PartialChecks.expectOnlyWhatFollowsIsRedone(Self.id, slack: 100)
  }

  /// To the bit, also where balanced rows break elsewhere long before the change.
  @Test(arguments: 1...10) func balancedRowsAreContinued(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var ratios = (0..<1500).map { _ in random.pick([1.5, 0.75, 1, 4.0 / 3]) }
    let session = try session(90, "balanced", ratios, width: 700)
    for _ in 0..<6 {
      let item = Int.random(in: 900..<ratios.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: ratios[item] = Double.random(in: 0.3...3, using: &random)
      case 1: ratios.removeSubrange(item...)
      default: ratios += (0..<200).map { _ in random.pick([1.5, 0.75, 1, 4.0 / 3]) }
      }
      try session.setSections([ratios.count])
      try session.setItemValues("aspectRatio", .numbers(ratios))
      let found = try PreparedRowsImage(session)
      #expect(
        try found == PreparedRowsImage(self.session(90, "balanced", ratios, width: 700)))
    }
  }

  @Test func boundsWithoutEffectAreNotPrepared() throws {
    try PartialChecks.expectReuse(Self.id, dependsOnWidth: true)
  }

  /// A session of pictures without any space between or around them.
  private func session(
    _ target: Double, _ method: String, _ ratios: [Double], width: Double
  ) throws -> Session {
    let session = try ShippedEngines.session(Self.id)
    session.bounds.width = width
    try session.setParameter("targetRowHeight", to: .number(target))
    try session.setParameter("method", to: .choice(method))
    for name in ["minimumInteritemSpacing", "minimumLineSpacing"] {
      try session.setParameter(name, to: .number(0))
    }
    try session.setParameter("sectionInset", to: .insets(.zero))
    try session.setSections([ratios.count])
    try session.setItemValues("aspectRatio", .numbers(ratios))
    return session
  }

  private func frames(
    _ target: Double, _ method: String, _ ratios: [Double], width: Double
  ) throws -> [Rect] {
    try session(target, method, ratios, width: width).elements().map(\.frame)
  }

  private func check(_ rules: JustifiedRules, _ session: Session) throws {
    try rules.apply(to: session)
    try rules.place().check(session, rules)
  }
}
