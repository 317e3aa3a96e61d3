extension SessionCall {
  /// The call as a line of a recording has it, without an answer.
  var members: [(name: String, value: JSON)] {
    switch self {
    case .bounds(let size): Self.set("bounds", .size(size))
    case .offset(let point): Self.set("offset", .point(point))
    case .contentInsets(let insets): Self.set("contentInsets", .insets(insets))
    case .safeAreaInsets(let insets): Self.set("safeAreaInsets", .insets(insets))
    case .layoutMargins(let insets): Self.set("layoutMargins", .insets(insets))
    case .scale(let scale): Self.set("scale", .number(scale))
    case .direction(let direction): Self.set("direction", .choice(direction.rawValue))
    case .parameter(let name, let value?):
      [
        ("call", .text("set")), ("parameter", .text(name)), ("type", .text(value.type.name)),
        ("value", JSON(recorded: value)),
      ]
    case .parameter(let name, nil): [("call", .text("reset")), ("parameter", .text(name))]
    case .sections(let counts):
      [("call", .text("sections")), ("counts", .list(counts.map(JSON.integer)))]
    case .sectionValues(let name, let column): Self.values("section", name, column)
    case .itemValues(let name, let column): Self.values("item", name, column)
    case .delegate(let name, let answer):
      [("call", .text("delegate")), ("function", .text(name))]
        + (answer.map { [("answers", JSON($0))] } ?? [])
    case .measure(let size):
      [("call", .text("measure"))] + (size.map { [("size", JSON($0))] } ?? [])
    case .contentSize: [("call", .text("contentSize"))]
    case .elements(let rect):
      [("call", .text("elements"))]
        + (rect.map { [("rect", JSON(recorded: Value.rect($0)))] } ?? [])
    case .visibleElements: [("call", .text("visibleElements"))]
    case .element(let identity): [("call", .text("element"))] + Self.members(of: identity)
    case .snap(let proposed, let velocity):
      [
        ("call", .text("snap")), ("proposed", JSON(recorded: Value.point(proposed))),
        ("velocity", JSON(recorded: Value.point(velocity))),
      ]
    case .function(let name, let arguments):
      [
        ("call", .text("call")), ("function", .text(name)),
        ("arguments", .list(arguments.map(JSON.text))),
      ]
    case .update(let operations, let counts, let changes):
      [
        ("call", .text("update")), ("operations", .list(operations.map(\.json))),
        ("counts", .list(counts.map(JSON.integer))),
        ("changes", .list(changes.map { .object($0.members) })),
      ]
    case .close: [("call", .text("close"))]
    case .check(let suite):
      [
        ("call", .text("check")), ("case", .text(suite.id)), ("level", .text(suite.level)),
        ("seed", .text(suite.seed)),
      ] + (suite.sample.map { [("sample", JSON($0))] } ?? [])
    }
  }

  private static func set(_ name: String, _ value: Value) -> [(name: String, value: JSON)] {
    [("call", .text(name)), ("value", JSON(recorded: value))]
  }

  private static func values(
    _ scope: String, _ name: String, _ column: ValueColumn
  ) -> [(name: String, value: JSON)] {
    [
      ("call", .text("values")), ("of", .text(scope)), ("name", .text(name)),
      ("type", .text(column.type.name)), column.member,
    ]
  }

  private static func members(of identity: ElementIdentity) -> [(name: String, value: JSON)] {
    [("category", .text(identity.category.name))]
      + (identity.kind.map { [("kind", .text($0))] } ?? [])
      + [("section", .integer(identity.section)), ("item", .integer(identity.item))]
  }
}

extension UpdateOperation {
  /// The operation as a script has it.
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

extension JSON {
  /// The order in which layouts are written.
  private static let order = [
    "before", "after", "from", "to", "category", "kind", "section", "item", "frame", "zIndex",
    "alpha", "hidden", "transform3D", "attributes", "tracks",
  ]

  /// A value that was read, its members in the order in which layouts are written, others by name.
  init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .number(let number): self = .number(number)
    case .string(let text): self = .text(text)
    case .array(let values): self = .list(values.map { JSON($0) })
    case .object(let members):
      let known = Self.order.filter { members[$0] != nil }
      let others = members.keys.filter { !known.contains($0) }.sorted()
      self = .object((others + known).map { ($0, members[$0].map { JSON($0) } ?? .null) })
    }
  }
}
