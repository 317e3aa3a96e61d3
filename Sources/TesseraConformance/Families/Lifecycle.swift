import TesseraExamination
import TesseraHost

let lifecycleCases: [ConformanceCase] = [
  ConformanceCase(
    "lifecycle-create-and-destroy-without-growth", .lifecycle,
    rule: "Creating and destroying layouts leaks no memory",
    why: "A program opens and closes screens for weeks",
    remedy: "Free everything in destroy that create and prepare allocated",
    needs: .process
  ) { trial in
    try trial.requireNoGrowth(
      .recreated, trial.level.rounds, "layouts", with: [LayoutInput(counts: [])])
  },
  ConformanceCase(
    "lifecycle-two-layouts-share-nothing", .lifecycle,
    rule: "Each of two layouts that are used in turns equals the same layout alone",
    why: "A screen shows several collections",
    remedy: ownStateRemedy,
    needs: .process, samples: .few
  ) { trial in
    func difference(
      of found: [LayoutRows], from expected: [LayoutRows]
    ) -> (expected: String, found: String)? {
      zip(expected, found).lazy.compactMap { $0.difference(from: $1) }.first
    }
    let (alone, together) = try trial.layoutsInTurns()
    guard let found = difference(of: together, from: alone) else { return }
    let again = try trial.layoutsInTurns().alone
    if let found = difference(of: again, from: alone) { throw Violation(changing: found) }
    throw Violation(
      expected: "\(found.expected), as with the same calls alone in a process",
      found: "\(found.found) beside another layout")
  },
  ConformanceCase(
    "lifecycle-earlier-layouts-leave-nothing", .lifecycle,
    rule: "A layout is the same in a new process as after other layouts",
    why: "A program shows many collections one after the other",
    remedy: ownStateRemedy,
    needs: .process,
    samples: .few.changed { sample, sampling in
      let parameters = sample.parameters
      sampling.fillAll(&sample)
      sample.parameters = parameters
    }, examine: earlierLayoutsLeaveNothing),
  ConformanceCase(
    "lifecycle-depends-on-input-only", .lifecycle,
    rule:
      "The layout does not depend on environment variables, the time of day, the locale or the "
      + "process",
    why: "The layout would differ from one machine or day to another, and nobody could repeat it",
    remedy:
      "Declare a parameter for everything that changes the layout, and read and write numbers without "
      + "the locale", needs: .process,
    samples: SampleSet { sampling, level in
      let samples = SampleSet.few.samples(&sampling, level)
      let full = (0..<(level == .quick ? 1 : 3)).map { _ in
        sampling.full().with { $0.delegate = [:] }
      }
      return Array(samples.prefix(level == .quick ? 2 : level.sampleCount / 12)) + full
    }, examine: dependsOnInputOnly),
  ConformanceCase(
    "lifecycle-prepare-twice-is-once", .lifecycle,
    rule: "A second prepare of the same data changes nothing",
    why: "The host prepares again whenever something may have changed",
    remedy: "Begin each prepare with empty arrays and sums of 0",
    needs: .process, samples: .few,
    examine: noProblem(.preparedAgain, expected: "the result of the first prepare")),
  ConformanceCase(
    "lifecycle-destroy-unprepared", .lifecycle,
    rule: "A layout that was never prepared can be destroyed",
    why: "Users may leave before anything is shown",
    remedy: "Set every pointer to null in create, and free only existing memory in destroy",
    needs: .process, examine: { _ = try $0.examine(.unprepared) }),
  ConformanceCase(
    "lifecycle-calls-answer-alike", .lifecycle,
    rule: "Every call gives the same when it is made again, in any order, and changes no layout",
    why: "The host asks as often as a program needs, and trusts each answer",
    remedy:
      "Calculate from what prepare left and the arguments, and change nothing of that in adjust, "
      + "queries, still_valid, published functions and functions of extensions; call functions of the host "
      + "only where the header allows them", needs: .process, samples: .few,
    examine: noProblem(.asked, expected: "the same as from the first call")),
  ConformanceCase(
    "lifecycle-first-use-on-threads", .lifecycle,
    rule: "The first layouts of a process may be created on several threads at once",
    why: "A program that starts with several collections creates them all at the same time",
    remedy:
      "Calculate tables at compile time, or with pthread_once; never behind a flag that is set first",
    needs: .process, samples: .fixed([LayoutInput(counts: [3, 0, 5])]), examine: firstUseOnThreads),
  ConformanceCase(
    "lifecycle-parameters-before-and-after-prepare", .lifecycle,
    rule: "Parameters have the same effect before and after the first prepare",
    why: "Some programs set parameters first, others show something first",
    remedy: "Read every parameter in every prepare, and none in create",
    needs: .parameters, samples: .everyParameter
  ) { trial in
    let expected = try trial.image()
    let session = try trial.freshSession(for: trial.sample.with { $0.parameters = [:] })
    guard (try? session.elements()) != nil else { return }
    for (name, value) in trial.sample.parameters.sorted(by: { $0.key < $1.key }) {
      try session.setParameter(name, to: value)
    }
    try trial.requireSame(
      LayoutImage(session), as: expected, "as with parameters set before the first prepare",
      remedy: trial.remedyOfKeeping())
  },
  ConformanceCase(
    "lifecycle-cancelled-call-ends", .lifecycle,
    rule:
      "A call in which progress returns 0 returns TESSERA_ERROR_CANCELLED, and the next call succeeds",
    why: "Users close a screen before it is done, and open it again",
    remedy:
      "If progress returns 0, return TESSERA_ERROR_CANCELLED at once; begin the next prepare as if the "
      + "layout were new", needs: .process, samples: .reporting
  ) { trial in
    try trial.requireNoProblem(
      .cancelled, with: [trial.otherData],
      expected: "TESSERA_ERROR_CANCELLED from the call, and a full layout from the next")
  },
  ConformanceCase(
    "lifecycle-failure-of-base-ends-the-call", .lifecycle,
    rule: "If a call of the base fails, the call of the derived engine fails",
    why: "A layout without the rows of its base looks complete and is wrong",
    remedy: "Return the status of each call of `super` at once, unless it is TESSERA_OK",
    needs: .base.and(.process), samples: .few,
    examine: noProblem(.failingBase, expected: "the failure of the base")),
  ConformanceCase(
    "lifecycle-progress-rises", .lifecycle,
    rule: "The progress of a call lies between 0 and 1 and never falls",
    why: "A progress bar that jumps back looks broken",
    remedy: "Report the items that are done, divided by the items of all sections",
    needs: .process, samples: .reporting,
    examine: noProblem(
      .progress, expected: "numbers between 0 and 1, none lower than the one before")),
  ConformanceCase(
    "lifecycle-threads-are-independent", .lifecycle,
    rule: "Layouts that run on different threads at once equal the same layouts alone",
    why: "A program may lay out several collections at once, each on its own thread",
    remedy:
      "Keep all state, its host too, in the layout that create returns; protect shared state with a lock",
    needs: .process, explainsCrashes: true,
    samples: SampleSet { sampling, level in
      // Long enough for calls to overlap.
      let long = [LayoutInput(counts: [5000, 0, 3000])] + sampling.longLists(2000)
      return SampleSet.few.samples(&sampling, level) + (level == .quick ? [] : long)
    }
  ) { trial in
    let rounds = trial.level == .quick ? 10 : trial.sample.itemCount > 1000 ? 20 : 50
    var others = [trial.companion]
    if !trial.sample.lists.isEmpty {
      let shorter = trial.sample.with(counts: trial.sample.counts.map { $0 / 2 })
      guard try trial.isLaidOut(trial.freshSession(for: trial.sample)),
        try trial.isLaidOut(trial.freshSession(for: shorter))
      else { return }
      others.append(shorter)
    }
    try trial.requireNoProblem(
      .threads, rounds, with: others, expected: "the result of a single thread")
  },
  ConformanceCase(
    "lifecycle-stack-of-a-thread", .lifecycle,
    rule: "No call needs more than 512 KiB of stack, however many items and records there are",
    why: "A program lays out on threads with small stacks, and one that overflows ends it",
    remedy:
      "Follow records and items in a loop, with an array from malloc instead of recursion; keep large "
      + "arrays in memory of the layout", needs: .process, explainsCrashes: true,
    samples: SampleSet { sampling, level in
      [
        LayoutInput(counts: [3000, 0, 2000]),
        LayoutInput(counts: Array(repeating: 1, count: 100_000)),
      ] + sampling.longLists(level == .quick ? 20_000 : level == .standard ? 40_000 : 100_000)
    }
  ) { trial in
    _ = try trial.examine(.stack, (512 + 128) << 10)
  },
]

