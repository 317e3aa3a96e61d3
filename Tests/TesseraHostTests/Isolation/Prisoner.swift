import Foundation
import TestSupport
import Testing

/// A program that does things in the sandbox, one by one, each in a process of its own.
///
/// Compiled from Tests/Fixtures/sandbox, and from the sandbox itself, by a compiler that knows
/// nothing else of this package.
enum Prisoner {
  /// What came of each action: "works", "refused ERRNO", or "killed SIGNAL" and perhaps "by CALL".
  static func outcomes(as user: User) throws -> [String: String] {
    try (user.id == 0 ? here : elsewhere).get()
  }

  private static let here = Result { try run(as: 0) }
  private static let elsewhere = Result { try run(as: User.ordinary) }

  private static func run(as user: UInt32) throws -> [String: String] {
    let folder = try TemporaryFolder()
    try folder.write("open/open", "may be read")
    try folder.write("closed/closed", "may not")
    let library = folder.path("library.so")
    let program = folder.path("prisoner")
    try CCompiler("gcc").compile("\(fixtures)/library.c", to: library)
    try CCompiler("gcc").compile(
      "\(fixtures)/prisoner.c", to: program,
      flags: ["-std=c11", "-O1", "-I\(fixtures)", "-I\(system)/include"]
        + CCompiler.strictness + parts)
    let result = try Program.run(
      program, [folder.path("open"), folder.path("closed"), library, "\(user)"])
    try #require(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n").map { $0.split(separator: "\t") }
    return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), String($0[1])) })
  }

  private static let fixtures = path("Tests/Fixtures/sandbox")
  private static let system = path("Sources/CTesseraSystem")
  private static let parts =
    ["sandbox", "landlock", "seccomp", "filter", "system_calls", "forbidden_call"]
    .map { "\(system)/\($0).c" }
    + ["files", "processes", "memory", "descriptors", "hostile"].map { "\(fixtures)/\($0).c" }

  private static func path(_ name: String) -> String {
    BuiltProducts.repository.appendingPathComponent(name).path
  }
}

/// Whom a prisoner runs as.
struct User: Sendable, CustomTestStringConvertible {
  /// The number of the user; 0: whoever runs the tests.
  let id: UInt32
  /// Who it is.
  var testDescription: String { id == 0 ? "whoever runs the tests" : "an ordinary user" }

  /// The number of an ordinary user.
  static let ordinary: UInt32 = 65534
  /// Root alone can be somebody else.
  static let all = [User(id: 0)] + (geteuid() == 0 ? [User(id: ordinary)] : [])
}
