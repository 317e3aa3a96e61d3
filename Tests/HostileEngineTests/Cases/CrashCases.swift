/// Engines that end their own process.
enum CrashCases {
  private static let everywhere: [(place: HostileCase.Place, call: String)] = [
    (.load, "loading"), (.registration, "its registration"), (.create, "create"),
    (.prepare, "prepare"),
    (.filled, "prepare"), (.adjust, "adjust"), (.query, "elements_in_rect"),
    (.published, "attack"), (.snapping, "resting_offset"), (.destroy, "destroy"),
  ]

  private static let some = everywhere.filter {
    [.load, .registration, .prepare, .published].contains($0.place)
  }

  private static let signals = [
    "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL",
    "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGXCPU", "SIGXFSZ",
  ]

  private static func dying(
    _ source: String, _ signal: String, _ places: [(place: HostileCase.Place, call: String)]
  ) -> [HostileCase] {
    places.map { HostileCase(source, in: $0.place, .dies(signal, in: $0.call)) }
  }

  static let all: [HostileCase] =
    dying("null-dereference", "SIGSEGV", everywhere)
    + dying("abort", "SIGABRT", everywhere)
    + dying("illegal-instruction", "SIGILL", some)
    + dying("stack-overflow", "SIGSEGV", some)
    + dying("division-trap", "SIGFPE", some)
    + dying("throws", "SIGABRT", everywhere)
    + everywhere.map { HostileCase("exit", in: $0.place, .exits(0, in: $0.call)) }
    + some.map { HostileCase("exit-at-once", in: $0.place, .exits(3, in: $0.call)) }
    + signals.map {
      HostileCase("random-signal", flags: ["-DSIGNAL=\($0)"], .dies($0, in: "prepare"))
    }
    + [
      // It cannot raise what its sandbox keeps for itself, but dies of it all the same.
      HostileCase("random-signal", flags: ["-DSIGNAL=SIGSYS"], .forbidden(nil)),
      HostileCase("second-prepare", question: .update, .dies("SIGSEGV", in: "prepare")),
      HostileCase("no-layout", .dies("SIGSEGV", in: "prepare")),
      HostileCase("odd-layout", .dies("SIGSEGV", in: "prepare")),
      HostileCase("odd-functions", .dies("SIGSEGV", in: "prepare")),
      HostileCase(
        "prints-then-dies",
        HostileEnd(
          words: "crashes", status: 70,
          sentence: ["SIGABRT", "the cells must not be wider than the section"],
          mayTalk: true)),
    ]
}
