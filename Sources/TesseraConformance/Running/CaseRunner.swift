import Synchronization
import TesseraHost

/// Runs one case: tries its samples until one fails, then shrinks it.
struct CaseRunner {
  let examined: ConformanceCase
  let subject: CheckSubject
  let options: ConformanceSuite.Options
  let coverage: CoverageRecorder
  let pool: SessionPool
  let hangs: KnownHangs

  /// The result of a case, before it is compared with other cases.
  enum Outcome {
    case verdict(Verdict)
    /// The host reported an error that this case owns; other cases may get the same error.
    case owned(Finding)
    /// An error that this case does not own prevented a layout.
    case blocked(Finding)
    /// The case needs the plain sample, whose layout ended the engine's process.
    case dependent(Finding)
    /// The system lacks what a layout needs, which is no fault of the engine.
    case unavailable(HostError)

    /// Whether the case fails, whatever the results of other cases.
    var isFailure: Bool {
      switch self {
      case .verdict(.failed), .verdict(.crashed), .owned, .dependent: true
      case .verdict, .blocked, .unavailable: false
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
    case crashed(HostError)
    case unfinished(String)
    case dependent(HostError)
    case unavailable(HostError)

    /// The call that did not return; nil for any other result.
    var hangingCall: String? {
      guard case .crashed(let error) = self, let death = error.death else { return nil }
      return death.manner == .hung ? death.call : nil
    }

    /// Whether a smaller sample with this result shows the same problem as a larger one.
    func isLike(_ other: Attempt) -> Bool {
      switch (self, other) {
      case (.violated(let left), .violated(let right)): left.isWarning == right.isWarning
      case (.owned, .owned), (.blocked, .blocked): true
      case (.crashed(let left), .crashed(let right)):
        left.death?.sentence == right.death?.sentence
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
    let cell = subject.plainLayout.cell(of: engine)
    var sampling = Sampling(
      for: engine, random: numbers, cell: cell, lists: subject.acceptedLists.lists(of: engine))
    let samples = options.sample.map { [$0] } ?? set.samples(&sampling, options.level)
    var (held, refusal) = (0, HostError?.none)
    for sample in samples {
      guard ContinuousClock.now < deadline else { break }
      let (sample, attempt) = attemptWithoutRefused(sample, deadline, examine)
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
    return (outcome(.unfinished("no result within \(allowance)"), samples.first), 0)
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
    let attempt = repeated { self.attempt(options.sample ?? LayoutInput(), deadline, examine) }
    switch attempt {
    case .held: return .verdict(.passed)
    case .refused(let error): return outcome(.blocked(error), nil)
    default: return outcome(attempt, nil)
    }
  }

  /// Tries a sample; if the engine refuses it, also what is left of it without the values that the
  /// engine names, so that a random value that means nothing to the engine does not waste the others.
  private func attemptWithoutRefused(
    _ sample: LayoutInput, _ deadline: ContinuousClock.Instant, _ examine: (Trial) throws -> Void
  ) -> (LayoutInput, Attempt) {
    let first = attemptInPool(sample, deadline, examine)
    var (left, attempt) = (sample, first)
    for _ in 0..<3 {
      guard case .refused(let error) = attempt, options.sample == nil,
        let rest = left.without(namesIn: error.message)
      else { break }
      left = rest
      attempt = attemptInPool(left, deadline, examine)
    }
    return (left, attempt)
  }

  /// Tries a sample in processes that earlier samples have used, and if it fails there, in new ones.
  ///
  /// A failure that depends on earlier samples could not be reproduced with this sample alone.
  private func attemptInPool(
    _ sample: LayoutInput, _ deadline: ContinuousClock.Instant, _ examine: (Trial) throws -> Void
  ) -> Attempt {
    let isNew = pool.isNew
    let attempt = attempt(trial(sample, deadline, pool), examine)
    switch attempt {
    case .held, .dependent, .unavailable: return attempt
    default: break
    }
    if let call = attempt.hangingCall {
      if hangs.isKnown(call) { return attempt }
    } else if isNew {
      return attempt
    }
    return noting(self.attempt(sample, deadline, examine))
  }

  /// Makes an attempt, and repeats it if a call did not return: on a busy machine it may only have been
  /// slow.
  private func repeated(_ attempt: () -> Attempt) -> Attempt {
    let first = attempt()
    guard let call = first.hangingCall, !hangs.isKnown(call) else { return first }
    return noting(attempt())
  }

  /// Records which call did not return in a repeated attempt.
  private func noting(_ attempt: Attempt) -> Attempt {
    attempt.hangingCall.map(hangs.add)
    return attempt
  }

  private func attempt(
    _ sample: LayoutInput, _ deadline: ContinuousClock.Instant, _ examine: (Trial) throws -> Void
  ) -> Attempt { attempt(trial(sample, deadline), examine) }

  private func trial(
    _ sample: LayoutInput, _ deadline: ContinuousClock.Instant, _ pool: SessionPool? = nil
  ) -> Trial {
    Trial(
      subject: subject, sample: sample, level: options.level, random: numbers, coverage: coverage,
      deadline: deadline, pool: pool,
      needsPlainLayout: options.sample == nil && examined.id != Catalogue.plainLayout)
  }

  private func attempt(_ trial: Trial, _ examine: (Trial) throws -> Void) -> Attempt {
    do {
      try examine(trial)
      return trial.plainFailure.map(Attempt.dependent) ?? .held
    } catch  where trial.plainFailure != nil {
      return trial.plainFailure.map(Attempt.dependent) ?? .held
    } catch let violation as Violation {
      return .violated(violation)
    } catch let error as HostError {
      if examined.owns(error) { return .owned(error) }
      switch error.kind {
      case .unavailable: return .unavailable(error)
      case .refused, .invalidInput: return .refused(error)
      case .died: return .crashed(error)
      case .cancelled: return .unfinished("it was not finished after \(allowance)")
      case .brokenContract, .notFound, .cannotLoad, .notAllowed, .cannotWrite:
        return .blocked(error)
      }
    } catch {
      return .crashed(HostError(.died, "\(error)"))
    }
  }

  /// The smallest sample that fails in the same way, and its result.
  private func shrunk(
    _ sample: LayoutInput, _ attempt: Attempt, _ examine: (Trial) throws -> Void
  ) -> (LayoutInput, Attempt) {
    var shrinker = options.shrinker
    switch attempt {
    case _ where options.sample != nil: return (sample, attempt)
    case .dependent, .unfinished, .unavailable: return (sample, attempt)
    case _ where attempt.hangingCall != nil:
      // Each further try takes as long as a call may take.
      if sample == LayoutInput() { return (sample, attempt) }
      shrinker.tries = min(shrinker.tries, 2)
    default: break
    }
    var best = attempt
    let smallest = shrinker.smallest(from: sample) {
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

  private func outcome(_ attempt: Attempt, _ sample: LayoutInput?) -> Outcome {
    switch attempt {
    case .held: return .verdict(.passed)
    case .violated(let violation):
      var finding = finding(
        sample, expected: violation.expected, found: violation.found, violation.pictures)
      finding.remedy = violation.remedy
      return .verdict(violation.isWarning ? .warning(finding) : .failed(finding))
    case .owned(let error):
      return .owned(finding(sample, expected: examined.rule, found: error.message))
    case .blocked(let error), .refused(let error):
      var finding = finding(sample, expected: "a layout", found: error.message)
      finding.cause = error.message
      // The case about this error may not be part of the run.
      if error.kind == .brokenContract {
        finding.remedy =
          Catalogue.cases.first { $0.category != .library && $0.owns(error) }?.remedy
      }
      return .blocked(finding)
    case .crashed(let error): return .verdict(.crashed(crash(sample, error)))
    case .unfinished(let what):
      return .verdict(
        .warning(finding(sample, expected: "a result within \(allowance)", found: what)))
    case .dependent(let error): return .dependent(crash(LayoutInput(), error))
    case .unavailable(let error): return .unavailable(error)
    }
  }

  private func crash(_ sample: LayoutInput?, _ error: HostError) -> Finding {
    var finding = finding(sample, expected: "a result", found: error.message)
    (finding.death, finding.cause) = (error.death, error.death?.sentence ?? error.message)
    return finding
  }

  private func finding(
    _ sample: LayoutInput?, expected: String, found: String, _ pictures: Violation.Pictures? = nil
  ) -> Finding {
    Finding(
      sample: sample, expected: expected, found: found, seed: options.seed,
      command: subject.command(for: examined.id, options, sample: sample),
      layoutCommand: sample?.layoutCommand(engine: subject.name, options: subject.hostOptions),
      pictures: pictures)
  }
}

/// The calls that did not return although they were tried twice, shared by the cases of a run.
///
/// Trying each of them twice in every case would take minutes.
final class KnownHangs: Sendable {
  private let calls = Mutex<Set<String>>([])

  func isKnown(_ call: String) -> Bool { calls.withLock { $0.contains(call) } }

  func add(_ call: String) { calls.withLock { _ = $0.insert(call) } }
}
