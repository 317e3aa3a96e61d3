import TesseraHost

struct CaseRunner {
  let examined: ConformanceCase
  let subject: CheckSubject
  let options: ConformanceSuite.Options
  let coverage: CoverageRecorder
  let pool: SessionPool
  let results: Results

  /// The verdict before comparison with other cases, and the number of passed samples.
  func run() -> (Verdict, samples: Int) {
    let deadline = ContinuousClock.now + options.caseDeadline
    guard case .samples(let set, let examine) = examined.examination,
      let engine = try? subject.engine
    else { return (runOnce(deadline), 0) }
    let cell = subject.plainCell(of: engine)
    var sampling = Sampling(
      for: engine, random: numbers, cell: cell, lists: subject.lists(of: engine))
    let samples = options.sample.map { [$0] } ?? set.samples(&sampling, options.level)
    var (held, isRefused) = (0, false)
    for sample in samples {
      guard ContinuousClock.now < deadline else { break }
      let verdict = attemptWithoutRefused(sample, deadline, examine)
      switch verdict {
      case .passed: held += 1
      case .failed(let finding) where isRefusal(finding): isRefused = true
      default: return (shrunk(verdict, examine), held)
      }
    }
    if held > 0 || samples.isEmpty { return (.passed, held) }
    // Earlier layouts in the process may have caused the refusal.
    if isRefused { return (attempt(samples[0], deadline, examine), 0) }
    return (.warning(unfinished(samples.first, "no result within \(allowance)")), 0)
  }

  private var numbers: SeededNumbers { SeededNumbers(seed: options.seed, name: examined.id) }

  private var allowance: String {
    let seconds = Double(options.caseDeadline.components.seconds)
    return "\(seconds.shortText) s"
  }

  private func runOnce(_ deadline: ContinuousClock.Instant) -> Verdict {
    guard case .once(let examine) = examined.examination else {
      return .skipped("the engine could not be loaded")
    }
    return repeated {
      attempt(trial(options.sample ?? LayoutInput(), deadline), reporting: nil, examine)
    }
  }

  private func isRefusal(_ finding: Finding) -> Bool {
    guard let error = finding.error, !examined.owns.contains(error.code) else { return false }
    return error.isRefusal || error.kind == .invalidInput
  }

  /// After a refusal, retries without the values that the engine named.
  private func attemptWithoutRefused(
    _ sample: LayoutInput, _ deadline: ContinuousClock.Instant, _ examine: (Trial) throws -> Void
  ) -> Verdict {
    var (left, verdict) = (sample, attemptInPool(sample, deadline, examine))
    for _ in 0..<3 {
      guard case .failed(let finding) = verdict, isRefusal(finding), options.sample == nil,
        let rest = left.without(namesIn: finding.found)
      else { break }
      left = rest
      verdict = attemptInPool(left, deadline, examine)
    }
    return verdict
  }

  /// A failure in a reused process is retried in a new one; otherwise the sample alone might not
  /// fail.
  private func attemptInPool(
    _ sample: LayoutInput, _ deadline: ContinuousClock.Instant, _ examine: (Trial) throws -> Void
  ) -> Verdict {
    let verdict = attempt(trial(sample, deadline, pool), reporting: sample, examine)
    guard let finding = verdict.finding, !finding.isOfPlainSample, !isRefusal(finding),
      finding.error?.kind != .unavailable
    else { return verdict }
    if let call = finding.hangingCall {
      if results.isKnownHang(call) { return verdict }
    } else if !pool.hasReused {
      return verdict
    }
    return noting(attempt(sample, deadline, examine))
  }

  /// Retries a hang once: a busy machine may only be slow.
  private func repeated(_ attempt: () -> Verdict) -> Verdict {
    let first = attempt()
    guard let call = first.finding?.hangingCall, !results.isKnownHang(call) else { return first }
    return noting(attempt())
  }

  private func noting(_ verdict: Verdict) -> Verdict {
    if let call = verdict.finding?.hangingCall {
      results.addHang(call)
      // Otherwise each further case would wait for the same timeout.
      (try? subject.engine)?.runtime.note(hanging: call)
    }
    return verdict
  }

  private func attempt(
    _ sample: LayoutInput, _ deadline: ContinuousClock.Instant, _ examine: (Trial) throws -> Void
  ) -> Verdict { attempt(trial(sample, deadline), reporting: sample, examine) }

  private func trial(
    _ sample: LayoutInput, _ deadline: ContinuousClock.Instant, _ pool: SessionPool? = nil
  ) -> Trial {
    Trial(
      subject: subject, sample: sample, level: options.level, random: numbers, coverage: coverage,
      deadline: deadline, pool: pool,
      needsPlainLayout: options.sample == nil && examined.id != Catalogue.plainLayout)
  }

