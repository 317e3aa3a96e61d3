import Glibc
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

// A transform in parts that interpolate separately. A 3×3 matrix A scales, skews and rotates a
// point (a row vector), then it is translated. w is 1 plus the product of the point before the
// translation and `perspective`.
//
//     ( A  A·perspective )
//     ( translation    1 ) · weight
//
// A is decomposed as in CSS Transforms Level 2, "Decomposing a 3D matrix".
//
// Rationale (2026-11-21): in CSS, perspective also applies to the translation, so w at the centre
// depends on the product of two changing parts. A cover flow translates cells by 40,000 along z and
// sets `m34`; halfway to the identity, CSS would shrink them to a thirteenth. Here w changes
// linearly.
struct TransformDecomposition {
  var translation: SIMD3<Double>
  var perspective: SIMD3<Double>
  var scale: SIMD3<Double>
  /// y along x, z along x, z along y.
  var skew: SIMD3<Double>
  /// A quaternion: x, y, z, w.
  var rotation: SIMD4<Double>
  /// w at the centre.
  var weight: Double

  /// A is singular if a row depends on others up to this fraction of its length.
  private static let tolerance = 1e-9

  /// Nil if singular, not finite, or `m44` ≤ 0.
  init?(_ matrix: Transform) {
    weight = matrix.m44
    guard weight > 0 else { return nil }
    translation = SIMD3(matrix.m41, matrix.m42, matrix.m43) / weight
    var x = SIMD3(matrix.m11, matrix.m12, matrix.m13) / weight
    var y = SIMD3(matrix.m21, matrix.m22, matrix.m23) / weight
    var z = SIMD3(matrix.m31, matrix.m32, matrix.m33) / weight
    let yLength = y.length
    let zLength = z.length

    scale = SIMD3(x.length, 0, 0)
    guard scale.x > 0, scale.x.isFinite else { return nil }
    x /= scale.x
    skew = SIMD3(x.dot(y), 0, 0)
    y -= x * skew.x
    scale.y = y.length
    guard scale.y > yLength * Self.tolerance else { return nil }
    y /= scale.y
    skew.y = x.dot(z)
    z -= x * skew.y
    skew.z = y.dot(z)
    z -= y * skew.z
    scale.z = z.length
    guard scale.z > zLength * Self.tolerance else { return nil }
    z /= scale.z
    skew /= SIMD3(scale.y, scale.z, scale.z)
    if x.dot(y.cross(z)) < 0 {
      scale = -scale
      (x, y, z) = (-x, -y, -z)
    }
    rotation = SIMD4(rotationOf: x, y, z)

    // Solves A·perspective = column from the first row down, with A = scale · skew · rotation.
    let column = SIMD3(matrix.m14, matrix.m24, matrix.m34) / weight / scale
    let turnedY = column.y - skew.x * column.x
    let turnedZ = column.z - skew.y * column.x - skew.z * turnedY
    perspective = x * column.x + y * turnedY + z * turnedZ
    guard transform.isFinite else { return nil }
  }

  var transform: Transform {
    var (x, y, z) = rotation.rows
    z = (z + x * skew.y + y * skew.z) * scale.z
    y = (y + x * skew.x) * scale.y
    x *= scale.x
    let w = SIMD3(x.dot(perspective), y.dot(perspective), z.dot(perspective)) * weight
    (x, y, z) = (x * weight, y * weight, z * weight)
    let move = translation * weight
    var matrix = Transform()
    (matrix.m11, matrix.m12, matrix.m13, matrix.m14) = (x.x, x.y, x.z, w.x)
    (matrix.m21, matrix.m22, matrix.m23, matrix.m24) = (y.x, y.y, y.z, w.y)
    (matrix.m31, matrix.m32, matrix.m33, matrix.m34) = (z.x, z.y, z.z, w.z)
    (matrix.m41, matrix.m42, matrix.m43, matrix.m44) = (move.x, move.y, move.z, weight)
    return matrix
  }
}

extension SIMD3<Double> {
  fileprivate func dot(_ other: Self) -> Double { (self * other).sum() }

  /// Without overflow or underflow.
  fileprivate var length: Double {
    let largest = Swift.max(x.magnitude, y.magnitude, z.magnitude)
    guard largest > 0, largest.isFinite else { return largest }
    let unit = self / largest
    return unit.dot(unit).squareRoot() * largest
  }

  fileprivate func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}

/// Quaternions.
extension SIMD4<Double> {
  // From the orthonormal rows of a matrix for row vectors. Starts from the largest part: the
  // diagonal, as in CSS, leaves signs undetermined at half a turn.
  fileprivate init(rotationOf x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) {
    let squares = SIMD4(
      1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z, 1 + x.x + y.y + z.z)
    let turns = SIMD3(y.z - z.y, z.x - x.z, x.y - y.x)
    let sums = SIMD3(y.z + z.y, z.x + x.z, x.y + y.x)
    let largest = squares.max()
    let raw: SIMD4<Double> =
      if largest == squares.w {
        SIMD4(turns, squares.w)
      } else if largest == squares.x {
        SIMD4(squares.x, sums.z, sums.y, turns.x)
      } else if largest == squares.y {
        SIMD4(sums.z, squares.y, sums.x, turns.y)
      } else {
        SIMD4(sums.y, sums.x, squares.z, turns.z)
      }
    self = raw / (raw * raw).sum().squareRoot()
  }

  fileprivate var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    return (
      SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
      SIMD3(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
      SIMD3(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))
    )
  }

  /// Along the shorter arc, at constant speed.
  func turned(to other: Self, _ part: Double) -> Self {
    let product = (self * other).sum()
    let end = product < 0 ? -other : other
    let angle = acos(Swift.min(product.magnitude, 1))
    // Near 1 the arc cosine is mostly rounding error: treat a short arc as straight.
    let isShort = angle < 1e-4
    let start = isShort ? 1 - part : sin((1 - part) * angle) / sin(angle)
    let finish = isShort ? part : sin(part * angle) / sin(angle)
    let raw = self * start + end * finish
    return raw / (raw * raw).sum().squareRoot()
  }
}
