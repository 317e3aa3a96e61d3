// Values as JSON: as scenario files and results have them, and as recordings have them, to the last bit.

extension JSON {
  /// The JSON of a value: a structure is a list of its components, a choice its name, void is null.
  public init(_ value: Value) {
    self =
      switch value {
      case .void: .null
      case .bool(let bool): .bool(bool)
      case .integer(let integer): .integer(Int(integer))
      case .unsigned(let integer): .unsigned(integer)
      case .number(let number): .number(number)
      case .choice(let name): .text(name)
      case .vector: .list(value.numbers.map(JSON.number))
      }
  }

  /// The JSON of a value in a recording, where an integer that a double cannot hold is a text.
  package init(recorded value: Value) {
    let isExact =
      !value.type.isWhole || value.whole(Int64.self).map { $0.magnitude <= 1 << 53 } ?? false
    self = isExact ? JSON(value) : .text(value.description)
  }

  /// Records as a scenario has them, with the columns that they give.
  package init(_ records: RecordList) {
    let columns = records.columns.sorted { $0.key < $1.key }
    self = .list(
      (0..<records.count).map { record in
        .object(columns.map { ($0.key, JSON($0.value[record])) })
      })
  }
}

extension ValueColumn {
  /// The values as a member of a call: `value` for a constant, `runs` of a count and a value if they
  /// are few, else one for each as `values`.
  package var recorded: (name: String, value: JSON) {
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
  package func recordedValue(_ type: ValueType) throws(HostError) -> Value {
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
  package func recordedColumn(_ type: ValueType) throws(HostError) -> ValueColumn {
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
      guard count <= ValueColumn.limit - values.count else {
        throw HostError(
          .invalidInput, "\(runs.source) has more than 100 million values; give at most as many")
      }
      values.append(contentsOf: repeatElement(try parts[1].recordedValue(type), count: count))
    }
    return ValueColumn(values, type: type)
  }

  /// The type that the member `type` names.
  package func valueType() throws(HostError) -> ValueType {
    let node = try required("type", "a type")
    let name = try node.string()
    guard let type = ValueType.declarable.first(where: { $0.name == name }) else {
      throw node.expected(list(ValueType.declarable.map(\.name), "or"))
    }
    return type
  }

  /// The columns of a list by name.
  package func recordedColumns() throws(HostError) -> [String: ValueColumn] {
    let columns = try values("columns", of: "columns") { column throws(HostError) in
      try column.checkKeys(["name", "type", "value", "values", "runs"], of: "a column")
      return (
        try column.required("name", "a name").string(),
        try column.recordedColumn(try column.valueType())
      )
    }
    return Dictionary(columns, uniquingKeysWith: { first, _ in first })
  }

  /// The item count of each section.
  package func recordedCounts() throws(HostError) -> [Int] {
    try values("counts", of: "numbers") { node throws(HostError) in try node.count() }
  }
}
