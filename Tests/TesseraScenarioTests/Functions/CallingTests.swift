import Testing

@testable import TesseraScenario

@Suite struct CallingTests {
  private func arguments(_ signature: String, _ texts: String...) throws -> [Value] {
    var scenario = Scenario()
    scenario.bounds = Size(width: 300, height: 400)
    scenario.content = .sections([.init(items: 1), .init(items: 2)])
    return try scenario.arguments(
      texts,
      of: FunctionDescription(name: "f", signature: signature, help: "", isPublished: true))
  }

  @Test("arguments are values, or expressions over the layout")
  func values() throws {
    #expect(try arguments("void()") == [])
    #expect(try arguments("void(f64,f64)", "-10", "width/2") == [.number(-10), .number(150)])
    #expect(
      try arguments("void(u64,i64,bool)", "18446744073709551615", "-9", "true")
        == [.unsigned(.max), .integer(-9), .bool(true)])
    #expect(
      try arguments("void(u8,bool)", "sections + 1", "scale > 1") == [.unsigned(3), .bool(true)])
    #expect(
      try arguments("void(point,size,rect)", "-1,2", "100x90", "0,1,width,min(height, 5)")
        == [
          .point(Point(x: -1, y: 2)), .size(Size(width: 100, height: 90)),
          .rect(Rect(x: 0, y: 1, width: 300, height: 5)),
        ])
  }

  @Test("a count or a value that does not suit is told with the argument's place")
  func refusals() {
    #expect(
      message { _ = try arguments("f64(f64,u8)", "1") }
        == "f takes 2 arguments (f64, u8) but was given 1; give 2")
    #expect(
      message { _ = try arguments("f64(u8,u8)", "1", "width/7") }.hasPrefix(
        "argument 2 of f: the expression \"width/7\" gives 42.857142857142854 for u8; expected a"))
    #expect(
      message { _ = try arguments("f64(f64)", "item") }
        == "argument 1 of f: the expression \"item\" cannot be read: \"item\" has no meaning for "
        + "argument 1 of f; it may use width, height, scale and sections")
  }
}
