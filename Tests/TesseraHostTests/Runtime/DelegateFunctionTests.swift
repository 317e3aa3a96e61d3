import CTessera
import TestSupport
import Testing

@testable import TesseraHost

@Suite struct DelegateFunctionTests {
  private func signature(_ text: String) throws -> Signature { try Signature(text) }

  @Test("a Swift closure's own types are the signature")
  func passesTypedClosures() throws {
    func check<T: NativeValue & Equatable>(_ type: T.Type) throws {
      var seen: [T] = []
      let function = try DelegateFunction("f") { (value: T) in
        seen.append(value)
        return value
      }
      let name = T.valueType.description
      #expect(function.signature.description == "\(name)(\(name))")
      #expect(try FunctionLibrary.caller("passes_\(name)")(function.function) == 1, "\(name)")
      let ends = try #require(FunctionLibrary.ends.first { $0.type.description == name })
      #expect(seen.map { Value($0) } == [ends.low, ends.high])
    }
    let types: [any (NativeValue & Equatable).Type] = [
      Bool.self, UInt8.self, Int8.self, UInt16.self, Int16.self, UInt32.self, Int32.self,
      UInt64.self, Int64.self, Float.self, Double.self, Point.self, Size.self, Rect.self,
      Insets.self,
    ]
    for type in types { try check(type) }
  }

  @Test("all types at once, in registers and on the stack", arguments: CCompiler.all)
  func passesAllTypesAtOnce(compiler: CCompiler) throws {
    var seen: [Value] = []
    let types = FunctionLibrary.ends.map(\.type.description).joined(separator: ",")
    let function = try DelegateFunction("f", signature("rect(\(types))")) { arguments in
      seen = (0..<arguments.count).map { arguments.value(at: $0) }
      return .rect(
        Rect(x: -.greatestFiniteMagnitude, y: .leastNonzeroMagnitude, width: 0, height: 0.1))
    }
    #expect(try FunctionLibrary.caller("passes_mixed", by: compiler)(function.function) == 1)
    #expect(seen == FunctionLibrary.ends.map(\.high))
  }

  @Test func readsArgumentsByKind() throws {
    let types = FunctionLibrary.ends.map(\.type.description).joined(separator: ",")
    let function = try DelegateFunction("f", signature("rect(\(types))")) { arguments in
      #expect(arguments.integer(at: 5) == 4_294_967_295)
      #expect(arguments.integer(at: 7) == nil && arguments.integer(at: 10) == nil)
      #expect(arguments.number(at: 2) == 127)
      #expect(arguments.number(at: 7) == 18_446_744_073_709_551_616)
      #expect(arguments.point(at: 11) == Point(x: 1, y: -2))
      #expect(arguments.size(at: 12) == Size(width: 3, height: 4))
      #expect(arguments.size(at: 11) == nil)
      #expect(arguments.rect(at: 13) == Rect(x: 5, y: 6, width: 7, height: 8))
      #expect(arguments.insets(at: 14) == Insets(top: 9, left: 10, bottom: 11, right: 12))
      return .rect(Rect(x: 0, y: 0, width: 0, height: 0))
    }
    #expect(try FunctionLibrary.caller("passes_mixed")(function.function) == 0)
  }

  @Test func givesNothingForVoid() throws {
    var seen: Int64?
    let function = try DelegateFunction("f", signature("void(u32)")) { arguments in
      seen = arguments.integer(at: 0)
      return .void
    }
    #expect(try FunctionLibrary.caller("calls_void")(function.function) == 1)
    #expect(seen == 7)
    #expect(function.takeError() == nil)
  }

  @Test("ten thousand live side by side and all go away")
  func goesAway() throws {
    final class Token {
      let number: Double
      init(_ number: Double) { self.number = number }
    }
    weak var last: Token?
    var functions: [DelegateFunction] = []
    for index in 0..<10_000 {
      let token = Token(Double(index))
      last = token
      functions.append(try DelegateFunction("f", signature("u32()")) { _ in .number(token.number) })
    }
    let call = try FunctionLibrary.caller("calls_u32")
    for (index, function) in functions.enumerated() {
      #expect(call(function.function) == Int32(index))
    }
    #expect(last != nil)
    functions = []
    #expect(last == nil)
  }
}

@Suite struct DelegateFailureTests {
  @Test("where the answer throws, C gets the zero of every type")
  func givesZero() throws {
    for (type, _, _) in FunctionLibrary.ends {
      let function = try DelegateFunction(
        "f", Signature("\(type)()"),
        answer: { _ throws(HostError) in throw HostError(.callbackFailed, "no \(type)") })
      #expect(try FunctionLibrary.caller("gets_zero_\(type)")(function.function) == 1, "\(type)")
      #expect(function.takeError() == HostError(.callbackFailed, "no \(type)"))
      #expect(function.takeError() == nil)
    }
  }

  @Test func keepsTheFirstError() throws {
    var calls = 0
    let function = try DelegateFunction("f", Signature("u32()")) { _ throws(HostError) in
      calls += 1
      if calls == 2 { return .unsigned(5) }
      throw HostError(.callbackFailed, "call \(calls)")
    }
    let call = try FunctionLibrary.caller("calls_u32")
    #expect((0..<3).map { _ in call(function.function) } == [0, 5, 0])
    #expect(function.takeError()?.message == "call 1")
    #expect(call(function.function) == 0)
    #expect(function.takeError()?.message == "call 4")
  }

  @Test(
    "an answer that does not fit its type is reported",
    arguments: [
      ("u8", .number(256), "f returned 256 for u8; expected a whole number from 0 to 255"),
      ("i8", .number(0.5), "f returned 0.5 for i8; expected a whole number from -128 to 127"),
      ("bool", .number(2), "f returned 2 for bool; expected true or false, or 1 or 0"),
      (
        "f32", .number(1e39),
        "f returned 1e+39 for f32; expected a finite number from -3.4028235e+38 to 3.4028235e+38"
      ),
      ("f64", .void, "f returned nothing for f64; expected a finite number"),
      (
        "rect", .insets(Insets(top: 1)),
        "f returned 1,0,0,0 for rect; expected 4 finite numbers (x, y, width, height)"
      ),
    ] as [(String, Value, String)])
  func reportsWhatDoesNotFit(type: String, answer: Value, sentence: String) throws {
    let function = try DelegateFunction("f", Signature("\(type)()")) { _ in answer }
    #expect(try FunctionLibrary.caller("gets_zero_\(type)")(function.function) == 1)
    #expect(function.takeError() == HostError(.callbackFailed, sentence))
  }

  @Test func missingContextIsReported() throws {
    let function = try DelegateFunction("f", Signature("u32()")) { _ in .unsigned(5) }
    #expect(try FunctionLibrary.caller("calls_without_context")(function.function) == 0)
    #expect(
      function.takeError()
        == HostError(
          .missingContext,
          "f was called without its context; pass the context of its tessera_function first"))
  }
}
