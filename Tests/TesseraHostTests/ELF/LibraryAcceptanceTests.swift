import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Libraries that pass inspection, however they were linked.
@Suite struct LibraryAcceptanceTests {
  private let expected = "0.4, 240"

  private func inspect(_ bytes: [UInt8]) throws -> String {
    let folder = try TemporaryFolder()
    let found = try LibraryInspection.inspect(path: folder.write("engine.so", bytes))
    return "\(found.abi), \(found.engineSize)"
  }

  private func compile(
    _ text: String = SampleLibrary.source, _ compiler: CCompiler = CCompiler("gcc"),
    flags: String...
  ) throws -> [UInt8] {
    try compiler.compile(text: text, flags: ["-std=c11", "-shared", "-fPIC"] + flags)
  }

  @Test(arguments: CCompiler.all) func readsVersionAndSize(compiler: CCompiler) throws {
    #expect(try inspect(compile(SampleLibrary.source, compiler)) == expected)
  }

  @Test(arguments: ["sysv", "gnu", "both"]) func findsTheEntryThroughEitherTable(style: String)
    throws
  {
    let bytes = try compile(flags: "-Wl,--hash-style=\(style)")
    #expect((ELFEditor(bytes).dynamicValue(4) != nil) == (style != "gnu"))
    #expect(try inspect(bytes) == expected)
  }

  @Test(arguments: ["sysv", "gnu"]) func findsTheEntryAmongManySymbols(style: String) throws {
    let others = (0..<3000).map { "int other\($0)(void) { return \($0); }" }.joined(separator: "\n")
    let bytes = try compile(
      SampleLibrary.source + "\n" + others, flags: "-Wl,--hash-style=\(style)")
    #expect(try inspect(bytes) == expected)
  }

  @Test func needsNoSectionHeaders() throws {
    var stripped = ELFEditor(try compile(flags: "-s"))
    stripped.set(0, at: 40, size: 8)  // their offset
    stripped.set(0, at: 60, size: 4)  // their count and the names' index
    stripped.cut(to: stripped.mappedEnd)
    #expect(try inspect(stripped.bytes) == expected)
  }

  @Test func findsTheNoteAfterOthers() throws {
    let bytes = try compile(flags: "-Wl,--build-id=sha1")
    let editor = ELFEditor(bytes)
    let note = try #require(editor.note)
    #expect(editor.segments(4).allSatisfy { editor.contents(ofSegment: $0).lowerBound != note })
    #expect(try inspect(bytes) == expected)
  }

  /// In a segment aligned to eight, name and data are each padded to eight.
  @Test func readsNotesAlignedToEight() throws {
    let note = """
      __attribute__((section(".note.tessera"), used, aligned(8))) static const struct {
        uint32_t name_size, data_size, type;
        char name[8];
        uint32_t padding, data[3], rest;
      } note = {8, 12, 1, "Tessera", 0, {0, 3, 248}, 0};
      """
    let bytes = try compile(SampleLibrary.source(note: note), flags: "-Wl,--build-id=none")
    let editor = ELFEditor(bytes)
    #expect(editor.segments(4).contains { editor.number(at: $0 + 48, size: 8) == 8 })
    #expect(try inspect(bytes) == "0.3, 248")
  }

  @Test func passesOverNotesOfOtherTypesAndLongerData() throws {
    let other = SampleLibrary.note(type: 2, data: "9, 9, 9").replacingOccurrences(
      of: "note =", with: "other =")
    let longer = SampleLibrary.note(dataSize: 16, data: "0, 3, 256, 77")
    let bytes = try compile(SampleLibrary.source(note: other + longer))
    #expect(try inspect(bytes) == "0.3, 256")
  }

  @Test func acceptsAWeakEntry() throws {
    let weak = SampleLibrary.source + "\n#pragma weak tessera_register\n"
    #expect(try inspect(compile(weak)) == expected)
  }

  /// A library like the C library, which can also be run, has a name of its own.
  @Test func acceptsALibraryThatCanBeRun() throws {
    let interpreter = """
      const char interpreter[] __attribute__((section(".interp"))) = "/lib64/ld-linux-x86-64.so.2";
      """
    let bytes = try compile(
      SampleLibrary.source + "\n" + interpreter, flags: "-Wl,-soname,libsample.so")
    #expect(ELFEditor(bytes).segments(3).count == 1)
    #expect(try inspect(bytes) == expected)
  }

  @Test func readsLittleOfALargeFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("engine.so", SampleLibrary.bytes())
    #expect(truncate(path, 3 << 30) == 0)  // sparse
    #expect(try LibraryInspection.inspect(path: path).abi == ABIVersion.current)
  }

  @Test func acceptsTheEnginesThatShip() throws {
    let plugins = BuiltProducts.repository.appendingPathComponent("Plugins").path
    let names = try FileManager.default.contentsOfDirectory(atPath: plugins).filter {
      !$0.contains(".")
    }
    #expect(!names.isEmpty)
    for name in names {
      let path = BuiltProducts.engine(name).path
      #expect(try LibraryInspection.inspect(path: path).abi == ABIVersion.current)
    }
  }
}
