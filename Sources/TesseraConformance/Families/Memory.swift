import TesseraExamination
import TesseraHost

let memoryCases: [ConformanceCase] = [
  ConformanceCase(
    "memory-writes-end-with-the-rows", .memory,
    rule: "The engine writes nothing after the reserved rows",
    why: "The memory there belongs to other elements, or is not mapped",
    remedy: "Write rows 0 to count - 1 of each run, and add another run for more elements",
    needs: .process, explainsCrashes: true, samples: .few,
    examine: noProblem(.guardedEnd, expected: "no write outside the rows of a run")),
  ConformanceCase(
    "memory-writes-begin-with-the-rows", .memory,
    rule: "The engine writes nothing before the reserved rows",
    why: "The memory there belongs to other elements, or is not mapped",
    remedy: "Count rows from 0, and make sure that no subtraction goes below 0",
    needs: .process, explainsCrashes: true, samples: .few,
    examine: noProblem(.guardedStart, expected: "no write outside the rows of a run")),
  ConformanceCase(
    "memory-input-is-read-only", .memory,
    rule: "The engine does not write to its input",
    why: "The host and other engines of the chain read the same memory",
    remedy: "Copy values before changing them; never cast away const",
    needs: .process, explainsCrashes: true, samples: .few,
    examine: noProblem(.readOnlyInput, expected: "unchanged input")),
  misuse(
    .heap, "memory-heap-stays-intact",
    rule: "Memory from malloc is used within its bounds until it is freed, and freed once",
    why: "The engine would read and destroy data of the program, which then fails elsewhere",
    remedy:
      "Compare each index with what was allocated, since a search may return the count; allocate again in "
      + "prepare when there are more items, and keep no pointer into a block that free or realloc was given. "
      + "The layout was prepared with these items, then with more, with fewer and with others",
    expected: "only accesses within allocated memory"),
  misuse(
    .bounds, "memory-reads-only-its-input",
    rule: "The engine reads no more of its input than there is",
    why: "The memory there belongs to the program, or is not mapped",
    remedy:
      "Read section_starts[0] to [section_count], and as many values as the input has sections or items",
    expected: "only accesses within the input"),
  misuse(
    .kept, "memory-keeps-no-pointers",
    rule: "Nothing that a call was given is used after the call",
    why: "The host reuses that memory, and the engine would read or destroy other data",
    remedy: "Copy what a later call needs into memory of the layout",
    expected: "only accesses to what the running call was given"),
  misuse(
    .contents, "memory-is-written-before-it-is-read",
    rule: "The layout does not depend on what new memory contains",
    why: "It often contains zeros in a test, and other data after hours of use",
    remedy:
      "Write every frame of the rows, initialize every variable, use calloc or fill memory from malloc, and read "
      + "nothing past the part of an array that was filled",
    expected: "the same layout whatever new memory contains"),
  ConformanceCase(
    "memory-odd-lists-stay-in-bounds", .memory,
    rule: "Records with any values lead to no access outside the engine's memory and its input",
    why: "A list comes from a file, and a mistake in it must not read or destroy other data",
    remedy:
      "Compare each place that a record names with the number of records before using it as an index",
    needs: .lists.and(.process), explainsCrashes: true, samples: .plain
  ) { trial in
    var sampling = try trial.sampling()
    let odd = sampling.oddLists().shuffled(using: &sampling.random)
    let report = try trial.examine(
      .memory, with: Array(odd.prefix(trial.level == .quick ? 40 : 400)))
    if let misuse = report.misuse {
      throw Violation(expected: "only accesses within the layout's memory", found: misuse.sentence)
    }
  },
  ConformanceCase(
    "memory-values-at-any-stride", .memory,
    rule: "Values that lie farther apart in memory give the same layout",
    why: "A later host may pass the columns of a program's own records without copying them",
    remedy: "Read value i of a column at `data` + i * `stride`, with the stride of that column",
    needs: .process,
    // A single 0 or 1 may read the same at any stride.
    samples: (.few + .counts([3, 2, 4, 1], [3, 2, 4, 1], [3, 2, 4, 1])).changed {
      $1.fillValues(&$0)
    }
  ) { trial in
    let report = try trial.examine(.spread)
    guard let problem = report.misuse?.sentence ?? report.problem else { return }
    // If repeating the call also differs, strides aren't the cause.
    let isOfChance = try trial.examine(.asked).problem != nil
    throw Violation(
      expected: "the layout of the same values side by side", found: problem,
      remedy: isOfChance
        ? "The same calls give two results at any stride: keep nothing of an answer for the next one, and use "
          + "no random numbers and no order that a sort does not decide"
        : nil, isOfChance: isOfChance)
  },
  ConformanceCase(
    "memory-refused-rows-end-the-call", .memory,
    rule: "A call that is refused rows returns TESSERA_ERROR_NO_SPACE, and the next call succeeds",
    why: "Memory may run out, and users then try again with fewer items",
    remedy:
      "If add or a function of the base returns anything but TESSERA_OK, free what the call allocated and "
      + "return that status", needs: .process, samples: .few
  ) { trial in
    try trial.requireNoProblem(
      .refusedRows, with: [trial.otherData],
      expected: "TESSERA_ERROR_NO_SPACE from the call, and a full layout from the next")
  },
  ConformanceCase(
    "memory-refused-rows-without-growth", .memory,
    rule: "Calls that are refused rows use no more memory, however often",
    why: "A program tries again after each change, for as long as memory is short",
    remedy:
      "Free what the call allocated before it returns TESSERA_ERROR_NO_SPACE, or keep and reuse it",
    needs: .process, samples: .counts([20], [3, 0, 5]),
    examine: { try $0.requireNoGrowth(.refusedRowsAgain, 100, "refused calls") }),
  ConformanceCase(
    "memory-cancelled-calls-without-growth", .memory,
    rule: "Cancelled calls use no more memory, however often",
    why: "A user who types cancels a layout with each letter",
    remedy:
      "Free what the call allocated before it returns TESSERA_ERROR_CANCELLED, or keep and reuse it",
    needs: .process
  ) { trial in
    let counts = trial.level == .quick ? [3000] : [3000, 20_000, 140_000]
    try trial.requireNoGrowth(
      .cancelledAgain, 100, "cancelled calls", with: counts.map { trial.sample.with(counts: [$0]) })
  },
  ConformanceCase(
    "memory-prepares-without-growth", .memory,
    rule: "Repeated prepares do not use more memory",
    why: "Every change of the data causes a prepare",
    remedy: "Free or reuse the memory of the previous prepare",
    needs: .process,
    examine: { try $0.requireNoGrowth(.reprepared, $0.level.rounds, "prepares") }),
  ConformanceCase(
    "memory-calls-without-growth", .memory,
    rule: "Repeated calls of any function of a prepared layout do not use more memory",
    why: "A view asks for elements, sizes and resting offsets as long as it is on the screen",
    remedy:
      "Empty in prepare what it fills again; free what adjust, queries, still_valid, published functions "
      + "and functions of extensions allocate before they return, or keep and reuse it",
    needs: .process
  ) { trial in
    // Free chunks in the allocator add about a KiB regardless of the rounds.
    let rounds = trial.level == .quick ? 250 : 1000
    try trial.requireNoGrowth(.askedAgain, rounds, "calls of each function")
  },
  ConformanceCase(
    "memory-changes-without-growth", .memory,
    rule: "Repeated changes of data and settings do not use more memory, refused ones neither",
    why: "Users change their minds, and what they tried before must not stay in memory",
    remedy:
      "Free or reuse what an earlier prepare allocated, also on the way out of a prepare that "
      + "refuses its input", needs: .process
  ) { trial in
    var sampling = try trial.sampling()
    let usual = (0..<6).map { _ in sampling.full() }
    let odd = (sampling.oddLists() + sampling.extremeValues(.quick))
      .shuffled(using: &sampling.random)
    let none = LayoutInput(counts: [])
    // The host answers delegate functions of one session only.
    let others = ([none] + usual + odd.prefix(trial.level == .quick ? 20 : 40)).map { sample in
      sample.with { $0.delegate = [:] }
    }
    let rounds = trial.level == .quick ? 80 : 200
    try trial.requireNoGrowth(
      .changedAgain, rounds, "changes to the same input and back", with: others)
  },
  ConformanceCase(
    "memory-updates-without-growth", .memory,
    rule: "Repeated batch updates do not use more memory",
    why: "A collection that is edited all day is updated thousands of times",
    remedy: "Free in end, and before the next begin, what begin allocated",
    needs: .updates.and(.process),
    examine: { try $0.requireNoGrowth(.updatedAgain, $0.level.rounds, "batch updates") }),
  ConformanceCase(
    "memory-allocations-stay-bounded", .memory,
    rule: "A layout keeps at most 256 bytes per item in addition to its rows",
    why: "Large layouts should need little memory apart from their rows",
    remedy: "Keep only numbers that cannot be calculated again, and keep them in flat arrays",
    needs: .process
  ) { trial in
    let (few, many) = (1000, 100_000)
    let large = trial.sample.with { $0.counts = [many] }
    let session = try trial.unstartedSession(for: LayoutInput(counts: [few]))
    let kept =
      try session.examine(.kept, with: [trial.unstartedSession(for: large)])?.heapBytes ?? []
    guard let least = kept.first, let most = kept.last else { return }
    let bytes = (most - least) / (many - few)
    try trial.require(
      bytes <= 256, expected: "at most 256 bytes per item in addition to the rows",
      found: "\(bytes) bytes per item", isWarning: true)
  },
]

