import TestSupport
import Testing

@testable import TesseraHost

@Suite struct PublishedFunctionTests {
  private func published(
    _ name: String, _ signature: String, by compiler: CCompiler = CCompiler("gcc")
  ) throws -> PublishedFunction {
    try PublishedFunction(
      name, Signature(signature), code: FunctionLibrary.function(name, by: compiler))
  }

  private func refusal(_ work: () throws(HostError) -> Value) -> HostError? {
    do throws(HostError) {
      _ = try work()
      return nil
    } catch {
      return error
    }
  }

  @Test("every type comes back, at both ends of its range", arguments: CCompiler.all)
  func givesEveryType(compiler: CCompiler) throws {
    for (type, low, high) in FunctionLibrary.ends {
      let signature = "\(type)()"
      #expect(
        try published("gives_low_\(type)", signature).call(context: nil, arguments: []) == low)
      #expect(
        try published("gives_high_\(type)", signature).call(context: nil, arguments: []) == high)
    }
  }

  @Test("every type arrives, at both ends of its range", arguments: CCompiler.all)
  func takesEveryType(compiler: CCompiler) throws {
    for (type, low, high) in FunctionLibrary.ends {
      let isLow = try published("is_low_\(type)", "bool(\(type))", by: compiler)
      let isHigh = try published("is_high_\(type)", "bool(\(type))", by: compiler)
      #expect(try isLow.call(context: nil, arguments: [low]) == .bool(true), "\(type)")
      #expect(try isLow.call(context: nil, arguments: [high]) == .bool(false), "\(type)")
      #expect(try isHigh.call(context: nil, arguments: [high]) == .bool(true), "\(type)")
      #expect(try isHigh.call(context: nil, arguments: [low]) == .bool(false), "\(type)")
    }
  }

  @Test(arguments: CCompiler.all) func takesAllTypesAtOnce(compiler: CCompiler) throws {
    let types = FunctionLibrary.ends.map(\.type.description).joined(separator: ",")
    let function = try published("is_mixed", "rect(\(types))", by: compiler)
    let high = FunctionLibrary.ends.map(\.high)
    let yes = Value.rect(Rect(x: 5, y: 6, width: 7, height: 8))
    #expect(try function.call(context: OpaquePointer(bitPattern: 8), arguments: high) == yes)
    #expect(try function.call(context: nil, arguments: high) != yes)
  }

  @Test func passesTheContext() throws {
    let function = try published("counts", "void(u8)")
    var count: UInt32 = 1
    let result = try withUnsafeMutablePointer(to: &count) {
      try function.call(context: OpaquePointer($0), arguments: [.number(255)])
    }
    #expect(result == .void)
    #expect(count == 256)
  }

  @Test func refusesWrongArguments() throws {
    let function = try published("divides", "f64(f64,f64)")
    #expect(
      refusal { () throws(HostError) in try function.call(context: nil, arguments: [.number(1)]) }
        == HostError(
          .wrongCount, "divides takes 2 arguments (f64,f64) but was given 1; give 2"))
    #expect(
      refusal { () throws(HostError) in
        try function.call(context: nil, arguments: [.number(1), .point(Point(x: 1, y: 2))])
      }
        == HostError(
          .invalidValue, "argument 2 of divides got 1,2 for f64; expected a finite number"))
  }

  @Test func refusesResultsThatBreakTheContract() throws {
    let divides = try published("divides", "f64(f64,f64)")
    #expect(try divides.call(context: nil, arguments: [.number(1), .number(4)]) == .number(0.25))
    #expect(
      refusal { () throws(HostError) in
        try divides.call(context: nil, arguments: [.number(1), .number(0)])
      } == HostError(.invalidResult, "divides returned inf for f64; expected a finite number"))
    let infinite = try published("infinite", "point()")
    #expect(
      refusal { () throws(HostError) in try infinite.call(context: nil, arguments: []) }
        == HostError(
          .invalidResult, "infinite returned 0,inf for point; expected 2 finite numbers (x, y)"))
    let two = try published("gives_two", "bool()")
    #expect(
      refusal { () throws(HostError) in try two.call(context: nil, arguments: []) }
        == HostError(
          .invalidResult, "gives_two returned 2 for bool; expected true or false, or 1 or 0"))
  }
}

@Suite struct ValueTests {
  @Test("a number fits a whole type up to its ends and not one beyond")
  func checksRanges() {
    let ends: [(ValueType, Double, Double)] = [
      (.bool, 0, 1), (.u8, 0, 255), (.i8, -128, 127), (.u16, 0, 65535), (.i16, -32768, 32767),
      (.u32, 0, 4_294_967_295), (.i32, -2_147_483_648, 2_147_483_647),
    ]
    for (type, low, high) in ends {
      #expect(Value(type: type, finite: [low])?.numbers == [low])
      #expect(Value(type: type, finite: [high])?.numbers == [high])
      for wrong in [low - 1, high + 1, low + 0.5, .nan, .infinity, -.infinity] {
        #expect(Value(type: type, finite: [wrong]) == nil)
      }
    }
  }

  @Test("64 bits: the double below 2^64 fits, 2^64 does not")
  func checksWideRanges() {
    #expect(Value(type: .u64, finite: [18_446_744_073_709_549_568]) != nil)
    #expect(Value(type: .u64, finite: [18_446_744_073_709_551_616]) == nil)
    #expect(Value(type: .u64, finite: [-1]) == nil)
    #expect(Value(type: .integer, finite: [-9_223_372_036_854_775_808]) == .integer(.min))
    #expect(Value(type: .integer, finite: [9_223_372_036_854_775_808]) == nil)
    #expect(Value.unsigned(.max).converted(to: .integer) == nil)
    #expect(Value.unsigned(.max).converted(to: .u64) == .unsigned(.max))
    #expect(Value.integer(-1).converted(to: .u64) == nil)
  }

  @Test("an f32 rounds; what rounds to infinity does not fit")
  func roundsSingles() {
    #expect(Value(type: .f32, finite: [0.1]) == .number(0.10000000149011612))
    // Half a step above the greatest float overflows; just below rounds down.
    #expect(Value(type: .f32, finite: [3.4028235677973366e38]) == nil)
    #expect(
      Value(type: .f32, finite: [3.4028235677973362e38]) == .number(3.4028234663852886e38))
    #expect(Value(type: .f32, finite: [1e-50]) == .number(0))
  }

  @Test(
    "the text of a value reads back",
    arguments: [
      (.bool, "true", .bool(true)),
      (.u64, "18446744073709551615", .unsigned(.max)),
      (.integer, "-9223372036854775808", .integer(.min)),
      (.u8, "7", .unsigned(7)),
      (.number, "12.5", .number(12.5)),
      (.f32, "0.1", .number(0.10000000149011612)),
      (.number, "310", .number(310)),
      (.point, "1,-2.5", .point(Point(x: 1, y: -2.5))),
      (.size, "100x90", .size(Size(width: 100, height: 90))),
      (.rect, "1,2,3,4", .rect(Rect(x: 1, y: 2, width: 3, height: 4))),
      (.insets, "0,0,0,9", .insets(Insets(right: 9))),
      (.void, "", .void),
    ] as [(ValueType, String, Value)])
  func readsAndWritesText(type: ValueType, text: String, value: Value) {
    #expect(Value(type: type, text: text) == value)
    #expect(value.text(as: type) == text)
  }
}
