struct ItemValues {
  enum Source {
    case value(Value)
    case expressions(CompiledValue)
    case list(JSONNode, [JSON])
  }

  let value: ValueDescription
  let itemCounts: [Int]
  let sources: [Source]
  let environment: ExpressionEnvironment

  func column() throws(HostError) -> ValueColumn {
    if let constant { return .constant(constant) }
    let total = itemCounts.total
    guard total <= ValueColumn.limit else { throw Self.tooMany(value.name, total) }
    try CountedMemory.require(total, size: value.type.stride)
    var builder = ColumnBuilder(type: value.type, count: total)
    var environment = environment
    for (section, count) in itemCounts.enumerated() {
      environment.section = Double(section)
      environment.items = Double(count)
      switch sources[section] {
      case .value(let value): builder.append(value, count: count)
      case .expressions(let compiled):
        try append(compiled, count: count, in: environment, to: &builder)
      case .list(let node, let entries):
        try append(node, entries, in: environment, to: &builder)
      }
      environment.index += Double(count)
    }
    return builder.column
  }

  static func tooMany(_ name: String, _ total: Int) -> HostError {
    HostError(
      .tooManyItems,
      "\(name) differs among \(total) items; give at most 100 million items, or one value for all")
  }

  /// Nil if items may differ.
  private var constant: Value? {
    var found: Value?
    for (section, count) in itemCounts.enumerated() where count > 0 {
      guard case .value(let value) = sources[section], found == nil || found == value else {
        return nil
      }
      found = value
    }
    return found
  }

  private func append(
    _ compiled: CompiledValue, count: Int, in start: ExpressionEnvironment,
    to builder: inout ColumnBuilder
  ) throws(HostError) {
    var evaluators = compiled.evaluators()
    for first in stride(from: 0, to: count, by: ExpressionEvaluator.blockLength) {
      let length = min(ExpressionEvaluator.blockLength, count - first)
      var environment = start
      environment.item += Double(first)
      environment.index += Double(first)
      func at(_ row: Int) -> ExpressionEnvironment {
        var environment = environment
        environment.item += Double(row)
        return environment
      }
      for index in evaluators.indices {
        guard let row = evaluators[index].evaluate(environment, count: length) else { continue }
        let (value, expression) = (evaluators[index][row], evaluators[index].expression)
        throw HostError(
          .invalidExpression,
          "\(compiled.source): \(expression.notFinite(value, in: at(row)).message)")
      }
      if let row = builder.append(rows: length, { evaluators[$1][$0] }) {
        let place = "for item \(at(row).item.shortText) of section \(start.section.shortText)"
        _ = try CompiledValue.value(
          value.type, [evaluators[0][row]], source: "\(compiled.source) \(place)")
      }
    }
  }

  private func append(
    _ node: JSONNode, _ entries: [JSON], in start: ExpressionEnvironment,
    to builder: inout ColumnBuilder
  ) throws(HostError) {
    var environment = start
    for (index, entry) in entries.enumerated() where !appendNumbers(entry, to: &builder) {
      let compiled = try CompiledValue(
        JSONNode(entry, source: "\(node.source)[\(index)]"), type: value.type,
        choices: value.choices, scope: .item)
      environment.item = Double(index)
      environment.index = start.index + Double(index)
      builder.append(try compiled.value(in: environment))
    }
  }

  /// Fast path: numbers only.
  private func appendNumbers(_ entry: JSON, to builder: inout ColumnBuilder) -> Bool {
    guard value.type.component == .double else { return false }
    if value.type.isVector {
      guard case .list(let parts) = entry, parts.count == value.type.width,
        parts.allSatisfy({ if case .number = $0 { true } else { false } })
      else { return false }
      return builder.append(rows: 1, { _, part in parts[part].double ?? 0 }) == nil
    }
    guard case .number(let number) = entry else { return false }
    return builder.append(rows: 1, { _, _ in number }) == nil
  }
}
