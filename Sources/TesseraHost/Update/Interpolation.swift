import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension Double {
  /// Returns the number at a fraction 0...1 of the way to another, never beyond either.
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
  /// Returns the element at a fraction of the way to another, above 0 and below 1.
  ///
  /// Frame and alpha are interpolated linearly, the transform by `Transform.interpolated`; z index and
  /// visibility are those of the other element.
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
  /// Returns the value at a fraction of the way to another, above 0 and below 1.
  ///
  /// Integers are rounded to the nearest. Bools, choices and values of different types cannot be
  /// interpolated: they step even if they are declared linear.
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
  /// Returns the nearest integer at a fraction of the way to another, rounding halves away from `self`.
  ///
  /// It is computed from the distance, which always fits a `UInt64`.
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
  /// Returns the transform at a fraction 0...1 of the way to another, exact at both ends.
  ///
  /// Both are decomposed into translation, perspective, scale, skew and rotation, which are
  /// interpolated separately: rotations along the shorter arc at constant speed, all others linearly.
  /// If a matrix cannot be decomposed, because its scale is 0 in some direction or its origin lies
  /// behind the viewer, the sixteen numbers are interpolated linearly.
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
