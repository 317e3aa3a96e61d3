import TesseraGeometry
import TesseraHost
import Testing

/// Right to left at any offset: the answer for the mirrored viewport is the mirror of the answer.
@Suite struct PinnedMirrorTests {
  /// Every engine that takes one of some settings, with those that it takes: headers and footers that
  /// stick, in a viewport whose sides differ.
  static let cases: [(id: String, parameters: [String: Value])] = {
    let settings: [String: Value] = [
      "headerReferenceSize": .size(Size(width: 31, height: 23)),
      "footerReferenceSize": .size(Size(width: 17, height: 19)),
      "sectionHeadersPinToVisibleBounds": .bool(true),
      "sectionFootersPinToVisibleBounds": .bool(true),
      "sectionInset": .insets(Insets(top: 3, left: 25, bottom: 7, right: 4)),
      "sectionInsetReference": .choice("safeArea"), "sectionFooterHeight": .number(20),
    ]
    var cases: [(id: String, parameters: [String: Value])] = []
    for id in ShippedEngines.ids {
      let taken = settings.filter { name, value in
        (try? ShippedEngines.session(id).setParameter(name, to: value)) != nil
      }
      if !taken.isEmpty { cases.append((id, taken)) }
      if id == "org.tessera.flow" {
        cases.append((id, taken.merging(["scrollDirection": .choice("horizontal")]) { $1 }))
      }
    }
    return cases
  }()

  @Test func everySettingIsTakenBySomeEngine() {
    #expect(Set(Self.cases.flatMap(\.parameters.keys)).count >= 6)
  }

  @Test(arguments: cases.indices) func theMirroredViewportShowsTheMirror(_ number: Int) throws {
    let (id, parameters) = Self.cases[number]
    var given = LayoutCase()
    given.bounds = Size(width: 320, height: 240)
    given.contentInsets = Insets(top: 8, left: 4, bottom: 12, right: 20)
    given.safeAreaInsets = Insets(top: 0, left: 44, bottom: 0, right: 21)
    given.layoutMargins = Insets(top: 0, left: 16, bottom: 0, right: 60)
    given.counts = [7, 4, 9]
    given.parameters = parameters
    let engine = try ShippedEngines.host.engine(id)
    let leftToRight = try given.session(of: engine)
    let content = try leftToRight.contentSize()
    let rightToLeft = try given.mirrored(inContentOf: content.width).session(of: engine)
    let reach = max(content.width, content.height)
    for step in stride(from: -60.0, through: reach + 30, by: 7.5) {
      let offset = content.width > given.bounds.width ? Point(x: step, y: 0) : Point(x: 0, y: step)
      leftToRight.offset = offset
      rightToLeft.offset = Point(x: content.width - offset.x - given.bounds.width, y: offset.y)
      try Laws.checkMirror(rightToLeft, of: leftToRight)
      // What is in sight is the same too.
      #expect(
        try leftToRight.elements(in: leftToRight.visibleRect).map(\.identity)
          == rightToLeft.elements(in: rightToLeft.visibleRect).map(\.identity))
    }
  }

  /// What covers the left edge of the display covers it whichever way the content reads.
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
    // The extent is 285; 40 of it lie under the left edge. The section's own inset is the reader's:
    // it follows the direction.
    let expected = direction == .leftToRight ? (47.0, 285.0) : (40.0, 278.0)
    #expect(frames.map(\.minX).min() == expected.0)
    #expect(frames.map(\.maxX).max() == expected.1)
    #expect(frames[0].minX == (direction == .leftToRight ? 47 : 228))
  }
}
