extension SessionCall {
  /// Calls other than an `InputChange`.
  private static let calls: [(name: String, members: [String])] = [
    ("contentSize", []), ("elements", ["rect"]), ("visibleElements", []),
    ("element", ["category", "kind", "section", "item"]), ("snap", ["proposed", "velocity"]),
    ("call", ["function", "arguments"]), ("update", ["operations", "counts", "changes"]),
    ("close", []), ("check", ["case", "level", "seed", "sample"]),
  ]

  init(_ node: JSONNode) throws(HostError) {
    let name = try node.required("call", "the call's name").string()
    if let change = try InputChange(node, call: name) {
      self = .set(change)
      return
    }
    guard let call = Self.calls.first(where: { $0.name == name }) else {
      throw HostError(
        .invalidRecording,
        "\(JSONNode.join(node.source, "call")) is \(quoted(name)), which is not a call; "
          + hint(name, among: InputChange.calls + Self.calls.map(\.name)))
    }
    let results = name == "close" ? ["error"] : ["answer", "error"]
    try node.checkKeys(["call"] + results + call.members, of: name)
    switch name {
    case "contentSize": self = .contentSize
    case "elements": self = .elements(in: try node["rect"]?.rect())
    case "visibleElements": self = .visibleElements
    case "element": self = .element(try node.identity())
    case "snap":
      self = .snap(
        try node.required("proposed", "x and y").point(),
        velocity: try node.required("velocity", "x and y").point())
    case "call":
      self = .function(
        try node.required("function", "a name").string(),
        try node.values("arguments", of: "texts") { node throws(HostError) in try node.string() })
    case "update":
      self = .update(
        try node.values("operations", of: "operations") { node throws(HostError) in
          try node.operation()
        },
        counts: try node.recordedCounts(),
        changes: try node.values("changes", of: "calls") { change throws(HostError) in
          guard case .set(let change) = try SessionCall(change) else {
            throw HostError(
              .invalidRecording,
              "\(change.source) sets nothing; expected a call that sets something")
          }
          return change
        })
    case "check":
      self = .check(
        SuiteCall(
          id: try node.required("case", "a case's id").string(),
          level: try node.required("level", "a level").string(),
          seed: try node.required("seed", "digits").string(), sample: node["sample"]?.value))
    default: self = .close
    }
  }
}

extension SessionCall {
  var members: [(name: String, value: JSON)] {
    switch self {
    case .set(let change): change.members
    case .contentSize: Self.line("contentSize")
    case .elements(let rect):
      Self.line("elements", rect.map { ("rect", JSON(recorded: Value.rect($0))) })
    case .visibleElements: Self.line("visibleElements")
    case .element(let identity):
      Self.line(
        "element", ("category", .text(identity.category.name)),
        identity.kind.map { ("kind", .text($0)) }, ("section", .integer(identity.section)),
        ("item", .integer(identity.item)))
    case .snap(let proposed, let velocity):
      Self.line(
        "snap", ("proposed", JSON(recorded: Value.point(proposed))),
        ("velocity", JSON(recorded: Value.point(velocity))))
    case .function(let name, let arguments):
      Self.line("call", ("function", .text(name)), ("arguments", .list(arguments.map(JSON.text))))
    case .update(let operations, let counts, let changes):
      Self.line(
        "update", ("operations", .list(operations.map(\.json))),
        ("counts", .list(counts.map(JSON.integer))),
        ("changes", .list(changes.map { .object($0.members) })))
    case .close: Self.line("close")
    case .check(let suite):
      Self.line(
        "check", ("case", .text(suite.id)), ("level", .text(suite.level)),
        ("seed", .text(suite.seed)), suite.sample.map { ("sample", $0) })
    }
  }

  static func line(
    _ call: String, _ members: (name: String, value: JSON)?...
  ) -> [(name: String, value: JSON)] {
    [("call", .text(call))] + members.compactMap(\.self)
  }
}

extension UpdateOperation {
  fileprivate var json: JSON {
    func path(_ path: ItemPath) -> JSON { .list([.integer(path.section), .integer(path.item)]) }
    return switch self {
    case .insert(let place): .object([("insert", path(place))])
    case .delete(let place): .object([("delete", path(place))])
    case .move(let place, let target): .object([("move", path(place)), ("to", path(target))])
    case .reload(let place): .object([("reload", path(place))])
    case .insertSection(let number): .object([("insertSection", .integer(number))])
    case .deleteSection(let number): .object([("deleteSection", .integer(number))])
    case .moveSection(let number, let target):
      .object([("moveSection", .integer(number)), ("to", .integer(target))])
    case .reloadSection(let number): .object([("reloadSection", .integer(number))])
    }
  }
}
