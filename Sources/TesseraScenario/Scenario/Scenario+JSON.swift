import FoundationEssentials

extension Scenario {
  private static let keys =
    LayoutField.allCases.filter { $0 != .sectionValues && $0 != .itemValues }.map(\.name) + ["rect"]

  /// Reads a scenario file; throws `.notFound` or `.invalidInput`.
  public init(contentsOf path: String) throws(HostError) {
    try self.init(parsing: path.inputBytes(), name: path.inputName)
  }

  /// Reads a scenario; throws `.invalidInput` with the key.
  ///
  /// Later, `apply(to:)` checks the values for an engine.
  public init(parsing bytes: some DataProtocol, name: String) throws(HostError) {
    try self.init(JSON(parsing: bytes, name: name))
  }

  /// Reads a scenario from JSON; throws as `init(parsing:name:)`.
  public init(_ json: JSON) throws(HostError) { try self.init(JSONNode(json, source: "")) }

  /// The scenario may be a part of a document.
  init(_ root: JSONNode) throws(HostError) {
    try root.checkKeys(Self.keys, of: "a scenario")
    for field in LayoutField.settings {
      if let node = root[field.name] { set(field, try node.validSetting(field)) }
    }
    parameters = try root["parameters"]?.members() ?? [:]
    lists = try root["lists"]?.members() ?? [:]
    delegate = try root["delegate"]?.members() ?? [:]
    measure = root["measure"]
    rect = try root["rect"]?.rect()
    guard let node = root["sections"] else { return }
    let sections = try node.elements("a list of sections").map { section throws(HostError) in
      try Section(section)
    }
    content = .sections(sections)
  }
}

extension JSONNode {
  /// Reads the records of a list from a file; throws `.notFound` or `.invalidInput`.
  public init(recordsIn path: JSONNode) throws(HostError) {
    let file = try path.string()
    self.init(try JSON(parsing: try file.inputBytes(), name: file.inputName), source: path.source)
  }
}

extension Scenario.Section {
  fileprivate init(_ node: JSONNode) throws(HostError) {
    try node.checkKeys(["items", "label", "values", "itemValues"], of: "a section")
    items = try node.required("items", "a whole number").count()
    values = try node["values"]?.members() ?? [:]
    itemValues = try node["itemValues"]?.members() ?? [:]
    label = try node["label"]?.string("the name of the section")
  }
}

extension JSONNode {
  /// Lengths are not negative, and the scale is positive.
  fileprivate func validSetting(_ field: LayoutField) throws(HostError) -> Value {
    let positive = "a number greater than 0"
    if field.type == .number {
      guard try number(positive) > 0 else { throw expected(positive) }
    }
    let setting = try setting(field)
    let numbers = setting.numbers
    guard field.type != .size || numbers.allSatisfy({ $0 >= 0 }) else {
      throw HostError(
        .invalidScenario,
        "\(source) is \(numbers[0].shortText) by \(numbers[1].shortText); expected lengths of 0 or more"
      )
    }
    return setting
  }

  func setting(_ field: LayoutField) throws(HostError) -> Value {
    guard field.type == .choice else { return try recordedValue(field.type) }
    let choice = Value.choice(try string(field.expectation))
    var viewport = Viewport()
    field.set(choice, in: &viewport)
    guard field.value(in: viewport) == choice else { throw expected(field.expectation) }
    return choice
  }

  func point() throws(HostError) -> Point {
    let numbers = try numbers(["x", "y"])
    return Point(x: numbers[0], y: numbers[1])
  }

  func rect() throws(HostError) -> Rect {
    let numbers = try numbers(["x", "y", "width", "height"])
    return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

extension JSON {
  /// A point from a list of two numbers; throws `.invalidInput` for anything else.
  public func point(named name: String) throws(HostError) -> Point {
    try JSONNode(self, source: name).point()
  }
}

extension Scenario {
  /// The JSON that `init(_:)` reads, without the items of a table.
  public var json: JSON {
    var members: [(name: String, value: JSON)] = []
    func add(_ name: String, _ value: JSON?) {
      if let value { members.append((name, value)) }
    }
    func values(_ nodes: [String: JSONNode]) -> JSON? {
      nodes.isEmpty
        ? nil : .object(nodes.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) })
    }
    for field in LayoutField.settings where settings.contains(field) {
      add(field.name, JSON(field.value(in: viewport)))
    }
    add("parameters", values(parameters))
    add("lists", values(lists))
    if content != nil || !sectionValues.isEmpty || !itemValues.isEmpty {
      var sections = sections
      if case .table = content { sections = [] }
      add(
        "sections",
        .list(
          sections.map { section in
            var keys: [(name: String, value: JSON)] = [("items", .integer(section.items))]
            if let label = section.label { keys.append(("label", .text(label))) }
            let own = [
              ("values", section.values.merging(sectionValues) { $1 }),
              ("itemValues", section.itemValues.merging(itemValues) { $1 }),
            ]
            for (name, nodes) in own {
              if let value = values(nodes) { keys.append((name, value)) }
            }
            return .object(keys)
          }))
    }
    add("delegate", values(delegate))
    add("measure", measure?.value)
    add("rect", rect.map { JSON(.rect($0)) })
    return .object(members)
  }
}
