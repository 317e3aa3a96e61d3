enum CrashCases {
  private static let signals = [
    "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL",
    "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGXCPU", "SIGXFSZ",
  ]

  private static func ending(_ source: String, _ end: HostileEnd) -> [HostileCase] {
    HostileCase.Place.allCases.map { HostileCase(source, in: $0, end) }
  }

  static let all: [HostileCase] =
    ending("null-dereference", .dies("SIGSEGV"))
    + ending("abort", .dies("SIGABRT"))
    + [.load, .registration, .prepare, .published].map {
      HostileCase("stack-overflow", in: $0, .dies("SIGSEGV"))
    }
    + ending("throws", .dies("SIGABRT"))
    + ending("exit", .exits)
    + signals.map { HostileCase("random-signal", flags: ["-DSIGNAL=\($0)"], .dies($0)) }
    + [
      // It cannot raise the signal reserved by its sandbox, but dies anyway.
      HostileCase("random-signal", flags: ["-DSIGNAL=SIGSYS"], .forbidden(nil)),
      HostileCase("second-prepare", question: .update, .dies("SIGSEGV")),
      HostileCase("no-layout", .dies("SIGSEGV")),
      HostileCase("odd-functions", .dies("SIGSEGV")),
      HostileCase(
        "prints-then-dies",
        HostileEnd(
          words: "crashes", status: 70,
          sentence: ["SIGABRT", "the cells must not be wider than the section"],
          mayTalk: true)),
    ]
}
