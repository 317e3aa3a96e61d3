/// Parses an expression by recursive descent, to a limited depth.
///
///     conditional = comparison [ "?" conditional ":" conditional ]
///     comparison  = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
///     sum         = product { ("+" | "-") product }
///     product     = unary { ("*" | "/" | "%") unary }
///     unary       = "-" unary | primary
///     primary     = number | name | name "(" conditional { "," conditional } ")" | "(" conditional ")"
struct ExpressionParser {
  private let text: String
  private let bytes: [UInt8]
  private var position = 0
  private let names: ExpressionNames
  private var program = ExpressionProgram()
  private var depth = 0

  init(_ text: String, names: ExpressionNames) {
    (self.text, self.names) = (text, names)
    bytes = Array(text.utf8.prefix(Expression.maximumLength + 1))
  }

  mutating func parse() throws(HostError) -> ExpressionProgram {
    if bytes.count > Expression.maximumLength {
      throw error("it is longer than \(Expression.maximumLength) bytes; shorten it")
    }
    try conditional()
    guard isAtEnd else { throw unexpected("an operator or the end") }
    return program
  }

  private mutating func conditional() throws(HostError) {
    try nest()
    try comparison()
    if skip("?") {
      try conditional()
      guard skip(":") else { throw unexpected("an operator or \":\"") }
      try conditional()
      program.append(.select)
    }
    depth -= 1
  }

  private mutating func comparison() throws(HostError) {
    try sum()
    guard let symbol = skip(Self.comparisons) else { return }
    try sum()
    program.append(.binary(symbol))
    if skip(Self.comparisons) != nil {
      throw error("comparisons do not chain; put one of them in parentheses")
    }
  }

  private mutating func sum() throws(HostError) {
    try product()
    while let symbol = skip([("+", .add), ("-", .subtract)]) {
      try product()
      program.append(.binary(symbol))
    }
  }

  private mutating func product() throws(HostError) {
    try unary()
    while let symbol = skip([("*", .multiply), ("/", .divide), ("%", .modulo)]) {
      try unary()
      program.append(.binary(symbol))
    }
  }

  private mutating func unary() throws(HostError) {
    guard skip("-") else { return try primary() }
    try nest()
    try unary()
    program.append(.negate)
    depth -= 1
  }

  private mutating func primary() throws(HostError) {
    if let number = try skipNumber() {
      program.append(.number(number))
    } else if let name = skipName() {
      try named(name)
    } else if skip("(") {
      try conditional()
      guard skip(")") else { throw unexpected("an operator or \")\"") }
    } else {
      throw unexpected("a number, a name or \"(\"")
    }
  }

  private mutating func named(_ name: String) throws(HostError) {
    if name == "row" || name == "layout", skip(".") {
      guard let rest = skipName() else { throw unexpected("a name") }
      return name == "row" ? try column(rest) : try variable(rest)
    }
    if let function = ExpressionFunction(rawValue: name) {
      try call(function)
    } else if names.hasTruth, name == "true" || name == "false" {
      program.append(.number(name == "true" ? 1 : 0))
    } else if let place = names.arguments.firstIndex(of: name) {
      program.append(.argument(place))
    } else if let table = names.table, let column = table.column(named: name) {
      if let variable = ExpressionVariable(rawValue: name) {
        throw error(
          "\"\(name)\" is \(variable.meaning) and a column of \(table.name); write layout.\(name) or "
            + "row.\(name)")
      }
      program.append(.column(name, try table.numbers(column)))
    } else {
      try variable(name)
    }
  }

  private mutating func variable(_ name: String) throws(HostError) {
    guard let variable = ExpressionVariable(rawValue: name), variable.scope <= names.scope else {
      throw unknown(name)
    }
    program.append(.variable(variable))
  }

  /// A column name may contain dots.
  private mutating func column(_ start: String) throws(HostError) {
    guard let table = names.table else {
      throw error(
        names.scope == .item
          ? "row is a row of a table, and the items are from none; read them from a table"
          : "row has no meaning for \(names.noun); it is the row of an item")
    }
    var name = start
    while table.column(named: name) == nil, skip(".") {
      guard let rest = skipName() else { throw unexpected("a name") }
      name += "." + rest
    }
    guard let column = table.column(named: name) else {
      let known = table.columns.map(\.name)
      let all = known.count > 8 ? "expected one that it has" : "expected \(list(known, "or"))"
      throw error(
        "\(table.name) has no column \(quoted(name)); "
          + hint(name, among: known, else: all))
    }
    program.append(.column(name, try table.numbers(column)))
  }

