import CTessera
import Testing

@testable import TesseraScenario

/// Numbers are calculated by hand.
@Suite struct AnswersTests {
  private typealias Context = UnsafeMutableRawPointer?

  /// Answers as in a scenario, over a layout 300 by 400.
  private func function(
    _ signature: String, _ answer: JSON, itemCounts: [Int] = []
  ) throws -> DelegateFunction {
    let description = FunctionDescription(
      name: "f", signature: signature, help: "", isPublished: false)
    var environment = ExpressionEnvironment()
    (environment.width, environment.height, environment.sections) = (300, 400, 2)
    return try description.delegate(
      JSONNode(answer, source: "delegate.f"), environment, itemCounts: itemCounts)
  }

  @Test("two whole numbers are a section and an item, with all that an item's expressions may use")
  func sectionAndItem() throws {
    typealias C = @convention(c) (Context, UInt32, UInt32) -> UInt8
    func call(_ text: String, _ section: UInt32, _ item: UInt32) throws -> UInt8 {
      let function = try function("u8(u32,u32)", .text(text), itemCounts: [2, 3])
      let c = unsafeBitCast(function.function.call, to: C.self)
      defer { #expect(function.takeError() == nil) }
      return c(function.function.context, section, item)
    }
    #expect(try call("item % 2", 0, 5) == 1)
    #expect(try call("section * 100 + item", 1, 2) == 102)
    #expect(try call("index * 10 + items", 1, 2) == 43)
    #expect(try call("a * 100 + b", 1, 2) == 102)
    #expect(try call("width / 100 + height / 100 + sections", 0, 0) == 9)
    #expect(try call("item > 1 ? 7 : 8", 0, 1) == 8)
    #expect(try call("255", 9, 9) == 255)
    // Invalid paths fail only if their counts are used.
    #expect(try call("item", 9, 200) == 200)
  }

  @Test("the arguments of other signatures are a, b, c, and the parts of structures aX, bWidth")
  func letters() throws {
    typealias C =
      @convention(c) (Context, tessera_point, Double, tessera_rect, tessera_insets, tessera_size)
      -> tessera_rect
    let function = try function(
      "rect(point,f64,rect,insets,size)",
      .text("aX + b, aY * cX + cHeight, dTop - dRight, max(eWidth, eHeight)"))
    let c = unsafeBitCast(function.function.call, to: C.self)
    let rect = c(
      function.function.context, tessera_point(x: 1, y: 2), 0.5,
      tessera_rect(x: 3, y: 0, width: 0, height: 4),
      tessera_insets(top: 10, left: 0, bottom: 0, right: 3), tessera_size(width: 5, height: 6))
    #expect(function.takeError() == nil)
    #expect([rect.x, rect.y, rect.width, rect.height] == [1.5, 10, 7, 6])
  }

  private func answer(of signature: String, _ value: JSON) throws -> Value? {
    let description = FunctionDescription(
      name: "f", signature: signature, help: "", isPublished: false)
    return try description.formula(JSONNode(value, source: "delegate.f")).constant
  }

  @Test("a value that is written out is exact, to the ends of its type")
  func literals() throws {
    #expect(
      try answer(of: "u64(u32)", .text("18446744073709551615")) == .unsigned(UInt64.max))
    #expect(try answer(of: "i64(u32)", .text("-9223372036854775808")) == .integer(Int64.min))
    #expect(try answer(of: "i8()", .number(-128)) == .integer(-128))
    #expect(
      try answer(of: "size()", .text("100x90")) == .size(Size(width: 100, height: 90)))
    #expect(
      try answer(of: "point()", .list([.number(1), .text("2.5")]))
        == .point(Point(x: 1, y: 2.5)))
  }

  static let refusals: [(signature: String, answer: JSON, sentence: String)] = [
    (
      "u8(u32,u32)", .number(256),
      "delegate.f: the expression \"256\" gives 256 for u8; expected a whole number from 0 to 255"
    ),
    (
      "i8(f64)", .text("item"),
      "delegate.f: the expression \"item\" cannot be read: \"item\" has no meaning for f, a i8(f64); "
        + "it may use width, height, scale, sections and a"
    ),
    (
      "size(f64)", .text("a"),
      "delegate.f is \"a\", 1 part; expected 2 numbers or expressions: width and height"
    ),
    (
      "void(u32)", .text("1"), "delegate.f answers a void(u32), which gives nothing; leave it out"
    ),
  ]

  @Test("an answer that cannot be is told where it is written", arguments: refusals)
  func refused(signature: String, answer: JSON, sentence: String) {
    let found = message { _ = try function(signature, answer) }
    #expect(found.hasPrefix(sentence), "\(found)")
  }

  @Test("an answer that does not fit gives C zero, and the first one waits with its expression")
  func unfit() throws {
    typealias C = @convention(c) (Context, UInt32, UInt32) -> UInt8
    func error(_ text: String, _ places: (UInt32, UInt32)...) throws -> HostError? {
      let function = try function("u8(u32,u32)", .text(text), itemCounts: [2, 3])
      let c = unsafeBitCast(function.function.call, to: C.self)
      for (section, item) in places { #expect(c(function.function.context, section, item) == 0) }
      return function.takeError()
    }
    let tooMuch = try error("item + 255", (1, 2), (1, 1))
    #expect(tooMuch?.kind == .invalidInput)
    #expect(
      tooMuch?.message
        == "delegate.f: for item 2 of section 1 the expression \"item + 255\" gives 257 for u8; "
        + "expected a whole number from 0 to 255")
    #expect(
      try error("1 / item", (0, 0))?.message
        == "delegate.f: the expression \"1 / item\" gives infinity for item 0 of section 0; "
        + "expected a finite number")
    #expect(
      try error("index", (2, 0))?.message
        == "delegate.f uses the counts of section 2, of which there are 2; use a and b for numbers "
        + "that are no section and item")
  }
}
