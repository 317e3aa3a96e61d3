import Foundation

/// An installed libtessera and its worker, for C programs.
///
/// Linked once for all tests.
public struct Prefix: Sendable {
  /// Linked once.
  public static let shared = Result { try Prefix() }

  /// A linker error.
  public struct Failure: Error, CustomStringConvertible {
    /// The tool's output.
    public let description: String
  }

  /// The folder that holds the library.
  public let libraries: String
  /// The library.
  public var library: String { "\(libraries)/libtessera.so.1" }
  /// The folder of the engines that ship.
  public static let engines = BuiltProducts.folder.path
  /// The include folder.
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

  /// Compiles a C program against the library, warnings as errors.
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