  private mutating func call(_ function: ExpressionFunction) throws(HostError) {
    guard skip("(") else {
      throw unexpected("\"(\" after the function \(function.rawValue)")
    }
    try conditional()
    var count = 1
    while skip(",") {
      try conditional()
      count += 1
      if function.isFold { program.append(.binary(function == .min ? .min : .max)) }
    }
    guard skip(")") else { throw unexpected("an operator, \",\" or \")\"") }
    guard function.isFold ? count >= 2 : count == 1 else {
      let wanted = function.isFold ? "2 or more arguments" : "1 argument"
      throw error("\(function.rawValue) has \(count) here; it takes \(wanted)")
    }
    if !function.isFold { program.append(.call(function)) }
  }

  private func unknown(_ name: String) -> HostError {
    let variables = ExpressionVariable.names(in: names.scope) + names.arguments
    if ExpressionVariable(rawValue: name) != nil {
      return error(
        "\"\(name)\" has no meaning for \(names.noun); it may use \(list(variables))")
    }
    let functions = ExpressionFunction.allCases.map(\.rawValue)
    let known = variables + (names.hasTruth ? ["false", "true"] : []) + functions
    return error(
      "\"\(clipped(name))\" is unknown; "
        + hint(name, among: known, else: "expected \(list(variables)), or a function"))
  }

  private mutating func nest() throws(HostError) {
    depth += 1
    if depth > Expression.maximumDepth {
      throw error("nested deeper than \(Expression.maximumDepth) levels; simplify it")
    }
  }
}

extension ExpressionParser {
  private var isAtEnd: Bool {
    mutating get {
      skipSpaces()
      return position == bytes.count
    }
  }

  private mutating func skip(_ symbol: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard position < bytes.count, Unicode.Scalar(bytes[position]) == symbol else { return false }
    position += 1
    return true
  }

  /// Longer ones first.
  private static let comparisons: [(symbol: String, meaning: ExpressionOperator)] = [
    ("<=", .lessOrEqual), ("<", .less), (">=", .greaterOrEqual), (">", .greater), ("==", .equal),
    ("!=", .notEqual),
  ]

  private mutating func skip(
    _ operators: [(symbol: String, meaning: ExpressionOperator)]
  ) -> ExpressionOperator? {
    skipSpaces()
    for (symbol, meaning) in operators where bytes[position...].starts(with: symbol.utf8) {
      position += symbol.utf8.count
      return meaning
    }
    return nil
  }

  private mutating func skipNumber() throws(HostError) -> Double? {
    skipSpaces()
    let start = position
    var end = position
    let whole = skipDigits(&end)
    var fraction = 0
    if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
      end += 1
      fraction = skipDigits(&end)
    }
    guard whole + fraction > 0 else { return nil }
    if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      var after = end + 1
      if after < bytes.count, bytes[after] == UInt8(ascii: "-") || bytes[after] == UInt8(ascii: "+")
      {
        after += 1
      }
      if skipDigits(&after) > 0 { end = after }
    }
    let digits = String(decoding: bytes[start..<end], as: UTF8.self)
    guard let value = Double(whole == 0 ? "0" + digits : digits), value.isFinite else {
      throw error("the number \(clipped(digits)) is too large")
    }
    position = end
    return value
  }

  private mutating func skipName() -> String? {
    skipSpaces()
    var end = position
    while end < bytes.count, isNameByte(bytes[end], first: end == position) { end += 1 }
    guard end > position else { return nil }
    defer { position = end }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  private mutating func unexpected(_ expected: String) -> HostError {
    skipSpaces()
    guard position < bytes.count else { return error("it ends too early; expected \(expected)") }
    let place = String(decoding: bytes[..<position], as: UTF8.self).count + 1
    let rest = String(decoding: bytes[position...], as: UTF8.self)
    let found = skipName() ?? String(rest.prefix(1))
    return error("found \"\(clipped(found))\" at character \(place); expected \(expected)")
  }

  private func error(_ message: String) -> HostError {
    HostError(.invalidExpression, "the expression \(quoted(text)) cannot be read: \(message)")
  }

  private mutating func skipSpaces() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
  }

  private func skipDigits(_ end: inout Int) -> Int {
    let start = end
    while end < bytes.count, isDigit(bytes[end]) { end += 1 }
    return end - start
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private func isNameByte(_ byte: UInt8, first: Bool) -> Bool {
    let lower = byte | 0x20
    return lower >= 0x61 && lower <= 0x7A || byte == 0x5F || !first && isDigit(byte)
  }
}
