import Foundation

/// A C compiler, given only the contract's header.
package struct CCompiler: Sendable, CustomStringConvertible {
  package let command: String

  package init(_ command: String) { self.command = command }

  /// gcc in the first ring, clang too in the second.
  package static let all =
    Ring.isSecond ? [CCompiler("gcc"), CCompiler("clang")] : [CCompiler("gcc")]

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package var description: String { command }

  package static let strictness = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

  package static let headers = BuiltProducts.repository
    .appendingPathComponent("Sources/CTessera/include").path

  /// Compiles a file, by default as strict C11 into a shared library.
  package func compile(
    _ source: String, to output: String,
    flags: [String] = ["-std=c11", "-shared", "-fPIC"] + CCompiler.strictness
  ) throws {
    try Program.compile(source, to: output, command, ["-I", Self.headers] + flags)
  }

  package func compile(
    text: String, flags: [String] = ["-std=c11", "-shared", "-fPIC"] + CCompiler.strictness
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try compile(
      folder.write("source.c", text), to: folder.path("output"), flags: flags)
    return try folder.bytes("output")
  }
}

extension Program {
  /// Compiles a file of C, C++ or Rust.
  package static func compile(
    _ source: String, to output: String, _ command: String, _ flags: [String]
  ) throws {
    let environment = command == RustToolchain.compiler ? RustToolchain.environment : [:]
    let result = try run(command, flags + [source, "-o", output], environment: environment)
    guard result.status == 0 else { throw CCompiler.Failure(description: result.errors) }
  }
}

/// Engine sources in Tests/Fixtures.
package enum FixtureEngine {
  package static func source(_ name: String) -> String {
    BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/engines/\(name).c").path
  }
}
