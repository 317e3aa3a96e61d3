import Glibc
import TesseraGeometry
import TesseraHost

/// The projection of a rectangle onto the plane by its transform.
///
/// Offsets from the frame's centre, as row vectors (dx, dy, 0, 1), are multiplied by the matrix and
/// divided by w. Points behind the viewer (w ≤ 0) are cut off.
public struct Projection {
  let frame: Rect
  let transform: Transform

  /// Projects an element.
  public init(_ element: Element) {
    frame = element.frame
    transform = element.transform
  }

  /// The projected corners from top left, clockwise; clipping may leave none, or three to five.
  public var outline: [Point] { outline(of: Rect(origin: .zero, size: frame.size).corners) }

  /// Projects a polygon, relative to the frame's corner.
  public func outline(of polygon: [Point]) -> [Point] {
    let corners = polygon.map { projected($0.x - frame.width / 2, $0.y - frame.height / 2) }
    var points: [Point] = []
    for index in corners.indices {
      let corner = corners[index]
      let next = corners[(index + 1) % corners.count]
      if corner.isInFront { points.append(place(corner)) }
      if corner.isInFront != next.isInFront { points.append(place(corner.towards(next))) }
    }
    return points.allSatisfy(\.isFinite) ? points : []
  }

  /// The affine map at the centre, for text; nil if the centre is invisible.
  public var tangent: PlaneTransform? {
    let centre = projected(0, 0)
    guard centre.isInFront else { return nil }
    let square = centre.w * centre.w
    let result = PlaneTransform(
      a: (transform.m11 * centre.w - centre.x * transform.m14) / square,
      b: (transform.m12 * centre.w - centre.y * transform.m14) / square,
      c: (transform.m21 * centre.w - centre.x * transform.m24) / square,
      d: (transform.m22 * centre.w - centre.y * transform.m24) / square,
      origin: place(centre))
    return result.isFinite ? result : nil
  }

  /// Higher is in front.
  var depth: Double {
    let depth = transform.m43 / transform.m44
    return depth.isFinite ? depth : 0
  }

  /// Without perspective; orders elements with the same rotation.
  func depth(at place: Point) -> Double {
    let area = transform.m11 * transform.m22 - transform.m12 * transform.m21
    let x = (place.x - frame.midX) * transform.m44 - transform.m41
    let y = (place.y - frame.midY) * transform.m44 - transform.m42
    let dx = (x * transform.m22 - y * transform.m21) / area
    let dy = (y * transform.m11 - x * transform.m12) / area
    let depth = (dx * transform.m13 + dy * transform.m23 + transform.m43) / transform.m44
    return depth.isFinite ? depth : 0
  }

  /// Before the division by w, the third number.
  private func projected(_ dx: Double, _ dy: Double) -> SIMD3<Double> {
    SIMD3(
      x: dx * transform.m11 + dy * transform.m21 + transform.m41,
      y: dx * transform.m12 + dy * transform.m22 + transform.m42,
      z: dx * transform.m14 + dy * transform.m24 + transform.m44)
  }

  private func place(_ point: SIMD3<Double>) -> Point {
    Point(x: frame.midX + point.x / point.w, y: frame.midY + point.y / point.w)
  }
}

extension SIMD3<Double> {
  fileprivate var w: Double { z }

  /// Nearer parts are cut off.
  private static let nearest = 0.01

  fileprivate var isInFront: Bool { w >= Self.nearest }

  fileprivate func towards(_ other: Self) -> Self {
    let part = (Self.nearest - w) / (other.w - w)
    return Self(x + (other.x - x) * part, y + (other.y - y) * part, Self.nearest)
  }
}

/// An affine map: x' = a·x + c·y + origin.x, y' = b·x + d·y + origin.y.
public struct PlaneTransform {
  /// The factors.
  public var a, b, c, d: Double
  /// Where 0,0 maps to.
  public var origin: Point

  /// The square root of the area's magnification.
  public var magnification: Double { abs(a * d - b * c).squareRoot() }

  var isFinite: Bool { (a + b + c + d).isFinite && origin.isFinite }
}

/// As SVG can animate it.
struct PlaneTurn {
  var x = 0.0
  var y = 0.0
  /// Degrees, clockwise.
  var angle = 0.0
  /// Degrees.
  var skew = 0.0
  var scaleX = 0.0
  var scaleY = 0.0

  init(shrinkingTo point: Point) {
    x = point.x
    y = point.y
  }

  init(_ map: PlaneTransform) {
    self.init(shrinkingTo: map.origin)
    scaleX = (map.a * map.a + map.b * map.b).squareRoot()
    guard scaleX > 0 else { return }
    scaleY = (map.a * map.d - map.b * map.c) / scaleX
    angle = atan2(map.b, map.a) * 180 / .pi
    guard scaleY != 0 else { return }
    skew = atan((map.a * map.c + map.b * map.d) / scaleX / scaleY) * 180 / .pi
  }

  /// With the angle nearest to another's, to avoid spinning.
  func following(_ other: PlaneTurn) -> PlaneTurn {
    var turn = self
    turn.angle += ((other.angle - angle) / 360).rounded() * 360
    return turn
  }
}

extension Rect {
  /// The bounding box of points, if any.
  public init?(around points: [Point]) {
    guard let first = points.first else { return nil }
    self.init(origin: first, size: .zero)
    for point in points.dropFirst() { formUnion(Rect(origin: point, size: .zero)) }
  }

  /// Clockwise from top left.
  var corners: [Point] {
    [
      Point(x: minX, y: minY), Point(x: maxX, y: minY), Point(x: maxX, y: maxY),
      Point(x: minX, y: maxY),
    ]
  }

  var middle: Point { Point(x: midX, y: midY) }

  func offset(by point: Point) -> Rect {
    Rect(x: x + point.x, y: y + point.y, width: width, height: height)
  }

  /// Near 0: the 32-bit numbers of viewers are too coarse far away.
  var shift: Point {
    func shift(_ start: Double) -> Double { abs(start) < 65_536 ? 0 : -start.rounded(.down) }
    return Point(x: shift(x), y: shift(y))
  }

  /// Extends the rectangle to contain another.
  public mutating func formUnion(_ other: Rect) {
    let left = min(minX, other.minX)
    let top = min(minY, other.minY)
    let right = max(maxX, other.maxX)
    let bottom = max(maxY, other.maxY)
    self = Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The intersection, if any.
  public func clipped(to other: Rect) -> Rect? {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left <= right, top <= bottom else { return nil }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension Rect {
  var pictureGlyph: [[Point]] {
    // Fractions of the width and height.
    let hills = [(0.1, 0.86), (0.36, 0.44), (0.54, 0.7), (0.67, 0.54), (0.9, 0.86)]
    // Fractions of the sun's radius.
    let corners = [
      (1, 0), (0.707, 0.707), (0, 1), (-0.707, 0.707), (-1, 0), (-0.707, -0.707), (0, -1),
      (0.707, -0.707),
    ]
    let radius = 0.09 * min(width, height)
    let middle = Point(x: x + 0.72 * width, y: y + 0.28 * height)
    return [
      hills.map { Point(x: x + $0.0 * width, y: y + $0.1 * height) },
      corners.map { Point(x: middle.x + $0.0 * radius, y: middle.y + $0.1 * radius) },
    ]
  }
}
