import Foundation
import TestSupport
import Testing

/// What a process can and cannot do in the sandbox.
///
/// The expected outcomes follow the manual pages of Linux: EACCES
/// for files, EPERM for rights, EBADF for descriptors, ENOMEM for memory, and SIGSYS for an attack,
/// with the name of the call where the process does not block the signal.
@Suite struct SandboxTests {
  @Test(arguments: SandboxedAction.all, User.all)
  func endsAsExpected(_ action: SandboxedAction, as user: User) throws {
    #expect(try Prisoner.outcomes(as: user)[action.name] == action.outcome)
  }

  @Test(arguments: User.all)
  func everyActionHasItsOutcome(_ user: User) throws {
    let expected = Set(SandboxedAction.all.map(\.name))
    #expect(Set(try Prisoner.outcomes(as: user).keys) == expected)
  }
}

/// Something that a process tries in the sandbox, and its expected outcome.
struct SandboxedAction: Sendable, CustomTestStringConvertible {
  /// Its name in Tests/Fixtures/sandbox.
  let name: String
  /// The outcome, in the form of ``Prisoner/outcomes(as:)``.
  let outcome: String
  /// The name.
  var testDescription: String { name }

  private init(_ name: String, _ outcome: String) {
    self.name = name
    self.outcome = outcome
  }

  /// All of them.
  static let all = files + processes + memory + descriptors + hostile + ofThisMachine

  private static let files: [Self] = [
    .init("read an open file", "works"),
    .init("read a closed file", "refused EACCES"),
    .init("read the list of users", "refused EACCES"),
    .init("read the environment of the parent", "refused EACCES"),
    .init("read the environment of the first process", "refused EACCES"),
    .init("read the own maps", "works"),
    .init("list an open folder", "works"),
    .init("list a closed folder", "refused EACCES"),
    .init("write an open file", "refused EACCES"),
    .init("append to an open file", "refused EACCES"),
    .init("create a file", "refused EACCES"),
    .init("truncate an open file", "refused EACCES"),
    .init("create a file without a name", "refused EACCES"),
    .init("remove an open file", "refused EACCES"),
    .init("make a folder", "refused EACCES"),
    .init("change a mode", "refused EACCES"),
    .init("change the folder", "refused EACCES"),
    .init("write the own memory as a file", "refused EACCES"),
    .init("load a sealed library", "works"),
    .init("load a library once new code is forbidden", "refused ENOEXEC"),
  ]

  private static let processes: [Self] = [
    .init("enter", "works"),
    .init("enter with two threads", "refused EBUSY"),
    .init("fork", "killed SIGSYS by clone"),
    .init("spawn", "killed SIGSYS"),
    .init("execute", "killed SIGSYS by execve"),
    .init("start a thread in a namespace", "killed SIGSYS by clone"),
    .init("clone by the newer call", "refused ENOSYS"),
    .init("start a thread", "works"),
    .init("attack in a thread", "killed SIGSYS by socket"),
    .init("abort", "killed SIGABRT"),
    .init("raise a signal", "killed SIGTERM"),
    .init("signal oneself", "works"),
    .init("signal the parent", "killed SIGSYS by kill"),
    .init("signal the group", "killed SIGSYS by kill"),
    .init("signal all", "killed SIGSYS by kill"),
    .init("signal a thread of the parent", "killed SIGSYS by tgkill"),
    .init("read an own limit", "works"),
    .init("change an own limit", "refused EPERM"),
    .init("read a limit of the parent", "refused EPERM"),
    .init("have no capability", "works"),
    .init("read the capabilities of the parent", "refused EPERM"),
    .init("read the own processor time", "works"),
    .init("read the own processor time in a thread", "works"),
    .init("read the processor time of the parent", "refused EPERM"),
    .init("sleep by the processor time of the parent", "refused EPERM"),
    .init("find the stack of a thread", "works"),
    .init("count the processors", "works"),
    .init("read the processors of the parent", "refused ENOSYS"),
    .init("read the scheduler of the parent", "refused ENOSYS"),
    .init("read the group of the parent", "refused ENOSYS"),
    .init("read the session of the parent", "refused ENOSYS"),
    .init("read the priority of the parent", "refused ENOSYS"),
    .init("read the priority of the user", "refused ENOSYS"),
    .init("let many signals wait", "refused EAGAIN"),
    .init("set the user", "refused EPERM"),
    .init("leave the session", "refused EPERM"),
    .init("leave the group", "refused EPERM"),
    .init("name a thread", "works"),
    .init("outlive the parent", "refused EPERM"),
    .init("look at the handler", "works"),
    .init("change the handler", "refused EPERM"),
    .init("handle another signal", "works"),
    .init("block signals and attack", "killed SIGSYS"),
    .init("cpu without end", "killed SIGXCPU"),
    .init("cpu without end, ignoring the signal", "killed SIGKILL"),
  ]

  private static let memory: [Self] = [
    .init("use some memory", "works"),
    .init("use much memory", "refused ENOMEM"),
    .init("use much memory that was reserved", "refused ENOMEM"),
    .init("reserve much memory", "refused ENOMEM"),
    .init("share memory", "refused EPERM"),
    .init("map a stack that grows", "refused EPERM"),
    .init("share memory by a key", "refused EPERM"),
    .init("make a memory file", "refused EPERM"),
    .init("lock memory", "refused EPERM"),
    .init("overflow the stack", "killed SIGSEGV"),
    .init("make code", "refused EACCES"),
    .init("make code once new code is forbidden", "refused EACCES"),
    .init("map code once new code is forbidden", "refused EACCES"),
    .init("make code with a key", "refused EPERM"),
    .init("use some memory once new code is forbidden", "works"),
    .init("forbid new code again", "works"),
  ]

