extension SessionCall {
  private static let names = [
    "bounds", "offset", "contentInsets", "safeAreaInsets", "layoutMargins", "scale", "direction",
    "set", "reset", "list", "sections", "values", "delegate", "measure", "contentSize", "elements",
    "visibleElements", "element", "snap", "call", "update", "close",
    "check",
  ]

  /// Reads a call from a line of a recording.
  ///
  /// Throws `.invalidInput` that names the key, what was found and what was expected.
  init(_ node: JSONNode) throws(HostError) {
    let name = try node.required("call", "the call's name").string()
    func check(_ keys: String...) throws(HostError) {
      let more = Self.questions.contains(name) ? ["answer", "error"] : ["error"]
      try node.checkKeys(["call"] + more + keys, of: "\(name)")
    }
    func value() throws(HostError) -> JSONNode {
      try check("value")
      return try node.required("value", "a value")
    }
    switch name {
    case "bounds":
      let numbers = try value().numbers(ValueType.size.components)
      self = .bounds(Size(width: numbers[0], height: numbers[1]))
    case "offset": self = .offset(try value().point())
    case "contentInsets": self = .contentInsets(try value().insets())
    case "safeAreaInsets": self = .safeAreaInsets(try value().insets())
    case "layoutMargins": self = .layoutMargins(try value().insets())
    case "scale": self = .scale(try value().number())
    case "direction": self = .direction(try value().direction())
    case "set":
      try check("parameter", "type", "value")
      self = .parameter(
        try node.required("parameter", "a name").string(),
        try node.required("value", "a value").recordedValue(try node.valueType()))
    case "reset":
      try check("parameter")
      self = .parameter(try node.required("parameter", "a name").string(), nil)
    case "list":
      try check("name", "count", "columns")
      self = .list(
        try node.required("name", "a name").string(),
        RecordList(
          count: try node.required("count", "a number of records").count(),
          columns: try node.recordedColumns()))
    case "sections":
      try check("counts")
      self = .sections(try node.recordedCounts())
    case "values":
      try check("of", "name", "type", "value", "values", "runs")
      let of = try node.required("of", "section or item")
      let column = try node.recordedColumn(try node.valueType())
      let valueName = try node.required("name", "a name").string()
      switch try of.string() {
      case "section": self = .sectionValues(valueName, column)
      case "item": self = .itemValues(valueName, column)
      default: throw of.expected("section or item")
      }
    case "delegate":
      try check("function", "answers")
      let function = try node.required("function", "a name").string()
      self = .delegate(
        function, node["answers"].map { JSONNode($0.value, source: "the answer of \(function)") })
    case "measure":
      try check("size")
      self = .measure(node["size"].map { JSONNode($0.value, source: "the measured size") })
    case "contentSize":
      try check()
      self = .contentSize
    case "elements":
      try check("rect")
      self = .elements(in: try node["rect"]?.rect())
    case "visibleElements":
      try check()
      self = .visibleElements
    case "element":
      try check("category", "kind", "section", "item")
      self = .element(try node.identity())
    case "snap":
      try check("proposed", "velocity")
      self = .snap(
        try node.required("proposed", "x and y").point(),
        velocity: try node.required("velocity", "x and y").point())
    case "call":
      try check("function", "arguments")
      self = .function(
        try node.required("function", "a name").string(),
        try node.values("arguments", of: "texts") { node throws(HostError) in try node.string() })
    case "update":
      try check("operations", "counts", "changes")
      self = .update(
        try node.values("operations", of: "operations") { node throws(HostError) in
          try node.operation()
        },
        counts: try node.recordedCounts(),
        changes: try node.values("changes", of: "calls") { change throws(HostError) in
          let call = try SessionCall(change)
          guard !call.isQuestion, call != .close else {
            throw HostError(
              .invalidRecording,
              "\(change.source) sets nothing; expected a call that sets something")
          }
          return call
        })
    case "close":
      try check()
      self = .close
    case "check":
      try check("case", "level", "seed", "sample")
      self = .check(
        SuiteCall(
          id: try node.required("case", "a case's id").string(),
          level: try node.required("level", "a level").string(),
          seed: try node.required("seed", "digits").string(), sample: node["sample"]?.value))
    default:
      throw HostError(
        .invalidRecording,
        "\(JSONNode.join(node.source, "call")) is \(quoted(name)), which is not a call; "
          + hint(name, among: Self.names))
    }
  }

  private static let questions: Set<String> = [
    "contentSize", "elements", "visibleElements", "element", "snap", "call", "update", "check",
  ]
}

