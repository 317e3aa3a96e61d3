/// Engines that take too much memory, or write where they may not.
enum MemoryCases {
  private static let weighted = ["--item", "weight=1"]

  static let all: [HostileCase] = [
    HostileCase("malloc-endless", .takesTooMuch, .hangs),
    HostileCase("malloc-endless", in: .load, .takesTooMuch, .hangs),
    HostileCase("mmap-endless", .takesTooMuch, .hangs),
    HostileCase("thread-stacks", .lays, .takesTooMuch),
    HostileCase("fills-output", .takesTooMuch, .hangs),
    HostileCase("past-reservation", .dies("SIG", in: "prepare"), .takesTooMuch),
    HostileCase("before-rows", .lays, .dies("SIGSEGV", in: "prepare"), .broken("before")),
    HostileCase("past-rows", .lays, .dies("SIGSEGV", in: "prepare"), .broken("past")),
    HostileCase("far-before-rows", .dies("SIG", in: "prepare")),
    HostileCase("far-past-rows", .dies("SIG", in: "prepare")),
    HostileCase("keeps-writing", .lays, .broken("cell 3 of section 0")),
    HostileCase("shrinks-memory", .lays),
    HostileCase("scribbles-starts", .dies("SIGSEGV", in: "prepare")),
    HostileCase("scribbles-parameters", .dies("SIGSEGV", in: "prepare")),
    HostileCase("scribbles-values", arguments: weighted, .dies("SIGSEGV", in: "prepare")),
    HostileCase("scribbles-input", .lays, .dies("SIG", in: "prepare")),
    HostileCase("scribbles-tables", .lays, .dies("SIG"), .broken()),
  ]
}
