import FoundationEssentials

/// A layout in JSON, for comparisons; an expected one may have null in place of any number.
public struct LayoutDocument: Equatable, Sendable {
  /// An element.
  public struct Entry: Equatable, Sendable {
    /// The category, kind and index path.
    public var identity: ElementIdentity
    /// x, y, width and height in points; nil matches any number.
    public var frame: [Double?]
    /// The drawing order.
    public var zIndex: Int
    /// The opacity.
    public var alpha: Double
    /// Whether the element is hidden.
    public var isHidden: Bool
    /// Sixteen numbers, row by row.
    public var transform: [Double]
    /// The engine's attributes by name.
    public var attributes: [String: JSON]
    /// The label, which is not compared; nil if unknown.
    public var label: String?
  }

  /// The engine's id, if known.
  public var engine: String?
  /// Width and height; nil matches any number.
  public var contentSize: [Double?]
  /// The bounds, which are not compared; nil if unknown.
  public var bounds: Size?
  /// The elements, in document order.
  public var elements: [Entry]

  /// The document of a layout with its elements' attributes.
  public init(
    engine: String? = nil, contentSize: Size, elements: some Sequence<Element>,
    attributes: [AttributeDescription] = []
  ) {
    self.engine = engine
    self.contentSize = [contentSize.width, contentSize.height]
    self.elements = elements.map { element in
      let frame = element.frame
      let named = zip(attributes.map(\.name), element.attributes.map { JSON($0) })
      return Entry(
        identity: element.identity, frame: [frame.x, frame.y, frame.width, frame.height],
        zIndex: element.zIndex, alpha: element.alpha, isHidden: element.isHidden,
        transform: element.transform.elements,
        attributes: Dictionary(named, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// Reads the JSON of `LayoutWriter`; throws `.invalidInput`.
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    try self.init(JSON(parsing: bytes, name: name))
  }

  /// Reads a layout from JSON; throws `.invalidInput` with the key.
  public init(_ json: JSON) throws(HostError) {
    let root = JSONNode(json, source: "")
    try root.checkKeys(
      ["engine", "contentSize", "bounds", "parameters", "elements"], of: "a layout")
    engine = try root["engine"]?.string()
    contentSize = try root["contentSize"]?.openNumbers(ValueType.size.components) ?? [nil, nil]
    bounds = try (root["bounds"]?.setting(.bounds)).flatMap { Size($0) }
    elements = try root.values("elements", of: "elements") { node throws(HostError) in
      try Entry(node)
    }
  }
}

extension LayoutDocument {
  /// The content size and elements, or `.invalidInput` for a layout that this engine can't return.
  ///
  /// - Parameters:
  ///   - chain: The engine and its bases.
  ///   - rect: Limits the elements; nil for all.
  public func drawn(
    for chain: [EngineDescription], in rect: Rect?
  ) throws(HostError) -> (contentSize: Size, elements: Elements, kinds: [KindDescription]) {
    func wrong(_ sentence: String) -> HostError { HostError(.invalidScenario, sentence) }
    func known(_ open: [Double?], _ place: String) throws(HostError) -> [Double] {
      let numbers = open.compactMap(\.self)
      guard numbers.count == open.count else {
        throw wrong("\(place) lacks a number; give all of them")
      }
      guard numbers.suffix(2).allSatisfy({ $0 >= 0 }) else {
        throw wrong(
          "\(place) is \(numbers.map(\.shortText).joined(separator: ",")); expected a width and height of 0 or more"
        )
      }
      return numbers
    }
    if let engine, let own = chain.first?.id, engine != own {
      throw wrong("the elements are those of \(engine), not of \(own); give its name as the engine")
    }
    let numbers = try ChainNumbers(chain: chain)
    let size = try known(contentSize, "contentSize")
    var found: [Element] = []
    for entry in elements {
      let identity = entry.identity
      guard UInt32(exactly: identity.section) != nil else {
        throw wrong("\(identity) is beyond the last section, 4294967295")
      }
      let isKnown = numbers.kinds.contains {
        $0.name == identity.kind && $0.category == identity.category
      }
      guard isKnown || identity.category == .cell && identity.kind == nil else {
        let kinds = numbers.kinds.map { "\($0.category.name) \($0.name)" }
        throw wrong(
          "\(identity) is a \(identity.category.name) of the kind \(quoted(identity.kind ?? "")), which "
            + "the engine does not have; it has " + (kinds.isEmpty ? "only cells" : list(kinds)))
      }
      let sides = try known(entry.frame, "the frame of \(identity)")
      guard 0...1 ~= entry.alpha else {
        throw wrong("the alpha of \(identity) is \(entry.alpha.shortText); expected 0 to 1")
      }
      let frame = Rect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
      if let rect, !frame.intersects(rect) { continue }
      var values: [Value] = []
      for attribute in numbers.attributes {
        let source = "\(attribute.name) of \(identity)"
        let given = entry.attributes[attribute.name].map { JSONNode($0, source: source) }
        let value = try given?.recordedValue(attribute.type) ?? attribute.initial
        if let given, value.raw(as: attribute.type, choices: attribute.choices) == nil {
          throw given.expected(list(attribute.choices, "or"))
        }
        values.append(value)
      }
      found.append(
        Element(
          identity: identity, frame: frame,
          transform: Transform(elements: entry.transform) ?? .identity, alpha: entry.alpha,
          zIndex: entry.zIndex, isHidden: entry.isHidden, attributes: values))
    }
    found.sort { left, right in
      let (left, right) = (left.identity, right.identity)
      return (left.section, left.category, left.kind ?? "", left.item)
        < (right.section, right.category, right.kind ?? "", right.item)
    }
    for (one, next) in zip(found, found.dropFirst()) where one.identity == next.identity {
      throw wrong("\(one.identity) occurs twice; give each element once")
    }
    return (
      Size(width: size[0], height: size[1]), Elements(found, attributes: numbers.attributes),
      numbers.kinds
    )
  }
}

extension LayoutDocument.Entry {
  private static let keys = [
    "category", "kind", "section", "item", "frame", "zIndex", "alpha", "hidden", "transform3D",
    "attributes", "id", "label", "image",
  ]

  init(_ node: JSONNode) throws(HostError) {
    try node.checkKeys(Self.keys, of: "an element")
    identity = try node.identity()
    frame = try node.required("frame", "four numbers").openNumbers(ValueType.rect.components)
    let z = try node["zIndex"]?.number() ?? 0
    guard let zIndex = Int(exactly: z) else {
      throw HostError(
        .invalidScenario, "\(node.source).zIndex is \(z.shortText); expected a whole number")
    }
    self.zIndex = zIndex
    alpha = try node["alpha"]?.number() ?? 1
    isHidden = try node["hidden"]?.bool() ?? false
    transform =
      try node["transform3D"]?.numbers((1...4).flatMap { row in (1...4).map { "m\(row)\($0)" } })
      ?? Transform.identity.elements
    attributes = try node["attributes"]?.members().mapValues(\.value) ?? [:]
    label = try node["label"]?.string()
  }
}

extension JSONNode {
  func identity() throws(HostError) -> ElementIdentity {
    let category = try required("category", "a category")
    let name = try category.string()
    guard let found = ElementCategory.allCases.first(where: { $0.name == name }) else {
      throw category.expected(list(ElementCategory.allCases.map(\.name), "or"))
    }
    return ElementIdentity(
      category: found, kind: try self["kind"]?.string(),
      section: try required("section", "a whole number").count(),
      item: try required("item", "a whole number").count())
  }

  fileprivate func openNumbers(_ names: [String]) throws(HostError) -> [Double?] {
    let what = "\(names.count) numbers: \(list(names))"
    let nodes = try elements(what)
    guard nodes.count == names.count else { throw expected(what) }
    var numbers: [Double?] = []
    for node in nodes { numbers.append(node.value == .null ? nil : try node.number()) }
    return numbers
  }
}
