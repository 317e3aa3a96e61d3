import TesseraGeometry
import TesseraHost

/// Data that change.
///
/// That a batch has to add up is the host's to see to, before an engine hears of it.
let updateCases: [ConformanceCase] = [
  update("updates-insert-items", "items are inserted", .insertions),
  update("updates-delete-items", "items are deleted", .deletions),
  update("updates-move-items", "items are moved", .moves),
  update("updates-reload-items", "items are reloaded", .reloads),
  update("updates-sections", "sections are inserted, deleted, moved and reloaded", .sections),
  update("updates-random-batches", "many changes at once", .all),
  ConformanceCase(
    "updates-ends-are-sound", .updates,
    rule: "Where elements come from and go to is as sound as where they are",
    why: "An animation from or to what is no number shows nothing, or never ends",
    remedy: "Change what initial_attributes and final_attributes are given; write finite numbers",
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
        throw Violation(expected: "finite numbers, alpha from 0 to 1", found: error.message)
      }
    }
  },
  ConformanceCase(
    "updates-begin-and-end-pair", .updates,
    rule: "Each begin has its end, and after a batch that was given up the next goes well",
    why: "Between begin and end anything may fail: the new data, too",
    remedy: "Give back in end all that begin took, whatever came between them",
    needs: .updates, samples: .usual, examine: beginAndEndPair),
  ConformanceCase(
    "updates-partial-equals-full", .updates,
    rule: "After a change near the end a layout is what a new one is",
    why: "What is redone only in part goes wrong where that part begins",
    remedy: "Keep no more rows than `kept`, and none behind the first that `change` names",
    needs: .trait(.incremental), samples: .usual { sample, sampling in sampling.giveEach(&sample) },
    examine: partialEqualsFull),
]

private func update(_ id: String, _ text: String, _ kind: SampleUpdate.Kind) -> ConformanceCase {
  ConformanceCase(
    id, .updates, rule: "After \(text) a layout is what a new one is",
    why: "Collections change while they are looked at, and what is shown then stays on the screen",
    remedy: "Place everything in prepare from the counts and values of its input alone",
    samples: .usual
  ) { trial in
    for _ in 0..<2 {
      let session = try trial.freshSession(for: trial.sample)
      guard let update = try SampleUpdate(kind, of: trial.sample, random: &trial.random) else {
        return
      }
      // The case about ends tells what is wrong with them.
      do throws(HostError) { _ = try trial.apply(update, to: session) } catch {
        guard error.kind == .brokenContract else { throw error }
      }
      try trial.requireAsNew(
        session, update.after, "after \(update.batch.operations.count) changes")
    }
  }
}

extension Trial {
  /// Has a session go over to other data by a batch.
  fileprivate func apply(
    _ update: SampleUpdate, to session: Session
  ) throws(HostError) -> LayoutAnimation {
    let animation = try session.update(update.batch) { session throws(HostError) in
      try update.after.applyValues(to: session)
    }
    coverage.record(update.after)
    return animation
  }

  /// Throws where a session does not answer what a new one answers for a sample, scrolled to where the
  /// session is.
  fileprivate func requireAsNew(
    _ session: Session, _ sample: Sample, _ when: String
  ) throws {
    var sample = sample
    sample.offset = session.offset
    let expected = try LayoutImage(freshSession(for: sample))
    try requireSame(LayoutImage(session), as: expected, "as a new layout, \(when)")
  }
}

/// A batch that the one who gives the new data gives up, then one that goes through.
@Sendable private func beginAndEndPair(_ trial: Trial) throws {
  let session = try trial.freshSession(for: trial.sample)
  _ = try session.elements()
  let calls = CallLog()
  session.trace = { calls.note($0) }
  let nothing = try UpdateBatch([], before: trial.sample.counts, after: trial.sample.counts)
  let givenUp = HostError(.cancelled, "there are no new data")
  do throws(HostError) {
    _ = try session.update(nothing) { _ throws(HostError) in throw givenUp }
  } catch {
    guard error == givenUp else { throw error }
  }
  try trial.change(session, to: trial.sample)
  guard let update = try SampleUpdate(.moves, of: trial.sample, random: &trial.random) else {
    return
  }
  do throws(HostError) { _ = try trial.apply(update, to: session) } catch {
    switch error.kind {
    case .refused:
      throw Violation(
        expected: "a batch like the first after one that was given up", found: error.message)
    case .brokenContract: break
    default: throw error
    }
  }
  let (begins, ends) = (calls.count(of: "updates.begin"), calls.count(of: "updates.end"))
  try trial.require(
    begins == ends, expected: "an end for each of \(begins) calls of begin", found: "\(ends)")
  try trial.requireAsNew(session, update.after, "after a batch that was given up and another")
}

/// The last items get other values, or go, or others come behind them.
@Sendable private func partialEqualsFull(_ trial: Trial) throws {
  let count = trial.sample.itemCount
  guard count > 0 else { return }
  let first = Int.random(in: 0..<count, using: &trial.random)
  var changes = [trial.sample.prefix(items: first), trial.sample.prefix(items: first + 1)]
  var other = trial.sample
  var sampling = Sampling(for: try trial.engine, random: trial.random)
  sampling.giveEach(&other)
  var changed = trial.sample
  for (name, column) in trial.sample.itemValues {
    guard case .each(let values) = column, case .each(let others)? = other.itemValues[name] else {
      continue
    }
    changed.itemValues[name] = .each(Array(values.prefix(first)) + others.dropFirst(first))
  }
  changes.append(changed)
  for before in changes {
    for (from, to) in [(before, trial.sample), (trial.sample, before)] {
      let session = try trial.freshSession(for: from)
      guard (try? session.elements()) != nil else { continue }
      // The data alone: whoever sets more has everything redone.
      try session.setSections(to.counts)
      try to.applyValues(to: session)
      try trial.requireAsNew(session, to, "after a change from item \(first) of all on")
    }
  }
}
