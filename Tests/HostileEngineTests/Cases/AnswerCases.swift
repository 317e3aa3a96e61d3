enum AnswerCases {
  private static let delegate = ["--delegate", "answer=3"]

  static let all = answers + forgeries

  private static let answers: [HostileCase] = [
    HostileCase("honest", .lays),
    HostileCase("huge-run", .broken("refused rows")),
    HostileCase("registers-late", .lays),
    HostileCase("output-kept", question: .call, .lays),
    HostileCase("endless-report", .refused("aaaa")),
    HostileCase("binary-report", .refused("bad", "end")),
    HostileCase("null-report", .dies("SIGSEGV")),
    HostileCase(
      "delegate-without-context", arguments: delegate,
      .broken("answer was called without its context")),
    HostileCase("delegate-recursion", arguments: delegate, .dies("SIGSEGV")),
    HostileCase("delegate-kept", arguments: delegate, .lays),
    HostileCase("changes-rounding", .lays),
  ]

  private static let forgeries: [HostileCase] =
    [
      forgery("QUESTION", end: .broken("18446744073709551615 as argument 2 of answer")),
      forgery("QUESTION", "ITEM=0", "COUNT=0", end: .hangs()),
      forgery("QUESTION", "ITEM=4294967295", "COUNT=0", end: .hangs()),
      forgery("QUESTION", "ITEM=5", "SECTION=4294967295", "COUNT=0", end: .hangs()),
      forgery("PROGRESS", "COUNT=0", end: .hangs()),
      forgery("PROGRESS", "FRACTION=NAN", "COUNT=0", end: .hangs()),
    ]
    + [
      "invalidValue", "engineNotFound", "refusedByEngine", "frameNotFinite", "crashed",
      "damagedLibrary", "notAllowlisted", "cancelled", "unwritableFile",
    ].flatMap { code in
      let flags = ["-DFORGE=FAILURE", "-DCODE=\(code)"]
      let text = "all is well"
      let end: HostileEnd =
        switch code {
        case "refusedByEngine": .refused(text)
        case "frameNotFinite": .broken(text)
        default: .broken("rejected the question: \(text)")
        }
      return [
        HostileCase("takes-over", flags: flags, end),
        HostileCase(
          "takes-over", in: .load, flags: flags,
          code == "refusedByEngine" ? .refused(text) : .unloadable(text)),
      ]
    }

  private static func forgery(_ message: String, _ settings: String..., end: HostileEnd)
    -> HostileCase
  {
    HostileCase(
      "takes-over", flags: ["-DFORGE=\(message)"] + settings.map { "-D\($0)" },
      arguments: delegate, end)
  }
}
