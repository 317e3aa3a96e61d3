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
