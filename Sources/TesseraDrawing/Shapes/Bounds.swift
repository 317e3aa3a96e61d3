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
