/// A place on the plane, in points; y grows downward.
public struct Point: Equatable, Hashable, Sendable, BitwiseCopyable {
  public var x, y: Double

  /// A place by its two coordinates.
  @inlinable public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The origin.
  public static let zero = Point(x: 0, y: 0)

  /// Whether both coordinates are finite.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }
}