private func misuse(
  _ broken: ExaminationReport.Misuse.Rule, _ id: String, rule: String, why: String, remedy: String,
  expected: String
) -> ConformanceCase {
  ConformanceCase(
    id, .memory, rule: rule, why: why, remedy: remedy, needs: .process, samples: .memory
  ) { trial in
    let report: ExaminationReport
    do throws(HostError) { report = try trial.memoryReport() } catch {
      // Another case reports a crash with the plain sample.
      if error.kind == .died { try trial.requirePlainLayout() }
      // One case reports unexplained crashes. Slowness here may come from the memory checks.
      if error.kind == .died, broken != .heap || error.code == .hung { return }
      throw error
    }
    if let misuse = report.misuse {
      guard misuse.rule == broken else { return }
      throw Violation(
        expected: expected, found: misuse.sentence,
        remedy: misuse.isInFunction && misuse.rule == .heap ? checkArguments : nil)
    }
    guard let problem = report.problem, broken == .contents else { return }
    throw Violation(expected: expected, found: problem)
  }
}

extension SampleSet {
  fileprivate static let memory = SampleSet { sampling, level in
    var shared = Sampling(
      for: sampling.engine, random: SeededNumbers(seed: 2, name: "memory"), lists: sampling.lists)
    // If nothing fits, rows may be left unwritten; rows of an earlier prepare would hide that.
    var narrow = LayoutInput(counts: [3, 0, 5])
    narrow.bounds.width = 0
    // A constant column of records has no end to overrun.
    let lists = shared.withLists([[6, 0, 3]])
    var last = LayoutInput(counts: [4, 2, 0])
    shared.fillValues(&last)
    let sections = LayoutInput(counts: Array(repeating: 1, count: 40))
    return [
      LayoutInput(), LayoutInput(counts: [3, 0, 5]), LayoutInput(counts: []), narrow, last,
      sections,
    ] + lists + lists.map { $0.withEveryColumn(of: shared.engine) }
      + (0..<max(1, level.sampleCount / 12)).map { _ in shared.full() }
  }
}
