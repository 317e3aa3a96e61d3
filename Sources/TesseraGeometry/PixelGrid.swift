/// The nearest place on the pixel grid of a display with `scale` pixels a point, half up.
///
/// - Parameter scale: Pixels a point, above 0.
@inlinable public func roundedToPixel(_ length: Double, scale: Double) -> Double {
  (length * scale + 0.5).rounded(.down) / scale
}
