import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Bytes as they are laid down by hand, and readers that are given others.
@Suite struct ByteCodingTests {
  @Test func numbersAreLittleEndianAndPacked() {
    var writer = ByteWriter()
    writer.put(UInt8(0xAB))
    writer.put(UInt32(0x0102_0304))
    writer.put(Int32(-2))
    writer.put(UInt64(0x0102_0304_0506_0708))
    writer.put(-1)
    writer.put(true)
    writer.put(1.0)
    writer.put("é")
    writer.put(String?.none)
    writer.put(raw: [9, 8])
    #expect(
      writer.bytes == [
        0xAB, 4, 3, 2, 1, 0xFE, 0xFF, 0xFF, 0xFF, 8, 7, 6, 5, 4, 3, 2, 1,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F,
        2, 0, 0, 0, 0xC3, 0xA9, 0, 9, 8,
      ])
  }

  @Test func whatIsWrittenIsRead() throws {
    let doubles = [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, 0.1, .nan]
    var writer = ByteWriter()
    writer.put(UInt8.max)
    writer.put(UInt32.max)
    writer.put(UInt64.max)
    writer.put(Int32.min)
    writer.put(Int64.min)
    writer.put(Int.max)
    writer.put(false)
    for double in doubles { writer.put(double) }
    writer.put("")
    writer.put("a\u{0}b👩‍👩‍👧")
    writer.put("x" as String?)
    writer.put(String?.none)
    writer.put(["p", "", "q"])
    var reader = ByteReader(writer.bytes)
    #expect(try reader.uint8() == .max)
    #expect(try reader.uint32() == .max)
    #expect(try reader.uint64() == .max)
    #expect(try reader.int32() == .min)
    #expect(try reader.int64() == .min)
    #expect(try reader.int() == .max)
    #expect(try reader.bool() == false)
    for double in doubles { #expect(try reader.double().bitPattern == double.bitPattern) }
    #expect(try reader.string() == "")
    #expect(try reader.string() == "a\u{0}b👩‍👩‍👧")
    #expect(try reader.optionalString() == "x")
    #expect(try reader.optionalString() == nil)
    #expect(try reader.strings() == ["p", "", "q"])
    try reader.finish()
  }

  /// What another process writes into shared memory after the copy changes nothing.
  @Test func aCopyStaysAsItWas() throws {
    var memory: [UInt8] = [1, 0, 0, 0, 65]
    var reader = memory.withUnsafeBytes { ByteReader(copying: $0) }
    memory[0] = 200
    memory[4] = 0xFF
    #expect(try reader.string() == "A")
    #expect(memory == [200, 0, 0, 0, 0xFF])
  }

  private func error(_ bytes: [UInt8], _ read: (inout ByteReader) throws -> Void) throws -> String {
    var reader = ByteReader(bytes)
    let error = try hostError { try read(&reader) }
    #expect(error.kind == .brokenContract)
    return error.message
  }

  @Test func whatIsNotThereIsNotRead() throws {
    #expect(
      try error([1, 2, 3]) { _ = try $0.uint32() }
        == "its answer is cut short: 4 bytes are wanted at 0 and it has 3; it is not used")
    #expect(try error([]) { _ = try $0.uint8() }.contains("cut short"))
    #expect(try error([5, 0, 0, 0, 65]) { _ = try $0.string() }.contains("cut short"))
    #expect(try error([1]) { _ = try $0.optionalString() }.contains("cut short"))
    #expect(try error([1, 2]) { _ = try $0.raw(count: 3) }.contains("cut short"))
    #expect(try error([1, 2]) { _ = try $0.raw(count: -1) }.contains("cut short"))
  }

  @Test func whatIsMalformedIsNotTaken() throws {
    #expect(try error([2]) { _ = try $0.bool() }.contains("a truth value"))
    #expect(try error([1, 0, 0, 0, 0xFF]) { _ = try $0.string() }.contains("not UTF-8"))
    // Half a character, a surrogate and an overlong zero.
    for bytes: [UInt8] in [[0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] {
      let message = [UInt8(bytes.count), 0, 0, 0] + bytes
      #expect(try error(message) { _ = try $0.string() }.contains("not UTF-8"))
    }
    #expect(
      try error([1]) { try $0.finish() }
        == "its answer goes on for 1 bytes after its end; it is not used")
  }

  @Test func textsHaveALimit() throws {
    let limit = ForeignText.limit
    let count: [UInt8] = [1, 0, 1, 0]
    #expect(
      try error(count + Array(repeating: 65, count: limit + 1)) { _ = try $0.string() }
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
      let read = try reader.string()
      #expect(read.utf8.count == expected)
      #expect(text.hasPrefix(read))
      try reader.finish()
    }
  }

  @Test func aCountNeverExceedsWhatFollows() throws {
    for (size, follows) in [(1, 10), (4, 40), (4, 43), (0, 10), (100, 1000)] {
      var reader = ByteReader([10, 0, 0, 0] + Array(repeating: 0, count: follows))
      #expect(try reader.count(ofAtLeast: size) == 10)
    }
    for (size, follows) in [(1, 9), (4, 39), (0, 9), (8, 0)] {
      let bytes = [10, 0, 0, 0] + Array(repeating: UInt8(0), count: follows)
      #expect(try error(bytes) { _ = try $0.count(ofAtLeast: size) }.contains("announces 10"))
    }
    #expect(
      try error([255, 255, 255, 255]) { _ = try $0.strings() }.contains("announces 4294967295"))
  }

  @Test(arguments: [
    nil, .askForPart, .allowMoreTime, .chooseEngine(usable: 9, refused: 2),
    .trustLibrary(path: "/a.so", allowlist: "/list"), .diagnoseMachine, .locateWorker,
  ] as [HostError.Remedy?])
  func anErrorKeepsItsRemedy(remedy: HostError.Remedy?) throws {
    for kind in HostError.Kind.allCases {
      let error = HostError(kind, "it did that", remedy)
      var writer = ByteWriter()
      writer.put(error)
      var reader = ByteReader(writer.bytes)
      #expect(try reader.hostError() == error)
      try reader.finish()
    }
  }
}
