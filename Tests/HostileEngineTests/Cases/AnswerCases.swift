/// Engines whose answers do not add up, or whose words are no text.
enum AnswerCases {
  private static let delegate = ["--delegate", "answer=3"]

  static let all: [HostileCase] = [
    HostileCase("honest", .lays),
    HostileCase("no-content-size", .broken("set_content_size")),
    HostileCase("odd-content-size", flags: ["-DSIZE=NAN,10"], .broken("nanx10")),
    HostileCase("odd-content-size", flags: ["-DSIZE=10,INFINITY"], .broken("10xinf")),
    HostileCase("odd-content-size", flags: ["-DSIZE=-1,10"], .broken("-1x10")),
    HostileCase("odd-frame", flags: ["-DFRAME=NAN,0,10,10"], .broken("cell 3 of section 0")),
    HostileCase("odd-frame", flags: ["-DFRAME=0,INFINITY,10,10"], .broken("cell 3 of section 0")),
    HostileCase("odd-frame", flags: ["-DFRAME=0,0,-1,10"], .broken("cell 3 of section 0")),
    HostileCase("beyond-section", .lays),
    HostileCase("cells-twice", .broken("twice")),
    HostileCase("cells-missing", .lays(only: [0, 2, 4])),
    HostileCase("huge-run", .broken("refused rows")),
    HostileCase("endless-runs", .lays),
    HostileCase("odd-status", .broken("status -2147483647")),
    HostileCase("registers-late", .lays),
    HostileCase("output-kept", question: .call, .lays),
    HostileCase("endless-report", .refused("aaaa")),
    HostileCase("binary-report", .refused("bad", "end")),
    HostileCase("null-report", .dies("SIGSEGV", in: "prepare")),
    HostileCase(
      "delegate-without-context", arguments: delegate,
      .broken("answer was called without its context")),
    HostileCase("delegate-recursion", arguments: delegate, .dies("SIGSEGV", in: "prepare")),
    HostileCase("delegate-kept", arguments: delegate, .lays),
    HostileCase("changes-rounding", .lays),
  ]
}
