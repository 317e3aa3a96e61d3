enum RightsCases {
  private static let fatal: [(name: String, arguments: String)] = [
    ("mount", "0,0,0,0,0"), ("unshare", "0"), ("bpf", "-1,0,0"), ("io_uring_setup", "0,0"),
  ]

  /// Calls that fail instead, since libraries make them in good faith.
  private static let denied: [(name: String, arguments: String)] = [
    ("setuid", "0"), ("capset", "0,0"), ("shmget", "0,0,0"), ("personality", "0x0400000"),
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
    "leaves-group", "raises-limits", "watches-parent", "code-by-detours", "forges-reports",
    "installs-filter", "reads-files", "reads-system", "changes-files", "loads-later",
    "closes-descriptors", "writes-to-descriptors", "reads-descriptors", "connects-unix",
    "passes-descriptors", "reads-environment", "changes-parent", "changes-state",
  ]

  private static let others: [HostileCase] = [
    HostileCase("forks", .forbidden("clone")),
    HostileCase("vforks", .called("posix_spawn")),
    HostileCase("execs", .forbidden("execve")),
    HostileCase("kills-parent", .forbidden("kill")),
    HostileCase("reads-parent", .forbidden("process_vm_readv")),
    HostileCase("traces-parent", .forbidden("ptrace")),
    HostileCase("watches-parent", in: .load, .lays),
    HostileCase("code-by-detours", in: .load, .lays),
    HostileCase("code-by-detours", in: .registration, .lays),
    HostileCase("forges-reports", in: .load, .lays),
    HostileCase("forges-reports", in: .registration, .lays),
    HostileCase("installs-filter", in: .load, .lays),
    HostileCase("handles-refusal", .forbidden("socket")),
    HostileCase("reads-system", in: .load, .lays),
    HostileCase("loads-later", in: .create, .lays),
    HostileCase("prints-much", seconds: 15, .laysAndTalks),
    HostileCase("prints-escapes", .laysAndTalks),
    HostileCase("prints-escapes", in: .load, .laysAndTalks),
    HostileCase("connects-tcp", .forbidden("socket")),
    HostileCase("sends-udp", .forbidden("socket")),
  ]
}
