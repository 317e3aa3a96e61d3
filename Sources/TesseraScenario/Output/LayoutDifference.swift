/// A difference between an expected and an actual layout or result.
public struct LayoutDifference: Equatable, Sendable, CustomStringConvertible {
  /// The element, such as "cell 3 of section 0"; nil for the whole layout.
  public var element: String?
  /// Such as "frame" or an attribute's name; nil for the whole element.
  public var property: String?
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates a difference.
  public init(element: String? = nil, property: String? = nil, expected: String, found: String) {
    (self.element, self.property) = (element, property)
    (self.expected, self.found) = (expected, found)
  }

  /// "cell 3 of section 0: frame is [0, 0, 1, 1], expected [0, 0, 1, 2]".
  public var description: String {
    (element.map { "\($0): " } ?? "") + (property.map { "\($0) is " } ?? "found ")
      + "\(found), expected \(expected)"
  }
}

extension LayoutDocument {
  /// The differences of an actual layout from this one; O(k).
  ///
  /// Compares elements as sets; null matches any number. With `isPartial` the actual layout may
  /// have more elements.
  public func differences(
    from actual: LayoutDocument, tolerance: Double = 0, isPartial: Bool = false
  ) -> [LayoutDifference] {
    var result: [LayoutDifference] = []
    if let engine, let found = actual.engine, engine != found {
      result.append(LayoutDifference(property: "engine", expected: engine, found: found))
    }
    let size = LayoutDifference(
      "contentSize", expected: contentSize, found: actual.contentSize, tolerance)
    return result + (size.map { [$0] } ?? [])
      + Self.differences(of: actual.elements, from: elements, tolerance, isPartial: isPartial)
  }

  static func differences(
    of actual: [Entry], from expected: [Entry], _ tolerance: Double, isPartial: Bool = false
  ) -> [LayoutDifference] {
    var result: [LayoutDifference] = []
    var rest: [ElementIdentity: Entry] = [:]
    for entry in actual where rest.updateValue(entry, forKey: entry.identity) != nil {
      result.append(LayoutDifference(element: entry.name, expected: "once", found: "twice"))
    }
    for entry in expected {
      if let found = rest.removeValue(forKey: entry.identity) {
        result += entry.differences(from: found, tolerance)
      } else {
        result.append(
          LayoutDifference(element: entry.name, expected: entry.place, found: "no such element"))
      }
    }
    guard !isPartial, !rest.isEmpty else { return result }
    return result
      + actual.filter { rest.removeValue(forKey: $0.identity) != nil }.map {
        LayoutDifference(element: $0.name, expected: "no such element", found: $0.place)
      }
  }
}

extension LayoutDocument.Entry {
  var name: String { identity.description }

  var place: String { "frame \(LayoutDifference.text(frame))" }

  func differences(
    from actual: Self, _ tolerance: Double, named element: String? = nil
  ) -> [LayoutDifference] {
    var result: [LayoutDifference] = []
    func compare(_ property: String, _ expected: [Double?], _ found: [Double?]) {
      let difference = LayoutDifference(property, expected: expected, found: found, tolerance)
      if let difference { result.append(difference) }
    }
    func compare(_ property: String, _ expected: String, _ found: String) {
      guard expected != found else { return }
      result.append(LayoutDifference(property: property, expected: expected, found: found))
    }
    compare("frame", frame, actual.frame)
    compare("alpha", [alpha], [actual.alpha])
    compare("transform3D", transform, actual.transform)
    compare("zIndex", "\(zIndex)", "\(actual.zIndex)")
    compare("hidden", "\(isHidden)", "\(actual.isHidden)")
    for name in Set(attributes.keys).union(actual.attributes.keys).sorted() {
      let (expected, found) = (attributes[name] ?? .null, actual.attributes[name] ?? .null)
      if let left = expected.numbers, let right = found.numbers {
        compare(name, left, right)
      } else if expected != found {
        result.append(
          LayoutDifference(property: name, expected: expected.found, found: found.found))
      }
    }
    for index in result.indices { result[index].element = element ?? name }
    return result
  }
}

extension LayoutDifference {
  /// Nil if they match; an expected nil matches any number.
  init?(
    _ property: String, expected: [Double?], found: [Double?], _ tolerance: Double
  ) {
    let isEqual =
      expected.count == found.count
      && zip(expected, found).allSatisfy { expected, found in
        guard let expected else { return true }
        guard let found else { return false }
        return expected == found || (expected - found).magnitude <= tolerance
      }
    if isEqual { return nil }
    self.init(property: property, expected: Self.text(expected), found: Self.text(found))
  }

  fileprivate static func text(_ numbers: [Double?]) -> String {
    "[" + numbers.map { $0?.shortText ?? "null" }.joined(separator: ", ") + "]"
  }
}
