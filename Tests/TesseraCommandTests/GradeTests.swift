import Foundation
import TestSupport
import Testing

/// Sandbox grades on lacking machines: `doctor`, `layout` and `--require full` agree.
@Suite struct GradeTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    let machine: LackingMachine
    let missing: [String]
    var testDescription: String { "without \(machine)" }

    static let all =
      [
        of(LackingMachine(), []),
        of(LackingMachine("namespaces EPERM"), []),
        of(LackingMachine("landlock ENOSYS"), ["files"]),
        of(LackingMachine("seccomp ENOSYS"), ["systemCalls"]),
        of(LackingMachine("seccomp-listener EBUSY"), ["newCode"]),
        of(LackingMachine("landlock ENOSYS", "seccomp-listener EBUSY"), ["files", "newCode"]),
      ].flatMap { $0 }
      + (geteuid() == 0
        ? [
          Expected(machine: LackingMachine("users EPERM"), missing: ["root"]),
          Expected(machine: LackingMachine("groups EPERM"), missing: ["root"]),
        ] : [])

    private static func of(_ machine: LackingMachine, _ missing: [String]) -> [Expected] {
      (Ring.isSecond ? machine.forAllUsers : [machine]).map {
        Expected(machine: $0, missing: missing)
      }
    }
  }

  private func report(_ machine: LackingMachine) throws -> (status: Int32, report: [String: Any]) {
    let result = try machine.run(Program.tessera, ["doctor", "--format", "json"])
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return (result.status, try #require(object as? [String: Any], "\(result.errors)"))
  }

  @Test(arguments: Expected.all) func doctorReportsTheGrade(_ expected: Expected) throws {
    let isFull = expected.missing.isEmpty
    let (status, report) = try report(expected.machine)
    #expect(report["sandbox"] as? String == (isFull ? "full" : "reduced"))
    #expect(report["missing"] as? [String] == expected.missing)
    #expect(report["sandboxed"] as? Bool == isFull)
    #expect(status == (isFull ? 0 : 1))
    #expect((report["wrong"] as? [String])?.isEmpty == isFull)
    let text = try expected.machine.run(Program.tessera, ["doctor"])
    #expect(text.status == status)
    #expect(
      text.output.hasPrefix("engines run in \(isFull ? "the" : "a reduced") sandbox here\n"),
      "\(text.output.prefix(300))")
  }

  @Test(arguments: Expected.all) func layoutWarnsOrRefuses(_ expected: Expected) throws {
    let isFull = expected.missing.isEmpty
    let arguments = ["layout", "flow", "--items", "3"]
    let layout = try expected.machine.run(Program.tessera, arguments)
    #expect(layout.status == 0)
    let warning = /tessera: warning: the sandbox is reduced: .*; --require full refuses .* in it\n/
    #expect(isFull ? layout.errors.isEmpty : layout.errors.wholeMatch(of: warning) != nil)
    let required = try expected.machine.run(Program.tessera, arguments + ["--require", "full"])
    #expect(required.status == (isFull ? 0 : 69))
    let refusal = /tessera: .*the sandbox must be full here, and is reduced: .*tessera doctor.*\n/
    #expect(
      isFull ? required.errors.isEmpty : required.errors.wholeMatch(of: refusal) != nil,
      "\(required.errors)")
  }

  /// A protection that fails half-way: nothing runs below the reported grade.
  @Test(
    arguments: [
      (LackingMachine("landlock-rules EPERM"), "closing files (Landlock)"),
      (LackingMachine("capabilities EPERM"), "giving up capabilities (capset)"),
      (LackingMachine("limits EPERM"), "setting limits (setrlimit)"),
    ])
  func halfASandboxIsRefused(machine: LackingMachine, step: String) throws {
    for machine in machine.forAllUsers {
      let sentence = "the sandbox cannot be entered: \(step) failed: Operation not permitted"
      let layout = try machine.run(Program.tessera, ["layout", "flow", "--items", "3"])
      #expect(layout.status == 69)
      #expect(layout.output.isEmpty)
      #expect(layout.errors.contains(sentence), "\(layout.errors)")
      let (status, report) = try report(machine)
      #expect(status == 1)
      #expect(report["sandbox"] as? String == "none")
      let wrong = try #require(report["wrong"] as? [String])
      #expect(wrong.contains { $0.contains(sentence) }, "\(wrong)")
    }
  }

  /// Without Landlock, files are readable but not writable, and no code is generated; without a
  /// listener, engines load nothing unless they filter calls themselves.
  @Test(
    arguments: [LackingMachine("landlock ENOSYS"), LackingMachine("seccomp-listener EINVAL")]
      .flatMap(\.forAllUsers))
  func reducedSandboxKeepsTheRest(machine: LackingMachine) throws {
    let folder = try TemporaryFolder()
    let secret = try folder.write("secret", "x")
    let engine = CEngine(
      declarations: """
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <sys/mman.h>
        #ifndef MAP_ANONYMOUS
        #define MAP_ANONYMOUS 0x20
        #endif
        """,
      body: CEngine.column + """
        double found = 0;
        if (open("\(secret)", O_RDONLY) >= 0) found += 1;
        if (open("\(secret)", O_WRONLY) >= 0) found += 2;
        if (mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) found += 4;
        void *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0) found += 8;
        if (dlopen("libanl.so.1", RTLD_NOW) || dlopen("libutil.so.1", RTLD_NOW)) found += 16;
        rows->frame[0].width = found;

        """)
    let library = try engine.build(in: folder)
    for path in [folder.path, secret] { chmod(path, 0o755) }
    let result = try machine.run(
      Program.tessera, ["layout", library, "--items", "1", "--format", "json"])
    let filesAreClosed = !machine.missing.contains("landlock ENOSYS")
    let quiet = ProgramResult(
      status: result.status, wasKilled: result.wasKilled, output: result.output, errors: "")
    #expect(try #require(quiet.layout().frames.first)[2] == (filesAreClosed ? 0 : 1))
  }

  /// With only root mapped in a user namespace, the worker cannot change its user.
  @Test(arguments: ["-U", "-Ur", "-Urn"]) func userNamespaceIsGraded(options: String) throws {
    let inside = try Program.run("unshare", [options, "true"])
    try #require(inside.status == 0, "\(inside.errors)")
    let engines = BuiltProducts.folder.path
    let doctor = try Program.run(
      "unshare", [options, Program.tessera, "doctor", "--format", "json"])
    let layout = try Program.run(
      "unshare", [options, Program.tessera, "layout", "flow", "--items", "3", "--engines", engines])
    #expect(layout.status == 0 || geteuid() != 0, "\(layout.errors)")
    let isFull = options == "-U"
    #expect(doctor.status == (isFull ? 0 : 1))
    #expect(doctor.output.contains("\"sandbox\": \"\(isFull ? "full" : "reduced")\""))
    if geteuid() == 0 { #expect(layout.errors.contains("engines run as root") == !isFull) }
  }
}
