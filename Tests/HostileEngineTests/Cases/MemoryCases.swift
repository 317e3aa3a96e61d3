enum MemoryCases {
  static let all: [HostileCase] =
    [
      HostileCase("malloc-endless", .hangs(), .usesMemory("4 GiB")),
      HostileCase("malloc-endless", in: .load, .hangs(), .usesMemory("4 GiB")),
      HostileCase("malloc-endless", isForEmbedding: true, .takesAllMemory, .usesMemory()),
      HostileCase(
        "fills-output", isForEmbedding: true, .broken("went on", "refused rows"), .usesMemory()),
      HostileCase("past-reservation", isForEmbedding: true, .usesMemory()),
      HostileCase("ends-main-thread", isForEmbedding: true, .usesMemory()),
      HostileCase("takes-kernel-memory", .lays),
      HostileCase("reads-past-input", .dies("SIGBUS")),
      HostileCase("fills-rows-later", flags: ["-DMICROSECONDS=5000000"], .lays),
      HostileCase("many-threads", .lays, .startsThreads),
      HostileCase("past-rows", .lays),
      HostileCase("far-past-rows", .dies("SIGSEGV")),
      // Racy, but the host uses only what it has checked.
      HostileCase("keeps-writing", .lays, .broken("cell 3 of section 0")),
      HostileCase("shrinks-memory", .lays),
      HostileCase("scribbles-starts", .dies("SIGSEGV")),
      HostileCase("scribbles-tables", .lays),
      HostileCase("scribbles-tables", question: .update, .dies("SIGSEGV")),
    ]
    + shared.flatMap { first, last in
      let place = ["-DFIRST=\(first)", "-DLAST=\(last)"]
      return [
        HostileCase("scribbles-shared", flags: place, .lays),
        // The host reads nonsense, waits in vain, or gets an answer in between.
        HostileCase("scribbles-shared", flags: place + ["-DTIMES=0"], .lays, .broken(), .hangs()),
      ]
    }

  /// Offsets: control page, message boxes, the worker's private part, first runs.
  private static let shared = [
    (0, 4096), (4096, 20_975_616), (4_198_400, 4_202_496), (20_975_616, 20_979_712),
  ]
}
