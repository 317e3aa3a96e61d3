import Foundation
import TestSupport
import Testing

/// A compiler of engines that are written against a wrapper, with every warning an error.
enum WrapperCompiler: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case gcc = "g++"
  case clang = "clang++"
  case rust = "rustc"

  /// Those of this machine, where Rust may be missing: building Tessera does not need it.
  static let present = allCases.filter { $0 != .rust || isRustPresent }
  /// Whether rustc runs.
  static let isRustPresent = RustToolchain.isPresent

  /// What ids and the fixtures' folder begin with.
  var language: String { self == .rust ? "rust" : "cpp" }

  var testDescription: String { rawValue }

  /// Why a source was not compiled.
  struct Failure: Error, CustomStringConvertible {
    /// What the compiler said.
    let description: String
  }

  private static let repository = BuiltProducts.repository.path
  static let fixtures = "\(repository)/Tests/Fixtures/bindings"
  static let headers = ["-I", CCompiler.headers, "-I", "\(repository)/Sources/Bindings/Cpp"]
  static let strictness =
    ["-std=c++20", "-Wshadow", "-Wconversion", "-fPIC", "-fvisibility=hidden"]
    + CCompiler.strictness
  static let versionScript =
    "-Wl,--version-script=\(repository)/Plugins/engine.map"

  /// Compiles a source into an engine library.
  func compileLibrary(_ source: String, to library: String) throws {
    switch self {
    case .gcc, .clang:
      try CompiledFiles.compile(
        source, to: library, rawValue,
        Self.strictness + Self.headers + ["-shared", Self.versionScript])
    case .rust:
      try run(
        ["--edition", "2021", "-D", "warnings", "--crate-type", "cdylib", source, "-o", library])
    }
  }

  /// Runs the compiler.
  func run(_ arguments: [String]) throws {
    let environment = self == .rust ? RustToolchain.environment : [:]
    let result = try Program.run(rawValue, arguments, environment: environment)
    guard result.status == 0 else { throw Failure(description: result.errors) }
  }
}