extension SampleSet {
  /// Enough items that most engines report progress.
  fileprivate static let reporting = SampleSet { sampling, level in
    let large =
      level == .quick ? [[1800, 0, 1200]] : [[1800, 0, 1200], [20_000, 60_000], [200_000]]
    let isMany = level == .thorough || level == .standard && sampling.engine.traits.contains(.lazy)
    let sections = isMany ? [Array(repeating: 1, count: 9000)] : []
    return SampleSet.few.samples(&sampling, level)
      + (large + sections).map { LayoutInput(counts: $0) }
  }
}

/// Compares with a process that has another environment, clock and ids.
@Sendable private func dependsOnInputOnly(_ trial: Trial) throws {
  let here = try trial.examine(.simulated).images
  func difference(_ kinds: SimulatedMachine) throws -> (expected: String, found: String)? {
    let there = try trial.examine(.simulated, kinds.rawValue).images
    return zip(here, there).lazy.compactMap { $0.difference(from: $1) }.first
  }
  guard var found = try difference([.variables, .time, .locale, .process]) else { return }
  // Other cases report a layout that differs in every process.
  guard try difference([]) == nil else { return }
  var cause = "on another machine"
  for (kind, name) in [
    (SimulatedMachine.variables, "with other environment variables"),
    (.time, "at another time of day"),
    (.locale, "in a locale with a decimal comma"),
    (.process, "in a process with another id, on more processors"),
  ] {
    guard let one = try difference(kind) else { continue }
    (found, cause) = (one, name)
    break
  }
  throw Violation(
    expected: "\(found.expected), as in every process", found: "\(found.found) \(cause)")
}

