import Foundation
import TesseraGeometry
import TesseraHost

/// The rules of the cover-flow engine as they are written down, over what the rules of flow come to.
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

  /// How a cover stands.
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

  /// The resting offset by a look at every cell.
  func rest(for proposed: Point) -> Point {
    let visible = Rect(origin: proposed, size: bounds)
    var nearest: Double?
    for entry in place().entries where entry.identity.category == .cell {
      var frame = entry.frame
      // Flow rounds origins to the display, which has two pixels a point here.
      frame.x = (frame.x * 2 + 0.5).rounded(.down) / 2
      frame.y = (frame.y * 2 + 0.5).rounded(.down) / 2
      guard frame.intersects(visible) else { continue }
      let way = frame.x + frame.width / 2 - (proposed.x + bounds.width / 2)
      if let best = nearest, abs(best) <= abs(way) { continue }
      nearest = way
    }
    return Point(x: proposed.x + (nearest ?? 0), y: proposed.y)
  }

  /// Gives a session of the engine what the rules are followed for.
  func apply(to session: Session) throws {
    session.bounds = bounds
    session.offset = offset
    session.contentInsets = contentInsets
    for (name, value) in [
      ("activeDistance", activeDistance), ("translateDistance", translateDistance),
      ("zoomFactor", zoomFactor), ("flowOffset", flowOffset), ("inactiveGrey", inactiveGrey),
      ("minimumLineSpacing", lineSpacing), ("minimumInteritemSpacing", interitemSpacing),
    ] {
      try session.setParameter(name, to: .number(value))
    }
    try session.setParameter("itemSize", to: .size(itemSize))
    try session.setParameter("sectionInset", to: .insets(inset))
    try session.setSections(counts)
  }
}

// 4×4 matrices for row vectors, by the book.
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
