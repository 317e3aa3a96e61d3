/// Distances from the four edges, in points; positive is inward.
public struct Insets: Equatable, Hashable, Sendable, BitwiseCopyable {
  public var top, left, bottom, right: Double

  @inlinable public init(
    top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0
  ) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  public static let zero = Insets()

  @inlinable public var isFinite: Bool {
    top.isFinite && left.isFinite && bottom.isFinite && right.isFinite
  }
}
