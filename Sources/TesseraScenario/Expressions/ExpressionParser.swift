/// Reads an expression by recursive descent, to a bounded depth.
///
///     conditional = comparison [ "?" conditional ":" conditional ]
///     comparison  = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
///     sum         = product { ("+" | "-") product }
///     product     = unary { ("*" | "/" | "%") unary }
///     unary       = "-" unary | primary
///     primary     = number | name | name "(" conditional { "," conditional } ")" | "(" conditional ")"
struct ExpressionParser {
  private var scanner: ExpressionScanner
  private let names: ExpressionNames
  private var program = ExpressionProgram()
  private var depth = 0

  init(_ text: String, names: ExpressionNames) {
    scanner = ExpressionScanner(text)
    self.names = names
  }

  mutating func parse() throws(HostError) -> ExpressionProgram {
    try scanner.checkLength()
    try conditional()
    guard scanner.isAtEnd else { throw scanner.unexpected("an operator or the end") }
    return program
  }

  private mutating func conditional() throws(HostError) {
    try nest()
    try comparison()
    if scanner.skip("?") {
      try conditional()
      guard scanner.skip(":") else { throw scanner.unexpected("an operator or \":\"") }
      try conditional()
      program.append(.select)
    }
    depth -= 1
  }

  private mutating func comparison() throws(HostError) {
    try sum()
    guard let symbol = scanner.skipComparison() else { return }
    try sum()
    program.append(.binary(symbol))
    if scanner.skipComparison() != nil {
      throw scanner.error("comparisons do not chain; put one of them in parentheses")
    }
  }

  private mutating func sum() throws(HostError) {
    try product()
    while true {
      if scanner.skip("+") {
        try product()
        program.append(.binary(.add))
      } else if scanner.skip("-") {
        try product()
        program.append(.binary(.subtract))
      } else {
        return
      }
    }
  }

  private mutating func product() throws(HostError) {
    try unary()
    while true {
      let symbol: ExpressionOperator
      if scanner.skip("*") {
        symbol = .multiply
      } else if scanner.skip("/") {
        symbol = .divide
      } else if scanner.skip("%") {
        symbol = .modulo
      } else {
        return
      }
      try unary()
      program.append(.binary(symbol))
    }
  }

  private mutating func unary() throws(HostError) {
    guard scanner.skip("-") else { return try primary() }
    try nest()
    try unary()
    program.append(.negate)
    depth -= 1
  }

  private mutating func primary() throws(HostError) {
    if let number = try scanner.skipNumber() {
      program.append(.number(number))
    } else if let name = scanner.skipName() {
      try named(name)
    } else if scanner.skip("(") {
      try conditional()
      guard scanner.skip(")") else { throw scanner.unexpected("an operator or \")\"") }
    } else {
      throw scanner.unexpected("a number, a name or \"(\"")
    }
  }

  private mutating func named(_ name: String) throws(HostError) {
    if let function = ExpressionFunction(rawValue: name) {
      try call(function)
    } else if let constant = names.constants[name] {
      program.append(.number(constant))
    } else if let place = names.arguments.firstIndex(of: name) {
      program.append(.argument(place))
    } else if let variable = ExpressionVariable(rawValue: name), variable.scope <= names.scope {
      program.append(.variable(variable))
    } else {
      throw unknown(name)
    }
  }

  private mutating func call(_ function: ExpressionFunction) throws(HostError) {
    guard scanner.skip("(") else {
      throw scanner.unexpected("\"(\" after the function \(function.rawValue)")
    }
    try conditional()
    var count = 1
    while scanner.skip(",") {
      try conditional()
      count += 1
      if function.isFold { program.append(.binary(function == .min ? .min : .max)) }
    }
    guard scanner.skip(")") else { throw scanner.unexpected("an operator, \",\" or \")\"") }
    guard function.isFold ? count >= 2 : count == 1 else {
      let wanted = function.isFold ? "2 or more arguments" : "1 argument"
      throw scanner.error("\(function.rawValue) has \(count) here; it takes \(wanted)")
    }
    if !function.isFold { program.append(.call(function)) }
  }

  private func unknown(_ name: String) -> HostError {
    let variables = ExpressionVariable.names(in: names.scope) + names.arguments
    if ExpressionVariable(rawValue: name) != nil {
      return scanner.error(
        "\"\(name)\" has no meaning for \(names.noun); it may use \(list(variables))")
    }
    let functions = ExpressionFunction.allCases.map(\.rawValue)
    let known = variables + names.constants.keys.sorted() + functions
    return scanner.error(
      "\"\(clipped(name))\" is unknown; "
        + hint(name, among: known, else: "expected \(list(variables)), or a function"))
  }

  private mutating func nest() throws(HostError) {
    depth += 1
    if depth > Expression.maximumDepth {
      throw scanner.error("nested deeper than \(Expression.maximumDepth) levels; simplify it")
    }
  }
}
