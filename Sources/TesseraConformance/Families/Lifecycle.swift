import TesseraHost

/// Layouts that come and go, after and beside each other.
let lifecycleCases: [ConformanceCase] = [
  ConformanceCase(
    "lifecycle-create-and-destroy-without-growth", .lifecycle,
    rule: "Layouts that come and go leave no memory behind",
    why: "A program opens and closes screens for weeks",
    remedy: "Free in destroy whatever create and prepare allocated",
    needs: .process
  ) { trial in
    let rounds = trial.level.rounds
    try trial.requireNoGrowth(.recreated(rounds), rounds, "layouts came and went")
  },
  ConformanceCase(
    "lifecycle-two-layouts-share-nothing", .lifecycle,
    rule: "Two layouts at once are what each is alone",
    why: "A screen shows several collections",
    remedy: "Keep everything in the layout that create makes, nothing in static variables",
    needs: .process, samples: .few
  ) { trial in
    let together = try trial.examine(.interleaved, with: [trial.companion]).images
    try trial.require(
      together.count == 2, expected: "an answer from each of two layouts",
      found: "\(together.count)")
    for (found, alone) in zip(together, [trial.sample, trial.companion]) {
      let session = try trial.carrier(of: alone)
      guard let expected = try session.examine(.process)?.images.first else { continue }
      guard let difference = expected.difference(from: found) else { continue }
      throw Violation(
        expected: "\(difference.expected), as alone in a process",
        found: "\(difference.found) beside another layout")
    }
  },
  ConformanceCase(
    "lifecycle-earlier-layouts-leave-nothing", .lifecycle,
    rule: "A layout is what it is in a new process, whatever layouts there were before it",
    why: "A program shows many collections one after the other",
    remedy: "Keep everything in the layout that create makes, nothing in static variables",
    needs: .process,
    samples: SampleSet { sampling, level in
      SampleSet.few.samples(&sampling, level).map { sample in
        var given = sample
        sampling.fillWhole(&given)
        // Parameters as they are: together they may be refused.
        given.parameters = sample.parameters
        return given
      }
    }, examine: earlierLayoutsLeaveNothing),
  ConformanceCase(
    "lifecycle-prepare-twice-is-once", .lifecycle,
    rule: "A second prepare of the same data changes nothing",
    why: "Hosts prepare again whenever something may have changed",
    remedy: "Begin each prepare with empty arrays and fresh sums",
    needs: .process, samples: .few
  ) { trial in
    try trial.requireNoProblem(.preparedAgain, expected: "what the first prepare left")
  },
  ConformanceCase(
    "lifecycle-destroy-unprepared", .lifecycle,
    rule: "A layout that was never prepared can be destroyed",
    why: "Users leave before anything is shown",
    remedy: "Have create set every pointer to null, and destroy free what is there",
    needs: .process
  ) { trial in _ = try trial.examine(.unprepared(asks: false)) },
  ConformanceCase(
    "lifecycle-query-unprepared-comes-back", .lifecycle,
    rule: "A question before the first prepare is refused, or answered with nothing",
    why: "Hosts ask prepared layouts only, but one that does not should not take the engine down",
    remedy:
      "Return TESSERA_WRONG_STATE from elements_in_rect, element and adjust of a layout that has "
      + "no prepare behind it",
    needs: .process
  ) { trial in
    do throws(HostError) { _ = try trial.examine(.unprepared(asks: true)) } catch {
      guard error.kind == .died else { throw error }
      throw Violation(expected: "a refusal", found: error.message, isWarning: true)
    }
  },
  ConformanceCase(
    "lifecycle-parameters-before-and-after-prepare", .lifecycle,
    rule: "It is all the same whether parameters are set before the first prepare or after it",
    why: "Some hosts set values first, others show something first",
    remedy: "Read every parameter in every prepare, and nothing of them in create",
    needs: .parameters, samples: .everyParameter
  ) { trial in
    let expected = try trial.image()
    var bare = trial.sample
    bare.parameters = [:]
    let session = try trial.freshSession(for: bare)
    guard (try? session.elements()) != nil else { return }
    for (name, value) in trial.sample.parameters.sorted(by: { $0.key < $1.key }) {
      try session.setParameter(name, to: value)
    }
    try trial.requireSame(LayoutImage(session), as: expected, "as set before the first prepare")
  },
  ConformanceCase(
    "lifecycle-threads-are-independent", .lifecycle,
    rule: "Layouts on different threads at once are what each is alone",
    why: "Hosts lay several collections out at once, each on a thread of its own",
    remedy: "Keep everything in the layout that create makes; guard what all share with a lock",
    needs: .process, samples: .few
  ) { trial in
    let rounds = trial.level == .quick ? 10 : 50
    try trial.requireNoProblem(
      .threads(4, rounds: rounds), with: [trial.companion], expected: "what one thread alone had")
  },
]

/// In a process that had others the sample's layout is compared with one in a process of its own.
@Sendable private func earlierLayoutsLeaveNothing(_ trial: Trial) throws {
  let expected = try LayoutImage(trial.ownSession(for: trial.sample))
  var sampling = Sampling(for: try trial.engine, random: trial.random)
  func other() -> Sample {
    var other = sampling.usual()
    sampling.fillWhole(&other)
    return other
  }
  let session = try trial.ownSession(for: other())
  for sample in [other(), other(), other(), trial.sample] {
    _ = try trial.isLaidOut(session)
    try session.renew()
    try trial.change(session, to: sample)
  }
  try trial.requireSame(LayoutImage(session), as: expected, "as in a process without any other")
}

extension CaseLevel {
  /// How often something is done that must leave nothing behind.
  var rounds: Int { self == .quick ? 400 : 1000 }
}

extension Trial {
  /// Throws where memory grows while something is done again and again: by 16 bytes or half a page each
  /// time, less than which no allocation takes.
  func requireNoGrowth(_ examination: Examination, _ rounds: Int, _ what: String) throws {
    let report = try examine(examination)
    let counted = rounds - rounds / 10
    for (bytes, least, name) in [
      (report.heapBytes, 16, "allocated memory"), (report.privateBytes, 2048, "mapped memory"),
    ] {
      guard let grown = bytes.max(), grown >= least * counted else { continue }
      throw Violation(
        expected: "no more memory after \(rounds) \(what) than after \(rounds / 10)",
        found: "\(grown) bytes of \(name) more, \(grown / counted) each time")
    }
  }
}