/// Compares first layouts on several threads at once with a single first layout.
@Sendable private func firstUseOnThreads(_ trial: Trial) throws {
  let expected = try trial.examine(.simulated).images[0]
  for _ in 0..<(trial.level == .quick ? 6 : 40) where trial.hasTime {
    let report = try trial.examine(.firstUse)
    try trial.require(
      report.problem == nil, expected: "layouts on four threads in a new process",
      found: report.problem ?? "")
    for image in report.images {
      guard let difference = expected.difference(from: image) else { continue }
      throw Violation(
        expected: "\(difference.expected), as alone in a process",
        found: "\(difference.found) on one of four threads that begin a process")
    }
  }
}

@Sendable private func earlierLayoutsLeaveNothing(_ trial: Trial) throws {
  let expected = try LayoutImage(trial.sessionInNewProcess(for: trial.sample))
  var sampling = try trial.sampling()
  func other() -> LayoutInput {
    var other = sampling.usual()
    sampling.fillAll(&other)
    return other
  }
  let session = try trial.sessionInNewProcess(for: other())
  var mirrored = other()
  mirrored.direction = trial.sample.direction == .leftToRight ? .rightToLeft : .leftToRight
  var earlier: LayoutInput?
  for sample in [other(), mirrored, other(), trial.sample] {
    do throws(HostError) { _ = try trial.isLaidOut(session) } catch {
      guard let earlier, error.kind == .brokenContract else { throw error }
      throw Violation(
        expected: "a layout of \(earlier.summary)", found: error.message,
        remedy: Catalogue.remedy(of: error))
    }
    try session.renew()
    try trial.change(session, to: sample)
    earlier = sample
  }
  let found = try LayoutImage(session)
  guard expected.difference(from: found) != nil else { return }
  let again = try LayoutImage(trial.sessionInNewProcess(for: trial.sample))
  if let found = expected.difference(from: again) { throw Violation(changing: found) }
  try trial.requireSame(found, as: expected, "as in a process without other layouts")
}

private let chanceCauses =
  "an index that is not checked, memory that is read before it is written, random numbers and the "
  + "order of a hash table"

private let ownStateRemedy =
  "Keep all state in the layout that create returns, never in static variables; if there are none, "
  + "look for \(chanceCauses)"

extension Violation {
  fileprivate init(changing found: (expected: String, found: String)) {
    self.init(
      expected: "\(found.expected), as with the same calls in the process before",
      found: "\(found.found) in a new process",
      remedy: "The same calls gave two results: look for \(chanceCauses)", isOfChance: true)
  }
}

extension Trial {
  /// Two samples with changes, laid out separately and interleaved.
  fileprivate func layoutsInTurns() throws -> InTurns {
    // An engine may refuse random combinations of parameters.
    do throws(HostError) {
      return try layoutsInTurns(with: try unrelatedInput)
    } catch  where error.isRefusal {
      return try layoutsInTurns(with: companion)
    }
  }

  fileprivate typealias InTurns = (alone: [LayoutRows], together: [LayoutRows])

  private func layoutsInTurns(with other: LayoutInput) throws(HostError) -> InTurns {
    // The host answers delegate functions of one session only.
    var (own, other) = (sample, other)
    (own.delegate, other.delegate) = ([:], [:])
    // Appended items, which incremental engines lay out alone, and other bounds.
    let longer = own.with(counts: own.counts.dropLast() + [(own.counts.last ?? 0) + 3])
    var wider = other
    wider.bounds.width += 100
    let first = try examine(.turns, of: own, with: [longer]).images
    let second = try examine(.turns, of: other, with: [wider]).images
    let both = try examine(.turns, of: own, with: [other, longer, wider]).images
    return (zip(first, second).flatMap { [$0, $1] }, both)
  }
}

extension CaseLevel {
  var rounds: Int { self == .quick ? 400 : 1000 }
}

extension Trial {
  /// 16 bytes is the smallest allocation.
  func requireNoGrowth(
    _ examination: Examination, _ rounds: Int, _ what: String, with others: [LayoutInput] = []
  ) throws {
    let report = try examine(examination, rounds, with: others)
    let counted = rounds - rounds / 10
    for (bytes, least, name) in [
      (report.heapBytes, 16, "allocated memory"), (report.privateBytes, 2048, "mapped memory"),
    ] {
      guard let grown = bytes.max(), grown >= least * counted else { continue }
      throw Violation(
        expected: "no more memory after \(rounds) \(what) than after \(rounds / 10)",
        found: "\(grown) more bytes of \(name), \(grown / counted) each time")
    }
  }
}
