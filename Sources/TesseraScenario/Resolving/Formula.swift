/// A value as a scenario writes it: a constant, or an expression for each component.
struct Formula: Sendable {
  let type: ValueType
  let source: String
  private(set) var constant: Value?
  private(set) var expressions: [Expression] = []
  /// Whether it answers the engine, so that its result is converted to the type of a signature.
  private var isAnswer = false

  init(_ constant: Value, source: String = "") {
    (self.constant, type, self.source) = (constant, constant.type, source)
  }

  /// A value of the input.
  init(
    _ node: JSONNode, type: ValueType, choices: [String], scope: ExpressionScope,
    table: ItemTable? = nil
  ) throws(HostError) {
    (self.type, source) = (type, node.source)
    var names = ExpressionNames(scope: scope, table: table)
    if type == .choice {
      constant = try node.choice(among: choices)
    } else if type == .bool {
      names.hasTruth = true
      let wanted = "true, false or a comparison"
      switch node.value {
      case .bool(let value): constant = .bool(value)
      case .text("true"), .text("false"): constant = .bool(node.value == .text("true"))
      case .text: try read(node, names, expected: wanted)
      default: throw node.expected(wanted)
      }
      guard expressions.allSatisfy({ $0.program.literal == nil }) else {
        throw node.expected(wanted)
      }
    } else {
      try read(node, names, expected: "a number or an expression")
      try findConstant()
    }
  }

  /// An answer to the engine, or an argument of one of its functions.
  init(answer node: JSONNode, type: ValueType, names: ExpressionNames) throws(HostError) {
    (self.type, source, isAnswer) = (type, node.source, true)
    var names = names
    names.hasTruth = true
    switch node.value {
    case .bool(let bool) where type == .bool: constant = .bool(bool)
    case .text(let text): constant = Value(type: type, text: text)
    default: break
    }
    guard constant == nil else { return }
    try read(
      node, names, expected: type.isVector ? "a number or an expression" : type.expectation)
    // Checks a constant now, even if the function is never called.
    try findConstant()
  }

  private mutating func read(
    _ node: JSONNode, _ names: ExpressionNames, expected wanted: String
  ) throws(HostError) {
    for part in type.isVector ? try node.parts(of: type) : [node] {
      switch part.value {
      case .integer, .unsigned, .number: expressions.append(Expression(try part.number()))
      case .text(let text):
        do { expressions.append(try Expression(text, names: names)) } catch {
          throw error.about(part.source)
        }
      default: throw part.expected(wanted)
      }
    }
  }

  private mutating func findConstant() throws(HostError) {
    guard expressions.allSatisfy({ $0.program.literal != nil }) else { return }
    constant = try value(in: ExpressionEnvironment())
  }

  var scope: ExpressionScope { expressions.map(\.scope).max() ?? .layout }

  var columns: Set<String> {
    expressions.reduce(into: []) { $0.formUnion($1.program.columns) }
  }

  func evaluators(blockLength: Int) -> [ExpressionEvaluator] {
    expressions.map { ExpressionEvaluator($0, blockLength: blockLength) }
  }

  func value(in environment: ExpressionEnvironment) throws(HostError) -> Value {
    if let constant { return constant }
    var evaluators = evaluators(blockLength: 1)
    return try value(of: &evaluators, in: environment)
  }

  func value(
    of evaluators: inout [ExpressionEvaluator], in environment: ExpressionEnvironment,
    arguments: [Double] = []
  ) throws(HostError) -> Value {
    for index in evaluators.indices {
      guard evaluators[index].evaluate(environment, arguments: arguments, count: 1) != nil
      else { continue }
      throw notFinite(evaluators[index], row: 0, in: environment)
    }
    guard !type.isVector else {
      return .vector(type, Value.Components(count: evaluators.count) { evaluators[$0][0] })
    }
    let number = Value.number(evaluators[0][0])
    if isAnswer { return try number.converted(to: type, .invalidValue, subject(in: environment)) }
    guard let value = number.converted(to: type) else { throw unfit(evaluators[0][0]) }
    return value
  }

  func notFinite(
    _ evaluator: ExpressionEvaluator, row: Int, in environment: ExpressionEnvironment
  ) -> HostError {
    evaluator.expression.notFinite(evaluator[row], in: environment).about(source)
  }

  /// - Parameter place: Such as " for item 3 of section 0".
  func unfit(_ number: Double, _ place: String = "") -> HostError {
    let wanted = type == .bool ? "true, false, 1 or 0" : "a whole number"
    return HostError(
      .invalidValue, "\(source)\(place) gives \(number.shortText); expected \(wanted)")
  }

  func subject(in environment: ExpressionEnvironment) -> String {
    let texts = expressions.map(\.text).joined(separator: ",")
    let place = expressions.max { $0.scope < $1.scope }?.place(in: environment) ?? ""
    return "\(source):\(place) the expression \(quoted(texts)) gives"
  }
}

extension JSONNode {
  fileprivate func choice(among choices: [String]) throws(HostError) -> Value {
    guard case .text(let name) = value else { throw expected(list(choices, "or")) }
    guard choices.contains(name) else {
      throw HostError(.invalidValue, "\(source) is \(quoted(name)); \(hint(name, among: choices))")
    }
    return .choice(name)
  }

  /// A list, a text split at commas, or a size as "100x90".
  fileprivate func parts(of type: ValueType) throws(HostError) -> [JSONNode] {
    let names = type.components
    let wanted = "\(names.count) numbers or expressions: \(list(names))"
    let parts: [JSONNode]
    switch value {
    case .list: parts = try elements(wanted)
    case .text(let text):
      let plain = text.split(separator: type.separator, omittingEmptySubsequences: false)
      let isPlain = plain.count == type.width && plain.allSatisfy { $0.decimal != nil }
      let texts = isPlain ? plain.map(String.init) : Self.splitAtCommas(text)
      parts = texts.map { JSONNode(text: String($0.drop { $0 == " " }), source: source) }
      guard parts.count == names.count else {
        throw HostError(
          .invalidValue,
          "\(source) is \(quoted(text)), \(counted(parts.count, "part")); expected \(wanted)")
      }
    default: throw expected(wanted)
    }
    guard parts.count == names.count else { throw expected(wanted) }
    return parts
  }

  /// Ignores commas in parentheses.
  private static func splitAtCommas(_ text: String) -> [String] {
    var (parts, depth) = ([""], 0)
    for character in text {
      if character == "," && depth <= 0 {
        parts.append("")
        continue
      }
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      parts[parts.count - 1].append(character)
    }
    return parts
  }
}
