enum TimeCases {
  static let all: [HostileCase] =
    HostileCase.Place.allCases.filter { $0 != .filled }
    .map { HostileCase("sleeps-forever", in: $0, .hangs()) }
    + [.load, .registration, .prepare, .destroy]
    .map { HostileCase("spins-forever", in: $0, .hangs()) }
    + [
      "progress-forever", "prints-forever", "ignores-signals", "handles-crash",
    ].map { HostileCase($0, .hangs()) }
    + [
      HostileCase("maps-code-forever", in: .load, .hangs()),
      HostileCase("maps-code-forever", in: .prepare, .hangs()),
      HostileCase("ignores-cancelling", .lays),
      HostileCase("thread-spins", .lays),
      HostileCase("thread-spins", in: .load, .lays),
      HostileCase("thread-spins", in: .registration, .lays),
      HostileCase("thread-crashes-later", flags: ["-DMICROSECONDS=5000000"], .lays),
      // Data race in the engine's process: the outcome is undefined there only.
      HostileCase(
        "thread-calls-host", .laysAndTalks,
        HostileEnd(words: "crashes", status: 70, sentence: ["SIG"]), .hangs(), .hangs(in: "destroy")
      ),
    ]
}
