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
