import Foundation

/// A machine without some kernel features, simulated by a filter of system calls.
public struct LackingMachine: Sendable, CustomStringConvertible {
  /// Features with errors, as without.c names them.
  public let missing: [String]
  /// Whether programs run as an ordinary user, which needs root.
  public var isForOrdinaryUser = false

  /// - Parameter missing: Such as "landlock ENOSYS".
  public init(_ missing: String...) { self.missing = missing }

  /// The same machine, for an ordinary user.
  public var forOrdinaryUser: LackingMachine {
    var machine = self
    machine.isForOrdinaryUser = true
    return machine
  }

  /// The machine for each available user.
  public var forAllUsers: [LackingMachine] { geteuid() == 0 ? [self, forOrdinaryUser] : [self] }

  /// Missing features, and the user.
  public var description: String {
    (missing.isEmpty ? "nothing" : missing.joined(separator: ", "))
      + (isForOrdinaryUser ? ", as an ordinary user" : "")
  }

  /// Runs a program on it.
  public func run(
    _ program: String, _ arguments: [String], in folder: String? = nil, input: String = "",
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let launcher = try TemporaryFolder()
    try CCompiler("gcc").compile(
      BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/sandbox/without.c").path,
      to: launcher.path("compiled"), flags: ["-std=c11", "-O1"] + CCompiler.strictness)
    // Copied by a child: a file still open for writing in a forked child cannot be executed.
    _ = try Program.run("cp", [launcher.path("compiled"), launcher.path("without")])
    return try Program.run(
      launcher.path("without"),
      (isForOrdinaryUser ? ["-"] : [])
        + missing.flatMap { $0.split(separator: " ").map(String.init) } + ["--", program]
        + arguments,
      in: folder, input: input, environment: environment)
  }
}
