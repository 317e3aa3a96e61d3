import Glibc

/// What the process of an examination was like while libraries were loaded.
struct LoadingFacts {
  var stages: [ExaminationReport.Stage] = []
  var loadingSeconds = 0.0
  var registrationSeconds = 0.0
  var problem: String?
}

/// Loads libraries as a worker does, step by step, and looks at the process after each.
final class LoadingObserver {
  private var facts = LoadingFacts()

  /// Loads one library and has it register its engines, twice.
  func load(_ path: String, named name: String) throws(HostError) -> [EngineRecord] {
    if facts.stages.isEmpty { try note("the start") }
    var start = ContinuousClock.now
    let entry = try LibraryLoader.entry(path, named: name)
    facts.loadingSeconds = max(facts.loadingSeconds, Self.seconds(since: start))
    try note("loading")
    start = ContinuousClock.now
    let records = try Registration.run(entry)
    facts.registrationSeconds = max(facts.registrationSeconds, Self.seconds(since: start))
    let first = records.map(\.description)
    do throws(HostError) {
      let second = try Registration.run(entry).map(\.description)
      facts.problem = facts.problem ?? Self.difference(of: second, from: first)
    } catch {
      facts.problem = facts.problem ?? "the second time \(error.message)"
    }
    try note("registration")
    return records
  }

  /// What was seen.
  func finish() -> LoadingFacts { facts }

  private func note(_ stage: String) throws(HostError) {
    // Those that did not go after an earlier stage are not waited for again.
    let threads = facts.stages.last?.facts.threads ?? .max
    facts.stages.append(
      ExaminationReport.Stage(name: stage, facts: try ProcessFacts.settled(threads: threads)))
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
  }

  /// How descriptions differ from those before; nil where they do not.
  static func difference(
    of second: [EngineDescription], from first: [EngineDescription]
  ) -> String? {
    guard second.map(\.id) == first.map(\.id) else {
      let ids = { (list: [EngineDescription]) in list.map(\.id).joined(separator: ", ") }
      return "\(ids(second)) after \(ids(first))"
    }
    for (new, old) in zip(second, first) where new != old {
      return "\(new.id) with other declarations"
    }
    return nil
  }
}
