/// Engines that do not come back, or that live on after their call has.
enum TimeCases {
  private static let places: [HostileCase.Place] = [
    .load, .registration, .create, .prepare, .adjust, .query, .published, .snapping,
  ]

  static let all: [HostileCase] =
    places.map { HostileCase("sleeps-forever", in: $0, .hangs) }
    + [.load, .registration, .prepare].map { HostileCase("spins-forever", in: $0, .hangs) }
    + [
      HostileCase("sleeps-forever", in: .destroy, .laysAndTalks),
      HostileCase("spins-forever", in: .destroy, .laysAndTalks),
      HostileCase("blocks-forever", .hangs),
      HostileCase("progress-forever", .hangs),
      HostileCase("reports-forever", .hangs),
      HostileCase("ignores-signals", .hangs),
      HostileCase("handles-crash", .hangs, .dies("SIGSEGV")),
      HostileCase("alarms", .hangs, .dies("SIGALRM")),
      HostileCase("ignores-cancelling", .lays),
      HostileCase("changes-signals", .lays),
      HostileCase("thread-idle", .lays),
      HostileCase("thread-idle", in: .load, .lays),
      HostileCase("thread-spins", .lays),
      HostileCase("thread-spins", in: .registration, .lays),
      // The answer is there before the thread crashes, or the thread crashes first.
      HostileCase("thread-crashes-later", .lays, .dies("SIGSEGV")),
      HostileCase("thread-calls-host", .laysAndTalks, .broken(), .hangs),
    ]
}
