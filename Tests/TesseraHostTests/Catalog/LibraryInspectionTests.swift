import Foundation
import TestSupport
import Testing

@testable import TesseraHost

@Suite struct LibraryAcceptanceTests {
  private let expected = ABIVersion.current

  private func inspect(_ bytes: [UInt8]) throws -> ABIVersion {
    let folder = try TemporaryFolder()
    return try ABIVersion(ofLibrary: LibraryFile(path: folder.write("engine.so", bytes)))
  }

  private func compile(
    _ text: String = SampleLibrary.source, _ compiler: CCompiler = CCompiler("gcc"),
    flags: String...
  ) throws -> [UInt8] {
    try compiler.compile(text: text, flags: ["-std=c11", "-shared", "-fPIC"] + flags)
  }

  @Test(arguments: CCompiler.all) func readsTheVersion(compiler: CCompiler) throws {
    #expect(try inspect(compile(SampleLibrary.source, compiler)) == expected)
  }

  @Test(arguments: ["sysv", "gnu", "both"]) func findsTheEntryThroughEitherTable(style: String)
    throws
  {
    let bytes = try compile(flags: "-Wl,--hash-style=\(style)")
    #expect((ELFEditor(bytes).dynamicValue(4) != nil) == (style != "gnu"))
    #expect(try inspect(bytes) == expected)
  }

  @Test func needsNoSectionHeaders() throws {
    var stripped = ELFEditor(try compile(flags: "-s"))
    stripped.set(0, at: 40, size: 8)  // e_shoff
    stripped.set(0, at: 60, size: 4)  // e_shnum, e_shstrndx
    stripped.cut(to: stripped.mappedEnd)
    #expect(try inspect(stripped.bytes) == expected)
  }

  /// In a segment aligned to 8, name and data are padded to 8.
  @Test func readsNotesAlignedToEight() throws {
    let note = """
      __attribute__((section(".note.tessera"), used, aligned(8))) static const struct {
        uint32_t name_size, data_size, type;
        char name[8];
        uint32_t padding, data[3], rest;
      } note = {8, 12, 1, "Tessera", 0, {TESSERA_ABI_MAJOR, TESSERA_ABI_MINOR, 248}, 0};
      """
    let bytes = try compile(SampleLibrary.source(note: note), flags: "-Wl,--build-id=none")
    let editor = ELFEditor(bytes)
    #expect(editor.segments(4).contains { editor.number(at: $0 + 48, size: 8) == 8 })
    #expect(try inspect(bytes) == expected)
  }
}

@Suite struct LibraryRefusalTests {
  private func refusal(of bytes: [UInt8]) throws -> HostError {
    let folder = try TemporaryFolder()
    return try refusal(ofFileAt: folder.write("engine.so", bytes))
  }

  private func refusal(ofFileAt path: String) throws -> HostError {
    try #require(throws: HostError.self) { try ABIVersion(ofLibrary: LibraryFile(path: path)) }
  }

  private func expectRefusal(_ bytes: [UInt8], _ sentence: String) throws {
    let error = try refusal(of: bytes)
    #expect(error.kind == .cannotLoad)
    #expect(error.message.contains(sentence), "\(error.message)")
  }

  private func compile(_ text: String, flags: String...) throws -> [UInt8] {
    try CCompiler("gcc").compile(text: text, flags: ["-std=c11"] + flags)
  }

  // MARK: Files that are no libraries

  @Test(arguments: [
    ("", "it is empty; expected an ELF shared library"),
    ("int x;\n", "it is a text file; expected an ELF shared library"),
    ("#!/bin/sh\nécho\n" + String(repeating: "x", count: 100), "it is a text file"),
    ("!<arch>\nlibx.o/", "it is a static archive"),
    ("MZ\u{90}\0", "it is a Windows file"),
    ("\u{0}\u{1}\u{2}", "it is a file of unknown kind"),
    ("\u{7f}ELF", "it is truncated: it has 4 bytes and an ELF header takes 64"),
  ])
  func reportsOtherFileKinds(contents: String, sentence: String) throws {
    try expectRefusal(Array(contents.utf8), sentence)
  }

