import CTessera
import Foundation
import Glibc
import TestSupport
import Testing

@testable import TesseraHost

@Suite struct DescriptionTests {
  @Test func identityParametersAndValuesAreThoseDeclared() throws {
    let description = try FixtureLibrary.inputs.get().engine("mirrored-inputs").description
    #expect(description.id == "org.example.mirrored-inputs")
    #expect(description.name == "mirrored-inputs")
    #expect(description.version == "1.2.3-rc.1")
    #expect(description.author == "A test")
    #expect(description.license == "MIT")
    #expect(description.summary == "An engine of a test.")
    #expect(description.base == nil)
    #expect(description.traits == .mirrors)
    #expect(description.columns.isEmpty && description.adjustedColumns.isEmpty)
    #expect(
      description.parameters.map(\.name) == [
        "flag", "count", "ratio", "mode", "anchor", "extent", "area", "margin",
      ])
    #expect(
      description.parameters.map(\.type) == [
        .bool, .integer, .number, .choice, .point, .size, .rect, .insets,
      ])
    let count = description.parameters[1]
    #expect(count.initial == .integer(3) && count.minimum == [1] && count.maximum == [10])
    let ratio = description.parameters[2]
    #expect(ratio.minimum == [-.infinity] && ratio.maximum == [1] && ratio.unit == "rad")
    let mode = description.parameters[3]
    #expect(mode.choices == ["calm", "lively", "wild"] && mode.initial == .choice("lively"))
    #expect(mode.minimum.isEmpty && mode.maximum.isEmpty && mode.unit == nil)
    // Zeros on both sides mean no limit, per component.
    let anchor = description.parameters[4]
    #expect(
      anchor.minimum == [-.infinity, -.infinity] && anchor.maximum == [.infinity, .infinity])
    let extent = description.parameters[5]
    #expect(extent.minimum == [0, 0] && extent.maximum == [.infinity, 50])
    #expect(description.sectionValues.map(\.name) == ["margin"])
    #expect(
      description.itemValues.map(\.name) == ["extent", "weight", "mode", "isMarked", "rank"])
    #expect(description.itemValues.map(\.fallback) == ["extent", nil, "mode", nil, nil])
    #expect(description.itemValues[2].choices == ["calm", "lively", "wild"])
  }

  @Test(
    arguments: [
      ("1.2.3", [1, 2, 3]), ("0.0.0", [0, 0, 0]), ("10.20.30-beta.1+x", [10, 20, 30]),
      ("1.2.3+build-7", [1, 2, 3]), ("4294967295.0.1", [UInt32.max, 0, 1]),
    ] as [(String, [UInt32])])
  func semanticVersionsAreRead(_ text: String, _ numbers: [UInt32]) {
    #expect(SemanticVersion(text)?.numbers == numbers)
  }

  @Test(arguments: [
    "", "1", "1.2", "1.2.3.4", "1..3", ".1.2", "1.2.", "01.2.3", "1.2.x", "-1.2.3", "1. 2.3",
    "4294967296.0.0", "1.2.3" + String(repeating: "-", count: 300), "１.2.3",
  ])
  func otherTextsAreRejectedAsSemanticVersions(_ text: String) {
    #expect(SemanticVersion(text) == nil)
  }

  @Test func semanticVersionsAreOrderedByTheirNumbers() throws {
    let ordered = ["0.9.9", "1.0.0", "1.0.10", "1.2.0", "1.10.0", "2.0.0"]
      .compactMap { SemanticVersion($0) }
    for (left, right) in zip(ordered, ordered.dropFirst()) {
      #expect(left < right)
      #expect(!(right < left))
    }
  }
}

@Suite struct DescriptionRulesTests {
  private struct Broken {
    let says: UnsafePointer<CChar>
    let engine: tessera_engine
  }

  private static func symbol(_ name: String, in handle: UnsafeMutableRawPointer?) throws
    -> UnsafeMutableRawPointer
  {
    try #require(dlsym(handle, name))
  }

  private static func library() throws -> UnsafeMutableRawPointer? {
    let folder = try TemporaryFolder()
    let path = folder.path("libbroken.so")
    try CCompiler("gcc").compile(FixtureEngine.source("broken_descriptions"), to: path)
    return dlopen(path, RTLD_NOW | RTLD_LOCAL)
  }

  @Test func everyBrokenRuleIsReported() throws {
    let library = try Self.library()
    let count = try Self.symbol("broken_engine_count", in: library).load(as: UInt64.self)
    #expect(count > 40)
    let engines = try Self.symbol("broken_engines", in: library)
      .assumingMemoryBound(to: Broken.self)
    for index in 0..<Int(count) {
      let says = String(cString: engines[index].says)
      let offset = index * MemoryLayout<Broken>.stride + MemoryLayout<Broken>.offset(of: \.engine)!
      let engine = UnsafeRawPointer(engines) + offset
      do throws(HostError) {
        _ = try DescriptionReader.read(engine.assumingMemoryBound(to: tessera_engine.self))
        Issue.record("no error, expected: \(says)")
      } catch {
        #expect(error.kind == .cannotLoad)
        #expect(error.message.contains(says), "expected: \(says)")
        #expect(!error.message.contains("\n") && !error.message.hasSuffix("."))
      }
    }
  }

