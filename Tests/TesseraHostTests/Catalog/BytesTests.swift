import TestSupport
import Testing

@testable import TesseraHost

@Suite struct ByteCodingTests {
  /// Concurrent writes after the copy have no effect.
  @Test func copyKeepsItsValue() throws {
    var memory: [UInt8] = [1, 0, 0, 0, 65]
    var reader = memory.withUnsafeBytes { ByteReader(copying: $0) }
    memory[0] = 200
    memory[4] = 0xFF
    #expect(try reader.read(String.self) == "A")
    #expect(memory == [200, 0, 0, 0, 0xFF])
  }

  private func error(_ bytes: [UInt8], _ read: (inout ByteReader) throws -> Void) throws -> String {
    var reader = ByteReader(bytes)
    let error = try hostError { try read(&reader) }
    #expect(error.kind == .brokenContract)
    return error.message
  }

  @Test func truncatedBytesAreReported() throws {
    #expect(
      try error([1, 2, 3]) { _ = try $0.read(UInt32.self) }
        == "its answer is truncated: expected 4 bytes at offset 0, and it has 3; it is not used")
    #expect(try error([]) { _ = try $0.read(UInt8.self) }.contains("truncated"))
    #expect(try error([5, 0, 0, 0, 65]) { _ = try $0.read(String.self) }.contains("truncated"))
    #expect(try error([1]) { _ = try $0.read(String?.self) }.contains("truncated"))
    #expect(try error([1, 2]) { _ = try $0.raw(count: 3) }.contains("truncated"))
    #expect(try error([1, 2]) { _ = try $0.raw(count: -1) }.contains("truncated"))
  }

  @Test func malformedValuesAreReported() throws {
    #expect(try error([2]) { _ = try $0.read(Bool.self) }.contains("a Boolean"))
    #expect(try error([1, 0, 0, 0, 0xFF]) { _ = try $0.read(String.self) }.contains("not UTF-8"))
    // A truncated character, a surrogate, an overlong zero.
    for bytes: [UInt8] in [[0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] {
      let message = [UInt8(bytes.count), 0, 0, 0] + bytes
      #expect(try error(message) { _ = try $0.read(String.self) }.contains("not UTF-8"))
    }
    #expect(
      try error([1]) { try $0.finish() }
        == "its answer has 1 bytes after its end; it is not used")
  }

  @Test func textsHaveALimit() throws {
    let limit = UntrustedText.limit
    let count: [UInt8] = [1, 0, 1, 0]
    #expect(
      try error(count + Array(repeating: 65, count: limit + 1)) { _ = try $0.read(String.self) }
        .contains("a text of 65537 bytes; expected at most 65536"))
    for (text, expected) in [
      (String(repeating: "a", count: limit), limit),
      (String(repeating: "a", count: limit + 1), limit),
      (String(repeating: "a", count: limit - 1) + "é", limit - 1),
      (String(repeating: "a", count: limit - 2) + "é", limit),
      (String(repeating: "a", count: limit - 3) + "😀", limit - 3),
    ] {
      var writer = ByteWriter()
      writer.put(text)
      var reader = ByteReader(writer.bytes)
      let read = try reader.read(String.self)
      #expect(read.utf8.count == expected)
      #expect(text.hasPrefix(read))
      try reader.finish()
    }
  }

  @Test func countIsLimitedByTheRemainingBytes() throws {
    for (size, follows) in [(1, 10), (4, 40), (4, 43), (0, 10), (100, 1000)] {
      var reader = ByteReader([10, 0, 0, 0] + Array(repeating: 0, count: follows))
      #expect(try reader.count(ofAtLeast: size) == 10)
    }
    for (size, follows) in [(1, 9), (4, 39), (0, 9), (8, 0)] {
      let bytes = [10, 0, 0, 0] + Array(repeating: UInt8(0), count: follows)
      #expect(try error(bytes) { _ = try $0.count(ofAtLeast: size) }.contains("declares 10"))
    }
    #expect(
      try error([255, 255, 255, 255]) { _ = try $0.read([String].self) }
        .contains("declares 4294967295"))
  }

  @Test(
    arguments: [
      nil, .askForPart, .allowMoreTime, .allowMoreMemory, .allowMoreRows,
      .chooseEngine(usable: 9, refused: 2),
      .trustLibrary(path: "/a.so", allowlist: "/list"), .diagnoseMachine, .locateWorker,
      .waitForRefusal(seconds: 41),
    ] as [HostError.Remedy?])
  func errorKeepsItsRemedy(remedy: HostError.Remedy?) throws {
    for code in HostError.Code.allCases {
      let error = HostError(code, "it did that", remedy, engine: "org.example.full").about("it")
      var writer = ByteWriter()
      writer.put(error)
      var reader = ByteReader(writer.bytes)
      #expect(try reader.read(HostError.self) == error)
      try reader.finish()
    }
  }
}

