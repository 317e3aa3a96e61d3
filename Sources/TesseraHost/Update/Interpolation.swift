import TesseraGeometry

extension Double {
  /// The number that lies at a part 0...1 of the way to another, never beyond either.
  func interpolated(to other: Double, _ part: Double) -> Double {
    if self == other || part >= 1 { return other }
    if part <= 0 { return self }
    let way = other - self
    let result = way.isFinite ? self + way * part : self * (1 - part) + other * part
    return Swift.min(Swift.max(result, Swift.min(self, other)), Swift.max(self, other))
  }
}

extension Point {
  func interpolated(to other: Point, _ part: Double) -> Point {
    Point(x: x.interpolated(to: other.x, part), y: y.interpolated(to: other.y, part))
  }
}

extension Size {
  func interpolated(to other: Size, _ part: Double) -> Size {
    Size(
      width: width.interpolated(to: other.width, part),
      height: height.interpolated(to: other.height, part))
  }
}

extension Rect {
  func interpolated(to other: Rect, _ part: Double) -> Rect {
    Rect(
      origin: origin.interpolated(to: other.origin, part),
      size: size.interpolated(to: other.size, part))
  }
}

extension Insets {
  func interpolated(to other: Insets, _ part: Double) -> Insets {
    Insets(
      top: top.interpolated(to: other.top, part), left: left.interpolated(to: other.left, part),
      bottom: bottom.interpolated(to: other.bottom, part),
      right: right.interpolated(to: other.right, part))
  }
}