extension JSONNode {
  fileprivate func valueType() throws(HostError) -> ValueType {
    let node = try required("type", "a type")
    let name = try node.string()
    guard let type = ValueType.declarable.first(where: { $0.name == name }) else {
      throw node.expected(list(ValueType.declarable.map(\.name), "or"))
    }
    return type
  }

  /// The columns of a list by name.
  fileprivate func recordedColumns() throws(HostError) -> [String: ValueColumn] {
    let columns = try values("columns", of: "columns") { column throws(HostError) in
      try column.checkKeys(["name", "type", "value", "values", "runs"], of: "a column")
      return (
        try column.required("name", "a name").string(),
        try column.recordedColumn(try column.valueType())
      )
    }
    return Dictionary(columns, uniquingKeysWith: { first, _ in first })
  }

  fileprivate func recordedCounts() throws(HostError) -> [Int] {
    try values("counts", of: "numbers") { node throws(HostError) in try node.count() }
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
      Self.line(
        "set", ("parameter", .text(name)), ("type", .text(value.type.name)),
        ("value", JSON(recorded: value)))
    case .parameter(let name, nil): Self.line("reset", ("parameter", .text(name)))
    case .list(let name, let records):
      Self.line(
        "list", ("name", .text(name)), ("count", .integer(records.count)),
        (
          "columns",
          .list(
            records.columns.sorted { $0.key < $1.key }.map { name, column in
              .object([("name", .text(name)), ("type", .text(column.type.name)), column.member])
            })
        ))
    case .sections(let counts): Self.line("sections", ("counts", .list(counts.map(JSON.integer))))
    case .sectionValues(let name, let column): Self.values("section", name, column)
    case .itemValues(let name, let column): Self.values("item", name, column)
    case .delegate(let name, let answer):
      Self.line("delegate", ("function", .text(name)), answer.map { ("answers", $0.value) })
    case .measure(let size): Self.line("measure", size.map { ("size", $0.value) })
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
      Self.line(
        "call", ("function", .text(name)), ("arguments", .list(arguments.map(JSON.text))))
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

  private static func line(
    _ call: String, _ members: (name: String, value: JSON)?...
  ) -> [(name: String, value: JSON)] {
    [("call", .text(call))] + members.compactMap(\.self)
  }

  private static func set(_ name: String, _ value: Value) -> [(name: String, value: JSON)] {
    line(name, ("value", JSON(recorded: value)))
  }

  private static func values(
    _ scope: String, _ name: String, _ column: ValueColumn
  ) -> [(name: String, value: JSON)] {
    line(
      "values", ("of", .text(scope)), ("name", .text(name)), ("type", .text(column.type.name)),
      column.member)
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

extension ValueColumn {
  /// The values as a member of a call: `value` for a constant, `runs` of a count and a value if they
  /// are few, else one for each as `values`.
  fileprivate var member: (name: String, value: JSON) {
    guard let values = each else { return ("value", JSON(recorded: self[0])) }
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
    if type == .bool { return .bool(try bool()) }
    if type == .choice { return .choice(try string()) }
    let value =
      type.isWhole
      ? Value.integer(try recordedInteger()).converted(to: type)
      : Value(type: type, numbers: try type.isVector ? numbers(type.components) : [number()])
    guard let value else { throw expected("a \(type.name)") }
    return value
  }

  private func recordedInteger() throws(HostError) -> Int64 {
    switch value {
    case .text(let text): if let integer = Int64(text) { return integer }
    default:
      if let integer = value.double.flatMap({ Int64(exactly: $0) }), integer.magnitude <= 1 << 53 {
        return integer
      }
    }
    throw expected("a whole number; one beyond 2^53 as a text")
  }

  /// The values of a line: `value`, `values` or `runs`.
  func recordedColumn(_ type: ValueType) throws(HostError) -> ValueColumn {
    if let one = self["value"] { return .constant(try one.recordedValue(type)) }
    if let all = self["values"] {
      var values: [Value] = []
      for node in try all.elements("a list of values") {
        values.append(try node.recordedValue(type))
      }
      return ValueColumn(values, type: type)
    }
    let runs = try required("runs", "it, or value or values")
    let what = "a list of a number and a value"
    var values: [Value] = []
    for run in try runs.elements("a list of runs") {
      let parts = try run.elements(what)
      guard parts.count == 2 else { throw run.expected(what) }
      let count = try parts[0].count()
      guard count <= ItemValues.limit - values.count else {
        throw HostError(
          .invalidRecording, "\(runs.source) has more than 100 million values; give at most as many"
        )
      }
      values.append(contentsOf: repeatElement(try parts[1].recordedValue(type), count: count))
    }
    return ValueColumn(values, type: type)
  }
}
