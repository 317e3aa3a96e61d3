import TesseraGeometry
import TesseraHost

/// Cases about batch updates.
///
/// The host itself checks that a batch is consistent, before it calls the engine.
let updateCases: [ConformanceCase] = [
  update("updates-insert-items", "items are inserted", .insertions),
  update("updates-delete-items", "items are deleted", .deletions),
  update("updates-move-items", "items are moved", .moves),
  update("updates-reload-items", "items are reloaded", .reloads),
  update("updates-sections", "sections are inserted, deleted, moved and reloaded", .sections),
  update("updates-random-batches", "a batch of random changes", .all),
  ConformanceCase(
    "updates-ends-are-sound", .updates,
    rule: "Initial and final attributes are as valid as those of the layout",
    why: "An animation from or to an invalid number shows nothing, or never ends",
    remedy:
      "Change the rows that initial_attributes and final_attributes get, to finite numbers only",
    needs: .updates, samples: .usual
  ) { trial in
    for kind in SampleUpdate.Kind.allCases {
      let session = try trial.freshSession(for: trial.sample)
      _ = try session.elements()
      guard
        let update = try SampleUpdate(kind, of: trial.sample, random: &trial.random),
        (try? trial.freshSession(for: update.after).elements()) != nil
      else { continue }
      do throws(HostError) { _ = try trial.apply(update, to: session) } catch {
        guard error.kind == .brokenContract else { throw error }
        throw Violation(expected: "finite numbers, alpha between 0 and 1", found: error.message)
      }
    }
  },
  ConformanceCase(
    "updates-begin-and-end-pair", .updates,
    rule: "Each begin has an end, and after an abandoned batch the next one succeeds",
    why: "Anything may fail between begin and end, including the new data",
    remedy: "Release everything in end that begin acquired, whatever happened in between",
    needs: .updates, samples: .usual, examine: beginAndEndPair),
  ConformanceCase(
    "updates-partial-equals-full", .updates,
    rule: "After a change near the end, the layout equals a new one",
    why: "Partial recalculation often goes wrong where the changed part begins",
    remedy: "Keep no more rows than `kept`, and none after the first that `change` names",
    needs: .trait(.incremental),
    samples: .usual { sample, sampling in sampling.fillValues(&sample) },
    examine: partialEqualsFull),
]

private func update(_ id: String, _ text: String, _ kind: SampleUpdate.Kind) -> ConformanceCase {
  ConformanceCase(
    id, .updates, rule: "After \(text), the layout equals a new one",
    why: "Collections change while they are on the screen, and mistakes stay visible",
    remedy: "Place all elements in prepare, only from the counts and values of its input",
    samples: .usual
  ) { trial in
    for _ in 0..<2 {
      let session = try trial.freshSession(for: trial.sample)
      guard let update = try SampleUpdate(kind, of: trial.sample, random: &trial.random) else {
        return
      }
      // updates-ends-are-sound reports invalid initial and final attributes.
      do throws(HostError) { _ = try trial.apply(update, to: session) } catch {
        guard error.kind == .brokenContract else { throw error }
      }
      try trial.requireAsNew(
        session, update.after, "after \(update.batch.operations.count) changes")
    }
  }
}

extension Trial {
  /// Updates a session by a batch.
  fileprivate func apply(
    _ update: SampleUpdate, to session: Session
  ) throws(HostError) -> LayoutAnimation {
    let animation = try session.update(update.batch) { session throws(HostError) in
      try update.after.applyValues(to: session)
    }
    coverage.record(update.after)
    return animation
  }

  /// Throws if a session differs from a new session for a sample at the same offset.
  fileprivate func requireAsNew(
    _ session: Session, _ sample: Sample, _ when: String
  ) throws {
    var sample = sample
    sample.offset = session.offset
    let expected = try LayoutImage(freshSession(for: sample))
    try requireSame(LayoutImage(session), as: expected, "as a new layout, \(when)")
  }
}

/// Abandons one batch while its data is being set, then applies another.
@Sendable private func beginAndEndPair(_ trial: Trial) throws {
  let session = try trial.freshSession(for: trial.sample)
  _ = try session.elements()
  let calls = CallLog()
  session.trace = { calls.append($0) }
  let nothing = try UpdateBatch([], before: trial.sample.counts, after: trial.sample.counts)
  let abandoned = HostError(.cancelled, "there is no new data")
  do throws(HostError) {
    _ = try session.update(nothing) { _ throws(HostError) in throw abandoned }
  } catch {
    guard error == abandoned else { throw error }
  }
  try trial.change(session, to: trial.sample)
  guard let update = try SampleUpdate(.moves, of: trial.sample, random: &trial.random) else {
    return
  }
  do throws(HostError) { _ = try trial.apply(update, to: session) } catch {
    switch error.kind {
    case .refused:
      throw Violation(
        expected: "a successful batch after an abandoned one", found: error.message)
    case .brokenContract: break
    default: throw error
    }
  }
  let (begins, ends) = (calls.count(of: "updates.begin"), calls.count(of: "updates.end"))
  try trial.require(
    begins == ends, expected: "an end for each of \(begins) calls of begin", found: "\(ends)")
  try trial.requireAsNew(session, update.after, "after an abandoned batch and another one")
}

/// Changes the values of the last items, removes the last items, and appends items.
@Sendable private func partialEqualsFull(_ trial: Trial) throws {
  let count = trial.sample.itemCount
  guard count > 0 else { return }
  let first = Int.random(in: 0..<count, using: &trial.random)
  var changes = [trial.sample.prefix(items: first), trial.sample.prefix(items: first + 1)]
  var other = trial.sample
  var sampling = Sampling(for: try trial.engine, random: trial.random)
  sampling.fillValues(&other)
  var changed = trial.sample
  for (name, column) in trial.sample.itemValues {
    guard let values = column.each, let others = other.itemValues[name]?.each else { continue }
    changed.itemValues[name] = ValueColumn(
      Array(values.prefix(first)) + others.dropFirst(first), type: column.type)
  }
  changes.append(changed)
  for before in changes {
    for (from, to) in [(before, trial.sample), (trial.sample, before)] {
      let session = try trial.freshSession(for: from)
      guard (try? session.elements()) != nil else { continue }
      // Sets only the data, since other changes make the engine recalculate everything.
      try session.setSections(to.counts)
      try to.applyValues(to: session)
      try trial.requireAsNew(session, to, "after a change from item \(first) on")
    }
  }
}
