import Foundation
import TestSupport
import Testing

/// A compiler of engines that are written against a wrapper, with every warning an error.
enum WrapperCompiler: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case gcc = "g++"
  case clang = "clang++"
  case rust = "rustc"

  /// Those that the ring tests: g++ in the first, all in the second.
  static let tested = Ring.isSecond ? allCases : [.gcc]

  /// What ids and the fixtures' folder begin with.
  var language: String { self == .rust ? "rust" : "cpp" }

  var testDescription: String { rawValue }

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
    let flags =
      self == .rust
      ? ["--edition", "2021", "-D", "warnings", "--crate-type", "cdylib"]
      : Self.strictness + Self.headers + ["-shared", Self.versionScript]
    try CompiledFiles.compile(source, to: library, rawValue, flags)
  }
}
