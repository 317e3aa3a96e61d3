import Glibc

/// A rotation of space as a quaternion of length 1.
struct Quaternion {
  /// x, y, z, w.
  var parts: SIMD4<Double>

  init(parts: SIMD4<Double>) { self.parts = parts }

  /// The rotation whose matrix, for row vectors, has these rows, each upright on the others.
  ///
  /// It is found from the largest of the four parts, where CSS takes every part from the diagonal:
  /// that leaves the signs open half a turn away from no rotation.
  init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) {
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
    parts = raw / (raw * raw).sum().squareRoot()
  }

  /// The rows of its matrix for row vectors.
  var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    let (x, y, z, w) = (parts.x, parts.y, parts.z, parts.w)
    return (
      SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
      SIMD3(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
      SIMD3(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))
    )
  }

  /// The rotation at a part of the shorter way to another, at constant speed.
  func turned(to other: Quaternion, _ part: Double) -> Quaternion {
    let product = (parts * other.parts).sum()
    let end = product < 0 ? -other.parts : other.parts
    let angle = acos(min(product.magnitude, 1))
    // The arc cosine of what is nearly 1 is mostly rounding; so short an arc is straight.
    let isShort = angle < 1e-4
    let start = isShort ? 1 - part : sin((1 - part) * angle) / sin(angle)
    let finish = isShort ? part : sin(part * angle) / sin(angle)
    let raw = parts * start + end * finish
    return Quaternion(parts: raw / (raw * raw).sum().squareRoot())
  }
}
