import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Spoilt libraries by the ten thousand: each is read or refused in a sentence, and none stops the
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
        #expect(ABIVersion.supported.contains(found.abi))
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

  /// The parts of the file that the reader looks at.
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
