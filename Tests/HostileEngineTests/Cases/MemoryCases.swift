/// Engines that take too much memory, or write where they may not.
enum MemoryCases {
  private static let weighted = ["--item", "weight=1"]

  static let all: [HostileCase] =
    [
      HostileCase("malloc-endless", .hangs(in: "prepare"), .usesMemory("4 GiB")),
      HostileCase(
        "malloc-endless", in: .load, .hangs(in: "loading"), .usesMemory("4 GiB", in: "loading")),
      limited("malloc-endless", .takesAllMemory, .usesMemory()),
      limited("mmap-endless", .takesAllMemory, .usesMemory()),
      limited("fills-output", .broken("went on", "refused rows"), .usesMemory()),
      limited("past-reservation", .usesMemory()),
      limited("ends-main-thread", .usesMemory()),
      HostileCase("takes-kernel-memory", .lays),
      HostileCase("reads-past-input", .dies("SIGBUS", in: "prepare")),
      HostileCase("fills-rows-later", flags: ["-DMICROSECONDS=5000000"], .lays),
      HostileCase("many-threads", .lays, .startsThreads),
      HostileCase("thread-stacks", .lays),
      HostileCase("before-rows", .lays),
      HostileCase("past-rows", .lays),
      HostileCase("far-before-rows", .dies("SIGSEGV", in: "prepare")),
      HostileCase("far-past-rows", .dies("SIGSEGV", in: "prepare")),
      // Whether the host reads the good or the bad is chance, but what it has checked is what it tells.
      HostileCase("keeps-writing", .lays, .broken("cell 3 of section 0")),
      HostileCase("shrinks-memory", .lays),
      HostileCase("scribbles-starts", .dies("SIGSEGV", in: "prepare")),
      HostileCase("scribbles-parameters", .lays),
      HostileCase("scribbles-values", arguments: weighted, .dies("SIGSEGV", in: "prepare")),
      HostileCase("scribbles-input", .lays),
      HostileCase("scribbles-tables", .lays),
      HostileCase("scribbles-tables", question: .update, .dies("SIGSEGV", in: "prepare")),
    ]
    + shared.flatMap { first, last in
      let place = ["-DFIRST=\(first)", "-DLAST=\(last)"]
      return [
        HostileCase("scribbles-shared", flags: place, .lays),
        // The host reads what cannot be, or waits for what does not come, or is answered in between.
        HostileCase(
          "scribbles-shared", flags: place + ["-DTIMES=0"], .lays, .broken(), .hangs(in: "prepare")),
      ]
    }

  /// Where the page of control lies, the boxes for messages, the beginning of the worker's own, and
  /// the first runs.
  private static let shared = [
    (0, 4096), (4096, 20_975_616), (4_198_400, 4_202_496), (20_975_616, 20_979_712),
  ]

  /// An engine that runs into limits which the command leaves as they are.
  private static func limited(_ source: String, _ ends: HostileEnd...) -> HostileCase {
    var hostile = HostileCase(source, ends: ends)
    hostile.isForEmbedding = true
    return hostile
  }
}
