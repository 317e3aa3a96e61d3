import TesseraHost

/// Where and how much an engine writes.
let memoryCases: [ConformanceCase] = [
  ConformanceCase(
    "memory-writes-end-with-the-rows", .memory,
    rule: "Nothing is written behind the rows that were reserved",
    why: "What lies there belongs to other elements, or to nobody",
    remedy: "Write rows 0 to count - 1 of each run, and add a run for what comes beside",
    needs: .process, samples: .few
  ) { trial in
    try trial.requireNoProblem(.guarded(.end), expected: "no write beside the rows of a run")
  },
  ConformanceCase(
    "memory-writes-begin-with-the-rows", .memory,
    rule: "Nothing is written before the rows that were reserved",
    why: "What lies there belongs to other elements, or to nobody",
    remedy: "Count rows from 0, with unsigned numbers that are never subtracted below it",
    needs: .process, samples: .few
  ) { trial in
    try trial.requireNoProblem(.guarded(.start), expected: "no write beside the rows of a run")
  },
  ConformanceCase(
    "memory-input-is-read-only", .memory,
    rule: "Nothing is written to what the host gives",
    why: "The host and other engines of the chain read the same memory",
    remedy: "Copy what is to be changed; never cast const away",
    needs: .process, samples: .few
  ) { trial in
    try trial.requireNoProblem(.readOnlyInput, expected: "the input as the host gave it")
  },
  ConformanceCase(
    "memory-refused-rows-end-the-call", .memory,
    rule: "A call that is refused rows returns TESSERA_NO_SPACE, and the next one is as ever",
    why: "There are more items than memory somewhere, and users try again with fewer",
    remedy:
      "Return the status of add at once where it is not TESSERA_OK, and free what the call began",
    needs: .process, samples: .few
  ) { trial in
    try trial.requireNoProblem(
      .refusedRows, expected: "TESSERA_NO_SPACE from the call, and a whole layout from the next")
  },
  ConformanceCase(
    "memory-prepares-without-growth", .memory,
    rule: "A layout that is prepared again and again takes no more memory",
    why: "Every change of the data prepares",
    remedy: "Free or reuse in each prepare what the one before allocated",
    needs: .process
  ) { trial in
    let rounds = trial.level.rounds
    try trial.requireNoGrowth(.reprepared(rounds), rounds, "prepares")
  },
  ConformanceCase(
    "memory-allocations-stay-bounded", .memory,
    rule: "A layout keeps at most 256 bytes an item beside its rows",
    why: "Rows are all that a million items should cost",
    remedy: "Keep numbers in flat arrays, and only those that cannot be calculated again",
    needs: .process
  ) { trial in
    let (few, many) = (1000, 100_000)
    var large = trial.sample
    large.counts = [many]
    let session = try trial.carrier(of: Sample(counts: [few]))
    let kept = try session.examine(.kept, with: [trial.carrier(of: large)])?.heapBytes ?? []
    guard let least = kept.first, let most = kept.last else { return }
    let bytes = (most - least) / (many - few)
    guard bytes > 256 else { return }
    throw Violation(
      expected: "at most 256 bytes an item beside the rows", found: "\(bytes) bytes an item",
      isWarning: true)
  },
]
