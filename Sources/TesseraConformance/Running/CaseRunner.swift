import TesseraHost

/// Runs one case: tries its samples until one fails, then shrinks it.
struct CaseRunner {
  let examined: ConformanceCase
  let subject: CheckSubject
  let options: ConformanceSuite.Options
  let coverage: CoverageRecorder
  let pool: SessionPool

  /// The result of a case, before it is compared with other cases.
  enum Outcome {
    case verdict(Verdict)
    /// The host reported an error that this case owns; other cases may get the same error.
    case owned(Finding)
    /// An error that this case does not own prevented a layout.
    case blocked(Finding)

    /// Whether the case fails, whatever the results of other cases.
    var isFailure: Bool {
      switch self {
      case .verdict(.failed), .verdict(.crashed), .owned: true
      case .verdict, .blocked: false
      }
    }
  }

  /// The result of one sample.
  private enum Attempt {
    case held
    case refused(HostError)
    case violated(Violation)
    case owned(HostError)
    case blocked(HostError)
    case crashed(String)

    /// Whether a smaller sample with this result shows the same problem as a larger one.
    func isLike(_ other: Attempt) -> Bool {
      switch (self, other) {
      case (.violated(let left), .violated(let right)): left.isWarning == right.isWarning
      case (.owned, .owned), (.blocked, .blocked), (.crashed, .crashed): true
      default: false
      }
    }
  }

  /// Runs the case; returns its result and the number of samples that passed.
  func run() -> (Outcome, samples: Int) {
    let deadline = ContinuousClock.now + options.caseDeadline
    guard case .samples(let set, let examine) = examined.examination,
      let engine = try? subject.engine
    else { return (runOnce(deadline), 0) }
    var sampling = Sampling(for: engine, random: numbers)
    let samples = options.sample.map { [$0] } ?? set.samples(&sampling, options.level)
    var (held, refusal) = (0, HostError?.none)
    for sample in samples {
      guard ContinuousClock.now < deadline else { break }
      let attempt = attemptInPool(sample, deadline, examine)
      switch attempt {
      case .held: held += 1
      case .refused(let error): refusal = refusal ?? error
      default:
        let (smallest, last) = shrunk(sample, attempt, examine)
        return (outcome(last, smallest), held)
      }
    }
    if held > 0 || samples.isEmpty { return (.verdict(.passed), held) }
    if let refusal { return (outcome(.blocked(refusal), samples.first), 0) }
    return (outcome(.crashed("no result within \(allowance)"), samples.first), 0)
  }

  private var numbers: SeededNumbers { SeededNumbers(seed: options.seed, name: examined.id) }

  private var allowance: String {
    let seconds = Double(options.caseDeadline.components.seconds)
    return "\(seconds.shortText) s"
  }

  private func runOnce(_ deadline: ContinuousClock.Instant) -> Outcome {
    guard case .once(let examine) = examined.examination else {
      return .verdict(.skipped("the engine could not be loaded"))
    }
    let attempt = attempt(options.sample ?? Sample(), deadline, examine)
    switch attempt {
    case .held: return .verdict(.passed)
    case .refused(let error): return outcome(.blocked(error), nil)
    default: return outcome(attempt, nil)
    }
  }

  /// Tries a sample in processes that earlier samples have used, and if it fails there, in new ones.
  ///
  /// A failure that depends on earlier samples could not be reproduced with this sample alone.
  private func attemptInPool(
    _ sample: Sample, _ deadline: ContinuousClock.Instant, _ examine: (Trial) throws -> Void
  ) -> Attempt {
    let isNew = pool.isNew
    let attempt = attempt(trial(sample, deadline, pool), examine)
    if isNew { return attempt }
    if case .held = attempt { return attempt }
    return self.attempt(sample, deadline, examine)
  }

  private func attempt(
    _ sample: Sample, _ deadline: ContinuousClock.Instant, _ examine: (Trial) throws -> Void
  ) -> Attempt { attempt(trial(sample, deadline), examine) }

  private func trial(
    _ sample: Sample, _ deadline: ContinuousClock.Instant, _ pool: SessionPool? = nil
  ) -> Trial {
    Trial(
      subject: subject, sample: sample, level: options.level, random: numbers, coverage: coverage,
      deadline: deadline, pool: pool)
  }

  private func attempt(_ trial: Trial, _ examine: (Trial) throws -> Void) -> Attempt {
    do {
      try examine(trial)
      return .held
    } catch let violation as Violation {
      return .violated(violation)
    } catch let error as HostError {
      if examined.owns(error) { return .owned(error) }
      switch error.kind {
      case .refused, .invalidInput: return .refused(error)
      case .died: return .crashed(error.message)
      case .cancelled: return .crashed("it did not return within \(allowance)")
      case .brokenContract, .notFound, .cannotLoad, .notAllowed, .cannotWrite:
        return .blocked(error)
      }
    } catch {
      return .crashed("\(error)")
    }
  }

  /// The smallest sample that fails in the same way, and its result.
  private func shrunk(
    _ sample: Sample, _ attempt: Attempt, _ examine: (Trial) throws -> Void
  ) -> (Sample, Attempt) {
    guard options.sample == nil else { return (sample, attempt) }
    var best = attempt
    let smallest = options.shrinker.smallest(from: sample) {
      $0.smaller()
    } fails: { candidate in
      let deadline = ContinuousClock.now + options.caseDeadline
      let found = self.attempt(candidate, deadline, examine)
      guard found.isLike(attempt) else { return false }
      best = found
      return true
    }
    return (smallest, best)
  }

  private func outcome(_ attempt: Attempt, _ sample: Sample?) -> Outcome {
    switch attempt {
    case .held: return .verdict(.passed)
    case .violated(let violation):
      let finding = finding(
        sample, expected: violation.expected, found: violation.found, violation.pictures)
      return .verdict(violation.isWarning ? .warning(finding) : .failed(finding))
    case .owned(let error):
      return .owned(finding(sample, expected: examined.rule, found: error.message))
    case .blocked(let error), .refused(let error):
      return .blocked(finding(sample, expected: "a layout", found: error.message))
    case .crashed(let what):
      return .verdict(.crashed(finding(sample, expected: "a result", found: what)))
    }
  }

  private func finding(
    _ sample: Sample?, expected: String, found: String, _ pictures: Violation.Pictures? = nil
  ) -> Finding {
    Finding(
      sample: sample, expected: expected, found: found, seed: options.seed,
      command: subject.command(for: examined.id, seed: options.seed, sample: sample),
      layoutCommand: sample?.layoutCommand(engine: subject.name), pictures: pictures)
  }
}
