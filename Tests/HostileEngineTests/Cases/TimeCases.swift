/// Engines that do not come back, or that live on after their call has.
enum TimeCases {
  private static let places: [(place: HostileCase.Place, call: String)] = [
    (.load, "loading"), (.registration, "its registration"), (.create, "create"),
    (.prepare, "prepare"), (.adjust, "adjust"), (.query, "elements_in_rect"),
    (.published, "attack"), (.snapping, "resting_offset"), (.destroy, "destroy"),
  ]

  private static let some = places.filter {
    [.load, .registration, .prepare, .destroy].contains($0.place)
  }

  static let all: [HostileCase] =
    places.map { HostileCase("sleeps-forever", in: $0.place, .hangs(in: $0.call)) }
    + some.map { HostileCase("spins-forever", in: $0.place, .hangs(in: $0.call)) }
    + [
      "blocks-forever", "progress-forever", "reports-forever", "prints-forever", "ignores-signals",
      "handles-crash", "alarms",
    ].map { HostileCase($0, .hangs(in: "prepare")) }
    + [
      HostileCase("maps-code-forever", in: .load, .hangs(in: "loading")),
      HostileCase("maps-code-forever", in: .prepare, .hangs(in: "prepare")),
      HostileCase("ignores-cancelling", .lays),
      HostileCase("changes-signals", .lays),
      HostileCase("thread-idle", .lays),
      HostileCase("thread-idle", in: .load, .lays),
      HostileCase("thread-spins", .lays),
      HostileCase("thread-spins", in: .registration, .lays),
      // By the time that the thread crashes the process is gone.
      HostileCase("thread-crashes-later", flags: ["-DMICROSECONDS=5000000"], .lays),
      // Two threads at once in code that is made for one: anything may happen there, and only there.
      HostileCase(
        "thread-calls-host", .laysAndTalks, .dies("SIG"), .hangs(in: "prepare"),
        .hangs(in: "destroy")),
    ]
}
