/// Evaluates an item value for the items of all sections.
struct ItemValues {
  /// The most items for which a value can differ from item to item.
  static let limit = 100_000_000

  /// Where the values of one section's items come from.
  enum Source {
    /// One value for all of them.
    case value(Value)
    /// Expressions that depend on the item.
    case expressions(CompiledValue)
    /// A list with one entry an item.
    case list(JSONNode, [JSON])
  }

  let value: ValueDescription
  let itemCounts: [Int]
  /// One for each section.
  let sources: [Source]
  let environment: ExpressionEnvironment

  /// The values as a column, a constant if all items have the same value.
  func column() throws(HostError) -> ValueColumn {
    if let constant { return .constant(constant) }
    let total = itemCounts.reduce(0, +)
    guard total <= Self.limit else {
      throw HostError(
        .invalidInput,
        "\(value.name) differs among \(total) items; give at most 100 million items, or one value "
          + "for all")
    }
    // An array of each type is filled without making a `Value` for each item.
    switch value.type {
    case .bool:
      return .bools(
        try all({ if case .bool(let it) = $0 { it } else { nil } }) { number in
          number(0) == 0 ? false : number(0) == 1 ? true : nil
        })
    case .integer:
      return .integers(
        try all({ if case .integer(let it) = $0 { it } else { nil } }) { Int64(exactly: $0(0)) })
    case .number:
      return .numbers(try all({ if case .number(let it) = $0 { it } else { nil } }) { $0(0) })
    case .choice:
      return .choices(try all({ if case .choice(let it) = $0 { it } else { nil } }) { _ in nil })
    case .point:
      return .points(
        try all({ if case .point(let it) = $0 { it } else { nil } }) { Point(x: $0(0), y: $0(1)) })
    case .size:
      return .sizes(
        try all({ if case .size(let it) = $0 { it } else { nil } }) {
          Size(width: $0(0), height: $0(1))
        })
    case .rect:
      return .rects(
        try all({ if case .rect(let it) = $0 { it } else { nil } }) {
          Rect(x: $0(0), y: $0(1), width: $0(2), height: $0(3))
        })
    case .insets:
      return .insets(
        try all({ if case .insets(let it) = $0 { it } else { nil } }) {
          Insets(top: $0(0), left: $0(1), bottom: $0(2), right: $0(3))
        })
    }
  }

  /// The value that all items have, or nil if they may differ.
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

  /// The values of all items.
  ///
  /// - Parameters:
  ///   - unwrap: The item of a value of the type.
  ///   - make: The item of one row of numbers, which are given by component; nil if they do not fit
  ///     the type.
  private func all<Item>(
    _ unwrap: (Value) -> Item?, _ make: ((Int) -> Double) -> Item?
  ) throws(HostError) -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(itemCounts.reduce(0, +))
    var environment = environment
    for (section, count) in itemCounts.enumerated() {
      environment.section = Double(section)
      environment.items = Double(count)
      switch sources[section] {
      case .value(let value):
        if let item = unwrap(value) { items.append(contentsOf: repeatElement(item, count: count)) }
      case .expressions(let compiled):
        try append(compiled, count: count, in: environment, to: &items, make)
      case .list(let node, let entries):
        try append(node, entries, in: environment, to: &items, unwrap)
      }
      environment.index += Double(count)
    }
    return items
  }

  private func append<Item>(
    _ compiled: CompiledValue, count: Int, in start: ExpressionEnvironment,
    to items: inout [Item], _ make: ((Int) -> Double) -> Item?
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
          .invalidInput, "\(compiled.source): \(expression.notFinite(value, in: at(row)).message)")
      }
      for row in 0..<length {
        if let item = make({ evaluators[$0][row] }) {
          items.append(item)
          continue
        }
        let place = "for item \(at(row).item.shortText) of section \(start.section.shortText)"
        _ = try CompiledValue.value(
          value.type, [evaluators[0][row]], source: "\(compiled.source) \(place)")
      }
    }
  }

  private func append<Item>(
    _ node: JSONNode, _ entries: [JSON], in start: ExpressionEnvironment,
    to items: inout [Item], _ unwrap: (Value) -> Item?
  ) throws(HostError) {
    var environment = start
    for (index, entry) in entries.enumerated() {
      var found = plain(entry)
      if found == nil {
        let compiled = try CompiledValue(
          JSONNode(entry, source: "\(node.source)[\(index)]"), type: value.type,
          choices: value.choices, scope: .item)
        environment.item = Double(index)
        environment.index = start.index + Double(index)
        found = try compiled.value(in: environment)
      }
      if let item = found.flatMap(unwrap) { items.append(item) }
    }
  }

  /// The value of an entry that holds only numbers: the usual case, and there may be a million.
  private func plain(_ entry: JSON) -> Value? {
    switch (value.type, entry) {
    case (.number, .number(let number)): return .number(number)
    case (.size, .list(let parts)) where parts.count == 2:
      guard case .number(let width) = parts[0], case .number(let height) = parts[1] else {
        return nil
      }
      return .size(Size(width: width, height: height))
    default: return nil
    }
  }
}
