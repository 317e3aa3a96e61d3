import TesseraGeometry

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
