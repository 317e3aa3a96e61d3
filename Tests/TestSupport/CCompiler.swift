import Foundation

/// A C compiler, given only the contract's header.
public struct CCompiler: Sendable, CustomStringConvertible {
  /// The command, "gcc".
  public let command: String

  /// Creates a compiler by command name.
  public init(_ command: String) { self.command = command }

  /// gcc in the first ring, clang too in the second.
  public static let all =
    Ring.isSecond ? [CCompiler("gcc"), CCompiler("clang")] : [CCompiler("gcc")]

  /// A compiler error.
  public struct Failure: Error, CustomStringConvertible {
    /// The compiler's messages.
    public let description: String
  }

  /// The command.
  public var description: String { command }

  /// Warnings are errors.
  public static let strictness = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

  /// The folder of the contract's header.
  public static let headers = BuiltProducts.repository
    .appendingPathComponent("Sources/CTessera/include").path

  /// Compiles a file, by default as strict C11 into a shared library.
  public func compile(
    _ source: String, to output: String,
    flags: [String] = ["-std=c11", "-shared", "-fPIC"] + CCompiler.strictness
  ) throws {
    try CompiledFiles.compile(source, to: output, command, ["-I", Self.headers] + flags)
  }

  /// Compiles a text and returns the output's bytes.
  public func compile(
    text: String, flags: [String] = ["-std=c11", "-shared", "-fPIC"] + CCompiler.strictness
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try compile(
      folder.write("source.c", text), to: folder.path("output"), flags: flags)
    return try folder.bytes("output")
  }
}

/// Engine sources in Tests/Fixtures.
public enum FixtureEngine {
  /// The path of Tests/Fixtures/engines/NAME.c.
  public static func source(_ name: String) -> String {
    BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/engines/\(name).c").path
  }
}
