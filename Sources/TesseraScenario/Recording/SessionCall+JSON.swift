extension SessionCall {
  private static let names = [
    "bounds", "offset", "contentInsets", "safeAreaInsets", "layoutMargins", "scale", "direction",
    "set", "reset", "sections", "values", "delegate", "measure", "contentSize", "elements",
    "visibleElements", "element", "snap", "call", "update", "close",
    "check",
  ]

  /// Reads a call from a line of a recording.
  ///
  /// Throws `.invalidInput` that names the key, what was found and what was expected.
  init(_ node: JSONNode) throws(HostError) {
    let name = try node.wanted("call", "the call's name").string()
    func check(_ keys: String...) throws(HostError) {
      let more = Self.questions.contains(name) ? ["answer", "error"] : ["error"]
      try node.checkKeys(["call"] + more + keys, of: "\(name)")
    }
    func value(_ type: ValueType) throws(HostError) -> [Double] {
      try check("value")
      return try node.wanted("value", "a \(type.name)").recordedValue(type).numbers
    }
    func insets() throws(HostError) -> Insets {
      let numbers = try value(.insets)
      return Insets(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
    }
    switch name {
    case "bounds":
      let numbers = try value(.size)
      self = .bounds(Size(width: numbers[0], height: numbers[1]))
    case "offset":
      let numbers = try value(.point)
      self = .offset(Point(x: numbers[0], y: numbers[1]))
    case "contentInsets": self = .contentInsets(try insets())
    case "safeAreaInsets": self = .safeAreaInsets(try insets())
    case "layoutMargins": self = .layoutMargins(try insets())
    case "scale": self = .scale(try value(.number)[0])
    case "direction":
      try check("value")
      let (known, node) = (LayoutDirection.allCases, try node.wanted("value", "a direction"))
      guard let direction = LayoutDirection(rawValue: try node.string()) else {
        throw node.expected(list(known.map(\.rawValue), "or"))
      }
      self = .direction(direction)
    case "set":
      try check("parameter", "type", "value")
      self = .parameter(
        try node.wanted("parameter", "a name").string(),
        try node.wanted("value", "a value").recordedValue(try node.valueType()))
    case "reset":
      try check("parameter")
      self = .parameter(try node.wanted("parameter", "a name").string(), nil)
    case "sections":
      try check("counts")
      self = .sections(try node.recordedCounts())
    case "values":
      try check("of", "name", "type", "value", "values", "runs")
      let of = try node.wanted("of", "section or item")
      let column = try node.recordedColumn(try node.valueType())
      let valueName = try node.wanted("name", "a name").string()
      switch try of.string() {
      case "section": self = .sectionValues(valueName, column)
      case "item": self = .itemValues(valueName, column)
      default: throw of.expected("section or item")
      }
    case "delegate":
      try check("function", "answers")
      self = .delegate(try node.wanted("function", "a name").string(), node["answers"]?.value)
    case "measure":
      try check("size")
      self = .measure(node["size"]?.value)
    case "contentSize":
      try check()
      self = .contentSize
    case "elements":
      try check("rect")
      self = .elements(
        in: try node["rect"].map { node throws(HostError) in
          let numbers = try node.numbers(ValueType.rect.components)
          return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        })
    case "visibleElements":
      try check()
      self = .visibleElements
    case "element":
      try check("category", "kind", "section", "item")
      self = .element(try node.identity())
    case "snap":
      try check("proposed", "velocity")
      func point(_ key: String) throws(HostError) -> Point {
        let numbers = try node.wanted(key, "x and y").numbers(["x", "y"])
        return Point(x: numbers[0], y: numbers[1])
      }
      self = .snap(try point("proposed"), velocity: try point("velocity"))
    case "call":
      try check("function", "arguments")
      var arguments: [String] = []
      for argument in try node.wanted("arguments", "a list").elements("a list of texts") {
        arguments.append(try argument.string())
      }
      self = .function(try node.wanted("function", "a name").string(), arguments)
    case "update":
      try check("operations", "counts", "changes")
      var operations: [UpdateOperation] = []
      for operation in try node.wanted("operations", "a list").elements("a list of operations") {
        operations.append(try operation.operation())
      }
      var changes: [SessionCall] = []
      for change in try node.wanted("changes", "a list").elements("a list of calls") {
        let call = try SessionCall(change)
        guard !call.isQuestion, call != .close else {
          throw HostError(.invalidInput, "\(change.path) sets nothing; expected what is set")
        }
        changes.append(call)
      }
      self = .update(operations, counts: try node.recordedCounts(), changes: changes)
    case "close":
      try check()
      self = .close
    case "check":
      try check("case", "level", "seed", "sample")
      self = .check(
        SuiteCall(
          id: try node.wanted("case", "a case's id").string(),
          level: try node.wanted("level", "a level").string(),
          seed: try node.wanted("seed", "digits").string(), sample: node["sample"]?.value))
    default:
      throw HostError(
        .invalidInput,
        "\(JSONNode.join(node.path, "call")) is \(quoted(name)), which is no call; "
          + hint(name, among: Self.names))
    }
  }

  private static let questions: Set<String> = [
    "contentSize", "elements", "visibleElements", "element", "snap", "call", "update", "check",
  ]
}

extension JSONNode {
  /// The named value, which must be there.
  func wanted(_ key: String, _ what: String) throws(HostError) -> JSONNode {
    guard let found = self[key] else { throw missing(key, what) }
    return found
  }

  fileprivate func valueType() throws(HostError) -> ValueType {
    let node = try wanted("type", "a type")
    let name = try node.string()
    guard let type = ValueType.allCases.first(where: { $0.name == name }) else {
      throw node.expected(list(ValueType.allCases.map(\.name), "or"))
    }
    return type
  }

  fileprivate func recordedCounts() throws(HostError) -> [Int] {
    var counts: [Int] = []
    for count in try wanted("counts", "a list").elements("a list of numbers") {
      counts.append(try count.count())
    }
    return counts
  }

  /// Who an element is.
  func identity() throws(HostError) -> ElementIdentity {
    let category = try wanted("category", "a category")
    let name = try category.string()
    guard let found = ElementCategory.allCases.first(where: { $0.name == name }) else {
      throw category.expected(list(ElementCategory.allCases.map(\.name), "or"))
    }
    return ElementIdentity(
      category: found, kind: try self["kind"].map { node throws(HostError) in try node.string() },
      section: try wanted("section", "a whole number").count(),
      item: try wanted("item", "a whole number").count())
  }
}

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

extension JSON {
  /// A value so that reading it by its type gives the same one: an integer that a double cannot hold
  /// is a text.
  init(recorded value: Value) {
    switch value {
    case .bool(let bool): self = .bool(bool)
    case .integer(let integer):
      self = integer.magnitude <= 1 << 53 ? .integer(Int(integer)) : .text("\(integer)")
    case .number(let number): self = .number(number)
    case .choice(let name): self = .text(name)
    case .point, .size, .rect, .insets: self = .list(value.numbers.map { .number($0) })
    }
  }
}

extension ValueColumn {
  /// The values as a member of a line: one for all as `value`, few different ones as `runs` of a
  /// number and a value, else each by itself as `values`.
  var member: (name: String, value: JSON) {
    let values: [Value]
    switch self {
    case .constant(let value): return ("value", JSON(recorded: value))
    case .bools(let all): values = all.map(Value.bool)
    case .integers(let all): values = all.map(Value.integer)
    case .numbers(let all): values = all.map(Value.number)
    case .choices(let all): values = all.map(Value.choice)
    case .points(let all): values = all.map(Value.point)
    case .sizes(let all): values = all.map(Value.size)
    case .rects(let all): values = all.map(Value.rect)
    case .insets(let all): values = all.map(Value.insets)
    }
    var runs: [(count: Int, value: Value)] = []
    for value in values {
      if let last = runs.last, last.value.isIdentical(to: value) {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, value))
      }
    }
    guard runs.count * 2 < values.count else {
      return ("values", .list(values.map { JSON(recorded: $0) }))
    }
    return ("runs", .list(runs.map { .list([.integer($0.count), JSON(recorded: $0.value)]) }))
  }

  /// The first values, as many as that.
  func prefix(_ count: Int) -> ValueColumn {
    switch self {
    case .constant: self
    case .bools(let all): .bools(Array(all.prefix(count)))
    case .integers(let all): .integers(Array(all.prefix(count)))
    case .numbers(let all): .numbers(Array(all.prefix(count)))
    case .choices(let all): .choices(Array(all.prefix(count)))
    case .points(let all): .points(Array(all.prefix(count)))
    case .sizes(let all): .sizes(Array(all.prefix(count)))
    case .rects(let all): .rects(Array(all.prefix(count)))
    case .insets(let all): .insets(Array(all.prefix(count)))
    }
  }

  /// The first value for all; nil where there is none, or it is so already.
  var first: ValueColumn? {
    let value: Value? =
      switch self {
      case .constant: nil
      case .bools(let all): all.first.map(Value.bool)
      case .integers(let all): all.first.map(Value.integer)
      case .numbers(let all): all.first.map(Value.number)
      case .choices(let all): all.first.map(Value.choice)
      case .points(let all): all.first.map(Value.point)
      case .sizes(let all): all.first.map(Value.size)
      case .rects(let all): all.first.map(Value.rect)
      case .insets(let all): all.first.map(Value.insets)
      }
    return value.map(ValueColumn.constant)
  }
}

