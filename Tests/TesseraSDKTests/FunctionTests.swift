import CTessera
import Testing

@testable import TesseraSDK

private final class Asking: PreparingLayout {
  static let identity = EngineIdentity.example("Asking")

  @DelegateFunction("A byte of an item.") var byteOfItem: ((UInt32, UInt32) -> UInt8)?
  @DelegateFunction("A flag of a section.") var flagOfSection: ((UInt32) -> Bool)?
  @DelegateFunction("A size of an item.") var sizeOfItem: ((UInt32, UInt32) -> Size)?
  @DelegateFunction("Insets of all.") var insetsOfAll: (() -> Insets)?
  @DelegateFunction("A signed number of a section.") var signedOfSection: ((UInt32) -> Int32)?
  @DelegateFunction("A long number of all.") var longOfAll: (() -> Int)?
  @DelegateFunction("A short number of an item.") var shortOfItem: ((UInt32, UInt32) -> Float)?
  @DelegateFunction("Nothing gives it.") var absent: (() -> Double)?

  @Parameter("A factor.") var factor = 1.0
  let doubled = PublishedFunction("Twice.", named: "twice", Asking.twice)
  let refusing = PublishedFunction("Never.", Asking.never)
  let corner = PublishedFunction("A corner.", Asking.corner)
  let cell = PublishedFunction("A cell.", Asking.cell)
  let share = PublishedFunction("A share.", Asking.share)

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    output.warn("\(byteOfItem?(3, 4) ?? 0) \(flagOfSection?(5) ?? false)")
    output.warn("\(describe(sizeOfItem?(6, 7) ?? .zero)) \(describe(insetsOfAll?() ?? .zero))")
    output.warn("\(signedOfSection?(8) ?? 0) \(longOfAll?() ?? 0) \(shortOfItem?(9, 10) ?? 0)")
    output.warn("\(absent == nil)")
  }

  private func twice(_ number: Double) throws(LayoutFailure) -> Double { 2 * number * factor }
  private func never() throws(LayoutFailure) -> Double { throw .invalidValue("it is never") }
  private func corner(_ x: Double, _ y: Double) throws(LayoutFailure) -> Point {
    Point(x: x + 1, y: y + 2)
  }
  private func share(
    _ section: UInt32, _ first: Double, _ second: Double
  ) throws(LayoutFailure) -> Double { Double(section) + first / second }
  private func cell(_ section: UInt32, _ item: UInt32) throws(LayoutFailure) -> Rect {
    Rect(x: Double(section), y: Double(item), width: 1, height: 2)
  }
}

private final class Talkative: PreparingLayout {
  static let identity = EngineIdentity.example("Talkative")
  let first = PublishedFunction("One.", Talkative.one)
  let second = PublishedFunction("One.", Talkative.one)
  let third = PublishedFunction("One.", Talkative.one)
  let fourth = PublishedFunction("One.", Talkative.one)
  let fifth = PublishedFunction("One.", Talkative.one)
  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {}
  private func one() throws(LayoutFailure) -> Double { 1 }
}

private typealias Context = UnsafeMutableRawPointer

@Suite struct FunctionTests {
  private let engine = EngineUnderTest(Asking.self)

  private func declarations() throws -> [tessera_function_declaration] {
    let functions = try #require(engine.engine.functions)
    return (0..<Int(engine.engine.function_count)).map { functions[$0] }
  }

