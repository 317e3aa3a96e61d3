/// Engines that end their own process.
enum CrashCases {
  private static let everywhere: [(place: HostileCase.Place, call: String)] = [
    (.load, "load"), (.registration, "regist"), (.create, "create"), (.prepare, "prepare"),
    (.filled, "prepare"), (.adjust, "adjust"), (.query, "elements_in_rect"),
    (.published, "attack"), (.snapping, "resting_offset"),
  ]

  private static let some = everywhere.filter {
    [.load, .registration, .prepare, .published].contains($0.place)
  }

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
    + everywhere.map { HostileCase("exit", in: $0.place, .exits(0)) }
    + some.map { HostileCase("exit-at-once", in: $0.place, .exits(3)) }
    + [
      // The layout has been answered by the time that it is destroyed.
      HostileCase("null-dereference", in: .destroy, .laysAndTalks),
      HostileCase("abort", in: .destroy, .laysAndTalks),
      HostileCase("exit", in: .destroy, .laysAndTalks),
      HostileCase("throws", in: .destroy, .laysAndTalks),
      HostileCase("random-signal", in: .prepare, .broken("prepare")),
      HostileCase("second-prepare", question: .update, .dies("SIGSEGV", in: "prepare")),
      HostileCase("no-layout", .dies("SIGSEGV", in: "prepare")),
      HostileCase("odd-layout", .dies("SIGSEGV", in: "prepare")),
      HostileCase("odd-functions", .dies("SIG", in: "prepare")),
      HostileCase(
        "prints-then-dies",
        HostileEnd(
          status: 70, sentence: ["SIGABRT", "the cells must not be wider than the section"],
          mayTalk: true)),
    ]
}
