import Glibc
import TesseraGeometry
import TesseraHost

/// An element's rectangle as its transform throws it onto the plane.
///
/// Places are offsets from the frame's centre as row vectors (dx, dy, 0, 1), times the matrix,
/// divided by w; what lies behind the viewer (w ≤ 0) is cut off.
struct Projection {
  let frame: Rect
  let transform: Transform

  init(_ element: Element) {
    frame = element.frame
    transform = element.transform
  }

  /// The corners as seen, in the order top left, top right, bottom right, bottom left.
  ///
  /// There are three to five where the viewer's plane cuts the rectangle, none where nothing can be
  /// seen.
  var outline: [Point] { outline(of: Rect(origin: .zero, size: frame.size).corners) }

  /// A polygon as seen; its corners are given from the corner of the frame.
  func outline(of polygon: [Point]) -> [Point] {
    let corners = polygon.map { projected($0.x - frame.width / 2, $0.y - frame.height / 2) }
    var points: [Point] = []
    for index in corners.indices {
      let corner = corners[index]
      let next = corners[(index + 1) % corners.count]
      if corner.isInFront { points.append(place(corner)) }
      if corner.isInFront != next.isInFront {
        points.append(place(corner.towards(next)))
      }
    }
    return points.allSatisfy(\.isFinite) ? points : []
  }

  /// The best flat imitation at the centre, for text; nil where the centre is not seen.
  ///
  /// It maps offsets from the centre to places on the plane.
  var tangent: PlaneTransform? {
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

  /// How near the centre is to the viewer: higher lies in front.
  var depth: Double {
    let depth = transform.m43 / transform.m44
    return depth.isFinite ? depth : 0
  }

  /// How near the element's plane is to the viewer where it passes a place, perspective apart.
  ///
  /// Of elements that are turned alike, one behind the other, the foremost has the highest.
  func depth(at place: Point) -> Double {
    let area = transform.m11 * transform.m22 - transform.m12 * transform.m21
    let x = (place.x - frame.midX) * transform.m44 - transform.m41
    let y = (place.y - frame.midY) * transform.m44 - transform.m42
    let dx = (x * transform.m22 - y * transform.m21) / area
    let dy = (y * transform.m11 - x * transform.m12) / area
    let depth = (dx * transform.m13 + dy * transform.m23 + transform.m43) / transform.m44
    return depth.isFinite ? depth : 0
  }

  private func projected(_ dx: Double, _ dy: Double) -> Homogeneous {
    Homogeneous(
      x: dx * transform.m11 + dy * transform.m21 + transform.m41,
      y: dx * transform.m12 + dy * transform.m22 + transform.m42,
      w: dx * transform.m14 + dy * transform.m24 + transform.m44)
  }

  private func place(_ point: Homogeneous) -> Point {
    Point(x: frame.midX + point.x / point.w, y: frame.midY + point.y / point.w)
  }
}

/// A point of the plane before the division by w.
private struct Homogeneous {
  var x, y, w: Double

  /// What is nearer to the viewer than this is cut off.
  static let nearest = 0.01

  var isInFront: Bool { w >= Self.nearest }

  /// Where the way to another point crosses the viewer's plane.
  func towards(_ other: Homogeneous) -> Homogeneous {
    let part = (Self.nearest - w) / (other.w - w)
    return Homogeneous(
      x: x + (other.x - x) * part, y: y + (other.y - y) * part, w: Self.nearest)
  }
}

/// An affine map of the plane: x' = a·x + c·y + origin.x, y' = b·x + d·y + origin.y.
struct PlaneTransform {
  var a, b, c, d: Double
  var origin: Point

  /// How much lengths grow, as the root of how much areas grow.
  var magnification: Double { abs(a * d - b * c).squareRoot() }

  var isFinite: Bool { (a + b + c + d).isFinite && origin.isFinite }
}
