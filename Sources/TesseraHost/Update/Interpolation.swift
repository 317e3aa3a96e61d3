import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

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

extension Element {
  /// The element that lies at a part of the way to another, the part above 0 and below 1.
  ///
  /// Frame and alpha go in proportion, the transform as `Transform.interpolated`; z index and
  /// visibility are the new ones.
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
  /// The value that lies at a part of the way to another, the part above 0 and below 1.
  ///
  /// Bools and choices, and values of two types, have nothing between them: where they are declared
  /// linear they step. Integers go by the nearest whole number.
  func interpolated(
    to other: Value, _ part: Double, as interpolation: AttributeDescription.Interpolation
  ) -> Value {
    switch interpolation {
    case .step: return other
    case .none: return self
    case .linear: break
    }
    switch (self, other) {
    case (.integer(let from), .integer(let to)):
      return .integer(from.interpolated(to: to, part))
    case (.number(let from), .number(let to)): return .number(from.interpolated(to: to, part))
    case (.point(let from), .point(let to)): return .point(from.interpolated(to: to, part))
    case (.size(let from), .size(let to)): return .size(from.interpolated(to: to, part))
    case (.rect(let from), .rect(let to)): return .rect(from.interpolated(to: to, part))
    case (.insets(let from), .insets(let to)): return .insets(from.interpolated(to: to, part))
    default: return other
    }
  }
}

extension Int64 {
  /// The nearest whole number at a part of the way, halves away from 0.
  ///
  /// The way is measured by its length, as a sum of its ends might not fit.
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
  /// The transform that lies at a part 0...1 of the way to another, exact at both ends.
  ///
  /// Both are taken apart into translation, perspective, scale, skew and rotation, and the parts go
  /// by themselves: rotations by the shorter arc at constant speed, all else in proportion. A
  /// matrix that cannot be taken apart, as its scale is 0 along some direction or as it puts its
  /// own origin behind the viewer, has no rotation to follow: then the sixteen numbers go in
  /// proportion.
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
