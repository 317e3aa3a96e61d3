import TesseraGeometry

extension Rect {
  /// The smallest rectangle round points; nil where there are none.
  init?(around points: [Point]) {
    guard let first = points.first else { return nil }
    self.init(origin: first, size: .zero)
    for point in points.dropFirst() {
      formUnion(Rect(origin: point, size: .zero))
    }
  }

  /// Top left, top right, bottom right, bottom left.
  var corners: [Point] {
    [
      Point(x: minX, y: minY), Point(x: maxX, y: minY), Point(x: maxX, y: maxY),
      Point(x: minX, y: maxY),
    ]
  }

  var middle: Point { Point(x: midX, y: midY) }

  /// Where it lies when it is measured from a corner.
  func offset(by corner: Point) -> Rect {
    Rect(x: x + corner.x, y: y + corner.y, width: width, height: height)
  }

  /// Grows to contain another rectangle.
  mutating func formUnion(_ other: Rect) {
    let left = min(minX, other.minX)
    let top = min(minY, other.minY)
    let right = max(maxX, other.maxX)
    let bottom = max(maxY, other.maxY)
    self = Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The part of it that lies in another rectangle, or nil where they are apart.
  func clipped(to other: Rect) -> Rect? {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left <= right, top <= bottom else { return nil }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
