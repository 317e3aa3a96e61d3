import Foundation
import TestSupport
import Testing

@Suite struct RustContractTests {
  private let rust: String
  private let header: String

  init() throws {
    let repository = BuiltProducts.repository
    rust = try String(
      contentsOf: repository.appendingPathComponent("Sources/Bindings/Rust/tessera.rs"),
      encoding: .utf8)
    let folder = "\(CCompiler.headers)/tessera"
    let extensions = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/ext").sorted()
    header = try (["tessera.h"] + extensions.map { "ext/\($0)" })
      .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined()
  }

  @Test(.secondRing)
  func everyFieldLiesWhereItLiesInC() throws {
    let folder = try TemporaryFolder()
    try Program.compile(
      "\(WrapperCompiler.fixtures)/rust/layouts.rs", to: folder.path("layouts"),
      RustToolchain.compiler, ["--edition", "2021", "-D", "warnings"])
    let told = try Program.run(folder.path("layouts"), [])
    let assertions = told.output
    #expect(told.status == 0 && assertions.split(separator: "\n").count > 300)
    let structs = Set(header.matches(of: /\nTESSERA_LAYOUT_IS\((\w+)/).map { String($0.1) })
    #expect(Set(assertions.matches(of: /sizeof\((\w+)\)/).map { String($0.1) }) == structs)
    try compile(assertions)
  }

  @Test func constantsAreTheHeaders() throws {
    let table = try #require(rust.firstMatch(of: /(?s)\n {4}constants! \{(.*?)\n {4}\}/)).1
    func bits(_ name: String) throws -> Substring {
      let line = try Regex("\n    \(name) \\{ NONE = 0, (.*) \\}", as: (Substring, Substring).self)
      return try #require(rust.firstMatch(of: line)).1
    }
    let all = try [
      ("", table), ("TRAIT_", bits("Traits")), ("LAW_", bits("Laws")), ("COLUMN_", bits("Columns")),
    ].flatMap { prefix, text in
      text.matches(of: /([A-Z_]+) = (\d+)/).map { (prefix + $0.1, "\($0.2)") }
    }
    #expect(all.count == 38)
    try compile(
      all.map { "_Static_assert(TESSERA_\($0) == \($1), \"\($0)\");" }.joined(separator: "\n"))
    let ids = rust.matches(of: /= c"(tessera\.\w+\/\d)";/).map { "\"\($0.1)\"" }
    #expect(ids.count == 6)
    for id in ids { #expect(header.contains(id)) }
  }

  private func compile(_ assertions: String) throws {
    let includes = ["adjusting", "query", "reordering", "sizing", "snapping", "updates"]
      .map { "#include <tessera/ext/\($0).h>\n" }.joined()
    _ = try CCompiler("gcc").compile(
      text: includes + assertions + "\n", flags: ["-std=c11", "-c"] + CCompiler.strictness)
  }
}
