extension JSONNode {
  func bounds() throws(HostError) -> Size {
    let numbers = try numbers(["width", "height"])
    guard numbers.allSatisfy({ $0 >= 0 }) else {
      throw HostError(
        .invalidInput,
        "\(path) is \(format(numbers[0])) by \(format(numbers[1])); expected lengths of 0 or more")
    }
    return Size(width: numbers[0], height: numbers[1])
  }

  func point() throws(HostError) -> Point {
    let numbers = try numbers(["x", "y"])
    return Point(x: numbers[0], y: numbers[1])
  }

  func insets() throws(HostError) -> Insets {
    let numbers = try numbers(["top", "left", "bottom", "right"])
    return Insets(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
  }

  func rect() throws(HostError) -> Rect {
    let numbers = try numbers(["x", "y", "width", "height"])
    return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  func scale() throws(HostError) -> Double {
    let scale = try number("a number greater than 0")
    guard scale > 0 else { throw expected("a number greater than 0") }
    return scale
  }

  func direction() throws(HostError) -> LayoutDirection {
    let names = LayoutDirection.allCases.map(\.rawValue).joined(separator: " or ")
    guard let direction = LayoutDirection(rawValue: try string(names)) else {
      throw expected(names)
    }
    return direction
  }
}

extension JSONValue {
  /// The point that a list of two numbers is; `name` is what errors call it.
  ///
  /// Throws `.invalidInput` for anything else.
  public func point(named name: String) throws(HostError) -> Point {
    try JSONNode(value: self, path: name).point()
  }
}
