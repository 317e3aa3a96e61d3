// Feeds the inputs of libFuzzer to the readers of scenario files, item tables and expressions.

@testable import TesseraScenario

/// The first byte selects the reader.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let first = bytes.first else { return 0 }
  let rest = bytes.dropFirst()
  switch first % 4 {
  case 0: _ = try? Scenario(parsing: rest, name: "input")
  case 1: _ = try? ItemTable(parsing: rest, name: "input.csv")
  case 2: _ = try? ItemTable(parsing: rest, name: "input.ndjson")
  default: evaluate(String(decoding: rest, as: UTF8.self))
  }
  return 0
}

private func evaluate(_ text: String) {
  for scope in [ExpressionScope.layout, .section, .item] {
    guard let expression = try? Expression(text, scope: scope) else { continue }
    precondition(expression.scope <= scope)
    var environment = ExpressionEnvironment()
    environment.item = 3
    let value = try? expression.value(in: environment)
    precondition(value?.isFinite != false)
  }
}
