public import TesseraGeometry

/// A number as it stands in a sentence: 5 rather than 5.0.
public func describe(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A size as it stands in a sentence: 100×90.
public func describe(_ size: Size) -> String {
  "\(describe(size.width))×\(describe(size.height))"
}

/// Insets as they stand in a sentence: top, left, bottom, right.
public func describe(_ insets: Insets) -> String {
  [insets.top, insets.left, insets.bottom, insets.right].map { describe($0) }.joined(separator: " ")
}
