import Synchronization
import TesseraHost

/// What became of each case, collected from several threads.
final class Results: Sendable {
  private struct Entry {
    var outcome: CaseRunner.Outcome
    var samples: Int
    var duration: Duration
  }

  private struct State {
    var next = 0
    var entries: [Entry?]
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(entries: Array(repeating: nil, count: count))) }

  /// The next of so many batches of cases to run, or nil when all are taken.
  func next(of count: Int) -> Int? {
    state.withLock { state in
      guard state.next < count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  func set(_ index: Int, _ outcome: CaseRunner.Outcome, _ samples: Int, _ duration: Duration) {
    state.withLock {
      $0.entries[index] = Entry(outcome: outcome, samples: samples, duration: duration)
    }
  }

  /// The verdicts, once all are known: where no layout was to be had, the case that says why fails,
  /// and the others are skipped; where none says it, each fails.
  func resolved(_ cases: [ConformanceCase]) -> [CaseResult] {
    let entries = state.withLock { $0.entries.compactMap(\.self) }
    let owner = zip(cases, entries).first { if case .owned = $1.outcome { true } else { false } }
    return zip(cases, entries).map { examined, entry in
      let verdict: Verdict =
        switch entry.outcome {
        case .verdict(let verdict): verdict
        case .owned(let finding): .failed(finding)
        case .obstructed(let finding):
          if let owner {
            .skipped("there was no layout to look at: \(finding.found); see \(owner.0.id)")
          } else {
            .failed(finding)
          }
        }
      return CaseResult(
        examined: examined, verdict: verdict, samples: entry.samples, duration: entry.duration)
    }
  }
}
