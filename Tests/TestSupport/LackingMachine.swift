import Foundation

/// A machine without some kernel features, simulated by a filter of system calls.
package struct LackingMachine: Sendable, CustomStringConvertible {
  /// Features with errors, as without.c names them.
  package let missing: [String]
  /// Whether programs run as an ordinary user, which needs root.
  package var isForOrdinaryUser = false

  /// - Parameter missing: Such as "landlock ENOSYS".
  package init(_ missing: String...) { self.missing = missing }

  /// The same machine, for an ordinary user.
  package var forOrdinaryUser: LackingMachine {
    var machine = self
    machine.isForOrdinaryUser = true
    return machine
  }

  package var forAllUsers: [LackingMachine] { geteuid() == 0 ? [self, forOrdinaryUser] : [self] }

  package var description: String {
    (missing.isEmpty ? "nothing" : missing.joined(separator: ", "))
      + (isForOrdinaryUser ? ", as an ordinary user" : "")
  }

  package func run(
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
