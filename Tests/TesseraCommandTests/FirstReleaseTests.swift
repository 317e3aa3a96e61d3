import Foundation
import TestSupport
import Testing

/// Version 1.0.0's engines, layouts, installed folder, scenario and recording still work.
@Suite struct FirstReleaseTests {
  private static let kept = BuiltProducts.repository
    .appendingPathComponent("Tests/Fixtures/releases/1.0.0").path
  private static let names = ["agenda", "flow", "journal", "outline"]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("home/.local/lib/tessera")
    try folder.makeFolder("home/.config/tessera")
    for (from, to) in [("cache", ".cache"), ("trusted", ".config/tessera/trusted")] {
      try FileManager.default.copyItem(
        atPath: "\(Self.kept)/\(from)", toPath: folder.path("home/\(to)"))
    }
    // Trusted files must be writable only by their owner; git drops such modes.
    for command in [
      ["python3", "-m", "tarfile", "-e", "\(Self.kept)/engines.tar.xz", engines],
      ["chmod", "-R", "go-w", folder.path("home")],
    ] {
      let result = try Program.run(command[0], Array(command.dropFirst()))
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  private var engines: String { folder.path("home/.local/lib/tessera") }

  private func tessera(_ arguments: [String]) throws -> ProgramResult {
    try Program.tessera(
      arguments, in: folder,
      environment: ["HOME": folder.path("home"), "TESSERA_PATH": engines])
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(Self.kept)/\(name)", encoding: .utf8)
  }

  @Test(arguments: names) func engineLaysOutWhatItDid(_ name: String) throws {
    let result = try tessera([
      "layout", "\(engines)/lib\(name).so", "--scenario", "\(Self.kept)/\(name).json",
      "--format", "csv",
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try result.output == text("\(name).csv"))
  }

  @Test func installedFolderIsListedAsThen() throws {
    let result = try tessera(["list"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      try result.output.replacing(folder.path("home"), with: "~") == text("list.txt"),
      "\(result.output)")
  }

  @Test func allowlistPermitsWhatItDid() throws {
    let trusted = try tessera(["layout", "flow", "--items", "3", "--require-hash"])
    #expect(trusted.status == 0, "\(trusted.errors)")
    let other = try tessera([
      "layout", BuiltProducts.engine("Grid").path, "--items", "3", "--require-hash",
    ])
    #expect(other.status == 77, "\(other.output)")
  }

  @Test func recordingIsReplayed() throws {
    let result = try tessera(["replay", "\(Self.kept)/flow.jsonl"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