  @Test func typesDetermineSignatures() throws {
    let all = try declarations()
    #expect(
      all.map { String(cString: $0.signature) } == [
        "u8(u32,u32)", "bool(u32)", "size(u32,u32)", "insets()", "i32(u32)", "i64()",
        "f32(u32,u32)", "f64()", "f64(f64)", "f64()", "point(f64,f64)", "rect(u32,u32)",
        "f64(u32,f64,f64)",
      ])
    #expect(all.map { $0.published != nil } == (0..<13).map { $0 >= 8 })
    #expect(String(cString: all[0].name) == "byteOfItem")
    #expect(String(cString: all[0].help) == "A byte of an item.")
    #expect(String(cString: all[8].name) == "twice")
    #expect(String(cString: all[9].name) == "refusing")
  }

  @Test func delegatesAreCalledThroughTheirCPointers() {
    func function<Call>(_ call: Call, _ context: Int) -> tessera_function {
      tessera_function(
        call: unsafeBitCast(call, to: (@convention(c) () -> Void).self),
        context: Context(bitPattern: context))
    }
    let byte: @convention(c) (Context?, UInt32, UInt32) -> UInt8 = {
      UInt8(Int(bitPattern: $0)) + UInt8($1 * 10 + $2)
    }
    let flag: @convention(c) (Context?, UInt32) -> UInt8 = { $1 == 5 ? 2 : 0 }
    let size: @convention(c) (Context?, UInt32, UInt32) -> tessera_size = {
      tessera_size(width: Double($1), height: Double($2))
    }
    let insets: @convention(c) (Context?) -> tessera_insets = { _ in
      tessera_insets(top: 1, left: 2, bottom: 3, right: 4)
    }
    let signed: @convention(c) (Context?, UInt32) -> Int32 = { _, section in .min + Int32(section) }
    let long: @convention(c) (Context?) -> Int64 = { _ in .min }
    let short: @convention(c) (Context?, UInt32, UInt32) -> Float = { Float($1) / Float($2) }
    let input = FakeInput(
      parameters: [tessera_value(2.0)],
      functions: [
        function(byte, 100), function(flag, 0), function(size, 0), function(insets, 0),
        function(signed, 0), function(long, 0), function(short, 0), tessera_function(),
      ])
    #expect(engine.prepare(input, into: FakeOutput()) == TESSERA_OK)
    #expect(engine.prepare(input, into: FakeOutput()) == TESSERA_OK)
    let said = [
      "134 true", "6×7 1 2 3 4", "-2147483640 -9223372036854775808 0.9", "true",
    ]
    #expect(engine.host.messages == said + said)
  }

  @Test func publishedFunctionsAreTheLayoutsMethods() throws {
    let input = FakeInput(
      parameters: [tessera_value(5.0)],
      functions: Array(repeating: tessera_function(), count: 8))
    #expect(engine.prepare(input, into: FakeOutput()) == TESSERA_OK)
    let layout = engine.layout
    typealias OfNumber = @convention(c) (OpaquePointer?, Double) -> Double
    let twice = try #require(engine.published("twice", as: OfNumber.self))
    #expect(twice(layout, 1.5) == 15)
    typealias OfNumbers = @convention(c) (OpaquePointer?, Double, Double) -> tessera_point
    let corner = try #require(engine.published("corner", as: OfNumbers.self))
    #expect(Point(corner(layout, 1, 2)) == Point(x: 2, y: 4))
    typealias OfSection = @convention(c) (OpaquePointer?, UInt32, Double, Double) -> Double
    let share = try #require(engine.published("share", as: OfSection.self))
    #expect(share(layout, 7, 1, 2) == 7.5)
    typealias OfItem = @convention(c) (OpaquePointer?, UInt32, UInt32) -> tessera_rect
    let cell = try #require(engine.published("cell", as: OfItem.self))
    #expect(Rect(cell(layout, 8, 9)) == Rect(x: 8, y: 9, width: 1, height: 2))
  }

  @Test func throwingPublishedFunctionReturnsZeroAndReports() throws {
    typealias Number = @convention(c) (OpaquePointer?) -> Double
    let refusing = try #require(engine.published("refusing", as: Number.self))
    #expect(refusing(engine.layout) == 0)
    #expect(
      engine.host.reports == [
        FakeHost.Report(status: TESSERA_ERROR_INVALID_VALUE, message: "it is never")
      ])
  }

  @Test func fifthFunctionOfASignatureIsRejected() {
    let host = FakeHost()
    #expect(host.registry.add(Talkative.self, host: host.reference) == TESSERA_ERROR_UNSUPPORTED)
    #expect(
      host.messages == [
        "fifth is the fifth published function of the signature f64(); publish four at most"
      ])
  }
}
