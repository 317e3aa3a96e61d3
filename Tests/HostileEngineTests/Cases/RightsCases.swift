/// Engines that reach for what is not theirs: files, other processes, networks, the system.
enum RightsCases {
  /// Calls that end whoever makes them, each with arguments that do nothing.
  private static let fatal: [(name: String, arguments: String)] = [
    ("mount", "0,0,0,0,0"), ("umount2", "0,0"), ("unshare", "0"), ("setns", "-1,0"),
    ("chroot", "0"), ("pivot_root", "0,0"), ("bpf", "-1,0,0"), ("perf_event_open", "0,0,-1,-1,0"),
    ("keyctl", "-1,0,0,0,0"), ("userfaultfd", "-1"), ("init_module", "0,0,0"),
    ("reboot", "0,0,0,0"), ("sethostname", "0,-1"), ("pidfd_open", "1,-1"),
    ("process_vm_writev", "1,0,0,0,0,0"), ("open_by_handle_at", "-1,0,0"), ("swapon", "0,0"),
    ("clock_settime", "-1,0"),
  ]

  /// Calls that are refused, since libraries make them in good faith too.
  private static let denied: [(name: String, arguments: String)] = [
    ("setuid", "0"), ("setgid", "0"), ("capset", "0,0"), ("fanotify_init", "-1,-1"),
    ("inotify_init1", "-1"), ("mknodat", "-1,0,0,0"), ("shmget", "0,0,0"), ("msgget", "-1,0"),
    ("semget", "-1,-1,0"), ("personality", "0x0400000"),
  ]

  private static let places: [(place: HostileCase.Place, call: String)] = [
    (.load, "loading"), (.registration, "its registration"), (.published, "attack"),
  ]

  private static func calling(_ call: (name: String, arguments: String)) -> [String] {
    ["-DCALL=SYS_\(call.name)", "-DARGUMENTS=\(call.arguments)"]
  }

  static let all: [HostileCase] =
    fatal.map { HostileCase("forbidden-call", flags: calling($0), .forbidden($0.name)) }
    + denied.map { HostileCase("forbidden-call", flags: calling($0), .lays) }
    + places.flatMap { place in
      [
        HostileCase("connects-tcp", in: place.place, .forbidden("socket", in: place.call)),
        HostileCase("forks", in: place.place, .forbidden("clone", in: place.call)),
        HostileCase("reads-files", in: place.place, .lays),
      ]
    } + processes + files + networks + state
}

extension RightsCases {
  private static let processes: [HostileCase] = [
    HostileCase("forks", .forbidden("clone")),
    HostileCase("vforks", .called("posix_spawn")),
    HostileCase("execs", .forbidden("execve")),
    HostileCase("memfd-exec", .lays),
    HostileCase("kills-parent", .forbidden("kill")),
    HostileCase("kills-group", .forbidden("kill")),
    HostileCase("leaves-group", .lays),
    HostileCase("hides", .lays),
    HostileCase("reads-parent", .forbidden("process_vm_readv")),
    HostileCase("traces-parent", .forbidden("ptrace")),
    HostileCase("limits-parent", .lays),
    HostileCase("raises-limits", .lays),
    HostileCase("priority-of-parent", .lays),
    HostileCase("affinity-of-parent", .lays),
    HostileCase("watches-parent", .lays),
    HostileCase("watches-parent", in: .load, .lays),
    HostileCase("io-uring", .forbidden("io_uring_setup")),
    HostileCase("code-at-run-time", .lays),
    HostileCase("code-at-run-time", in: .load, .lays),
    HostileCase("code-at-run-time", in: .registration, .lays),
    HostileCase("code-by-detours", .lays),
    HostileCase("code-by-detours", in: .load, .lays),
    HostileCase("forges-reports", .lays),
    HostileCase("forges-reports", in: .load, .lays),
    HostileCase("forges-reports", in: .registration, .lays),
    HostileCase("installs-filter", in: .load, .lays),
    HostileCase("installs-filter", .lays),
    HostileCase("handles-refusal", .forbidden("socket")),
  ]

  private static let files: [HostileCase] = [
    HostileCase("reads-files", .lays),
    HostileCase("reads-system", .lays),
    HostileCase("reads-system", in: .load, .lays),
    HostileCase("writes-files", .lays),
    HostileCase("unlinks", .lays),
    HostileCase("truncates", .lays),
    HostileCase("makes-links", .lays),
    HostileCase("changes-mode", .lays),
    HostileCase("changes-owner", .lays),
    HostileCase("changes-times", .lays),
    HostileCase("loads-library", .lays),
    HostileCase("loads-later", .lays),
    HostileCase("loads-later", in: .create, .lays),
    HostileCase("closes-descriptors", .lays),
    HostileCase("writes-to-descriptors", .lays),
    HostileCase("reads-descriptors", .lays),
    HostileCase("prints", .laysAndTalks),
    HostileCase("prints", in: .load, .laysAndTalks),
    HostileCase("prints-much", seconds: 15, .laysAndTalks),
    HostileCase("prints-garbage", .laysAndTalks),
    HostileCase("prints-escapes", .laysAndTalks),
  ]

  private static let networks: [HostileCase] = [
    HostileCase("connects-tcp", .forbidden("socket")),
    HostileCase("sends-udp", .forbidden("socket")),
    HostileCase("connects-unix", .lays),
    HostileCase("passes-descriptors", .lays),
  ]

  private static let state: [HostileCase] = [
    HostileCase("changes-locale", .lays),
    HostileCase("changes-umask", .lays),
    HostileCase("changes-directory", .lays),
    HostileCase("changes-environment", .lays),
    HostileCase("reads-environment", .lays),
  ]
}
