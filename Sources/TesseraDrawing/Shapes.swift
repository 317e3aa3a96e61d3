import Glibc
import TesseraGeometry
import TesseraHost

/// The projection of an element's rectangle onto the plane by its transform.
///
/// Points are offsets from the frame's centre as row vectors (dx, dy, 0, 1), multiplied by the matrix
/// and divided by w. What is behind the viewer (w ≤ 0) is cut off.
public struct Projection {
  let frame: Rect
  let transform: Transform

  /// The projection of an element.
  public init(_ element: Element) {
    frame = element.frame
    transform = element.transform
  }

  /// The projected corners, in the order top left, top right, bottom right, bottom left.
  ///
  /// There are three to five where the viewer's plane cuts the rectangle, none where nothing is
  /// visible.
  public var outline: [Point] { outline(of: Rect(origin: .zero, size: frame.size).corners) }

  /// A projected polygon, given by its corners from the corner of the frame.
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

  /// The affine map from offsets from the centre to the plane that is exact at the centre, for text;
  /// nil where the centre is not visible.
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

  /// How near the centre is to the viewer: higher values are in front.
  var depth: Double {
    let depth = transform.m43 / transform.m44
    return depth.isFinite ? depth : 0
  }

  /// How near the element's plane is to the viewer at a point, without perspective; among elements
  /// with the same rotation, one behind the other, the frontmost has the highest value.
  func depth(at place: Point) -> Double {
    let area = transform.m11 * transform.m22 - transform.m12 * transform.m21
    let x = (place.x - frame.midX) * transform.m44 - transform.m41
    let y = (place.y - frame.midY) * transform.m44 - transform.m42
    let dx = (x * transform.m22 - y * transform.m21) / area
    let dy = (y * transform.m11 - x * transform.m12) / area
    let depth = (dx * transform.m13 + dy * transform.m23 + transform.m43) / transform.m44
    return depth.isFinite ? depth : 0
  }

  /// A point of the plane before the division by w, which is the third number.
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

  /// What is nearer to the viewer than this is cut off.
  private static let nearest = 0.01

  fileprivate var isInFront: Bool { w >= Self.nearest }

  /// The point where the line to another point crosses the viewer's plane.
  fileprivate func towards(_ other: Self) -> Self {
    let part = (Self.nearest - w) / (other.w - w)
    return Self(x + (other.x - x) * part, y + (other.y - y) * part, Self.nearest)
  }
}

/// An affine map of the plane: x' = a·x + c·y + origin.x, y' = b·x + d·y + origin.y.
public struct PlaneTransform {
  /// The factors of the map.
  public var a, b, c, d: Double
  /// Where the map takes 0,0.
  public var origin: Point

  /// The factor by which lengths grow: the root of the factor by which areas grow.
  public var magnification: Double { abs(a * d - b * c).squareRoot() }

  var isFinite: Bool { (a + b + c + d).isFinite && origin.isFinite }
}

/// An affine map of the plane in the form that SVG can animate: translation, rotation, skew, scale.
struct PlaneTurn {
  var x = 0.0
  var y = 0.0
  /// Degrees, clockwise.
  var angle = 0.0
  /// Degrees.
  var skew = 0.0
  var scaleX = 0.0
  var scaleY = 0.0

  /// The map of everything to one point.
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

  /// The same map with the angle that is nearest to that of another, so that nothing spins.
  func following(_ other: PlaneTurn) -> PlaneTurn {
    var turn = self
    turn.angle += ((other.angle - angle) / 360).rounded() * 360
    return turn
  }
}

extension Rect {
  /// The smallest rectangle around points; nil without points.
  public init?(around points: [Point]) {
    guard let first = points.first else { return nil }
    self.init(origin: first, size: .zero)
    for point in points.dropFirst() { formUnion(Rect(origin: point, size: .zero)) }
  }

  /// Top left, top right, bottom right, bottom left.
  var corners: [Point] {
    [
      Point(x: minX, y: minY), Point(x: maxX, y: minY), Point(x: maxX, y: maxY),
      Point(x: minX, y: maxY),
    ]
  }

  var middle: Point { Point(x: midX, y: midY) }

  /// The rectangle moved by the coordinates of a point.
  func offset(by point: Point) -> Rect {
    Rect(x: x + point.x, y: y + point.y, width: width, height: height)
  }

  /// What a drawing of the rectangle adds to coordinates, so that they are near 0; viewers have
  /// numbers of 32 bits, which are too coarse for a place far away.
  var shift: Point {
    func shift(_ start: Double) -> Double { abs(start) < 65_536 ? 0 : -start.rounded(.down) }
    return Point(x: shift(x), y: shift(y))
  }

  /// Extends the rectangle to contain another one.
  public mutating func formUnion(_ other: Rect) {
    let left = min(minX, other.minX)
    let top = min(minY, other.minY)
    let right = max(maxX, other.maxX)
    let bottom = max(maxY, other.maxY)
    self = Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The part in another rectangle; nil where the two are apart.
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
  /// The outlines of the hills and of the sun in the glyph of a picture, which fills the rectangle.
  var pictureGlyph: [[Point]] {
    // The corners of the hills, as fractions of the width and the height.
    let hills = [(0.1, 0.86), (0.36, 0.44), (0.54, 0.7), (0.67, 0.54), (0.9, 0.86)]
    // The corners of the sun, as fractions of its radius.
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
