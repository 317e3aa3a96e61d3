import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Ten thousand damaged libraries: each is read or rejected with a message, and none crashes the
/// process.
@Suite struct LibraryMutationTests {
  private static let values: [UInt64] = [
    0, 1, 2, 7, 8, 255, 4096, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 32, 1 << 62,
    1 << 63, .max - 7, .max,
  ]

  @Test(arguments: ["gnu", "sysv"]) func survivesMutations(style: String) throws {
    let original = try CCompiler("gcc").compile(
      text: SampleLibrary.source,
      flags: ["-std=c11", "-shared", "-fPIC", "-s", "-Wl,--hash-style=\(style)"])
    let regions = try regions(of: ELFEditor(original))
    var random = SeededGenerator(seed: 2)
    let folder = try TemporaryFolder()
    let path = try folder.write("engine.so", original)
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }

    var accepted = 0
    var sentences: Set<String> = []
    for round in 0..<10_000 {
      var editor = ELFEditor(original)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        mutate(&editor, in: regions.randomElement(using: &random) ?? 0..<64, using: &random)
      }
      if round % 8 == 0 { editor.cut(to: Int.random(in: 0...editor.bytes.count, using: &random)) }
      let count = editor.bytes.count
      #expect(pwrite(descriptor, editor.bytes, count, 0) == count)
      #expect(ftruncate(descriptor, off_t(count)) == 0)
      do throws(HostError) {
        let found = try LibraryInspection.inspect(path: path)
        accepted += 1
        #expect(found.abi == .current)
      } catch {
        #expect(error.kind == .cannotLoad, "round \(round)")
        #expect(error.message.hasPrefix("it"), "round \(round)")
        sentences.insert(error.message.filter { !$0.isHexDigit })
      }
    }
    // The mutations reach every depth of the reader.
    #expect(accepted > 500)
    #expect(sentences.count > 15)
  }

  /// The parts of the file that the reader examines.
  private func regions(of editor: ELFEditor) throws -> [Range<Int>] {
    let segments = Int(editor.number(at: 32, size: 8))
    var regions = [0..<64, segments..<segments + Int(editor.number(at: 56, size: 2)) * 56]
    regions += (editor.segments(2) + editor.segments(4)).map { editor.contents(ofSegment: $0) }
    for tag: UInt64 in [4, 5, 6, 0x6fff_fef5] {
      // Of the first segment, where addresses are offsets.
      guard let value = editor.dynamicValue(tag) else { continue }
      let table = Int(editor.number(at: value, size: 8))
      regions.append(table..<table + 200)
    }
    return regions
  }

  private func mutate(
    _ editor: inout ELFEditor, in region: Range<Int>, using random: inout SeededGenerator
  ) {
    let size = [1, 2, 4, 8].randomElement(using: &random) ?? 1
    let offset = Int.random(in: region, using: &random) / size * size
    guard offset + size <= editor.bytes.count else { return }
    let value =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: Self.values.randomElement(using: &random) ?? 0
      case 1: random.next()
      case 2: editor.number(at: offset, size: size) ^ 1 << UInt64.random(in: 0..<64, using: &random)
      default: editor.number(at: offset, size: size) &+ UInt64.random(in: 0...64, using: &random)
      }
    editor.set(value, at: offset, size: size)
  }
}

/// The bytes of a minimal engine library, and variants of its source.
enum SampleLibrary {
  /// The smallest engine library: a note and an entry.
  static let source = """
    #include <tessera/tessera.h>
    TESSERA_NOTE;
    tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
      (void)host;
      (void)registry;
      return TESSERA_OK;
    }
    """

  private static let built = Result { try CCompiler("gcc").compile(text: source) }

  /// The source compiled by gcc.
  static func bytes() throws -> [UInt8] { try built.get() }

  /// The source without the note, or with other code in its place.
  static func source(note: String = "") -> String {
    source.replacingOccurrences(of: "TESSERA_NOTE;", with: note)
  }

  /// A note with these three numbers, and a name and data of these sizes.
  static func note(nameSize: Int = 8, dataSize: Int = 12, type: Int = 1, data: String) -> String {
    """
    __attribute__((section(".note.tessera"), used, aligned(4))) static const struct {
      uint32_t name_size, data_size, type;
      char name[8];
      uint32_t data[\(max(1, dataSize / 4))];
    } note = {\(nameSize), \(dataSize), \(type), "Tessera", {\(data)}};
    """
  }
}

/// Changes single fields of an ELF file, by the offsets of the specification and without the reader
/// under test.
struct ELFEditor {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func number(at offset: Int, size: Int) -> UInt64 {
    bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func set(_ value: UInt64, at offset: Int, size: Int) {
    for index in 0..<size {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }

  mutating func cut(to count: Int) { bytes.removeSubrange(count...) }

  /// The offsets of the program headers of a kind.
  func segments(_ kind: UInt64) -> [Int] {
    let first = Int(number(at: 32, size: 8))
    return (0..<Int(number(at: 56, size: 2))).map { first + $0 * 56 }
      .filter { number(at: $0, size: 4) == kind }
  }

  /// Where the bytes of a program header's segment lie in the file.
  func contents(ofSegment header: Int) -> Range<Int> {
    let start = Int(number(at: header + 8, size: 8))
    return start..<start + Int(number(at: header + 32, size: 8))
  }

  /// The offset of the value of a dynamic entry.
  func dynamicValue(_ tag: UInt64) -> Int? {
    guard let header = segments(2).first else { return nil }
    let entry = stride(from: contents(ofSegment: header).lowerBound, to: bytes.count, by: 16)
      .first { number(at: $0, size: 8) == tag || number(at: $0, size: 8) == 0 }
    return entry.flatMap { number(at: $0, size: 8) == tag ? $0 + 8 : nil }
  }

  /// The offset of the Tessera note, found by its name.
  var note: Int? {
    let name = Array("Tessera\0".utf8)
    return bytes.indices.first {
      bytes[$0...].starts(with: name) && $0 >= 12
        && number(at: $0 - 12, size: 4) == 8
    }.map { $0 - 12 }
  }

  /// The end of the last byte that the loader maps.
  var mappedEnd: Int {
    segments(1).map { contents(ofSegment: $0).upperBound }.max() ?? 0
  }
}
