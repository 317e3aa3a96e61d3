import Foundation
import TestSupport

/// The engines of Tests/Fixtures/bindings, compiled once for all tests.
///
/// Files of the build like others; those of each compiler lie in a folder of their own.
struct WrapperLibraries: Sendable {
  let compiler: WrapperCompiler
  /// A folder to search engines in.
  let folder: String

  /// What a compiler makes of them, or why it did not.
  static func built(by compiler: WrapperCompiler) throws -> WrapperLibraries {
    switch compiler {
    case .gcc: try gcc.get()
    case .clang: try clang.get()
    case .rust: try rust.get()
    }
  }

  private static let gcc = Result { try WrapperLibraries(.gcc) }
  private static let clang = Result { try WrapperLibraries(.clang) }
  private static let rust = Result { try WrapperLibraries(.rust) }

  private init(_ compiler: WrapperCompiler) throws {
    self.compiler = compiler
    let url = BuiltProducts.folder.appendingPathComponent("bindings/\(compiler.rawValue)")
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = url.path
    let (suffix, failing) = compiler == .rust ? ("rs", "panicking") : ("cpp", "throwing")
    for (name, source) in [("engines", "engines"), ("failing", failing)] {
      try compiler.compileLibrary(
        "\(WrapperCompiler.fixtures)/\(compiler.language)/\(source).\(suffix)", to: library(name))
    }
  }

  /// "engines" or "failing".
  func library(_ name: String) -> String { "\(folder)/lib\(name).so" }

  /// The id of an engine, "shelf".
  func id(_ name: String) -> String { "org.example.\(compiler.language)-\(name)" }

  /// Runs the built command with one of these engines.
  func tessera(
    _ command: String, _ engine: String, _ arguments: String..., in folder: TemporaryFolder? = nil
  ) throws -> ProgramResult {
    try Program.run(
      BuiltProducts.command.path,
      [command, id(engine)] + arguments + ["--engines", self.folder], in: folder?.path)
  }
}
