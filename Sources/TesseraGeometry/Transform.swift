/// A 4×4 matrix for row vectors, row-major, translation in m41 to m43, as in CSS `matrix3d()`.
///
/// Same memory layout as the contract's `tessera_transform`.
public struct Transform: Equatable, Hashable, Sendable, BitwiseCopyable {
  public var m11, m12, m13, m14: Double
  public var m21, m22, m23, m24: Double
  public var m31, m32, m33, m34: Double
  public var m41, m42, m43, m44: Double

  /// Creates the identity.
  @inlinable public init() {
    m11 = 1
    m12 = 0
    m13 = 0
    m14 = 0
    m21 = 0
    m22 = 1
    m23 = 0
    m24 = 0
    m31 = 0
    m32 = 0
    m33 = 1
    m34 = 0
    m41 = 0
    m42 = 0
    m43 = 0
    m44 = 1
  }

  /// The identity.
  public static let identity = Transform()

  /// The sixteen numbers, row by row.
  public var elements: [Double] {
    [m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44]
  }

  /// Creates a transform from 16 numbers, row by row; nil for another count.
  public init?(elements: [Double]) {
    guard elements.count == 16 else { return nil }
    self.init()
    (m11, m12, m13, m14) = (elements[0], elements[1], elements[2], elements[3])
    (m21, m22, m23, m24) = (elements[4], elements[5], elements[6], elements[7])
    (m31, m32, m33, m34) = (elements[8], elements[9], elements[10], elements[11])
    (m41, m42, m43, m44) = (elements[12], elements[13], elements[14], elements[15])
  }

  /// Whether all numbers, and the sum of each half, are finite.
  @inlinable public var isFinite: Bool {
    (m11 + m12 + m13 + m14 + m21 + m22 + m23 + m24).isFinite
      && (m31 + m32 + m33 + m34 + m41 + m42 + m43 + m44).isFinite
  }
}

extension Transform {
  /// The transform in mirrored content: x is negated before and after it.
  @inlinable public var mirrored: Transform {
    var result = self
    result.m12 = -m12
    result.m13 = -m13
    result.m14 = -m14
    result.m21 = -m21
    result.m31 = -m31
    result.m41 = -m41
    return result
  }
}