extension Value {
  /// Whether it is the other value to the last bit: 0 and -0 are not.
  fileprivate func isIdentical(to other: Value) -> Bool {
    self == other && zip(numbers, other.numbers).allSatisfy { $0.sign == $1.sign }
  }
}

extension JSONNode {
  /// A value of a type as a recording has it.
  func recordedValue(_ type: ValueType) throws(HostError) -> Value {
    switch type {
    case .bool: return .bool(try bool())
    case .integer: return .integer(try recordedInteger())
    case .number: return .number(try number())
    case .choice: return .choice(try string())
    case .point, .size, .rect, .insets:
      guard let value = Value(type: type, numbers: try numbers(type.components)) else {
        throw expected("a \(type.name)")
      }
      return value
    }
  }

  private func recordedInteger() throws(HostError) -> Int64 {
    switch value {
    case .number(let number):
      if let integer = Int64(exactly: number), integer.magnitude <= 1 << 53 { return integer }
    case .string(let text): if let integer = Int64(text) { return integer }
    default: break
    }
    throw expected("a whole number; one beyond 2^53 as a text")
  }

  /// The values of a line: `value`, `values` or `runs`.
  func recordedColumn(_ type: ValueType) throws(HostError) -> ValueColumn {
    if let one = self["value"] { return .constant(try one.recordedValue(type)) }
    if let all = self["values"] {
      let nodes = try all.elements("a list of values")
      var builder = ColumnBuilder(type, capacity: nodes.count)
      for node in nodes { builder.append(try node.recordedValue(type)) }
      return builder.column
    }
    guard let runs = self["runs"] else { throw missing("value", "it, or values or runs") }
    let what = "a list of a number and a value"
    var builder = ColumnBuilder(type, capacity: 0)
    var total = 0
    for run in try runs.elements("a list of runs") {
      let parts = try run.elements(what)
      guard parts.count == 2 else { throw run.expected(what) }
      let count = try parts[0].count()
      total += min(count, ItemColumn.limit + 1)
      guard total <= ItemColumn.limit else {
        throw HostError(
          .invalidInput, "\(runs.path) has more than 100 million values; expected at most as many")
      }
      builder.append(try parts[1].recordedValue(type), count: count)
    }
    return builder.column
  }
}
