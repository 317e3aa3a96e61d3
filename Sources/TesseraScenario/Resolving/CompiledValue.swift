struct CompiledValue: Sendable {
  enum Form: Sendable {
    case constant(Value)
    case expressions([Expression])
  }

  let form: Form
  let type: ValueType
  let source: String

  init(_ form: Form, type: ValueType, source: String) {
    (self.form, self.type, self.source) = (form, type, source)
  }

  init(
    _ node: JSONNode, type: ValueType, choices: [String], scope: ExpressionScope,
    table: ItemTable? = nil
  ) throws(HostError) {
    let names = ExpressionNames(scope: scope, table: table)
    self.type = type
    source = node.source
    if type == .choice {
      form = .constant(try Self.choice(node, among: choices))
    } else if type == .bool {
      form = try Self.bool(node, names: names)
    } else {
      let parts = try type.isVector ? node.parts(of: type) : [node]
      form = try Self.numeric(parts, type: type, names: names, of: node)
    }
  }

  var scope: ExpressionScope {
    guard case .expressions(let expressions) = form else { return .layout }
    return expressions.map(\.scope).max() ?? .layout
  }

  var columns: Set<String> {
    guard case .expressions(let expressions) = form else { return [] }
    return expressions.reduce(into: []) { $0.formUnion($1.program.columns) }
  }

  func value(in environment: ExpressionEnvironment) throws(HostError) -> Value {
    switch form {
    case .constant(let value): return value
    case .expressions(let expressions):
      var numbers: [Double] = []
      for expression in expressions {
        do { numbers.append(try expression.value(in: environment)) } catch {
          throw error.about(source)
        }
      }
      return try Self.value(type, numbers, source: source)
    }
  }

  func evaluators() -> [ExpressionEvaluator] {
    guard case .expressions(let expressions) = form else { return [] }
    return expressions.map { ExpressionEvaluator($0) }
  }

  static func value(_ type: ValueType, _ numbers: [Double], source: String) throws(HostError)
    -> Value
  {
    if let value = Value(type: type, numbers: numbers) { return value }
    let wanted = type == .bool ? "true, false, 1 or 0" : "a whole number"
    throw HostError(
      .invalidValue,
      "\(source) gives \(numbers.map(\.shortText).joined(separator: ", ")); expected \(wanted)")
  }

  private static func expression(
    _ text: String, _ names: ExpressionNames, of node: JSONNode
  ) throws(HostError) -> Expression {
    do { return try Expression(text, names: names) } catch { throw error.about(node.source) }
  }

  private static func choice(_ node: JSONNode, among choices: [String]) throws(HostError) -> Value {
    guard case .text(let name) = node.value else { throw node.expected(list(choices, "or")) }
    guard choices.contains(name) else {
      throw HostError(
        .invalidValue, "\(node.source) is \(quoted(name)); \(hint(name, among: choices))")
    }
    return .choice(name)
  }

  private static func bool(_ node: JSONNode, names: ExpressionNames) throws(HostError) -> Form {
    var names = names
    names.constants = .truth
    let wanted = "true, false or a comparison"
    switch node.value {
    case .bool(let value): return .constant(.bool(value))
    case .text("true"): return .constant(.bool(true))
    case .text("false"): return .constant(.bool(false))
    case .text(let text):
      let expression = try Self.expression(text, names, of: node)
      guard expression.program.literal == nil else { throw node.expected(wanted) }
      return .expressions([expression])
    default: throw node.expected(wanted)
    }
  }

  private static func numeric(
    _ nodes: [JSONNode], type: ValueType, names: ExpressionNames, of whole: JSONNode
  ) throws(HostError) -> Form {
    var numbers: [Double] = []
    var expressions: [Expression] = []
    for node in nodes {
      switch node.value {
      case .integer, .unsigned, .number:
        let number = try node.number()
        numbers.append(number)
        expressions.append(Expression(number))
      case .text(let text):
        let expression = try Self.expression(text, names, of: node)
        if let number = expression.program.literal { numbers.append(number) }
        expressions.append(expression)
      default: throw node.expected("a number or an expression")
      }
    }
    guard numbers.count == nodes.count else { return .expressions(expressions) }
    return .constant(try value(type, numbers, source: whole.source))
  }
}

extension JSONNode {
  /// A list, a text split at commas, or a size as "100x90".
  func parts(of type: ValueType) throws(HostError) -> [JSONNode] {
    let names = type.components
    let wanted = "\(names.count) numbers or expressions: \(list(names))"
    let parts: [JSONNode]
    switch value {
    case .list: parts = try elements(wanted)
    case .text(let text):
      let texts = Self.plainParts(text, of: type) ?? Self.splitAtCommas(text)
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

  private static func plainParts(_ text: String, of type: ValueType) -> [String]? {
    let parts = text.split(separator: type.separator, omittingEmptySubsequences: false)
    guard parts.count == type.width, parts.allSatisfy({ $0.decimal != nil }) else { return nil }
    return parts.map(String.init)
  }

  /// Ignores commas in parentheses.
  private static func splitAtCommas(_ text: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    for character in text {
      if character == "," && depth <= 0 {
        parts.append(part)
        part = ""
        continue
      }
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      part.append(character)
    }
    return parts + [part]
  }
}
