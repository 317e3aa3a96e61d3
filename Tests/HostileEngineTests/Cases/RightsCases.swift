enum RightsCases {
  private static let fatal: [(name: String, arguments: String)] = [
    ("mount", "0,0,0,0,0"), ("umount2", "0,0"), ("unshare", "0"), ("setns", "-1,0"),
    ("chroot", "0"), ("pivot_root", "0,0"), ("bpf", "-1,0,0"), ("perf_event_open", "0,0,-1,-1,0"),
    ("keyctl", "-1,0,0,0,0"), ("userfaultfd", "-1"), ("init_module", "0,0,0"),
    ("reboot", "0,0,0,0"), ("sethostname", "0,-1"), ("pidfd_open", "1,-1"),
    ("process_vm_writev", "1,0,0,0,0,0"), ("open_by_handle_at", "-1,0,0"), ("swapon", "0,0"),
    ("clock_settime", "-1,0"), ("io_uring_setup", "0,0"),
  ]

  /// Calls that fail instead, since libraries make them in good faith.
  private static let denied: [(name: String, arguments: String)] = [
    ("setuid", "0"), ("setgid", "0"), ("capset", "0,0"), ("fanotify_init", "-1,-1"),
    ("inotify_init1", "-1"), ("mknodat", "-1,0,0,0"), ("shmget", "0,0,0"), ("msgget", "-1,0"),
    ("semget", "-1,-1,0"), ("personality", "0x0400000"),
  ]

  private static func calling(_ call: (name: String, arguments: String)) -> [String] {
    ["-DCALL=SYS_\(call.name)", "-DARGUMENTS=\(call.arguments)"]
  }

  static let all: [HostileCase] =
    fatal.map { HostileCase("forbidden-call", flags: calling($0), .forbidden($0.name)) }
    + denied.map { HostileCase("forbidden-call", flags: calling($0), .lays) }
    + [.load, .registration, .published].flatMap { (place: HostileCase.Place) in
      [
        HostileCase("connects-tcp", in: place, .forbidden("socket")),
        HostileCase("forks", in: place, .forbidden("clone")),
        HostileCase("reads-files", in: place, .lays),
      ]
    } + withoutEffect.map { HostileCase($0, .lays) } + others

  private static let withoutEffect = [
    "leaves-group", "hides", "raises-limits", "watches-parent", "code-at-run-time",
    "code-by-detours", "forges-reports", "installs-filter", "reads-files", "reads-system",
    "writes-files", "unlinks", "truncates", "makes-links", "loads-later", "closes-descriptors",
    "writes-to-descriptors", "reads-descriptors", "connects-unix", "passes-descriptors",
    "reads-environment", "changes-file", "changes-parent", "changes-state",
  ]

  private static let others: [HostileCase] = [
    HostileCase("forks", .forbidden("clone")),
    HostileCase("vforks", .called("posix_spawn")),
    HostileCase("execs", .forbidden("execve")),
    HostileCase("kills-parent", .forbidden("kill")),
    HostileCase("reads-parent", .forbidden("process_vm_readv")),
    HostileCase("traces-parent", .forbidden("ptrace")),
    HostileCase("watches-parent", in: .load, .lays),
    HostileCase("code-at-run-time", in: .load, .lays),
    HostileCase("code-at-run-time", in: .registration, .lays),
    HostileCase("code-by-detours", in: .load, .lays),
    HostileCase("forges-reports", in: .load, .lays),
    HostileCase("forges-reports", in: .registration, .lays),
    HostileCase("installs-filter", in: .load, .lays),
    HostileCase("handles-refusal", .forbidden("socket")),
    HostileCase("reads-system", in: .load, .lays),
    HostileCase("loads-later", in: .create, .lays),
    HostileCase("prints", .laysAndTalks),
    HostileCase("prints", in: .load, .laysAndTalks),
    HostileCase("prints-much", seconds: 15, .laysAndTalks),
    HostileCase("prints-garbage", .laysAndTalks),
    HostileCase("prints-escapes", .laysAndTalks),
    HostileCase("connects-tcp", .forbidden("socket")),
    HostileCase("sends-udp", .forbidden("socket")),
  ]
}
