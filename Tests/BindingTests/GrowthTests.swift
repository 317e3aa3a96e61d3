import Foundation
import TestSupport
import Testing

/// Engines and hosts built with headers of different versions, whose structs are longer.
@Suite struct GrowthTests {
  private static let needsOld = "-DTESSERA_NEEDED_MINOR=0"

  // ---------------------------------------------------------------- Later engine, this host

  private static let cEngines = [
    "Fixtures/engines/echoes", "Fixtures/engines/columns", "Fixtures/engines/strips",
    "BrokenEngines/twins/tray",
  ]

  private func compileC(into folder: String, headers: String, _ flags: [String]) throws {
    for engine in Self.cEngines {
      let source = "\(BuiltProducts.repository.path)/Tests/\(engine).c"
      let name = (engine as NSString).lastPathComponent
      try Program.compile(
        source, to: "\(folder)/lib\(name).so", "gcc",
        ["-I", headers, "-std=c11", "-shared", "-fPIC"] + flags)
    }
  }

  @Test func laterEnginesInCAreServed() throws {
    let grown = try GrownContract(version: "1.1")
    let (old, new) = (try TemporaryFolder(), try TemporaryFolder())
    try compileC(into: old.path, headers: CCompiler.headers, [])
    try compileC(into: new.path, headers: grown.folder.path, [Self.needsOld])
    try expectTheSame(old.path, new.path, atLeast: 7)
  }

  private func expectTheSame(_ old: String, _ new: String, atLeast count: Int) throws {
    let home = try TemporaryFolder()
    func run(_ folder: String, _ arguments: [String]) throws -> String {
      let result = try Program.run(
        BuiltProducts.command.path, arguments + ["--engines", folder],
        environment: ["HOME": home.path])
      return "\(result.status) \(result.output)\(result.errors)"
        .replacing(/\S*\/lib\w+\.so/, with: "")
        .replacing(/"(abi|hash|sha256)": ?"[^"]*"/) { "\($0.1)" }
    }
    let list = try run(old, ["list", "--format", "json"])
    let ids = list.matches(of: /"id": ?"(org\.(?:example|tessera)\.[^"]*)"/).map { String($0.1) }
    #expect(ids.count >= count, "\(list)")
    for id in ids {
      try #expect(run(new, ["info", id]) == run(old, ["info", id]))
      let layout = ["layout", id, "--sections", "3,0,4", "--format", "json"]
      try #expect(run(new, layout) == run(old, layout))
    }
  }

  @Test func anEngineThatNeedsALaterVersionIsRefused() throws {
    let grown = try GrownContract(version: "1.1")
    let folder = try TemporaryFolder()
    try compileC(into: folder.path, headers: grown.folder.path, [])
    let result = try Program.run(
      BuiltProducts.command.path, ["layout", folder.path("libstrips.so"), "--items", "3"])
    #expect(result.status == 76)
    #expect(result.errors.contains("1.1") && result.errors.contains("1.0"), "\(result.errors)")
  }

  // ---------------------------------------------------------------- This engine, later host

  /// A small host compiled with a later header: longer structs, the engine's array strides.
  private func laterHost(_ version: String, in folder: TemporaryFolder) throws -> String {
    let grown = try GrownContract(version: version)
    try Program.compile(
      "\(WrapperCompiler.fixtures)/harness.c", to: folder.path("harness"), "gcc",
      ["-I", grown.folder.path, "-std=c11"] + CCompiler.strictness + ["-ldl"])
    return folder.path("harness")
  }

  /// Expected sums of x + 2y + 3w + 5h over the frames of 2 + 3 items in 375 × 667.
  private static let engines: [(language: String, id: String, prepared: String)] = [
    // Five rows of 375 × 44, from 0.
    ("cpp", "org.example.cpp-list", "own status 0 rows 5 sum 7605 content 375x220"),
    ("rust", "org.example.rust-list", "own status 0 rows 5 sum 7605 content 375x220"),
    ("cpp", "org.example.cpp-ticks", "queried status 0 rows 5 sum 6075 content 375x50"),
    ("rust", "org.example.rust-ticks", "queried status 0 rows 5 sum 6075 content 375x50"),
    // Five squares of 50 in a line, 0 to 200.
    ("Grid", "org.tessera.grid", "queried status 0 rows 5 sum 2600 content 375x50"),
    ("Flow", "org.tessera.flow", "own status 0 rows 5 sum "),
  ]

  private func library(_ language: String) throws -> String {
    switch language {
    case "cpp": try WrapperCompiler.gcc.library("engines")
    case "rust": try WrapperCompiler.rust.library("engines")
    default: BuiltProducts.engine(language).path
    }
  }

  @Test(arguments: ["1.1", "2.0"]) func laterHostsServeThisVersion(version: String) throws {
    let folder = try TemporaryFolder()
    let host = try laterHost(version, in: folder)
    for (language, id, prepared) in Self.engines
    where language != "rust" || Ring.isSecond {
      let result = try Program.run(host, [try library(language), id, "2"])
      #expect(result.status == 0, "\(id): \(result.output)\(result.errors)")
      #expect(result.output.contains(prepared), "\(id): \(result.output)")
    }
  }

  @Test func aHostThatDoesNotServeThisVersionIsRefused() throws {
    let folder = try TemporaryFolder()
    let host = try laterHost("2.0", in: folder)
    for (language, id, _) in Self.engines
    where language != "Grid" && (language != "rust" || Ring.isSecond) {
      let result = try Program.run(
        host, [try library(language), id, "2"], environment: ["SAYS": "2.0"])
      #expect(result.status == 65)
      #expect(result.output.contains("ABI 2.0"), "\(result.output)")
    }
  }
}
