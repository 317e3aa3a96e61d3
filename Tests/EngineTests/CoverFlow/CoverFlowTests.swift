import Foundation
import TesseraHost
import TesseraScenario
import TestSupport
import Testing

@Suite struct CoverFlowTests {
  @Test(arguments: 1...150) func randomLayoutIsByTheFormulas(_ seed: UInt64) throws {
    let rules = CoverFlowRules.random(seed)
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    try rules.apply(to: session)
    try check(rules, session)
  }

  @Test func headersAreNotReshaped() throws {
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    try session.setParameter("headerReferenceSize", to: .size(Size(width: 30, height: 30)))
    try session.setSections([2, 2])
    for element in try session.elements() where element.identity.category == .supplementary {
      #expect(element.transform == .identity && element.zIndex == 0)
    }
    #expect(try session.elements().count == 6)
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
        throw Placement.Deviation("covers stand by the formulas", "\(rules): \(element), \(cover)")
      }
    }
  }
}

extension CoverFlowRules {
  /// All lengths are whole quarters.
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

@Suite struct SnappingTests {

  @Test(arguments: 1...100) func randomProposalRestsAtTheNearestCover(_ seed: UInt64) throws {
    let rules = CoverFlowRules.random(seed)
    let session = try ShippedEngines.session("org.tessera.cover-flow")
    try rules.apply(to: session)
    for step in -8...20 { try check(rules, session, Point(x: 61.25 * Double(step), y: 0)) }
    // Far below all covers, none is visible.
    try check(rules, session, Point(x: 75, y: 1e4))
  }

  /// The published function and the snapping ability must agree, clamped to the scroll range.
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
      throw Placement.Deviation(
        "a scroll rests at the nearest cover",
        "\(rules): \(proposed) rests at \(found), \(called), by the rules at \(expected)")
    }
  }
}

struct CoverFlowRules {
  var activeDistance = 100.0
  var translateDistance = 100.0
  var zoomFactor = 0.2
  var flowOffset = 40.0
  var inactiveGrey = 0.6
  var itemSize = Size(width: 180, height: 180)
  var lineSpacing = -60.0
  var interitemSpacing = 200.0
  var inset = Insets.zero
  var bounds = Size(width: 320, height: 480)
  var contentInsets = Insets.zero
  var offset = Point.zero
  var counts = [5]

  struct Cover {
    var transform: [[Double]]
    var zIndex: Int
    var grey: Double
  }

  func place() -> Placement {
    var rules = FlowRules()
    rules.bounds = bounds
    rules.contentInsets = contentInsets
    rules.isHorizontal = true
    rules.sections = counts.map { count in
      FlowRules.Section(
        inset: inset, lineSpacing: lineSpacing, interitemSpacing: interitemSpacing,
        sizes: Array(repeating: itemSize, count: count))
    }
    return rules.place()
  }

  func cover(_ frame: Rect) -> Cover {
    let d = offset.x + bounds.width / 2 - (frame.x + frame.width / 2)
    let n = d / activeDistance
    let side = d > 0 ? -1.0 : 1.0
    let perspective = -1 / (4.6777 * itemSize.width)
    let turn = d > 0 ? Double.pi / 4 : -Double.pi / 4
    guard abs(d) < activeDistance else {
      var t = Self.identity
      t[2][3] = perspective
      t = Self.product(Self.translation(side * flowOffset, 0, 0), t)
      return Cover(
        transform: Self.product(Self.rotationY(turn), t), zIndex: 0, grey: inactiveGrey)
    }
    var t = Self.translation(
      side * flowOffset * abs(d / translateDistance), 0,
      (1 - abs(n)) * 40000 + (d > 0 ? 200 : 0))
    t[2][3] = perspective
    t = Self.product(Self.rotationY(turn * abs(n)), t)
    let zoom = 1 + zoomFactor * (1 - abs(n))
    var scale = Self.identity
    (scale[0][0], scale[1][1]) = (zoom, zoom)
    return Cover(
      transform: Self.product(scale, t), zIndex: 1,
      grey: inactiveGrey * (1 - (activeDistance - abs(d)) / activeDistance))
  }

  func rest(for proposed: Point) -> Point {
    let visible = Rect(origin: proposed, size: bounds)
    var nearest: Double?
    for entry in place().entries where entry.identity.category == .cell {
      var frame = entry.frame
      // Flow rounds origins to pixels, here two per point.
      frame.x = (frame.x * 2 + 0.5).rounded(.down) / 2
      frame.y = (frame.y * 2 + 0.5).rounded(.down) / 2
      guard frame.intersects(visible) else { continue }
      let way = frame.x + frame.width / 2 - (proposed.x + bounds.width / 2)
      if let best = nearest, abs(best) <= abs(way) { continue }
      nearest = way
    }
    return Point(x: proposed.x + (nearest ?? 0), y: proposed.y)
  }

  func apply(to session: Session) throws {
    session.bounds = bounds
    session.offset = offset
    session.contentInsets = contentInsets
    try session.set([
      "activeDistance": .number(activeDistance), "translateDistance": .number(translateDistance),
      "zoomFactor": .number(zoomFactor), "flowOffset": .number(flowOffset),
      "inactiveGrey": .number(inactiveGrey), "minimumLineSpacing": .number(lineSpacing),
      "minimumInteritemSpacing": .number(interitemSpacing), "itemSize": .size(itemSize),
      "sectionInset": .insets(inset),
    ])
    try session.setSections(counts)
  }
}

// 4×4 matrices for row vectors.
extension CoverFlowRules {
  static let identity = (0..<4).map { row in (0..<4).map { row == $0 ? 1.0 : 0 } }

  static func product(_ left: [[Double]], _ right: [[Double]]) -> [[Double]] {
    var product = left
    for row in 0..<4 {
      for column in 0..<4 {
        product[row][column] = (0..<4).reduce(0.0) { $0 + left[row][$1] * right[$1][column] }
      }
    }
    return product
  }

  static func translation(_ x: Double, _ y: Double, _ z: Double) -> [[Double]] {
    var matrix = identity
    matrix[3] = [x, y, z, 1]
    return matrix
  }

  static func rotationY(_ angle: Double) -> [[Double]] {
    var matrix = identity
    matrix[0] = [cos(angle), 0, -sin(angle), 0]
    matrix[2] = [sin(angle), 0, cos(angle), 0]
    return matrix
  }
}
