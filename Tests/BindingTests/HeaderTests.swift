import Foundation
import TestSupport
import Testing

@Suite struct HeaderTests {
  private static let contract = ["tessera.h"] + extensions.map { "ext/\($0).h" }
  private static let extensions = ["query", "reordering", "sizing", "snapping", "updates"]
  private static let host = BuiltProducts.repository
    .appendingPathComponent("Sources/CTesseraHost/include").path

  private static func library(_ headers: [String]) -> String {
    headers.map { "#include <tessera/\($0)>\n" }.joined() + """

      TESSERA_NOTE;
      TESSERA_EXPORT tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
        tessera_type type = TESSERA_TYPE_NUMBER;
        uint32_t bits = TESSERA_FLAG_HINT | TESSERA_TRAIT_LAZY | TESSERA_LAW_FLOWS | TESSERA_COLUMN_ALPHA;
        tessera_category category = TESSERA_CATEGORY_CELL;
        tessera_operation operation = TESSERA_OPERATION_MOVE_ITEM;
        (void)registry, (void)type, (void)bits, (void)category, (void)operation;
        switch (host->abi_major) {
        case TESSERA_ABI_MAJOR: return TESSERA_OK;
        default: return TESSERA_ERROR_UNSUPPORTED;
        }
      }

      """
  }

  private static let c = ["c99", "gnu99", "c11", "c17", "c2x"]
  private static let cpp = ["c++11", "c++14", "c++17", "c++20"]

  @Test(arguments: CCompiler.all, c + cpp)
  func everyLanguageVersionIsFreeOfWarnings(compiler: CCompiler, version: String) throws {
    let isC = Self.c.contains(version)
    let flags =
      ["-std=\(version)", "-c", "-I", Self.host, "-Wconversion", "-Wshadow"]
      + CCompiler.strictness + (isC ? ["-Wstrict-prototypes"] : ["-x", "c++", "-Wold-style-cast"])
    let contract = Self.contract
    for headers in [
      contract, contract.reversed(), contract + ["tessera_host.h"], ["tessera_host.h"] + contract,
    ] {
      _ = try compiler.compile(text: Self.library(headers), flags: flags)
    }
    _ = try compiler.compile(
      text: "#include <tessera/tessera_host.h>\ntessera_element element;\n", flags: flags)
  }

  @Test(arguments: CCompiler.all, c)
  func helpersAreFreeOfWarnings(compiler: CCompiler, version: String) throws {
    let flags =
      ["-std=\(version)", "-c", "-Wconversion", "-Wshadow", "-Wstrict-prototypes"]
      + CCompiler.strictness
    let alone = "#include <tessera/plain.h>\ntessera_size size;\n"
    for text in [alone, Self.library(Self.contract + ["plain.h"])] {
      _ = try compiler.compile(text: text, flags: flags)
    }
  }

  /// The contract defines the record, the platform its section.
  @Test(
    .secondRing,
    arguments: [
      ("x86_64-unknown-linux-gnu", ".note.tessera"), ("aarch64-unknown-linux-gnu", ".note.tessera"),
      ("x86_64-apple-macos13", "__tessera"), ("arm64-apple-macos13", "__tessera"),
      ("x86_64-w64-windows-gnu", ".tessera"), ("wasm64-unknown-unknown", ".note.tessera"),
    ])
  func noteIsTheSameInEveryKindOfFile(target: String, section: String) throws {
    let object = Data(
      try CCompiler("clang").compile(
        text: Self.library(Self.contract),
        flags: ["--target=\(target)", "-std=c11", "-ffreestanding", "-c"] + CCompiler.strictness))
    let words: [UInt32] = [8, 12, 1, 0x7373_6554, 0x0061_7265, 1, 0, 264]  // "Tessera" and a zero
    let record = Data(words.flatMap { word in (0..<4).map { UInt8(word >> ($0 * 8) & 0xff) } })
    #expect(object.range(of: record) != nil)
    #expect(object.range(of: Data(section.utf8)) != nil)
  }

  /// AddressSanitizer pads other data to catch overreads.
  @Test(arguments: CCompiler.all)
  func noteIsNotPaddedForSanitizers(compiler: CCompiler) throws {
    let assembly = try compiler.compile(
      text: Self.library(Self.contract), flags: ["-std=c11", "-fsanitize=address", "-S"])
    #expect(
      String(decoding: assembly, as: UTF8.self)
        .contains(/\.size\s+tessera_abi_note, 32\n/))
  }

  @Test(
    .secondRing,
    arguments: [
      ("i686-unknown-linux-gnu", "64-bit pointers"),
      ("armv7-unknown-linux-gnueabihf", "64-bit pointers"),
      ("wasm32-unknown-unknown", "64-bit pointers"),
      ("powerpc64-unknown-linux-gnu", "little-endian"),
      ("mips64-unknown-linux-gnu", "little-endian"),
    ])
  func otherMachinesAreRefused(target: String, reason: String) throws {
    let error = #expect(throws: CCompiler.Failure.self) {
      try CCompiler("clang").compile(
        text: Self.library(["tessera.h"]),
        flags: ["--target=\(target)", "-std=c11", "-ffreestanding", "-fsyntax-only"])
    }
    #expect(try #require(error).description.contains("the contract needs"))
    #expect(try #require(error).description.contains(reason))
  }

  @Test func noteSaysTheLeastVersionThatIsNeeded() throws {
    let text = Self.library(Self.contract)
    for compiler in CCompiler.all {
      let flags = ["-std=c11", "-c", "-DTESSERA_NEEDED_MINOR=0"] + CCompiler.strictness
      _ = try compiler.compile(text: text, flags: flags)
      let error = #expect(throws: CCompiler.Failure.self) {
        try compiler.compile(text: text, flags: ["-c", "-DTESSERA_NEEDED_MINOR=1"])
      }
      #expect(try #require(error).description.contains("TESSERA_NEEDED_MINOR is higher than"))
    }
  }

  /// A change of the ABI is deliberate: record it with `Tools/abi --record`, add it to
  /// CHANGELOG.md.
  @Test func binaryInterfaceIsTheRecordedOne() throws {
    let repository = BuiltProducts.repository
    let now = try Program.run(repository.appendingPathComponent("Tools/abi").path, [])
    try #require(now.status == 0, "\(now.errors)")
    let file = repository.appendingPathComponent("Tests/Fixtures/contract/abi.json")
    let recorded = try String(contentsOf: file, encoding: .utf8)
    let lines = { (text: String) in text.split(separator: "\n").map(String.init) }
    let difference = lines(now.output).difference(from: lines(recorded))
    #expect(difference.isEmpty, "\(difference)")
    #expect(recorded.contains("\"TESSERA_ERROR_FAILED\": \"7\""))
  }
}
