import Foundation

extension Scenario {
  private static let keys = [
    "bounds", "offset", "contentInsets", "safeAreaInsets", "layoutMargins", "scale", "direction",
    "parameters", "sections", "delegate", "measure", "rect",
  ]

  /// Reads a scenario file.
  ///
  /// Throws `.notFound` where the file cannot be read, else as `init(parsing:name:)`.
  public init(contentsOf path: String) throws(HostError) {
    try self.init(parsing: InputFile(path: path).bytes(), name: path)
  }

  /// Reads a scenario from the bytes of a JSON document.
  ///
  /// Throws `.invalidInput`, naming the key, what was expected and what was found: bytes that are
  /// not JSON, an unknown key, a wrong type, a list of the wrong length, a number out of range.
  /// O(bytes). Values are checked against an engine later, by `apply(to:)`.
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    try self.init(JSONValue(parsing: bytes, name: name))
  }

  /// Reads a scenario from a JSON value; throws as `init(parsing:name:)`.
  public init(_ json: JSONValue) throws(HostError) {
    try self.init(JSONNode(value: json, path: ""))
  }

  /// Reads a scenario that may be a part of a document; errors name the path of each key.
  init(_ root: JSONNode) throws(HostError) {
    try root.checkKeys(Self.keys, of: "a scenario")
    bounds = try root["bounds"].map { node throws(HostError) in try node.bounds() }
    offset = try root["offset"].map { node throws(HostError) in try node.point() }
    contentInsets = try root["contentInsets"].map { node throws(HostError) in try node.insets() }
    safeAreaInsets = try root["safeAreaInsets"].map { node throws(HostError) in try node.insets() }
    layoutMargins = try root["layoutMargins"].map { node throws(HostError) in try node.insets() }
    scale = try root["scale"].map { node throws(HostError) in try node.scale() }
    direction = try root["direction"].map { node throws(HostError) in try node.direction() }
    parameters = try Self.settings(root["parameters"])
    delegate = try Self.settings(root["delegate"])
    measure = root["measure"].map { Setting($0.value, source: $0.path) }
    rect = try root["rect"].map { node throws(HostError) in try node.rect() }
    guard let node = root["sections"] else { return }
    var sections: [Section] = []
    for element in try node.elements("a list of sections") {
      sections.append(try Section(element))
    }
    content = .sections(sections)
  }

  fileprivate static func settings(_ node: JSONNode?) throws(HostError) -> [String: Setting] {
    var settings: [String: Setting] = [:]
    guard let node else { return settings }
    guard case .object(let values) = node.value else { throw node.expected("an object") }
    for (name, value) in values {
      settings[name] = Setting(value, source: JSONNode.join(node.path, name))
    }
    return settings
  }
}

extension Scenario.Section {
  fileprivate init(_ node: JSONNode) throws(HostError) {
    try node.checkKeys(["items", "values", "itemValues"], of: "a section")
    guard let items = node["items"] else { throw node.missing("items", "a whole number") }
    self.items = try items.count()
    values = try Scenario.settings(node["values"])
    itemValues = try Scenario.settings(node["itemValues"])
  }
}

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
