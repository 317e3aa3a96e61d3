import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Descriptions that go through bytes and come back, and bytes that are none.
@Suite struct DescriptionBytesTests {
  /// Every sort of declaration, every type of value, limits on either side or none.
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
      parameter(
        "area", .rect(Rect(x: 1, y: 2, width: 3, height: 4)), [0, 0, 0, 0], [9, 9, 9, 9]),
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
        name: "tint", help: "", type: .choice, choices: ["red", "blue"], interpolation: .none,
        isAdjusted: true, initial: .choice("blue")),
      AttributeDescription(
        name: "angle", help: "a", type: .number, choices: [], interpolation: .step,
        isAdjusted: false, initial: .number(-.infinity)),
    ],
    kinds: [
      KindDescription(name: "header", category: .supplementary),
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
    let descriptions = try reader.engineDescriptions()
    try reader.finish()
    return descriptions
  }

  @Test func everythingComesBack() throws {
    #expect(try Self.read(Self.bytes([Self.full, Self.full])) == [Self.full, Self.full])
    #expect(try Self.read(Self.bytes([])).isEmpty)
  }

  @Test func whatLibrariesDeclareComesBack() throws {
    let shipped = Host(
      searchPath: SearchPath(folders: [BuiltProducts.folder.path]),
      configuration: HostConfiguration(isolation: .none)
    ).listing()
    let fixtures = try [
      FixtureLibrary.inputs.get().engine("mirrored-inputs").description,
      FixtureLibrary.columns.get().engine("columns").description,
    ]
    let descriptions = shipped.engines.map(\.description) + fixtures
    #expect(descriptions.count > 10)
    #expect(try Self.read(Self.bytes(descriptions)) == descriptions)
  }

  @Test func nothingLessIsTaken() throws {
    let bytes = Self.bytes([Self.full])
    for count in bytes.indices {
      let error = try hostError { _ = try Self.read(Array(bytes.prefix(count))) }
      #expect(error.kind == .brokenContract && error.message.contains("cut short"), "\(count)")
    }
    let error = try hostError { _ = try Self.read(bytes + [0]) }
    #expect(error.message.contains("goes on"))
  }

  /// Whatever bits change, the bytes are refused in a sentence or are a description that keeps the
  /// rules: it goes through bytes again, and its limits can be asked.
  @Test func noBitCanDoHarm() throws {
    let bytes = Self.bytes([Self.full])
    var generator = SeededGenerator(seed: 7)
    var taken = 0
    for round in 0..<(bytes.count * 8 + 20_000) {
      var spoilt = bytes
      if round < bytes.count * 8 {
        spoilt[round / 8] ^= 1 << (round % 8)
      } else {
        for _ in 0..<Int.random(in: 2...6, using: &generator) {
          spoilt[Int.random(in: spoilt.indices, using: &generator)] ^=
            1 << UInt8.random(in: 0...7, using: &generator)
        }
      }
      switch Result(catching: { () throws(HostError) in try Self.read(spoilt) }) {
      case .success(let found):
        taken += 1
        try #require(Self.bytes(found) == spoilt)
        for parameter in found.first?.parameters ?? [] {
          try #require(parameter.problem(with: parameter.initial) == nil)
        }
      case .failure(let error):
        try #require(error.kind == .brokenContract || error.kind == .cannotLoad)
        try #require(!error.message.isEmpty)
      }
    }
    // A bit of a name makes another name; most of what is taken is that.
    #expect(taken > 1000)
  }

  @Test func rulesHoldForBytesToo() throws {
    var writer = ByteWriter()
    let bare = EngineDescription(
      id: "org.example.bare", name: "", version: "1.0.0", author: "", license: "", summary: "",
      base: nil, baseVersion: nil, traits: .viewport, columns: [], adjustedColumns: [],
      abilities: .prepare, parameters: [], values: [], functions: [], attributes: [], kinds: [],
      defaults: [])
    writer.put([bare])
    let error = try hostError { _ = try Self.read(writer.bytes) }
    #expect(error.kind == .cannotLoad)
    #expect(error.message.contains("viewport trait exactly if it has an adjust"))
  }

  @Test func noMoreDeclarationsThanALibraryMayHave() throws {
    var writer = ByteWriter()
    writer.put(count: 4097)
    writer.put(raw: Array(repeating: UInt8(0), count: 4097 * 8))
    let error = try hostError { _ = try Self.read(writer.bytes) }
    #expect(error.message.contains("4097 declarations of one sort; expected at most 4096"))
  }
}
