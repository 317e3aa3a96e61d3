import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension Double {
  /// Never overshoots.
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

extension Element {
  /// `part` is above 0 and below 1; z index and visibility are the other's.
  func interpolated(
    to other: Element, _ part: Double, attributes descriptions: [AttributeDescription]
  ) -> Element {
    var result = other
    result.frame = frame.interpolated(to: other.frame, part)
    result.alpha = alpha.interpolated(to: other.alpha, part)
    result.transform = transform.interpolated(to: other.transform, part)
    for index in result.attributes.indices where attributes.indices.contains(index) {
      guard descriptions.indices.contains(index) else { continue }
      result.attributes[index] = attributes[index].interpolated(
        to: other.attributes[index], part, as: descriptions[index].interpolation)
    }
    return result
  }
}

extension Value {
  /// Integers are rounded; bools, choices and mixed types step even if declared linear.
  func interpolated(
    to other: Value, _ part: Double, as interpolation: AttributeDescription.Interpolation
  ) -> Value {
    switch interpolation {
    case .step: return other
    case .none: return self
    case .linear: break
    }
    if case (.integer(let from), .integer(let to)) = (self, other) {
      return .integer(from.interpolated(to: to, part))
    }
    return combined(with: other) { $0.interpolated(to: $1, part) } ?? other
  }
}

extension Int64 {
  /// Rounds halves away from `self`; the distance always fits a `UInt64`.
  fileprivate func interpolated(to other: Int64, _ part: Double) -> Int64 {
    let way = Swift.max(self, other).subtractingReportingOverflow(Swift.min(self, other))
    let length = UInt64(bitPattern: way.partialValue)
    guard let done = UInt64(exactly: (Double(length) * part).rounded()), done < length else {
      return other
    }
    let step = Int64(bitPattern: done)
    return self < other ? self &+ step : self &- step
  }
}

extension Transform {
  // Exact at both ends. Linear if a matrix has no decomposition.
  func interpolated(to other: Transform, _ part: Double) -> Transform {
    if self == other || part >= 1 { return other }
    if part <= 0 { return self }
    if let from = TransformDecomposition(self), let to = TransformDecomposition(other) {
      let between = from.interpolated(to: to, part).transform
      if between.isFinite { return between }
    }
    let numbers = zip(elements, other.elements).map { $0.interpolated(to: $1, part) }
    return Transform(elements: numbers) ?? other
  }
}

extension TransformDecomposition {
  fileprivate func interpolated(
    to other: TransformDecomposition, _ part: Double
  ) -> TransformDecomposition {
    var result = self
    result.translation += (other.translation - translation) * part
    result.perspective += (other.perspective - perspective) * part
    result.scale += (other.scale - scale) * part
    result.skew += (other.skew - skew) * part
    result.weight += (other.weight - weight) * part
    result.rotation = rotation.turned(to: other.rotation, part)
    return result
  }
}
