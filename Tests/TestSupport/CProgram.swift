import Foundation

/// A program in C that embeds the library, compiled once for all tests by each compiler.
public final class CProgram {
  /// The programs of Tests/Fixtures/library.
  public static func fixture(
    _ name: String, by compiler: CCompiler = CCompiler("gcc")
  ) throws -> CProgram {
    try CProgram("Tests/Fixtures/library/\(name).c", by: compiler)
  }

  /// An example of the documentation.
  public static func example(
    _ name: String, by compiler: CCompiler = CCompiler("gcc")
  ) throws -> CProgram {
    try CProgram("Documentation/Examples/\(name).c", by: compiler)
  }

  private let folder: TemporaryFolder
  private let path: String
  /// Where the fixtures remember what engines declare; without it, they ask all engines for each session.
  private let cache: [String: String]

  /// Compiles a source of the repository.
  ///
  /// - Parameter headers: A folder of headers that the source includes; nil if it needs none.
  public init(
    _ source: String, by compiler: CCompiler = CCompiler("gcc"), including headers: String? = nil
  ) throws {
    folder = try TemporaryFolder()
    path = folder.path("program")
    // An engine that dies is to be asked again.
    cache = source.hasSuffix("failures.c") ? [:] : ["TESSERA_TEST_CACHE": folder.path("cache")]
    try Prefix.shared.get().compile(
      "\(BuiltProducts.repository.path)/\(source)", by: compiler, to: path,
      including: headers)
  }

  /// Runs it in an empty folder.
  public func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(arguments, environment: environment)
  }

  /// Runs it with arguments from a list.
  public func run(_ arguments: [String], environment: [String: String]) throws -> ProgramResult {
    try Program.run(path, arguments, environment: cache.merging(environment) { $1 })
  }

  /// Runs it on a machine that lacks something.
  public func run(on machine: LackingMachine, _ arguments: String...) throws -> ProgramResult {
    try machine.run(path, arguments)
  }

  private static let suppressions =
    BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/library/runtime.supp").path

  /// Runs it where every access to memory is watched; what it leaks, and does wrong, ends it with 99.
  ///
  /// What the Swift runtime keeps of a type for good is found by a pointer into its middle, which
  /// may be one by chance: only what is certainly lost counts.
  ///
  /// - Parameter isCounted: Whether only the memory at the end is counted, which takes half the time.
  public func runWatched(
    _ arguments: [String], isCounted: Bool = false
  ) throws -> ProgramResult {
    let watched = ["--leak-check=full", "--errors-for-leak-kinds=definite,indirect"]
    let counted = ["--leak-check=no", "--undef-value-errors=no"]
    return try Program.run(
      "valgrind",
      ["--suppressions=\(Self.suppressions)", "--error-exitcode=99"]
        + (isCounted ? counted : watched) + [path] + arguments, environment: cache)
  }
}

/// A folder with an engine that dies on request, a file that is no library, and an allowlist.
public struct FailingEngines {
  private let folder: TemporaryFolder
  /// The folder.
  public var path: String { folder.path }

  /// Compiles the engine.
  public init() throws {
    folder = try TemporaryFolder()
    try CCompiler("gcc").compile(
      "\(BuiltProducts.repository.path)/Tests/Fixtures/library/crashing.c",
      to: folder.path("crashing.so"))
    try folder.write("empty.so", "")
    try folder.write("others.txt", String(repeating: "0", count: 64) + "  other.so\n")
  }
}
