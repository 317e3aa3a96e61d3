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
    result += difference("contentSize", contentSize, actual.contentSize, tolerance).map(\.text)
    var rest: [ElementIdentity: Entry] = [:]
    for entry in actual.elements where rest.updateValue(entry, forKey: entry.identity) != nil {
      result.append("\(entry.name) occurs twice")
    }
    for entry in elements {
      guard let found = rest.removeValue(forKey: entry.identity) else {
        result.append("\(entry.name) is missing")
        continue
      }
      result += entry.differences(from: found, tolerance).map { "\(entry.name): \($0.text)" }
    }
    if !isPartial { result += rest.values.map { "\($0.name) is not expected" }.sorted() }
    return result
  }
}

extension LayoutDocument.Entry {
  /// "cell 0,3", "supplementary header 1,0".
  var name: String {
    let kind = identity.kind.map { " \($0)" } ?? ""
    return "\(identity.category.name)\(kind) \(identity.section),\(identity.item)"
  }

  /// How an actual element differs from this expected one.
  func differences(from actual: Self, _ tolerance: Double) -> [Mismatch] {
    var result = difference("frame", frame, actual.frame, tolerance)
    result += difference("alpha", [alpha], [actual.alpha], tolerance)
    result += difference("transform3D", transform, actual.transform, tolerance)
    if zIndex != actual.zIndex {
      result.append(Mismatch(of: "zIndex", expected: "\(zIndex)", found: "\(actual.zIndex)"))
    }
    if isHidden != actual.isHidden {
      result.append(Mismatch(of: "hidden", expected: "\(isHidden)", found: "\(actual.isHidden)"))
    }
    for name in Set(attributes.keys).union(actual.attributes.keys).sorted() {
      let (expected, found) = (attributes[name] ?? .null, actual.attributes[name] ?? .null)
      if let left = expected.numbers, let right = found.numbers {
        result += difference(name, left, right, tolerance)
      } else if expected != found {
        result.append(Mismatch(of: name, expected: expected.found, found: found.found))
      }
    }
    return result
  }
}

/// One thing that is not as it was expected.
struct Mismatch {
  /// "frame", "alpha", the name of an attribute.
  let subject: String
  let expected: String
  let found: String

  init(of subject: String, expected: String, found: String) {
    (self.subject, self.expected, self.found) = (subject, expected, found)
  }

  /// "frame is [0, 0, 1, 1], expected [0, 0, 1, 2]".
  var text: String { "\(subject) is \(found), expected \(expected)" }
}

extension JSONValue {
  /// The number, or the numbers of a list of nothing else.
  var numbers: [Double]? {
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
func difference(
  _ name: String, _ expected: [Double?], _ actual: [Double?], _ tolerance: Double
) -> [Mismatch] {
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
  return isEqual ? [] : [Mismatch(of: name, expected: text(expected), found: text(actual))]
}
