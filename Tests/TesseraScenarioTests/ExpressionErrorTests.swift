import TestSupport
import Testing

@testable import TesseraScenario

@Suite struct ExpressionErrorTests {
  func message(_ text: String, _ scope: ExpressionScope = .item) -> String {
    do {
      _ = try Expression(text, scope: scope)
      return ""
    } catch {
      #expect(error.kind == .invalidInput)
      return error.message
    }
  }

  @Test(
    "an invalid expression is rejected with the position and the expected text",
    arguments: [
      ("", "it ends too early; expected a number, a name or \"(\""),
      ("1 + * 2", "found \"*\" at character 5; expected a number, a name or \"(\""),
      ("1 2", "found \"2\" at character 3; expected an operator or the end"),
      ("(1", "it ends too early; expected an operator or \")\""),
      ("1 ? 2", "it ends too early; expected an operator or \":\""),
      ("min(1 2)", "found \"2\" at character 7; expected an operator, \",\" or \")\""),
      ("1 + 😀", "found \"😀\" at character 5; expected a number, a name or \"(\""),
      ("1 < 2 < 3", "comparisons do not chain; put one of them in parentheses"),
      ("sin(1, 2)", "sin has 2 here; it takes 1 argument"),
      ("1e999", "the number 1e999 is too large"),
      ("widh / 2", "\"widh\" is unknown; did you mean width?"),
      ("true", "\"true\" is unknown; expected width, height"),
    ])
  func refusals(text: String, expected: String) {
    let found = message(text)
    #expect(found.contains(expected), "\(found)")
    #expect(found.hasPrefix("the expression \"\(text)\" cannot be read: "), "\(found)")
  }

  @Test("a variable outside its scope is rejected with the names that are valid there")
  func scopes() {
    let layout = ["width", "height", "scale", "sections"]
    let section = layout + ["section", "items"]
    for (scope, allowed) in [
      (ExpressionScope.layout, layout), (.section, section), (.item, section + ["item", "index"]),
    ] {
      for name in section + ["item", "index"] {
        let found = message("1 + \(name)", scope)
        #expect(found.isEmpty == allowed.contains(name), "\(name): \(found)")
      }
    }
    #expect(
      message("item * 2", .layout).contains(
        "\"item\" has no meaning for the whole layout; it may use width, height, scale and sections"
      ))
    #expect(message("index", .section).contains("has no meaning for a section"))
  }

  @Test("nesting and length are limited, so the stack never overflows")
  func bounds() throws {
    for (open, close) in [("(", ")"), ("-", ""), ("abs(", ")"), ("1?", ":0")] {
      let within = String(repeating: open, count: 90) + "1" + String(repeating: close, count: 90)
      #expect(message(within) == "", "\(open)")
      let beyond = String(repeating: open, count: 120) + "1" + String(repeating: close, count: 120)
      #expect(message(beyond).contains("nested deeper than 100 levels"), "\(open)")
      let far = String(repeating: open, count: 100_000)
      #expect(message(far).contains("longer than 4096 bytes"), "\(open)")
      #expect(message(far).utf8.count < 200)
    }
    #expect(message("1" + String(repeating: "+1", count: 2000)) == "")
    let wide = "max(" + String(repeating: "1,", count: 2000) + "2)"
    #expect(try Expression(wide, scope: .layout).value(in: ExpressionEnvironment()) == 2)
  }
}
