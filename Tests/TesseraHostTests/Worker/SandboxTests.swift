import Foundation
import TestSupport
import Testing

/// Kernel restrictions of sandboxed processes; `FilterTests` has the filters' decisions.
///
/// By Linux manual pages: EACCES for files, ENOMEM for memory, SIGSYS for attacks, with the call's
/// name unless the signal is blocked.
@Suite struct SandboxTests {
  private static let expected: [String: String] = [
    "read an open file": "works",
    "read a closed file": "refused EACCES",
    "write an open file": "refused EACCES",
    "load a sealed library": "works",
    "load a library once new code is forbidden": "refused ENOEXEC",
    "enter": "works",
    "enter with two threads": "refused EBUSY",
    "start a thread": "works",
    "attack in a thread": "killed SIGSYS by socket",
    "block signals and attack": "killed SIGSYS",
    "read an own limit": "works",
    "have no capability": "works",
    "let many signals wait": "refused EAGAIN",
    "cpu without end": "killed SIGXCPU",
    "cpu without end, ignoring the signal": "killed SIGKILL",
    "use some memory": "works",
    "use much memory": "refused ENOMEM",
    "use much memory that was reserved": "refused ENOMEM",
    "reserve much memory": "refused ENOMEM",
    "overflow the stack": "killed SIGSEGV",
    "forbid new code again": "works",
    "open many descriptors": "refused EMFILE",
    "restrict files again": "refused EPERM",
  ]

  #if arch(x86_64)
    // Foreign architecture: the call's name is not recorded.
    private static let ofThisMachine = [
      "call as x32": "killed SIGSYS", "call as 32 bits": "killed SIGSYS",
    ]
  #else
    private static let ofThisMachine: [String: String] = [:]
  #endif

  private static let users: [UInt32] = geteuid() == 0 ? [0, 65534] : [0]

  @Test(arguments: users) func endsAsExpected(user: UInt32) throws {
    let expected = Self.expected.merging(Self.ofThisMachine) { $1 }
    let outcomes = try Self.outcomes(as: user)
    for name in Set(expected.keys).union(outcomes.keys).sorted() {
      #expect(outcomes[name] == expected[name], "\(name)")
    }
  }

  /// Output of prisoner.c, compiled with the sandbox's sources.
  private static func outcomes(as user: UInt32) throws -> [String: String] {
    let repository = BuiltProducts.repository.path
    let fixtures = "\(repository)/Tests/Fixtures/sandbox"
    let system = "\(repository)/Sources/CTesseraSystem"
    let parts = ["sandbox", "seccomp", "replacement", "supervisor", "crash"]
    let folder = try TemporaryFolder()
    try folder.write("open/open", "may be read")
    try folder.write("closed/closed", "may not")
    let library = folder.path("library.so")
    let program = folder.path("prisoner")
    try CCompiler("gcc").compile("\(fixtures)/library.c", to: library)
    try CCompiler("gcc").compile(
      "\(fixtures)/prisoner.c", to: program,
      flags: ["-std=c11", "-O1", "-I\(system)/include"] + CCompiler.strictness
        + parts.map { "\(system)/\($0).c" })
    let result = try Program.run(
      program, [folder.path("open"), folder.path("closed"), library, "\(user)"])
    try #require(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n").map { $0.split(separator: "\t") }
    return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), String($0[1])) })
  }
}
