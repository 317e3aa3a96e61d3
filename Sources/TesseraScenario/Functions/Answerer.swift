extension CompiledValue {
  init(answer node: JSONNode, type: ValueType, names: ExpressionNames) throws(HostError) {
    var names = names
    names.constants = .truth
    if let value = node.plainValue(of: type) {
      self.init(.constant(value), type: type, source: node.source)
      return
    }
    var expressions: [Expression] = []
    for part in type.isVector ? try node.parts(of: type) : [node] {
      let expected = type.isVector ? "a number or an expression" : type.expectation
      expressions.append(try part.expression(names, expected: expected))
    }
    self.init(.expressions(expressions), type: type, source: node.source)
    // Checks a constant now, even if the function is never called.
    guard expressions.allSatisfy({ $0.program.literal != nil }) else { return }
    let value = try answer(in: ExpressionEnvironment())
    self.init(.constant(value), type: type, source: node.source)
  }

  func answer(in environment: ExpressionEnvironment) throws(HostError) -> Value {
    try Answerer(self, environment: environment, itemCounts: []).value()
  }
}

extension JSONNode {
  fileprivate func plainValue(of type: ValueType) -> Value? {
    switch value {
    case .bool(let bool): type == .bool ? .bool(bool) : nil
    case .text(let text): Value(type: type, text: text)
    default: nil
    }
  }

  fileprivate func expression(
    _ names: ExpressionNames, expected wanted: String
  ) throws(HostError) -> Expression {
    switch value {
    case .integer, .unsigned, .number: return Expression(try number())
    case .text(let text):
      do { return try Expression(text, names: names) } catch { throw error.about(source) }
    default: throw expected(wanted)
    }
  }
}

/// Allocates once; not thread-safe.
final class Answerer {
  private let answer: CompiledValue
  private let itemCounts: [Int]
  /// The number of items before each section.
  private var starts: [Int] = []
  private let needsCounts: Bool
  private var evaluators: [ExpressionEvaluator]
  private var environment: ExpressionEnvironment
  private var arguments: [Double]

  init(
    _ answer: CompiledValue, environment: ExpressionEnvironment, itemCounts: [Int],
    argumentCount: Int = 0
  ) {
    (self.answer, self.environment, self.itemCounts) = (answer, environment, itemCounts)
    arguments = Array(repeating: 0, count: argumentCount)
    var expressions: [Expression] = []
    if case .expressions(let form) = answer.form { expressions = form }
    evaluators = expressions.map { ExpressionEvaluator($0, blockLength: 1) }
    needsCounts = expressions.contains { $0.program.uses(.items) || $0.program.uses(.index) }
    var start = 0
    for count in needsCounts ? itemCounts : [] {
      starts.append(start)
      start += count
    }
  }

  /// - Parameter isPlaced: Whether the first arguments are a section and an item.
  func answer(_ call: CallArguments, isPlaced: Bool) throws(HostError) -> Value {
    if case .constant(let value) = answer.form { return value }
    var place = 0
    for index in 0..<call.count {
      if let number = call.number(at: index) {
        arguments[place] = number
        place += 1
      } else {
        guard case .vector(let type, let components) = call.value(at: index) else { continue }
        for component in 0..<type.width { arguments[place + component] = components[component] }
        place += type.width
      }
    }
    if isPlaced { try setPlace(section: arguments[0], item: arguments[1]) }
    return try value()
  }

  func size(section: Int, item: Int, proposed: Size) throws(HostError) -> Size {
    arguments[0] = proposed.width
    arguments[1] = proposed.height
    try setPlace(section: Double(section), item: Double(item))
    guard case .vector(.size, let components) = try value() else { return .zero }
    let size = Size(width: components[0], height: components[1])
    guard size.width >= 0, size.height >= 0 else {
      throw HostError(.invalidValue, "\(subject) \(Value.size(size)); expected 0 or more")
    }
    return size
  }

  func value() throws(HostError) -> Value {
    if case .constant(let value) = answer.form { return value }
    for index in evaluators.indices {
      guard evaluators[index].evaluate(environment, arguments: arguments, count: 1) != nil
      else { continue }
      let error = evaluators[index].expression.notFinite(evaluators[index][0], in: environment)
      throw error.about("\(answer.source)")
    }
    let result = answer.type
    guard result.isVector else {
      let number = result == .void ? Value.void : .number(evaluators[0][0])
      return try number.converted(to: result, .invalidValue, subject)
    }
    return .vector(result, Value.Components(count: evaluators.count) { evaluators[$0][0] })
  }

  private var subject: String {
    let expressions = evaluators.map(\.expression)
    let texts = expressions.map(\.text).joined(separator: ",")
    let place = expressions.max { $0.scope < $1.scope }?.place(in: environment) ?? ""
    return "\(answer.source):\(place) the expression \(quoted(texts)) gives"
  }

  private func setPlace(section: Double, item: Double) throws(HostError) {
    environment.section = section
    environment.item = item
    guard needsCounts else { return }
    guard let number = Int(exactly: section), itemCounts.indices.contains(number) else {
      throw HostError(
        .invalidExpression,
        "\(answer.source) uses the counts of section \(section.shortText), of which there are "
          + "\(itemCounts.count); use a and b for numbers that are no section and item")
    }
    environment.items = Double(itemCounts[number])
    environment.index = Double(starts[number]) + item
  }
}