  private static let descriptors: [Self] = [
    .init("write to the errors", "works"),
    .init("write to a foreign descriptor", "refused EBADF"),
    .init("write to another foreign descriptor", "refused EBADF"),
    .init("write to the input", "refused EBADF"),
    .init("copy a foreign descriptor", "refused EPERM"),
    .init("copy a foreign descriptor over the output", "refused EPERM"),
    .init("copy a foreign descriptor by fcntl", "refused EPERM"),
    .init("give a foreign descriptor an owner", "refused EPERM"),
    .init("open a foreign descriptor anew", "refused EACCES"),
    .init("send a file to a foreign descriptor", "refused EPERM"),
    .init("write to an own pipe", "works"),
    .init("wake by an own counter", "works"),
    .init("open many descriptors", "refused EMFILE"),
    .init("control a device", "refused ENOTTY"),
    .init("send on the socket", "works"),
    .init("write to the socket", "works"),
    .init("send on a foreign descriptor", "refused EBADF"),
    .init("send to a name", "refused EPERM"),
    .init("send a message with descriptors", "refused EPERM"),
    .init("connect the socket", "killed SIGSYS by connect"),
    .init("open a TCP socket", "killed SIGSYS by socket"),
    .init("open a UDP socket", "killed SIGSYS by socket"),
    .init("open a netlink socket", "killed SIGSYS by socket"),
    .init("open a local socket", "refused EACCES"),
    .init("open a pair of sockets", "refused EPERM"),
  ]

  private static let hostile: [Self] = [
    .init("io_uring_setup", "killed SIGSYS by io_uring_setup"),
    .init("unshare", "killed SIGSYS by unshare"),
    .init("ptrace", "killed SIGSYS by ptrace"),
    .init("pidfd_open", "killed SIGSYS by pidfd_open"),
    .init("setns", "killed SIGSYS by setns"),
    .init("mount", "killed SIGSYS by mount"),
    .init("umount2", "killed SIGSYS by umount2"),
    .init("chroot", "killed SIGSYS by chroot"),
    .init("pivot_root", "killed SIGSYS by pivot_root"),
    .init("bpf", "killed SIGSYS by bpf"),
    .init("perf_event_open", "killed SIGSYS by perf_event_open"),
    .init("userfaultfd", "killed SIGSYS by userfaultfd"),
    .init("keyctl", "killed SIGSYS by keyctl"),
    .init("init_module", "killed SIGSYS by init_module"),
    .init("kexec_load", "killed SIGSYS by kexec_load"),
    .init("reboot", "killed SIGSYS by reboot"),
    .init("swapon", "killed SIGSYS by swapon"),
    .init("clock_settime", "killed SIGSYS by clock_settime"),
    .init("sethostname", "killed SIGSYS by sethostname"),
    .init("open_by_handle_at", "killed SIGSYS by open_by_handle_at"),
    .init("bind", "killed SIGSYS by bind"),
    .init("listen", "killed SIGSYS by listen"),
    .init("process_vm_readv", "killed SIGSYS by process_vm_readv"),
    .init("filter calls and be asked", "refused EPERM"),
    .init("filter calls strictly", "refused EPERM"),
    .init("restrict files again", "refused EPERM"),
    .init("call what nobody knows", "refused ENOSYS"),
  ]

  #if arch(x86_64)
    // By the numbers of another machine; the filter is not asked which call, so none is noted.
    private static let ofThisMachine: [Self] = [
      .init("call as x32", "killed SIGSYS"),
      .init("call as 32 bits", "killed SIGSYS"),
    ]
  #else
    private static let ofThisMachine: [Self] = []
  #endif
}

/// A program that tries actions in the sandbox, each in its own process.
///
/// Compiled from Tests/Fixtures/sandbox, and from the sandbox itself, by a compiler that knows
/// nothing else of this package.
enum Prisoner {
  /// The outcome of each action: "works", "refused ERRNO", or "killed SIGNAL", perhaps with "by CALL".
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
    [
      "sandbox", "landlock", "seccomp", "filter", "system_calls", "forbidden_call", "replacement",
      "supervisor", "crash",
    ]
    .map { "\(system)/\($0).c" }
    + ["files", "processes", "memory", "descriptors", "hostile"].map { "\(fixtures)/\($0).c" }

  private static func path(_ name: String) -> String {
    BuiltProducts.repository.appendingPathComponent(name).path
  }
}

/// The user that a prisoner runs as.
struct User: Sendable, CustomTestStringConvertible {
  /// The user's id; 0 stands for the user who runs the tests.
  let id: UInt32
  /// A description for the test's name.
  var testDescription: String { id == 0 ? "whoever runs the tests" : "an ordinary user" }

  /// The id of an ordinary user.
  static let ordinary: UInt32 = 65534
  /// Only root can become another user.
  static let all = [User(id: 0)] + (geteuid() == 0 ? [User(id: ordinary)] : [])
}
