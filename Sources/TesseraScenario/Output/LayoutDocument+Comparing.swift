extension LayoutDocument {
  /// How an actual layout differs from this expected one, a line for each difference; none: equal.
  ///
  /// Elements are compared as sets, numbers within `tolerance`, unknown numbers of the expected
  /// layout not at all. With `isPartial` the actual layout may have further elements. O(k).
  public func differences(
    from actual: LayoutDocument, tolerance: Double = 0, isPartial: Bool = false
  ) -> [String] {
    var result: [String] = []
    if let engine, let found = actual.engine, engine != found {
      result.append("the engine is \(found), expected \(engine)")
    }
    result += difference("contentSize", contentSize, actual.contentSize, tolerance)
    var rest: [ElementIdentity: Entry] = [:]
    for entry in actual.elements where rest.updateValue(entry, forKey: entry.identity) != nil {
      result.append("\(entry.name) occurs twice")
    }
    for entry in elements {
      guard let found = rest.removeValue(forKey: entry.identity) else {
        result.append("\(entry.name) is missing")
        continue
      }
      result += entry.differences(from: found, tolerance).map { "\(entry.name): \($0)" }
    }
    if !isPartial { result += rest.values.map { "\($0.name) is not expected" }.sorted() }
    return result
  }
}

extension LayoutDocument.Entry {
  fileprivate var name: String {
    let kind = identity.kind.map { " \($0)" } ?? ""
    return "\(identity.category.name)\(kind) \(identity.section),\(identity.item)"
  }

  fileprivate func differences(from actual: Self, _ tolerance: Double) -> [String] {
    var result = difference("frame", frame, actual.frame, tolerance)
    result += difference("alpha", [alpha], [actual.alpha], tolerance)
    result += difference("transform3D", transform, actual.transform, tolerance)
    if zIndex != actual.zIndex {
      result.append("zIndex is \(actual.zIndex), expected \(zIndex)")
    }
    if isHidden != actual.isHidden {
      result.append("hidden is \(actual.isHidden), expected \(isHidden)")
    }
    for name in Set(attributes.keys).union(actual.attributes.keys).sorted() {
      let (expected, found) = (attributes[name] ?? .null, actual.attributes[name] ?? .null)
      if let left = expected.numbers, let right = found.numbers {
        result += difference(name, left, right, tolerance)
      } else if expected != found {
        result.append("\(name) is \(found.found), expected \(expected.found)")
      }
    }
    return result
  }
}

extension JSONValue {
  fileprivate var numbers: [Double]? {
    switch self {
    case .number(let number): return [number]
    case .array(let values):
      let numbers = values.compactMap { if case .number(let number) = $0 { number } else { nil } }
      return numbers.count == values.count ? numbers : nil
    default: return nil
    }
  }
}

/// The difference of two lists of numbers, those compared that the expected one knows.
private func difference(
  _ name: String, _ expected: [Double?], _ actual: [Double?], _ tolerance: Double
) -> [String] {
  let isEqual =
    expected.count == actual.count
    && zip(expected, actual).allSatisfy { expected, actual in
      guard let expected else { return true }
      guard let actual else { return false }
      return expected == actual || (expected - actual).magnitude <= tolerance
    }
  func text(_ numbers: [Double?]) -> String {
    "[" + numbers.map { $0.map(format) ?? "null" }.joined(separator: ", ") + "]"
  }
  return isEqual ? [] : ["\(name) is \(text(actual)), expected \(text(expected))"]
}
