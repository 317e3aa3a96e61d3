import Foundation

/// What an installation has for programs in C: libtessera, and the worker where the library finds it.
///
/// Linked once for all tests; files of the build like others, in a folder of their own.
public struct Prefix: Sendable {
  /// What came of linking it.
  public static let shared = Result { try Prefix() }

  /// Why the library was not linked.
  public struct Failure: Error, CustomStringConvertible {
    /// What the tool said.
    public let description: String
  }

  /// The folder that holds the library.
  public let libraries: String
  /// The library.
  public var library: String { "\(libraries)/libtessera.so.1" }
  /// The folder of the engines that ship.
  public static let engines = BuiltProducts.folder.path
  /// Where programs look for the header.
  public static let headers = BuiltProducts.repository
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

  /// Compiles a program in C against the library, with every warning an error.
  public func compile(
    _ source: String, by compiler: CCompiler, to program: String, including headers: String? = nil
  ) throws {
    try compiler.compile(
      source, to: program,
      flags: ["-std=c11", "-g", "-I", Self.headers] + (headers.map { ["-I", $0] } ?? [])
        + CCompiler.strictness
        + ["-L", libraries, "-Wl,-rpath,\(libraries)", "-Wl,--no-as-needed", "-ltessera", "-lm"])
  }
}
