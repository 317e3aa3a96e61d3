/// Engines that reach for what is not theirs: files, other processes, networks, the system.
enum RightsCases {
  /// Calls that nothing else of the sandbox would stop, each with arguments that do nothing.
  private static let calls: [(name: String, arguments: String)] = [
    ("mount", "0,0,0,0,0"), ("umount2", "0,0"), ("unshare", "0"), ("setns", "-1,0"),
    ("chroot", "0"), ("pivot_root", "0,0"), ("bpf", "-1,0,0"), ("perf_event_open", "0,0,-1,-1,0"),
    ("keyctl", "-1,0,0,0,0"), ("userfaultfd", "-1"), ("init_module", "0,0,0"),
    ("reboot", "0,0,0,0"), ("sethostname", "0,-1"), ("setuid", "0"), ("setgid", "0"),
    ("capset", "0,0"), ("pidfd_open", "1,-1"), ("process_vm_writev", "1,0,0,0,0,0"),
    ("open_by_handle_at", "-1,0,0"), ("fanotify_init", "-1,-1"), ("inotify_init1", "-1"),
    ("mknodat", "-1,0,0,0"), ("shmget", "0,0,0"), ("msgget", "-1,0"), ("semget", "-1,-1,0"),
    ("clock_settime", "-1,0"), ("swapon", "0,0"), ("personality", "0x0400000"),
  ]

  static let all: [HostileCase] =
    calls.map { call in
      HostileCase(
        "forbidden-call", flags: ["-DCALL=SYS_\(call.name)", "-DARGUMENTS=\(call.arguments)"],
        .forbidden(call.name))
    }
    + [HostileCase.Place.load, .registration, .published].flatMap { place in
      [
        HostileCase("connects-tcp", in: place, .forbidden("socket")),
        HostileCase("forks", in: place, .forbidden("clone")),
        HostileCase("reads-files", in: place, .lays),
      ]
    } + processes + files + networks + state
}

extension RightsCases {
  private static let processes: [HostileCase] = [
    HostileCase("forks", .forbidden("clone")),
    HostileCase("vforks", .forbidden("clone")),
    HostileCase("execs", .forbidden("execve")),
    HostileCase("memfd-exec", .forbidden("memfd_create")),
    HostileCase("kills-parent", .forbidden("kill"), .lays),
    HostileCase("kills-group", .forbidden("kill"), .lays),
    HostileCase("leaves-group", .forbidden("setsid")),
    HostileCase("hides", .lays, .forbidden("prctl")),
    HostileCase("reads-parent", .forbidden("process_vm_readv")),
    HostileCase("traces-parent", .forbidden("ptrace")),
    HostileCase("limits-parent", .forbidden("prlimit64")),
    HostileCase("raises-limits", .lays, .forbidden("prlimit64")),
    HostileCase("priority-of-parent", .forbidden("priority")),
    HostileCase("affinity-of-parent", .forbidden("sched_setaffinity")),
    HostileCase("io-uring", .forbidden("io_uring_setup")),
    HostileCase("code-at-run-time", .lays, .forbidden("mmap")),
    HostileCase("handles-refusal", .forbidden("socket"), .lays),
  ]

  private static let files: [HostileCase] = [
    HostileCase("reads-files", .lays),
    HostileCase("writes-files", .lays),
    HostileCase("unlinks", .forbidden("rename"), .lays),
    HostileCase("truncates", .forbidden("truncate"), .lays),
    HostileCase("makes-links", .forbidden("mkdir"), .lays),
    HostileCase("changes-mode", .forbidden("chmod")),
    HostileCase("changes-owner", .forbidden("chown")),
    HostileCase("changes-times", .forbidden("utim")),
    HostileCase("loads-library", .lays),
    HostileCase("closes-descriptors", .broken()),
    HostileCase("writes-to-descriptors", .lays, .broken()),
    HostileCase("reads-descriptors", .lays, .broken()),
    HostileCase("prints", .laysAndTalks),
    HostileCase("prints", in: .load, .laysAndTalks),
    HostileCase("prints-much", seconds: 15, .laysAndTalks),
    HostileCase("prints-garbage", .laysAndTalks),
    HostileCase("prints-escapes", .laysAndTalks),
  ]

  private static let networks: [HostileCase] = [
    HostileCase("connects-tcp", .forbidden("socket")),
    HostileCase("sends-udp", .forbidden("socket")),
    HostileCase("connects-unix", .forbidden("socket")),
    HostileCase("passes-descriptors", .lays, .broken()),
  ]

  private static let state: [HostileCase] = [
    HostileCase("changes-locale", .lays),
    HostileCase("changes-umask", .lays, .forbidden("umask")),
    HostileCase("changes-directory", .lays, .forbidden("chdir")),
    HostileCase("changes-environment", .lays),
    HostileCase("reads-environment", .lays),
  ]
}
