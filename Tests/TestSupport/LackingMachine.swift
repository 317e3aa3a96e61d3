import Foundation

/// A machine that lacks something: programs that run "on" it find system calls denied by a filter.
public struct LackingMachine: Sendable, CustomStringConvertible {
  /// What is missing and the error, as Tests/Fixtures/sandbox/without.c names them.
  public let missing: [String]
  /// Whether the programs run as an ordinary user.
  ///
  /// Only root can become one.
  public var isForOrdinaryUser = false

  /// - Parameter missing: Names and errors, such as "landlock ENOSYS".
  public init(_ missing: String...) { self.missing = missing }

  /// The same machine, for an ordinary user.
  public var forOrdinaryUser: LackingMachine {
    var machine = self
    machine.isForOrdinaryUser = true
    return machine
  }

  /// The machine for each user that the tests can be.
  public var forAllUsers: [LackingMachine] { geteuid() == 0 ? [self, forOrdinaryUser] : [self] }

  /// What is missing, and the user if it is another.
  public var description: String {
    (missing.isEmpty ? "nothing" : missing.joined(separator: ", "))
      + (isForOrdinaryUser ? ", as an ordinary user" : "")
  }

  /// Runs a program on it.
  public func run(
    _ program: String, _ arguments: [String], in folder: String? = nil, input: String = "",
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    // Compiled once: compilers' results are kept.
    let launcher = try TemporaryFolder()
    try CCompiler("gcc").compile(
      BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/sandbox/without.c").path,
      to: launcher.path("compiled"), flags: ["-std=c11", "-O1"] + CCompiler.strictness)
    // A copy by another process: a file that this one wrote cannot be run while a child that it forked
    // meanwhile still holds it open.
    _ = try Program.run("cp", [launcher.path("compiled"), launcher.path("without")])
    return try Program.run(
      launcher.path("without"),
      (isForOrdinaryUser ? ["-"] : [])
        + missing.flatMap { $0.split(separator: " ").map(String.init) } + ["--", program]
        + arguments,
      in: folder, input: input, environment: environment)
  }
}
