extension InputChange {
  static let calls = LayoutField.settings.map(\.name) + own.map(\.name)

  /// Calls other than viewport settings.
  private static let own: [(name: String, members: [String])] = [
    ("set", ["parameter", "type", "value"]), ("reset", ["parameter"]),
    ("list", ["name", "count", "columns"]), ("sections", ["counts"]),
    ("values", ["of", "name", "type", "value", "values", "runs"]),
    ("delegate", ["function", "answers"]), ("measure", ["size"]),
  ]

  var members: [(name: String, value: JSON)] {
    func values(
      _ scope: String, _ name: String, _ column: ValueColumn
    ) -> [(name: String, value: JSON)] {
      SessionCall.line(
        "values", ("of", .text(scope)), ("name", .text(name)), ("type", .text(column.type.name)),
        column.recorded)
    }
    switch self {
    case .setting(let field, let value):
      return SessionCall.line(field.name, ("value", JSON(recorded: value)))
    case .parameter(let name, let value?):
      return SessionCall.line(
        "set", ("parameter", .text(name)), ("type", .text(value.type.name)),
        ("value", JSON(recorded: value)))
    case .parameter(let name, nil): return SessionCall.line("reset", ("parameter", .text(name)))
    case .list(let name, let records):
      let columns = records.columns.sorted { $0.key < $1.key }.map { name, column in
        JSON.object([("name", .text(name)), ("type", .text(column.type.name)), column.recorded])
      }
      return SessionCall.line(
        "list", ("name", .text(name)), ("count", .integer(records.count)),
        ("columns", .list(columns)))
    case .sections(let counts):
      return SessionCall.line("sections", ("counts", .list(counts.map(JSON.integer))))
    case .sectionValues(let name, let column): return values("section", name, column)
    case .itemValues(let name, let column): return values("item", name, column)
    case .delegate(let name, let answer):
      return SessionCall.line(
        "delegate", ("function", .text(name)), answer.map { ("answers", $0.value) })
    case .measure(let size): return SessionCall.line("measure", size.map { ("size", $0.value) })
    }
  }

  /// Nil if the call sets nothing.
  init?(_ node: JSONNode, call: String) throws(HostError) {
    let field = LayoutField.settings.first { $0.name == call }
    let own = Self.own.first { $0.name == call }
    guard let members = own?.members ?? field.map({ _ in ["value"] }) else { return nil }
    try node.checkKeys(["call", "error"] + members, of: call)
    func text(_ key: String) throws(HostError) -> String {
      try node.required(key, "a name").string()
    }
    switch call {
    case "set":
      self = .parameter(
        try text("parameter"),
        try node.required("value", "a value").recordedValue(try node.valueType()))
    case "reset":
      self = .parameter(try text("parameter"), nil)
    case "list":
      let count = try node.required("count", "a number of records").count()
      self = .list(try text("name"), RecordList(count: count, columns: try node.recordedColumns()))
    case "sections":
      self = .sections(try node.recordedCounts())
    case "values":
      let of = try node.required("of", "section or item")
      let column = try node.recordedColumn(try node.valueType())
      let name = try text("name")
      switch try of.string() {
      case "section": self = .sectionValues(name, column)
      case "item": self = .itemValues(name, column)
      default: throw of.expected("section or item")
      }
    case "delegate":
      let name = try text("function")
      self = .delegate(
        name, node["answers"].map { JSONNode($0.value, source: "the answer of \(name)") })
    case "measure":
      self = .measure(node["size"].map { JSONNode($0.value, source: "the measured size") })
    default:
      guard let field else { return nil }
      self = .setting(field, try node.required("value", "a value").setting(field))
    }
  }
}

extension ValueColumn {
  /// As `value` for a constant, else as `runs` (counts and values) or `values`.
  var recorded: (name: String, value: JSON) {
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
  /// Bitwise: 0 and -0 differ.
  fileprivate func isIdentical(to other: Value) -> Bool {
    self == other && zip(numbers, other.numbers).allSatisfy { $0.sign == $1.sign }
  }
}

extension JSONNode {
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

  func recordedColumn(_ type: ValueType) throws(HostError) -> ValueColumn {
    if let one = self["value"] { return .constant(try one.recordedValue(type)) }
    if let all = self["values"] {
      let values = try all.elements("a list of values").map { node throws(HostError) in
        try node.recordedValue(type)
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
      guard count <= ValueColumn.limit - values.count else {
        throw HostError(
          .invalidRecording, "\(runs.source) has more than 100 million values; give at most as many"
        )
      }
      values.append(contentsOf: repeatElement(try parts[1].recordedValue(type), count: count))
    }
    return ValueColumn(values, type: type)
  }

  func valueType() throws(HostError) -> ValueType {
    let node = try required("type", "a type")
    let name = try node.string()
    guard let type = ValueType.declarable.first(where: { $0.name == name }) else {
      throw node.expected(list(ValueType.declarable.map(\.name), "or"))
    }
    return type
  }

  func recordedColumns() throws(HostError) -> [String: ValueColumn] {
    let columns = try values("columns", of: "columns") { column throws(HostError) in
      try column.checkKeys(["name", "type", "value", "values", "runs"], of: "a column")
      return (
        try column.required("name", "a name").string(),
        try column.recordedColumn(try column.valueType())
      )
    }
    return Dictionary(columns, uniquingKeysWith: { first, _ in first })
  }

  func recordedCounts() throws(HostError) -> [Int] {
    try values("counts", of: "numbers") { node throws(HostError) in try node.count() }
  }
}
