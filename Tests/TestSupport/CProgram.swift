import Foundation

/// A C program that embeds the library, compiled once per compiler.
package final class CProgram {
  package static func fixture(
    _ name: String, by compiler: CCompiler = CCompiler("gcc")
  ) throws -> CProgram {
    try CProgram("Tests/Fixtures/library/\(name).c", by: compiler)
  }

  package static func example(
    _ name: String, by compiler: CCompiler = CCompiler("gcc")
  ) throws -> CProgram {
    try CProgram("Documentation/Examples/\(name).c", by: compiler)
  }

  private let folder: TemporaryFolder
  private let path: String
  /// Description cache of the fixtures, to avoid starting each engine per session.
  private let cache: [String: String]

  package init(
    _ source: String, by compiler: CCompiler = CCompiler("gcc"), including headers: String? = nil
  ) throws {
    folder = try TemporaryFolder()
    path = folder.path("program")
    // No cache where engines die.
    cache = source.hasSuffix("failures.c") ? [:] : ["TESSERA_TEST_CACHE": folder.path("cache")]
    try Prefix.shared.get().compile(
      "\(BuiltProducts.repository.path)/\(source)", by: compiler, to: path,
      including: headers)
  }

  package func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(arguments, environment: environment)
  }

  package func run(_ arguments: [String], environment: [String: String]) throws -> ProgramResult {
    try Program.run(path, arguments, environment: cache.merging(environment) { $1 })
  }

  package func run(on machine: LackingMachine, _ arguments: String...) throws -> ProgramResult {
    try machine.run(path, arguments)
  }

  private static let suppressions =
    BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/library/runtime.supp").path

  /// Runs it under valgrind; errors and leaks exit with 99.
  ///
  /// Only definite leaks count: the Swift runtime keeps interior pointers.
  ///
  /// - Parameter isCounted: Counts only the memory at the end, in half the time.
  package func runWatched(
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

/// A folder with a dying engine, a file that is not a library, and an allowlist.
package struct FailingEngines {
  private let folder: TemporaryFolder
  package var path: String { folder.path }

  package init() throws {
    folder = try TemporaryFolder()
    try CCompiler("gcc").compile(
      "\(BuiltProducts.repository.path)/Tests/Fixtures/library/crashing.c",
      to: folder.path("crashing.so"))
    try folder.write("empty.so", "")
    try folder.write("others.txt", String(repeating: "0", count: 64) + "  other.so\n")
  }
}
