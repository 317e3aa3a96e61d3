import Foundation
import TestSupport
import Testing

@testable import TesseraHost

/// Bytes of a minimal engine library, and variants of its source.
enum SampleLibrary {
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

  static func bytes() throws -> [UInt8] { try built.get() }

  static func source(note: String = "") -> String {
    source.replacingOccurrences(of: "TESSERA_NOTE;", with: note)
  }

  static func note(dataSize: Int = 12, data: String) -> String {
    """
    __attribute__((section(".note.tessera"), used, aligned(4))) static const struct {
      uint32_t name_size, data_size, type;
      char name[8];
      uint32_t data[\(max(1, dataSize / 4))];
    } note = {8, \(dataSize), 1, "Tessera", {\(data)}};
    """
  }
}

/// Patches fields of an ELF file by specified offsets, independent of the tested reader.
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

  func segments(_ kind: UInt64) -> [Int] {
    let first = Int(number(at: 32, size: 8))
    return (0..<Int(number(at: 56, size: 2))).map { first + $0 * 56 }
      .filter { number(at: $0, size: 4) == kind }
  }

  func contents(ofSegment header: Int) -> Range<Int> {
    let start = Int(number(at: header + 8, size: 8))
    return start..<start + Int(number(at: header + 32, size: 8))
  }

  func dynamicValue(_ tag: UInt64) -> Int? {
    guard let header = segments(2).first else { return nil }
    let entry = stride(from: contents(ofSegment: header).lowerBound, to: bytes.count, by: 16)
      .first { number(at: $0, size: 8) == tag || number(at: $0, size: 8) == 0 }
    return entry.flatMap { number(at: $0, size: 8) == tag ? $0 + 8 : nil }
  }

  var note: Int? {
    let name = Array("Tessera\0".utf8)
    return bytes.indices.first {
      bytes[$0...].starts(with: name) && $0 >= 12
        && number(at: $0 - 12, size: 4) == 8
    }.map { $0 - 12 }
  }

  var mappedEnd: Int { segments(1).map { contents(ofSegment: $0).upperBound }.max() ?? 0 }
}
