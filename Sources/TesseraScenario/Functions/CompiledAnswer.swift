/// What answers a function as it was written: a value, or an expression for each component.
struct CompiledAnswer: Sendable {
  enum Form: Sendable {
    case constant(CallValue)
    case expressions([Expression])
  }

  private(set) var form: Form
  let result: SignatureType
  let source: String

  /// Compiles an answer.
  ///
  /// Throws `.invalidInput` that names its path, what was found and what was expected.
  init(
    _ node: JSONNode, result: SignatureType, names: ExpressionNames
  ) throws(HostError) {
    self.result = result
    source = node.path
    var names = names
    names.constants = .truth
    if let value = node.plainValue(of: result) {
      form = .constant(value)
    } else if result.components.isEmpty {
      form = .expressions([try node.expression(names, expected: result.expectation)])
    } else {
      var expressions: [Expression] = []
      for part in try node.parts(result.components, isSize: result == .size) {
        expressions.append(try part.expression(names, expected: "a number or an expression"))
      }
      form = .expressions(expressions)
    }
    // What depends on nothing is checked at once, whether the function is ever called or not.
    guard case .expressions(let all) = form, all.allSatisfy({ $0.program.literal != nil }) else {
      return
    }
    form = .constant(try value(in: ExpressionEnvironment()))
  }

  /// The value where the answer depends on no item, in an environment.
  func value(in environment: ExpressionEnvironment) throws(HostError) -> CallValue {
    try Answerer(self, environment: environment, itemCounts: []).value()
  }
}

extension JSONNode {
  /// The value that is written out, exactly; nil where it is an expression, or none of the type.
  fileprivate func plainValue(of type: SignatureType) -> CallValue? {
    switch value {
    case .bool(let bool): type == .bool ? .bool(bool) : nil
    case .string(let text): CallValue(type: type, text: text)
    default: nil
    }
  }

  fileprivate func expression(
    _ names: ExpressionNames, expected wanted: String
  ) throws(HostError) -> Expression {
    switch value {
    case .number(let number): return Expression(number)
    case .string(let text):
      do {
        return try Expression(text, names: names)
      } catch {
        throw HostError(error.kind, "\(path): \(error.message)")
      }
    default: throw expected(wanted)
    }
  }
}