  private func attempt(
    _ trial: Trial, reporting sample: LayoutInput?, _ examine: (Trial) throws -> Void
  ) -> Verdict {
    do {
      try examine(trial)
      return trial.plainFailure.map(verdict(onPlainSample:)) ?? .passed
    } catch {
      if let failure = trial.plainFailure { return verdict(onPlainSample: failure) }
      switch error {
      case let violation as Violation:
        var finding = finding(
          sample, expected: violation.expected, found: violation.found, violation.pictures)
        finding.remedy = remedy(of: violation, in: sample)
        finding.isOfChance = violation.isOfChance
        return violation.isWarning ? .warning(finding) : .failed(finding)
      case let error as HostError: return verdict(on: error, sample)
      default: return verdict(on: HostError(.crashed, "\(error)"), sample)
      }
    }
  }

  /// Blames the host's mirroring if it explains the violation; nil if the case's remedy fits.
  private func remedy(of violation: Violation, in sample: LayoutInput?) -> String? {
    guard sample?.direction == .rightToLeft,
      violation.remedy == nil || examined.category == .query,
      (try? subject.engine)?.traits.contains(.mirrors) == true
    else { return violation.remedy }
    return
      "\(ignoreDirection). If it fails left to right, too: \(violation.remedy ?? examined.remedy)"
  }

  private func verdict(on error: HostError, _ sample: LayoutInput?) -> Verdict {
    if examined.owns.contains(error.code) {
      var finding = finding(sample, expected: "a call that succeeds", found: error.message)
      finding.error = error
      return .failed(finding)
    }
    switch error.kind {
    case .died: return .crashed(crash(sample, error))
    case .cancelled:
      var finding = unfinished(sample, "it was not finished after \(allowance)")
      finding.error = error
      return .warning(finding)
    default:
      var finding = finding(sample, expected: "a layout", found: error.message)
      (finding.error, finding.cause) = (error, error.message)
      // The case that owns this error may not be part of the run.
      if error.kind == .brokenContract { finding.remedy = Catalogue.remedy(of: error) }
      return .failed(finding)
    }
  }

  private func verdict(onPlainSample error: HostError) -> Verdict {
    var finding = crash(LayoutInput(), error)
    finding.isOfPlainSample = true
    return .crashed(finding)
  }

  private func shrunk(_ verdict: Verdict, _ examine: (Trial) throws -> Void) -> Verdict {
    guard let finding = verdict.finding, let sample = finding.sample, options.sample == nil,
      !finding.isOfPlainSample, finding.error?.kind != .cancelled,
      finding.error?.kind != .unavailable
    else { return verdict }
    var shrinker = options.shrinker
    if finding.hangingCall != nil {
      // Each further try takes as long as the timeout.
      if sample == LayoutInput() { return verdict }
      shrinker.tries = min(shrinker.tries, 2)
    }
    var best = verdict
    _ = shrinker.smallest(from: sample) {
      $0.smaller()
    } fails: { candidate in
      let deadline = ContinuousClock.now + options.caseDeadline
      let found = attemptInPool(candidate, deadline, examine)
      guard isLike(found, verdict) else { return false }
      best = found
      return true
    }
    return best
  }

  private func isLike(_ one: Verdict, _ other: Verdict) -> Bool {
    guard let left = one.finding, let right = other.finding, one.name == other.name,
      !left.isOfPlainSample, !isRefusal(left), !isRefusal(right)
    else { return false }
    guard let first = left.error, let second = right.error else {
      return left.error == nil && right.error == nil
    }
    if case .crashed = one { return first.death?.sentence == second.death?.sentence }
    return examined.owns.contains(first.code) == examined.owns.contains(second.code)
      && first.kind != .unavailable
  }

  private func unfinished(_ sample: LayoutInput?, _ found: String) -> Finding {
    finding(sample, expected: "a result within \(allowance)", found: found)
  }

  private func crash(_ sample: LayoutInput?, _ error: HostError) -> Finding {
    var finding = finding(sample, expected: "a result", found: error.message)
    finding.error = error
    finding.cause =
      finding.hangingCall.map { "\($0) does not return" } ?? error.death?.sentence ?? error.message
    return finding
  }

  private func finding(
    _ sample: LayoutInput?, expected: String, found: String,
    _ pictures: (expected: LayoutImage, found: LayoutImage)? = nil
  ) -> Finding {
    Finding(
      sample: sample, expected: expected, found: found, seed: options.seed,
      command: subject.command(for: examined.id, options, sample: sample),
      layoutCommand: sample.flatMap { sample in
        let command = sample.layoutCommand(engine: subject.name, options: subject.hostOptions)
        return command.utf8.count < CheckSubject.longestSample ? command : nil
      },
      pictures: pictures)
  }
}
