import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// What C and the host get where an answer fails.
@Suite struct DelegateFailureTests {
  @Test("where the answer throws, C gets the zero of every type")
  func givesZero() throws {
    for (type, _, _) in FunctionLibrary.ends {
      let function = try DelegateFunction(
        "f", Signature("\(type)()"),
        answer: { _ throws(HostError) in throw HostError(.invalidInput, "no \(type)") })
      #expect(try FunctionLibrary.caller("gets_zero_\(type)")(function.function) == 1, "\(type)")
      #expect(function.takeError() == HostError(.invalidInput, "no \(type)"))
      #expect(function.takeError() == nil)
    }
  }

  @Test func keepsTheFirstError() throws {
    var calls = 0
    let function = try DelegateFunction("f", Signature("u32()")) { _ throws(HostError) in
      calls += 1
      if calls == 2 { return .unsigned(5) }
      throw HostError(.invalidInput, "call \(calls)")
    }
    let call = try FunctionLibrary.caller("calls_u32")
    #expect((0..<3).map { _ in call(function.function) } == [0, 5, 0])
    #expect(function.takeError()?.message == "call 1")
    #expect(call(function.function) == 0)
    #expect(function.takeError()?.message == "call 4")
  }

  @Test(
    "an answer that does not fit is told",
    arguments: [
      ("u8", .number(256), "f gave 256 for u8; expected a whole number from 0 to 255"),
      ("u8", .signed(-1), "f gave -1 for u8; expected a whole number from 0 to 255"),
      ("i8", .number(0.5), "f gave 0.5 for i8; expected a whole number from -128 to 127"),
      ("u16", .number(.nan), "f gave nan for u16; expected a whole number from 0 to 65535"),
      (
        "i16", .unsigned(32768),
        "f gave 32768 for i16; expected a whole number from -32768 to 32767"
      ),
      ("bool", .number(2), "f gave 2 for bool; expected true or false, or 1 or 0"),
      (
        "f32", .number(1e39),
        "f gave 1e+39 for f32; expected a finite number of at most 3.4028235e+38 either side of 0"
      ),
      ("f64", .number(-.infinity), "f gave -inf for f64; expected a finite number"),
      ("f64", .void, "f gave nothing for f64; expected a finite number"),
      ("point", .number(1), "f gave 1 for point; expected 2 finite numbers (x, y)"),
      (
        "size", .size(Size(width: 1, height: .nan)),
        "f gave 1xnan for size; expected 2 finite numbers (width, height)"
      ),
      (
        "rect", .insets(Insets(top: 1)),
        "f gave 1,0,0,0 for rect; expected 4 finite numbers (x, y, width, height)"
      ),
    ] as [(String, CallValue, String)])
  func tellsWhatDoesNotFit(type: String, answer: CallValue, sentence: String) throws {
    let function = try DelegateFunction("f", Signature("\(type)()")) { _ in answer }
    #expect(try FunctionLibrary.caller("gets_zero_\(type)")(function.function) == 1)
    #expect(function.takeError() == HostError(.invalidInput, sentence))
  }

  @Test func tellsWhatIsNotFiniteOfATypedClosure() throws {
    let function = try DelegateFunction("f") { () -> Double in .nan }
    #expect(try FunctionLibrary.caller("gets_zero_f64")(function.function) == 1)
    #expect(function.takeError()?.message == "f gave nan for f64; expected a finite number")
  }

  @Test func tellsAnEngineThatForgetsTheContext() throws {
    let function = try DelegateFunction("f", Signature("u32()")) { _ in .unsigned(5) }
    #expect(try FunctionLibrary.caller("calls_without_context")(function.function) == 0)
    #expect(
      function.takeError()
        == HostError(
          .brokenContract,
          "f was called without its context; pass the context of its tessera_function first"))
  }
}