  @Test func refusesAMissingFile() throws {
    let error = try refusal(ofFileAt: "/nowhere/engine.so")
    #expect(error.kind == .notFound)
    #expect(error.message == "there is no such file; give the path of a library")
  }

  @Test func refusesAFolder() throws {
    let folder = try TemporaryFolder()
    let error = try refusal(ofFileAt: folder.makeFolder("engine.so"))
    #expect(error.kind == .cannotLoad)
    #expect(error.message == "it is a folder; expected a library file")
  }

  /// The pipe has no writer, so opening it would block forever.
  @Test func refusesAPipeAtOnce() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe.so"), 0o600) == 0)
    for path in [folder.path("pipe.so"), "/dev/zero"] {
      let error = try refusal(ofFileAt: path)
      #expect(error.message == "it is a pipe, a socket or a device; expected a library file")
    }
  }

  @Test func refusesProgramsAndObjectFiles() throws {
    let program = SampleLibrary.source + "\nint main(void) { return 0; }\n"
    try expectRefusal(
      compile(program, flags: "-fPIE", "-pie", "-rdynamic"),
      "it is a program, not a library; link it with -shared")
    try expectRefusal(
      compile(program, flags: "-fno-pie", "-no-pie"), "it is a program, not a shared library")
    try expectRefusal(compile(program, flags: "-c"), "it is an object file, not a shared library")
  }

  // MARK: Libraries for other machines

  @Test(arguments: [
    (5, 1, 2, "it is a big-endian library; this host runs "),
    (4, 1, 1, "it is a 32-bit library for "),
    (18, 2, 40, "it was built for ARM; this host runs "),
    (16, 2, 4, "it is a core dump, not a shared library"),
    (54, 2, 32, "program headers of 32 bytes; expected 1 to 128 of 56"),
    (56, 2, 65535, "it has 65535 program headers"),
  ])
  func refusesAnotherHead(offset: Int, size: Int, value: UInt64, sentence: String) throws {
    var editor = ELFEditor(try SampleLibrary.bytes())
    editor.set(value, at: offset, size: size)
    try expectRefusal(editor.bytes, sentence)
  }

  // MARK: Libraries that are not complete

  @Test func refusesEveryTruncation() throws {
    let whole = ELFEditor(try SampleLibrary.bytes())
    let folder = try TemporaryFolder()
    for count in stride(from: 4, to: whole.mappedEnd, by: 7) {
      let path = try folder.write("engine.so", Array(whole.bytes[..<count]))
      let error = try refusal(ofFileAt: path)
      #expect(error.kind == .cannotLoad)
      #expect(error.message.hasPrefix("it is truncated: "), "\(count) bytes: \(error.message)")
    }
    let path = try folder.write("engine.so", Array(whole.bytes[..<whole.mappedEnd]))
    #expect(throws: Never.self) { try ABIVersion(ofLibrary: LibraryFile(path: path)) }
  }

  /// Sums would overflow.
  @Test(arguments: [8, 32]) func refusesSegmentsOfAnyLength(field: Int) throws {
    for value: UInt64 in [.max, .max - 100, 1 << 63, 1 << 62] {
      var editor = ELFEditor(try SampleLibrary.bytes())
      let header = try #require(editor.segments(1).first)
      editor.set(value, at: header + field, size: 8)
      try expectRefusal(editor.bytes, "it is truncated: a segment has ")
    }
  }

  // MARK: The note

  @Test func refusesALibraryWithoutANote() throws {
    try expectRefusal(
      compile(SampleLibrary.source(note: ""), flags: "-shared", "-fPIC"),
      "it has no Tessera note, so it is not an engine library; "
        + "write TESSERA_NOTE once in its source")
  }

  @Test func refusesAShortNote() throws {
    let note = SampleLibrary.note(dataSize: 8, data: "0, 3")
    try expectRefusal(
      compile(SampleLibrary.source(note: note), flags: "-shared", "-fPIC"),
      "its Tessera note has 8 bytes of data; expected at least 12; write it with TESSERA_NOTE")
  }

  @Test(arguments: [0, 4]) func refusesANoteOverTheEnd(field: Int) throws {
    for value in [UInt64(UInt32.max), 4096] {
      var editor = ELFEditor(try SampleLibrary.bytes())
      editor.set(value, at: try #require(editor.note) + field, size: 4)
      try expectRefusal(editor.bytes, "bytes extends past the end of its segment; build it again")
    }
  }

  /// Next minor, later major, the last before 1.0, and zero.
  @Test func refusesAnotherABI() throws {
    let current = ABIVersion.current
    let next = ABIVersion(major: current.major, minor: current.minor + 1)
    let former = ABIVersion(major: 0, minor: 6)
    let later = [next, ABIVersion(major: 9, minor: 0), ABIVersion(major: .max, minor: 3)]
    for version in later + [former, ABIVersion(major: 0, minor: 0)] {
      let note = SampleLibrary.note(data: "\(version.major)u, \(version.minor), 240")
      try expectRefusal(
        compile(SampleLibrary.source(note: note), flags: "-shared", "-fPIC"),
        "it needs ABI \(version); this host supports \(current); "
          + (later.contains(version) ? "update the host, or build it" : "build it")
          + " with this host's tessera.h")
    }
  }

  // MARK: The entry

  private static let noEntry =
    "it exports no function tessera_register; define it with TESSERA_EXPORT before it"

  private static let otherEntries = [
    "int other(void) { return 0; }",
    "int tessera_registers(void) { return 0; }",
    "int x_tessera_register(void) { return 0; }",
    "int other(void) { return tessera_register((void *)0, (void *)0); }",
    // Only the linker sees "tessera_register": the header declares a function.
    """
    static int local(void) __asm__("tessera_register");
    __attribute__((used)) static int local(void) { return 0; }
    """,
    "int number __asm__(\"tessera_register\") = 3;",
  ]

  @Test(arguments: ["sysv", "gnu"], otherEntries)
  func refusesALibraryWithoutAnExportedEntry(style: String, source: String) throws {
    try expectRefusal(
      compile(
        "#include <tessera/tessera.h>\nTESSERA_NOTE;\n" + source,
        flags: "-shared", "-fPIC", "-w", "-Wl,--hash-style=\(style)"),
      Self.noEntry)
  }

  @Test func refusesALibraryWithoutSymbols() throws {
    let tags: [(UInt64, String)] = [
      (5, "its dynamic section names no symbols"), (6, "its dynamic section names no symbols"),
      (0x6fff_fef5, "its symbols have no hash table"),
    ]
    for (tag, sentence) in tags {
      var editor = ELFEditor(try SampleLibrary.bytes())
      let value = try #require(editor.dynamicValue(tag))
      editor.set(0x6fff_0000, at: value - 8, size: 8)
      try expectRefusal(editor.bytes, "it is malformed: \(sentence)")
    }
    var editor = ELFEditor(try SampleLibrary.bytes())
    editor.set(0, at: try #require(editor.segments(2).first), size: 4)
    try expectRefusal(editor.bytes, "it has no dynamic section, so it is not a shared library")
  }

  @Test(arguments: [5, 6, 0x6fff_fef5] as [UInt64]) func refusesTablesOutsideTheFile(tag: UInt64)
    throws
  {
    for address: UInt64 in [.max - 4096, 1 << 63, 1 << 40] {
      var editor = ELFEditor(try SampleLibrary.bytes())
      editor.set(address, at: try #require(editor.dynamicValue(tag)), size: 8)
      try expectRefusal(editor.bytes, "it is malformed: no segment holds the address 0x")
    }
  }

  /// A hash chain with a cycle.
  @Test func refusesACircleOfSymbols() throws {
    var editor = ELFEditor(
      try compile(
        "#include <tessera/tessera.h>\nTESSERA_NOTE;\nint other(void) { return 0; }",
        flags: "-shared", "-fPIC", "-w", "-Wl,--hash-style=sysv"))
    let table = Int(editor.number(at: try #require(editor.dynamicValue(4)), size: 8))
    let bucketCount = Int(editor.number(at: table, size: 4))
    let symbolCount = Int(editor.number(at: table + 4, size: 4))
    for bucket in 0..<bucketCount { editor.set(1, at: table + 8 + bucket * 4, size: 4) }
    for symbol in 0..<symbolCount {
      editor.set(1, at: table + 8 + (bucketCount + symbol) * 4, size: 4)
    }
    try expectRefusal(editor.bytes, "more than 4096 of its symbols share a hash")
  }
}
