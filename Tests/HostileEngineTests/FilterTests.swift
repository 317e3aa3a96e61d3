import Foundation
import TestSupport
import Testing

/// Decisions of the sandbox's filters for every system call on both architectures.
///
/// Tests/Fixtures/sandbox/filters.c interprets them; other tests make the calls on this kernel.
@Suite struct FilterTests {
  private static let repository = BuiltProducts.repository.path
  private static let system = "\(repository)/Sources/CTesseraSystem"
  private static let here = Result { try decisions(compiler: "gcc", options: [], emulator: []) }

  private static func decisions(
    compiler: String, options: [String], emulator: [String]
  ) throws -> Set<Substring> {
    let folder = try TemporaryFolder()
    let program = folder.path("filters")
    try CCompiler(compiler).compile(
      "\(repository)/Tests/Fixtures/sandbox/filters.c", to: program,
      flags: options
        + ["-std=gnu17", "-O1", "-Wall", "-Werror", "-I\(system)", "-I\(system)/include"])
    let words = emulator + [program]
    let result = try Program.run(words[0], Array(words.dropFirst()))
    try #require(result.status == 0, "\(result.errors)")
    return Set(result.output.split(separator: "\n"))
  }

  @Test(arguments: [
    "openat(read): allowed", "openat(O_WRONLY): EACCES", "openat(O_RDWR): EACCES",
    "openat(O_CREAT): EACCES", "openat(O_TRUNC): EACCES", "openat(O_APPEND): EACCES",
    "openat(O_TMPFILE): EACCES", "openat(folder): allowed", "openat2: ENOSYS", "truncate: EACCES",
    "write(output): allowed", "write(socket): allowed", "write(foreign): EBADF",
    "write(foreign+upper): EBADF", "write(limit): EBADF", "close(socket): EBADF",
    "dup(foreign): EPERM", "dup3(to-socket): EPERM", "fcntl(F_DUPFD): allowed",
    "fcntl(F_DUPFD,foreign): EPERM", "fcntl(F_SETOWN): EPERM", "sendto(socket): allowed",
    "sendto(socket,address): EPERM", "sendto(output): EBADF", "socket(AF_INET): ends",
    "socket(AF_UNIX): EACCES", "connect: ends", "bind: ends", "execve: ends", "execveat: ends",
    "clone(thread): allowed", "clone(process): ends", "clone(thread,user): ends", "clone3: ENOSYS",
    "kill(self): allowed", "kill(another): ends", "kill(everyone): ends", "tgkill(another): ends",
    "ptrace: ends",
    "process_vm_writev: ends", "rt_sigaction(SIGSYS,read): allowed",
    "rt_sigaction(SIGSYS,set): EPERM", "rt_sigaction(SIGUSR1,set): allowed",
    "prlimit64(self): allowed", "prlimit64(self,new-limit): EPERM", "prlimit64(another): EPERM",
    "clock_gettime(self): allowed", "clock_gettime(clock,self): allowed",
    "clock_gettime(clock,own-id): allowed", "clock_gettime(clock,thread): allowed",
    "clock_gettime(clock,another): EPERM", "clock_gettime(clock,file): EPERM",
    "clock_getres(clock,another): EPERM", "clock_nanosleep(clock,another): EPERM",
    "getpgid(self): allowed", "getpgid(another): ENOSYS",
    "getsid(another): ENOSYS", "sched_getaffinity(self): allowed",
    "sched_getaffinity(another): ENOSYS", "sched_getparam(another): ENOSYS",
    "sched_getscheduler(another): ENOSYS", "getpriority(priority,self): allowed",
    "getpriority(priority,another): ENOSYS", "getpriority(priority,user): ENOSYS",
    "capget: EPERM", "prctl(PR_SET_NAME): allowed", "prctl(PR_SET_SECCOMP): EPERM",
    "mmap(map-file): allowed",
    "mmap(map-memory): allowed", "mmap(map-shared): EPERM", "mmap(map-stack): EPERM",
    "mmap(map-huge): EPERM", "io_uring_setup: ends", "mount: ends", "bpf: ends", "ioctl: ENOTTY",
    "other: ENOSYS", "foreign machine: killed",
  ])
  func aWorkerMayDoOnlyWhatIsPromised(decision: String) throws {
    let here = try Self.here.get()
    #expect(here.contains("enter \(decision)"))
    #expect(here.contains("supervised \(decision)"))
  }

  @Test func codeIsKeptOut() throws {
    let here = try Self.here.get()
    for decision in [
      "code mmap(code-file): asks", "code mmap(code-writable): EACCES",
      "code mmap(code-memory): EACCES", "code mmap(code-shared): EACCES",
      "code mmap(map-memory): allowed", "later mmap(code-file): EACCES", "later seccomp: EPERM",
      "enter seccomp(filter,all-threads): allowed", "enter seccomp(filter,one-thread): EPERM",
      "supervised seccomp: EPERM",
    ] { #expect(here.contains(Substring(decision)), "\(decision)") }
  }

  #if arch(x86_64)
    /// Legacy x86-64 calls.
    private static let older: Set<Substring> = Set(
      """
      access arch_prctl chmod chown creat dup2 epoll_create epoll_wait eventfd fork futimesat getdents getpgrp \
      inotify_init ioperm iopl lchown link lstat mkdir mknod modify_ldt open pause pipe poll readlink rename rmdir \
      select signalfd stat symlink time unlink uselib utime utimes vfork x32
      """.split(separator: " "))

    /// On arm64 numbers differ and calls are fewer; decisions are equal.
    @Test(.secondRing) func theOtherMachineDecidesTheSame() throws {
      let here = try Self.here.get()
      let there = try Self.decisions(
        compiler: "aarch64-linux-gnu-gcc", options: ["-static"], emulator: ["qemu-aarch64-static"])
      #expect(there.count > 1000)
      #expect(there.subtracting(here) == [])
      let missing = here.subtracting(there).compactMap { $0.firstMatch(of: /^\w+ (\w+)/)?.1 }
      #expect(Set(missing) == Self.older)
    }

    @Test(.secondRing) func theCodeInCCompilesForTheOtherMachine() throws {
      let listed = try Program.run("git", ["-C", Self.repository, "ls-files", "Sources/C*/*.c"])
      let folder = try TemporaryFolder()
      let names = listed.output.split(separator: "\n").map(String.init)
      // Needs libffi headers for arm64.
      for name in names where name != "Sources/CTesseraSystem/functions.c" {
        let module = name.split(separator: "/").prefix(2).joined(separator: "/")
        // Only clang has the builtins of numbers.c, so Swift's own compiles it.
        let usesClang = name.hasPrefix("Sources/CTesseraNumbers")
        try CCompiler(usesClang ? "clang" : "aarch64-linux-gnu-gcc").compile(
          "\(Self.repository)/\(name)", to: folder.path("object"),
          flags: (usesClang ? ["--target=aarch64-linux-gnu"] : [])
            + ["-std=gnu17", "-O2", "-Wall", "-Werror", "-c"]
            + [module, "Sources/CTesseraSystem", "Sources/CTesseraNumbers"].map {
              "-I\(Self.repository)/\($0)/include"
            })
      }
      #expect(names.count > 20)
    }
  #endif
}
