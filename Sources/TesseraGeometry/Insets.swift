/// Distances from the four edges, in points; positive is inward.
public struct Insets: Equatable, Hashable, Sendable, BitwiseCopyable {
  public var top, left, bottom, right: Double

  /// Insets by edge; an edge left out is 0.
  @inlinable public init(
    top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0
  ) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// No insets.
  public static let zero = Insets()

  /// Whether all four are finite.
  @inlinable public var isFinite: Bool {
    top.isFinite && left.isFinite && bottom.isFinite && right.isFinite
  }
}
