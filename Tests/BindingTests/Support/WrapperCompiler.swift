import Foundation
import TesseraHost
import TestSupport
import Testing

/// Compiles wrapper engines with warnings as errors; caches the engines of Tests/Fixtures/bindings.
enum WrapperCompiler: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case gcc = "g++"
  case clang = "clang++"
  case rust = "rustc"

  static let tested = Ring.isSecond ? allCases : [.gcc]

  private var language: String { self == .rust ? "rust" : "cpp" }

  var testDescription: String { rawValue }

  private static let repository = BuiltProducts.repository.path
  static let fixtures = "\(repository)/Tests/Fixtures/bindings"
  static let headers = ["-I", CCompiler.headers, "-I", "\(repository)/Sources/Bindings/Cpp"]
  static let strictness =
    ["-std=c++20", "-Wshadow", "-Wconversion", "-fPIC", "-fvisibility=hidden"]
    + CCompiler.strictness
  private static let versionScript = "-Wl,--version-script=\(repository)/Plugins/engine.map"

  func compileLibrary(_ source: String, to library: String) throws {
    let flags =
      self == .rust
      ? ["--edition", "2021", "-D", "warnings", "--crate-type", "cdylib"]
      : Self.strictness + Self.headers + ["-shared", Self.versionScript]
    try Program.compile(source, to: library, rawValue, flags)
  }

  func folder() throws -> String {
    switch self {
    case .gcc: try Self.gccFolder.get()
    case .clang: try Self.clangFolder.get()
    case .rust: try Self.rustFolder.get()
    }
  }

  private static let gccFolder = Result { try gcc.build() }
  private static let clangFolder = Result { try clang.build() }
  private static let rustFolder = Result { try rust.build() }

  private func build() throws -> String {
    let url = BuiltProducts.folder.appendingPathComponent("bindings/\(rawValue)")
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let (suffix, failing) = self == .rust ? ("rs", "panicking") : ("cpp", "throwing")
    for (name, source) in [("engines", "engines"), ("failing", failing)] {
      try compileLibrary(
        "\(Self.fixtures)/\(language)/\(source).\(suffix)", to: "\(url.path)/lib\(name).so")
    }
    return url.path
  }

  func library(_ name: String) throws -> String { try "\(folder())/lib\(name).so" }

  func id(_ name: String) -> String { "org.example.\(language)-\(name)" }

  func tessera(
    _ command: String, _ engine: String, _ arguments: [String], in folder: TemporaryFolder? = nil
  ) throws -> ProgramResult {
    try Program.tessera(
      [command, id(engine)] + arguments + ["--engines", self.folder()], in: folder)
  }

  func tessera(
    _ command: String, _ engine: String, _ arguments: String..., in folder: TemporaryFolder? = nil
  ) throws -> ProgramResult {
    try tessera(command, engine, arguments, in: folder)
  }

  func session(_ engine: String) throws -> Session {
    try Session(Host(searchPath: SearchPath(folders: [folder()])).engine(id(engine)))
  }
}