@Suite struct DescriptionBytesTests {
  /// Every kind of declaration, value type and limit.
  static let full = EngineDescription(
    id: "org.example.full", name: "Voll", version: "1.2.3-rc.1+b", author: "Åsa", license: "MIT",
    summary: "Says much.", base: "org.example.base", baseVersion: "1.0.0",
    traits: [.lazy, .mirrors, .viewport], columns: .all, adjustedColumns: [.alpha],
    abilities: [.prepare, .adjust, .snapping],
    parameters: [
      parameter("flag", .bool(true), [], []),
      parameter("count", .integer(.min), [-.infinity], [.infinity]),
      parameter("ratio", .number(0.1), [-.infinity], [1], unit: "rad"),
      parameter("mode", .choice("wild"), [], [], choices: ["calm", "wild"], unit: ""),
      parameter("anchor", .point(Point(x: 1, y: -2)), [0, -.infinity], [5, .infinity]),
      parameter("extent", .size(Size(width: 3, height: 4)), [0, 0], [.infinity, 50]),
      parameter("area", .rect(Rect(x: 1, y: 2, width: 3, height: 4)), [0, 0, 0, 0], [9, 9, 9, 9]),
      parameter(
        "margin", .insets(Insets(top: 1, left: 2, bottom: 3, right: 4)),
        Array(repeating: -.infinity, count: 4), Array(repeating: .infinity, count: 4)),
    ],
    values: [
      ValueDescription(
        name: "mode", help: "h", type: .choice, scope: .item, fallback: "mode",
        choices: ["calm", "wild"]),
      ValueDescription(
        name: "weight", help: "", type: .number, scope: .section, fallback: nil, choices: []),
    ],
    functions: [
      FunctionDescription(name: "ask", signature: "u8(u32,u32)", help: "", isPublished: false),
      FunctionDescription(name: "tell", signature: "f64()", help: "é", isPublished: true),
    ],
    attributes: [
      AttributeDescription(
        name: "tint", help: "", unit: "h", type: .choice, choices: ["red", "blue"],
        interpolation: .none,
        isAdjusted: true, initial: .choice("blue")),
      AttributeDescription(
        name: "angle", help: "a", type: .number, choices: [], interpolation: .step,
        isAdjusted: false, initial: .number(-.infinity)),
    ],
    kinds: [
      KindDescription(name: "header", category: .supplementary, role: .header, shows: "angle"),
      KindDescription(name: "leaf", category: .decoration),
    ],
    defaults: [
      DefaultDescription(name: "spacing", value: .number(3), isOwned: true),
      DefaultDescription(name: "mode", value: .choice("x"), isOwned: false),
    ])

  private static func parameter(
    _ name: String, _ initial: Value, _ minimum: [Double], _ maximum: [Double],
    choices: [String] = [], unit: String? = nil
  ) -> ParameterDescription {
    ParameterDescription(
      name: name, help: "help of \(name)", unit: unit, type: initial.type, choices: choices,
      initial: initial, minimum: minimum, maximum: maximum)
  }

  private static func bytes(_ descriptions: [EngineDescription]) -> [UInt8] {
    var writer = ByteWriter()
    writer.put(descriptions)
    return writer.bytes
  }

  private static func read(_ bytes: [UInt8]) throws(HostError) -> [EngineDescription] {
    var reader = ByteReader(bytes)
    let descriptions = try reader.read([EngineDescription].self)
    try reader.finish()
    return descriptions
  }

  private static func bare(_ traits: EngineTraits, _ abilities: EngineAbilities)
    -> EngineDescription
  {
    EngineDescription(
      id: "org.example.bare", name: "", version: "1.0.0", author: "", license: "", summary: "",
      base: nil, baseVersion: nil, traits: traits, columns: [], adjustedColumns: [],
      abilities: abilities, parameters: [], values: [], functions: [], attributes: [], kinds: [],
      defaults: [])
  }

  @Test func rulesHoldForBytesToo() throws {
    let error = try hostError { _ = try Self.read(Self.bytes([Self.bare(.viewport, .prepare)])) }
    #expect(error.kind == .cannotLoad)
    #expect(error.message.contains("viewport trait if and only if it has an adjust"))
  }

  @Test func unknownAbilitiesAreRejected() throws {
    let future = EngineAbilities(rawValue: EngineAbilities.prepare.rawValue | 1 << 31)
    let error = try hostError { _ = try Self.read(Self.bytes([Self.bare([], future)])) }
    #expect(error.kind == .brokenContract && error.message.contains("unknown abilities"))
  }

  @Test func declarationsOfALibraryAreLimited() throws {
    var writer = ByteWriter()
    writer.put(count: 4097)
    writer.put(raw: Array(repeating: UInt8(0), count: 4097 * 8))
    let error = try hostError { _ = try Self.read(writer.bytes) }
    #expect(error.message.contains("a list of 4097 entries; expected at most 4096"))
  }
}
