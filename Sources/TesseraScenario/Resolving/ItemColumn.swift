/// Makes one column over the items of all sections.
struct ItemColumn {
  /// The most items for which a value can differ from item to item.
  static let limit = 100_000_000

  /// Where the values of one section's items come from.
  enum Source {
    /// One value for all of them.
    case value(Value)
    /// Expressions that depend on the item.
    case expressions(CompiledValue)
    /// A list with one entry an item.
    case list(JSONNode, [JSONValue])
  }

  let name: String
  let value: ValueDescription
  let itemCounts: [Int]
  let environment: ExpressionEnvironment

  /// The column from one source for each section.
  ///
  /// It is a constant where all items have one value, and then takes no memory an item.
  func column(_ sources: [Source]) throws(HostError) -> ValueColumn {
    if let constant = constant(sources) { return .constant(constant) }
    let total = itemCounts.reduce(0, +)
    guard total <= Self.limit else {
      throw HostError(
        .invalidInput,
        "\(name) differs among \(total) items; give at most 100 million items, or one value for all"
      )
    }
    var builder = ColumnBuilder(value.type, capacity: total)
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

  /// The value that all items have, or nil where they may differ.
  private func constant(_ sources: [Source]) -> Value? {
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
    guard var evaluators = compiled.evaluators() else {
      return builder.append(try compiled.value(in: start), count: count)
    }
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
      guard let row = builder.append(block: evaluators, count: length) else { continue }
      let place = "for item \(format(at(row).item)) of section \(format(start.section))"
      _ = try CompiledValue.value(
        value.type, [evaluators[0][row]], source: "\(compiled.source) \(place)")
    }
  }

  private func append(
    _ node: JSONNode, _ entries: [JSONValue], in start: ExpressionEnvironment,
    to builder: inout ColumnBuilder
  ) throws(HostError) {
    var environment = start
    for (item, entry) in entries.enumerated() {
      if let plain = plain(entry) {
        builder.append(plain)
      } else {
        let compiled = try CompiledValue(
          JSONNode(value: entry, path: "\(node.path)[\(item)]"), type: value.type,
          choices: value.choices, scope: .item)
        environment.item = Double(item)
        environment.index = start.index + Double(item)
        builder.append(try compiled.value(in: environment))
      }
    }
  }

  /// The value of an entry that is nothing but numbers: the usual case, and there may be a million.
  private func plain(_ entry: JSONValue) -> Value? {
    switch (value.type, entry) {
    case (.number, .number(let number)): return .number(number)
    case (.size, .array(let parts)) where parts.count == 2:
      guard case .number(let width) = parts[0], case .number(let height) = parts[1] else {
        return nil
      }
      return .size(Size(width: width, height: height))
    default: return nil
    }
  }
}

/// Collects the values of a column, each of one type.
struct ColumnBuilder {
  private let type: ValueType
  private var bools: [Bool] = []
  private var integers: [Int64] = []
  private var numbers: [Double] = []
  private var choices: [String] = []
  private var points: [Point] = []
  private var sizes: [Size] = []
  private var rects: [Rect] = []
  private var insets: [Insets] = []

  init(_ type: ValueType, capacity: Int) {
    self.type = type
    switch type {
    case .bool: bools.reserveCapacity(capacity)
    case .integer: integers.reserveCapacity(capacity)
    case .number: numbers.reserveCapacity(capacity)
    case .choice: choices.reserveCapacity(capacity)
    case .point: points.reserveCapacity(capacity)
    case .size: sizes.reserveCapacity(capacity)
    case .rect: rects.reserveCapacity(capacity)
    case .insets: insets.reserveCapacity(capacity)
    }
  }

  /// The values so far.
  var column: ValueColumn {
    switch type {
    case .bool: .bools(bools)
    case .integer: .integers(integers)
    case .number: .numbers(numbers)
    case .choice: .choices(choices)
    case .point: .points(points)
    case .size: .sizes(sizes)
    case .rect: .rects(rects)
    case .insets: .insets(insets)
    }
  }

  /// Appends a value of the type some times.
  mutating func append(_ value: Value, count: Int = 1) {
    switch value {
    case .bool(let value): bools.append(contentsOf: repeatElement(value, count: count))
    case .integer(let value): integers.append(contentsOf: repeatElement(value, count: count))
    case .number(let value): numbers.append(contentsOf: repeatElement(value, count: count))
    case .choice(let value): choices.append(contentsOf: repeatElement(value, count: count))
    case .point(let value): points.append(contentsOf: repeatElement(value, count: count))
    case .size(let value): sizes.append(contentsOf: repeatElement(value, count: count))
    case .rect(let value): rects.append(contentsOf: repeatElement(value, count: count))
    case .insets(let value): insets.append(contentsOf: repeatElement(value, count: count))
    }
  }

  /// Appends the rows of a block, of which there is an evaluator for each component.
  ///
  /// Returns the first row that is no value of the type: only bools and integers can have one.
  mutating func append(block: [ExpressionEvaluator], count: Int) -> Int? {
    switch type {
    case .bool:
      for row in 0..<count {
        guard block[0][row] == 0 || block[0][row] == 1 else { return row }
        bools.append(block[0][row] == 1)
      }
    case .integer:
      for row in 0..<count {
        guard let value = Int64(exactly: block[0][row]) else { return row }
        integers.append(value)
      }
    case .choice: break
    case .number:
      for row in 0..<count { numbers.append(block[0][row]) }
    case .point:
      for row in 0..<count { points.append(Point(x: block[0][row], y: block[1][row])) }
    case .size:
      for row in 0..<count { sizes.append(Size(width: block[0][row], height: block[1][row])) }
    case .rect:
      for row in 0..<count {
        rects.append(
          Rect(
            x: block[0][row], y: block[1][row], width: block[2][row], height: block[3][row]))
      }
    case .insets:
      for row in 0..<count {
        insets.append(
          Insets(
            top: block[0][row], left: block[1][row], bottom: block[2][row], right: block[3][row]))
      }
    }
    return nil
  }
}