  @Test func idHasAtMost255Bytes() {
    let id = "org.example." + String(repeating: "a", count: 243)
    #expect(EngineDescription.isReverseDNS(id))
    #expect(!EngineDescription.isReverseDNS(id + "a"))
    #expect(EngineDescription.isLowerCamelCase(String(repeating: "a", count: 255)))
    #expect(!EngineDescription.isLowerCamelCase(String(repeating: "a", count: 256)))
  }

  @Test func unusualButValidFilesAreRead() throws {
    let engine = try Self.symbol("sound_engine", in: Self.library())
    let (_, description) = try DescriptionReader.read(
      engine.assumingMemoryBound(to: tessera_engine.self))
    #expect(description.id == "Org.Example-2.1st")
    #expect(description.version == "0.0.0-alpha+build.7")
    #expect(description.summary.isEmpty)
    #expect(description.parameters[0].minimum == [-.infinity])
    #expect(description.parameters[0].maximum == [-1])
    #expect(description.parameters[0].unit == "")
  }
}

@Suite struct ExtensionTableTests {
  private func refusal(_ header: String, _ declarations: String, _ id: String) throws -> String? {
    let folder = try TemporaryFolder()
    let declarations = """
      #include <string.h>
      #include <tessera/ext/\(header).h>
      \(declarations)
      static const void *extension(const tessera_engine *self, const char *id) {
        return (void)self, strcmp(id, \(id)) ? NULL : &table;
      }
      static const tessera_value_declaration values[] = {
        {.name = "length", .help = "", .type = TESSERA_TYPE_NUMBER, .scope = TESSERA_SCOPE_ITEM},
        {.name = "top", .help = "", .type = TESSERA_TYPE_SIZE, .scope = TESSERA_SCOPE_SECTION},
        {.name = "flag", .help = "", .type = TESSERA_TYPE_BOOL, .scope = TESSERA_SCOPE_ITEM}};
      static const tessera_kind kinds[] = {
        {.name = "header", .category = TESSERA_CATEGORY_SUPPLEMENTARY, .role = TESSERA_ROLE_HEADER},
        {.name = "line", .category = TESSERA_CATEGORY_DECORATION, .role = TESSERA_ROLE_SEPARATOR}};
      """
    try CEngine(
      declarations: declarations,
      members:
        ".extension = extension, .value_count = 3, .values = values, .kind_count = 2, .kinds = kinds"
    ).build(in: folder)
    let host = Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: .none))
    let listing = host.listing()
    #expect(listing.engines.count + listing.refused.count == 1)
    return listing.refused.first.map(\.error.message)
  }

  /// Tables never grow: another length makes the library unloadable.
  @Test(arguments: [
    ("snapping", "SNAPPING", 16), ("updates", "UPDATES", 40), ("reordering", "REORDERING", 16),
    ("sizing", "SIZING", 32),
  ])
  func tableHasExactlyItsSize(_ name: String, _ constant: String, _ size: Int) throws {
    for wrong in [0, size - 8, size + 8, 4096] {
      let found = try refusal(
        name, "static const uint32_t table[64] = {\(wrong)};", "TESSERA_EXT_\(constant)")
      #expect(
        found?.contains(
          "its table for tessera.\(name)/1 has the struct_size \(wrong); expected exactly \(size)")
          == true)
    }
    guard name != "sizing" else { return }
    let reserved = try refusal(
      name, "static const uint32_t table[64] = {\(size), 3};", "TESSERA_EXT_\(constant)")
    #expect(
      reserved?.contains("reserved of its table for tessera.\(name)/1 has 3 where the contract has")
        == true)
    let empty = try refusal(
      name, "static const uint32_t table[64] = {\(size)};", "TESSERA_EXT_\(constant)")
    #expect(
      name == "updates"
        ? empty == nil
        : empty?.contains("its table for tessera.\(name)/1 has null at the offset 8") == true)
  }

  /// Engines measure only their own kinds, each named once.
  @Test(
    arguments: [
      ("{\"length\", NULL}", nil), ("{\"length\", NULL}, {\"top\", \"header\"}", nil),
      (
        "{\"size\", NULL}", "it measures \"size\", which is not one of its item values of type size"
      ),
      ("{\"top\", NULL}", "it measures \"top\", which is not one of its item values"),
      ("{\"flag\", NULL}", "it measures \"flag\", which is not one of its item values"),
      (
        "{\"length\", \"header\"}", "it measures \"length\", which is not one of its section values"
      ),
      (
        "{\"top\", \"line\"}",
        "it measures the kind \"line\", which is not one of its supplementary"
      ),
      ("{\"length\", NULL}, {\"length\", NULL}", "it measures cells twice; name each kind once"),
    ] as [(String, String?)])
  func whatIsMeasuredIsDeclared(_ entries: String, _ says: String?) throws {
    let found = try refusal(
      "sizing",
      """
      static tessera_status sizes(
          tessera_layout *layout, const tessera_input *input, const tessera_run *run, tessera_size *sizes,
          uint64_t *count) {
        (void)layout; (void)input; (void)run; (void)sizes; (void)count;
        return TESSERA_OK;
      }
      static const tessera_measured measured[] = {\(entries)};
      static const tessera_sizing table = {
        .struct_size = sizeof table, .measured_count = sizeof measured / sizeof *measured,
        .measured = measured, .estimates = sizes, .proposals = sizes};
      """, "TESSERA_EXT_SIZING")
    if let says {
      #expect(found?.contains(says) == true, "\(found ?? "none")")
    } else {
      #expect(found == nil)
    }
  }
}
