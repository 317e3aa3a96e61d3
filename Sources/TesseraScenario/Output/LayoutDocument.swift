import Foundation

/// A layout as its JSON tells it, to be compared with another: an expected one may leave numbers
/// open with null.
public struct LayoutDocument: Equatable, Sendable {
  /// One element; nil stands for what is not known.
  public struct Entry: Equatable, Sendable {
    /// Which element it is.
    public var identity: ElementIdentity
    /// x, y, width and height in points of the content.
    public var frame: [Double?]
    /// The order of drawing.
    public var zIndex: Int
    /// Opacity.
    public var alpha: Double
    /// Whether it is not shown.
    public var isHidden: Bool
    /// A 3D transform, sixteen numbers row by row.
    public var transform: [Double]
    /// The engine's own attributes by name.
    public var attributes: [String: JSONValue]
  }

  /// The engine's id, where the document names it.
  public var engine: String?
  /// Width and height, where known.
  public var contentSize: [Double?]
  /// The elements in the document's order.
  public var elements: [Entry]

  /// The document of a layout that is at hand; the attributes are those of the elements.
  public init(
    engine: String? = nil, contentSize: Size, elements: some Sequence<Element>,
    attributes: [AttributeDescription] = []
  ) {
    self.engine = engine
    self.contentSize = [contentSize.width, contentSize.height]
    self.elements = elements.map { element in
      let frame = element.frame
      let named = zip(attributes.map(\.name), element.attributes.map { JSONValue($0) })
      return Entry(
        identity: element.identity, frame: [frame.x, frame.y, frame.width, frame.height],
        zIndex: element.zIndex, alpha: element.alpha, isHidden: element.isHidden,
        transform: element.transform.elements,
        attributes: Dictionary(named, uniquingKeysWith: { first, _ in first }))
    }
  }
}

extension JSONValue {
  /// The JSON of a value: a vector is a list, a choice its name.
  public init(_ value: Value) {
    switch value {
    case .bool(let bool): self = .bool(bool)
    case .integer(let integer): self = .number(Double(integer))
    case .number(let number): self = .number(number)
    case .choice(let name): self = .string(name)
    case .point, .size, .rect, .insets: self = .array(value.numbers.map { .number($0) })
    }
  }
}

extension LayoutDocument {
  /// Reads the JSON that `LayoutWriter` writes; throws `.invalidInput` that names what is wrong.
  public static func read(
    _ bytes: some DataProtocol, name: String
  ) throws(HostError) -> LayoutDocument {
    try LayoutDocument(JSONValue(parsing: bytes, name: name))
  }

  /// Reads a layout from a JSON value.
  ///
  /// Without `contentSize`, or where a number of it or of a frame is null, the number is unknown.
  /// Throws `.invalidInput` that names the key, what was found and what was expected.
  public init(_ json: JSONValue) throws(HostError) {
    let root = JSONNode(value: json, path: "")
    try root.checkKeys(["engine", "contentSize", "elements"], of: "a layout")
    engine = try root["engine"].map { node throws(HostError) in try node.string() }
    contentSize =
      try root["contentSize"].map { node throws(HostError) in
        try node.openNumbers(ValueType.size.components)
      } ?? [nil, nil]
    elements = []
    guard let list = root["elements"] else { throw root.missing("elements", "a list") }
    for node in try list.elements("a list of elements") { elements.append(try Entry(node)) }
  }
}

extension LayoutDocument.Entry {
  private static let keys = [
    "category", "kind", "section", "item", "frame", "zIndex", "alpha", "hidden", "transform3D",
    "attributes",
  ]

  /// Reads one element; throws as the document does.
  init(_ node: JSONNode) throws(HostError) {
    try node.checkKeys(Self.keys, of: "an element")
    let category = try node.required("category", "a category")
    let name = try category.string()
    guard let found = ElementCategory.allCases.first(where: { $0.name == name }) else {
      throw category.expected(list(ElementCategory.allCases.map(\.name), "or"))
    }
    identity = ElementIdentity(
      category: found, kind: try node["kind"].map { node throws(HostError) in try node.string() },
      section: try node.required("section", "a whole number").count(),
      item: try node.required("item", "a whole number").count())
    frame = try node.required("frame", "four numbers").openNumbers(ValueType.rect.components)
    let z = try node["zIndex"].map { node throws(HostError) in try node.number() } ?? 0
    guard let zIndex = Int(exactly: z) else {
      throw HostError(.invalidInput, "\(node.path).zIndex is \(format(z)); expected a whole number")
    }
    self.zIndex = zIndex
    alpha = try node["alpha"].map { node throws(HostError) in try node.number() } ?? 1
    isHidden = try node["hidden"].map { node throws(HostError) in try node.bool() } ?? false
    transform =
      try node["transform3D"].map { node throws(HostError) in
        try node.numbers((1...4).flatMap { row in (1...4).map { "m\(row)\($0)" } })
      } ?? Transform.identity.elements
    attributes = [:]
    guard let members = node["attributes"] else { return }
    guard case .object(let values) = members.value else { throw members.expected("an object") }
    attributes = values
  }
}

extension JSONNode {
  fileprivate func required(_ key: String, _ what: String) throws(HostError) -> JSONNode {
    guard let found = self[key] else { throw missing(key, what) }
    return found
  }

  /// A list of numbers in which null stands for an unknown one.
  fileprivate func openNumbers(_ names: [String]) throws(HostError) -> [Double?] {
    let what = "\(names.count) numbers: \(list(names))"
    let nodes = try elements(what)
    guard nodes.count == names.count else { throw expected(what) }
    var numbers: [Double?] = []
    for node in nodes { numbers.append(node.value == .null ? nil : try node.number()) }
    return numbers
  }
}
