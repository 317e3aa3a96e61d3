/// A place on the plane, in points; y grows downward.
public struct Point: Equatable, Hashable, Sendable, BitwiseCopyable {
  public var x, y: Double

  @inlinable public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  public static let zero = Point(x: 0, y: 0)

  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }
}
