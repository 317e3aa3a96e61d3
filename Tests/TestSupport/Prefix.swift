import Foundation

/// An installed libtessera and its worker, for C programs.
package struct Prefix: Sendable {
  /// Linked once.
  package static let shared = Result { try Prefix() }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package let libraries: String
  package var library: String { "\(libraries)/libtessera.so.1" }
  package static let engines = BuiltProducts.folder.path
  package static let headers = BuiltProducts.repository
    .appendingPathComponent("Sources/CTesseraHost/include").path

  private init() throws {
    let url = BuiltProducts.folder.appendingPathComponent("library")
    let workers = url.appendingPathComponent("libexec/tessera")
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: workers, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: workers.appendingPathComponent("tessera-worker"),
      withDestinationURL: BuiltProducts.folder.appendingPathComponent("tessera-worker"))
    libraries = url.appendingPathComponent("lib").path
    let result = try Program.run(
      "\(BuiltProducts.repository.path)/Tools/library",
      ["--built", BuiltProducts.folder.path, libraries],
      environment: ["TESSERA_STRIP": "--strip-debug"])
    guard result.status == 0 else { throw Failure(description: result.errors) }
  }

  /// Compiles a C program against the library, warnings as errors.
  package func compile(
    _ source: String, by compiler: CCompiler, to program: String, including headers: String? = nil
  ) throws {
    try compiler.compile(
      source, to: program,
      flags: ["-std=c11", "-g", "-I", Self.headers] + (headers.map { ["-I", $0] } ?? [])
        + CCompiler.strictness
        + ["-L", libraries, "-Wl,-rpath,\(libraries)", "-Wl,--no-as-needed", "-ltessera", "-lm"])
  }
}
