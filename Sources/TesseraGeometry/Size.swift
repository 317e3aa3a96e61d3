/// An extent on the plane, in points.
public struct Size: Equatable, Hashable, Sendable, BitwiseCopyable {
  public var width, height: Double

  /// An extent by its two lengths.
  @inlinable public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// No extent.
  public static let zero = Size(width: 0, height: 0)

  /// Whether both lengths are finite.
  @inlinable public var isFinite: Bool { width.isFinite && height.isFinite }
}
