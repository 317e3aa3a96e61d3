import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Functions in C, called by a signature that is known only at run time.
@Suite struct PublishedFunctionTests {
  private func published(
    _ name: String, _ signature: String, by compiler: CCompiler = CCompiler("gcc")
  ) throws -> PublishedFunction {
    try PublishedFunction(
      name, Signature(signature), code: FunctionLibrary.function(name, by: compiler))
  }

  private func refusal(_ work: () throws(HostError) -> CallValue) -> HostError? {
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
    let yes = CallValue.rect(Rect(x: 5, y: 6, width: 7, height: 8))
    #expect(try function.call(context: OpaquePointer(bitPattern: 8), arguments: high) == yes)
    #expect(try function.call(context: nil, arguments: high) != yes)
  }

  @Test func takesSixteenArguments() throws {
    let types = Array(repeating: "f64", count: 16).joined(separator: ",")
    let function = try published("weighs", "f64(\(types))")
    let result = try function.call(context: nil, arguments: (1...16).map { .signed($0) })
    #expect(result == .number(1496))
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
          .invalidInput, "divides takes 2 arguments (f64,f64) but was given 1; give 2"))
    #expect(
      refusal { () throws(HostError) in
        try function.call(context: nil, arguments: [.number(1), .point(Point(x: 1, y: 2))])
      }
        == HostError(
          .invalidInput, "argument 2 of divides got 1,2 for f64; expected a finite number"))
  }

  @Test func refusesResultsThatBreakTheContract() throws {
    let divides = try published("divides", "f64(f64,f64)")
    #expect(try divides.call(context: nil, arguments: [.number(1), .number(4)]) == .number(0.25))
    #expect(
      refusal { () throws(HostError) in
        try divides.call(context: nil, arguments: [.number(1), .number(0)])
      } == HostError(.brokenContract, "divides gave inf for f64; expected a finite number"))
    let infinite = try published("infinite", "point()")
    #expect(
      refusal { () throws(HostError) in try infinite.call(context: nil, arguments: []) }
        == HostError(
          .brokenContract, "infinite gave 0,inf for point; expected 2 finite numbers (x, y)"))
    let two = try published("gives_two", "bool()")
    #expect(
      refusal { () throws(HostError) in try two.call(context: nil, arguments: []) }
        == HostError(
          .brokenContract, "gives_two gave 2 for bool; expected true or false, or 1 or 0"))
  }
}
