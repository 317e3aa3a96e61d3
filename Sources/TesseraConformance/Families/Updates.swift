import TesseraGeometry
import TesseraHost

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
    needs: .updates, samples: .changing + SampleSet { sampling, _ in sampling.withoutExtent() }
  ) { trial in
    for kind in SampleStep.Kind.allCases {
      try trial.withFreshSession(for: trial.sample) { session in
        _ = try session.elements()
        guard let update = try trial.update(kind, of: trial.sample),
          (try? trial.withFreshSession(for: update.after) { _ = try $0.elements() }) != nil
        else { return }
        do throws(HostError) { try session.apply(update) } catch {
          guard error.kind == .brokenContract else { throw error }
          throw Violation(expected: "finite numbers, alpha between 0 and 1", found: error.message)
        }
      }
    }
  },
  ConformanceCase(
    "updates-begin-and-end-pair", .updates,
    rule: "Each begin has an end, and after an abandoned batch the next one succeeds",
    why: "Anything may fail between begin and end, including the new data",
    remedy: "Release everything in end that begin acquired, whatever happened in between",
    needs: .updates, samples: .changing, examine: beginAndEndPair),
  ConformanceCase(
    "updates-batch-in-any-order", .updates,
    rule:
      "How elements appear and disappear depends on what a batch changes, not on the order of its "
      + "operations, on how the elements are divided into runs, or on other batches",
    why:
      "The host gives operations in any order and elements in any runs, and two layouts may change at the "
      + "same time",
    remedy:
      "Copy the operations in begin into the layout, in an order of your own, and forget them in end; in "
      + "initial_attributes and final_attributes, change nothing but rows, and count items from first_item",
    needs: .updates.and(.process), samples: .few.changed { $1.fillValues(&$0) }
  ) { trial in
    guard let section = trial.sample.counts.lastIndex(where: { $0 > 0 }) else { return }
    var sampling = try trial.sampling()
    // The host answers delegate functions of one session only.
    let before = trial.sample.with { $0.delegate = [:] }
    let counts = before.counts
    var longer = counts
    longer[section] += 2
    var many = before.with(counts: [300])
    sampling.fillValues(&many)
    for (before, place, operations, after) in [
      (
        before, section,
        [0, longer[section] - 1].map { .insert(ItemPath(section: section, item: $0)) }, longer
      ),
      (before, nil, [0, counts.count + 1].map { .insertSection($0) }, [3] + counts + [2]),
      (many, 0, [0, 301].map { .insert(ItemPath(section: 0, item: $0)) }, [302]),
    ] as [(LayoutInput, Int?, [UpdateOperation], [Int])] {
      let batch = try UpdateBatch(operations, before: before.counts, after: after)
      try trial.requireNoProblem(
        .batches, place ?? -1, of: before, with: [before.updated(by: batch, &sampling)],
        expected: "the same for the same batch")
    }
  },
  ConformanceCase(
    "updates-right-to-left-is-mirror", .updates,
    rule:
      "Right to left, elements appear and disappear in the mirror of how they do left to right",
    why: "Elements fly in over the others, from the side on which the reader has already been",
    remedy:
      "With the trait \"mirrors\", ignore right_to_left in initial_attributes and final_attributes, too, since "
      + "the host mirrors frames, transforms and the viewport; without it, mirror there what prepare mirrors",
    needs: .updates,
    samples: .few.changed { sample, sampling in
      sampling.fillValues(&sample)
      sample.direction = .leftToRight
      sample.delegate = [:]
    }, examine: updatesMirrored),
  ConformanceCase(
    "updates-partial-equals-full", .updates,
    rule: "After a change of one item or of all items after it, the layout equals a new one",
    why: "Partial recalculation often goes wrong where the changed part begins",
    remedy:
      "Keep no more rows than `kept`, none after the first that `change` names, and no sum of them",
    needs: .trait(.incremental),
    samples: SampleSet { sampling, level in
      let usual = SampleSet.usual.samples(&sampling, level).prefix(5 + level.sampleCount / 2)
      let fixed =
        level == .quick ? [] : [LayoutInput(counts: [300]), LayoutInput(counts: [70, 0, 90])]
      return (usual + fixed).enumerated().map { place, sample in
        var sample = sample
        sampling.fillValues(&sample)
        // Makes the content size depend on individual items.
        if place % 4 == 3 { sample.bounds.width = 60 }
        return sample
      }
    }, examine: partialEqualsFull),
  ConformanceCase(
    "updates-fewer-rows-kept-equals-fresh", .updates,
    rule: "After a change the layout equals a new one, however many rows the host keeps",
    why: "The host keeps no rows for a base whose rows a derived engine has changed",
    remedy:
      "Write every row after the first `kept` of a run, whatever `change` says, and every row that "
      + "depends on the change; call leave for rows that stay, and for no others",
    needs: .trait(.incremental).and(.process),
    samples: SampleSet { sampling, level in
      (0..<(level == .quick ? 2 : 8)).map { number in
        var sample = LayoutInput(counts: number % 2 == 0 ? [70, 0, 1, 0, 66] : [130, 1, 1])
        if number > 1 { sampling.fillParameters(&sample) }
        sampling.fillValues(&sample)
        return sample
      }
    }
  ) { trial in
    try trial.requireNoProblem(
      .changed, with: try trial.seriesOfChanges(), expected: "the elements of a new layout")
  },
  ConformanceCase(
    "updates-incremental-leaves-rows", .updates,
    rule:
      "After a change at the end, an incremental engine leaves at least one earlier row as it is",
    why:
      "The trait makes the host keep rows and compare data, which then costs time and saves none",
    remedy: "Write only rows that depend on the change, or remove the trait",
    needs: .trait(.incremental).and(.process),
    samples: .counts([40, 60]).changed { $1.fillValues(&$0) }
  ) { trial in
    // An engine may rewrite a whole section, so one section proves nothing.
    guard trial.sample.counts.count == 2 else { return }
    var sampling = try trial.sampling()
    let (sample, section) = (trial.sample, 1)
    let count = sample.counts[section]
    var others: [LayoutInput] = []
    for step in [
      UpdateOperation.insert(ItemPath(section: section, item: count)),
      .reload(ItemPath(section: section, item: count - 1)),
    ] { others += [sample, try SampleStep(step, of: sample, &sampling).after] }
    let report = try trial.examine(.keeping, with: Array(others.dropFirst()))
    guard let problem = report.problem else { return }
    throw Violation(
      expected: "a row that stays as it is after a change of the last item", found: problem,
      isWarning: true)
  },
  ConformanceCase(
    "updates-many-changes-equal-fresh", .updates,
    rule: "After a series of changes of any kind, the layout equals a new one",
    why: "A layout on the screen lives through hundreds of changes, and what it remembers adds up",
    remedy:
      "Calculate everything again from the input, or from the first item that `change` names; forget "
      + "what was remembered by an item's number when that item moves",
    samples: SampleSet { sampling, level in
      (0..<max(4, level.sampleCount / 4)).map { _ in
        var sample = sampling.usual()
        if sample.itemCount == 0 { sample = sample.with(counts: [9, 0, 14]) }
        sampling.fillValues(&sample)
        return sample
      }
    }, examine: manyChangesEqualFresh),
]

extension Sampling {
  fileprivate func withoutExtent() -> [LayoutInput] {
    var empty = LayoutInput(counts: [3, 0, 2])
    for description in engine.settableValues where description.type.isOrdered {
      empty[description] = description.type.filled(with: 0).map { .constant($0) }
    }
    return [empty, LayoutInput(counts: [3, 0, 2]).with { $0.bounds = .zero }]
  }
}

extension SampleSet {
  fileprivate static let changing = usual.changed { sample, sampling in
    if !sampling.random.once(in: 3) { sampling.fillValues(&sample) }
  }
}

private func update(_ id: String, _ text: String, _ kind: SampleStep.Kind) -> ConformanceCase {
  ConformanceCase(
    id, .updates, rule: "After \(text), the layout equals a new one",
    why: "Collections change while they are on the screen, and mistakes stay visible",
    remedy:
      "Place all elements in prepare, only from the counts and values of its input: an item's values "
      + "move with it, and a reloaded item has other values", samples: .changing
  ) { trial in
    let session = try trial.freshSession(for: trial.sample)
    _ = try session.elements()
    var current = trial.sample
    for _ in 0..<3 {
      guard let update = try trial.update(kind, of: current), let batch = update.batch,
        try trial.accepts(update, session)
      else { return }
      current = update.after
      try trial.requireAsNew(session, current, "after a batch: \(batch.summary)")
    }
  }
}

extension Trial {
  fileprivate func update(
    _ kind: SampleStep.Kind, of sample: LayoutInput
  ) throws(HostError) -> SampleStep? {
    var sampling = try sampling()
    defer { random = sampling.random }
    return try SampleStep(kind, of: sample, &sampling)
  }

  /// Applies a change; false if the engine refuses.
  ///
  /// Other cases report invalid attributes.
  func accepts(_ step: SampleStep, _ session: Session) throws(HostError) -> Bool {
    do throws(HostError) { try session.apply(step) } catch {
      guard !error.isRefusal else { return false }
      guard error.kind == .brokenContract else { throw error }
    }
    coverage.record(step.after)
    return true
  }

  /// Compares with a new session at the same offset; both may refuse.
  fileprivate func requireAsNew(_ session: Session, _ sample: LayoutInput, _ when: String) throws {
    var sample = sample
    sample.offset = session.offset
    switch (try withFreshSession(for: sample, answer), try answer(of: session)) {
    case (.success(let expected), .success(let found)):
      try requireSame(found, as: expected, "as a new layout, \(when)", remedy: remedyOfKeeping())
    case (.failure, .failure): break
    case (.success, .failure(let error)):
      throw Violation(
        expected: "a layout, as for a new one, \(when)", found: "a refusal: \(error.message)")
    case (.failure(let error), .success):
      throw Violation(
        expected: "a refusal, as for a new layout, \(when): \(error.message)", found: "a layout")
    }
  }

  /// Compares look-ups and snapping with a new session at the same offset.
  fileprivate func requireAnswersAsNew(
    _ session: Session, _ sample: LayoutInput, _ when: String
  ) throws {
    let engine = try engine
    let snaps = engine.has(.snapping)
    guard snaps || engine.traits.contains(.lazy) else { return }
    var sample = sample
    sample.offset = session.offset
    try withFreshSession(for: sample) { fresh in
      guard try isLaidOut(fresh) else { return }
      try requireAnswers(of: session, as: fresh, sample, snaps: snaps, when)
    }
  }

  private func requireAnswers(
    of session: Session, as fresh: Session, _ sample: LayoutInput, snaps: Bool, _ when: String
  ) throws {
    for section in sample.counts.indices where try engine.traits.contains(.lazy) {
      for item in Set([0, sample.counts[section] / 2, sample.counts[section] - 1]).sorted() {
        let cell = ElementIdentity.cell(section: section, item: item)
        let (expected, found) = (try fresh.element(cell), try session.element(cell))
        try require(
          expected == found,
          expected: "\(cell) at \(expected?.frame.text ?? "no place"), as in a new layout, \(when)",
          found: found?.frame.text ?? "no such element")
      }
    }
    for proposed in [Point(x: 0, y: 150), Point(x: 310, y: 40), Point(x: -20, y: 9999)]
    where snaps {
      let (expected, found) = (
        try fresh.restingOffset(for: proposed), try session.restingOffset(for: proposed)
      )
      try require(
        expected == found,
        expected: "a scroll to \(Value.point(proposed)) that rests at \(Value.point(expected)), as "
          + "in a new layout, \(when)", found: "\(Value.point(found))")
    }
  }

  private func answer(of session: Session) throws(HostError) -> Result<LayoutImage, HostError> {
    do throws(HostError) { return .success(try LayoutImage(session)) } catch {
      guard error.isRefusal else { throw error }
      return .failure(error)
    }
  }
}

@Sendable private func manyChangesEqualFresh(_ trial: Trial) throws {
  let session = try trial.freshSession(for: trial.sample)
  _ = try session.elements()
  var sampling = try trial.sampling()
  var current = trial.sample
  var names: [String] = []
  for number in 1...(trial.level == .quick ? 15 : 24) where trial.hasTime {
    guard let step = try SampleStep.random(from: current, &sampling) else { continue }
    guard try trial.accepts(step, session) else { return }
    current = step.after
    names.append(step.name)
    if number % 3 == 1 { continue }
    let when = "after change \(number): \(names.joined(separator: ", then "))"
    try trial.requireAsNew(session, current, when)
    try trial.requireAnswersAsNew(session, current, when)
    names = []
  }
}

@Sendable private func updatesMirrored(_ trial: Trial) throws {
  let width = try trial.contentSize().width
  let (sample, other) = trial.sample.mirrorImages(contentWidth: width, [])
  // Engines that lay out right to left themselves may animate differently, and round.
  let isMirroredByHost = try trial.engine.traits.contains(.mirrors)
  let slack = isMirroredByHost ? 1e-6 : 1 / sample.scale + 1e-6
  if !isMirroredByHost {
    let (left, right) = (try trial.freshSession(for: sample), try trial.freshSession(for: other))
    guard try trial.isLaidOut(left), try trial.isLaidOut(right) else { return }
    let isMirrored = try zip(left.elements(), right.elements()).allSatisfy { wanted, found in
      var wanted = wanted
      wanted.mirror(in: width)
      return wanted.identity == found.identity && wanted.isNear(found, slack)
    }
    guard isMirrored else { return }
  }
  for kind in [.insertions, .deletions, .sections] as [SampleStep.Kind] where trial.hasTime {
    guard let update = try trial.update(kind, of: sample), let batch = update.batch else {
      continue
    }
    func tracks(of sample: LayoutInput, _ x: Double) throws -> AnimationTracks? {
      let session = try trial.freshSession(for: sample)
      guard try trial.isLaidOut(session) else { return nil }
      do throws(HostError) {
        let animation = try session.apply(update)
        guard try session.contentSize().width == width, session.offset.x == x else { return nil }
        return animation?.tracks
      } catch {
        guard error.kind == .died else { return nil }
        throw error
      }
    }
    guard let left = try tracks(of: sample, sample.offset.x),
      let right = try tracks(of: other, other.offset.x), left.count == right.count
    else { continue }
    for (wanted, found) in zip(left, right) where wanted.before == nil || wanted.after == nil {
      let appears = wanted.before == nil
      func ends(of track: AnimationTrack) -> (outside: Element, inside: Element) {
        appears ? (track.from, track.to) : (track.to, track.from)
      }
      var expected = ends(of: wanted)
      let end = ends(of: found)
      expected.outside.mirror(in: width)
      expected.inside.mirror(in: width)
      // Adjust may depend on the viewport, which the update may have moved.
      guard expected.inside.identity == end.inside.identity,
        expected.inside.isNear(end.inside, slack), !expected.outside.isNear(end.outside, slack)
      else { continue }
      throw Violation(
        expected: expected.outside.differing(from: end.outside),
        found: end.outside.differing(from: expected.outside)
          + ", where it \(appears ? "appears" : "disappears") after \(batch.summary)")
    }
  }
}

extension Element {
  fileprivate func isNear(_ other: Element, _ slack: Double) -> Bool {
    func numbers(_ element: Element) -> [Double] {
      Value.rect(element.frame).numbers + element.transform.elements + [element.alpha]
    }
    let pairs = zip(numbers(self), numbers(other))
    return zIndex == other.zIndex && isHidden == other.isHidden
      && pairs.allSatisfy { ($0 - $1).magnitude <= slack * max(1, $0.magnitude * 1e-3) }
  }
}

@Sendable private func beginAndEndPair(_ trial: Trial) throws {
  let session = try trial.freshSession(for: trial.sample)
  _ = try session.elements()
  let calls = CallLog()
  session.trace = { calls.append($0) }
  let nothing = try UpdateBatch([], before: trial.sample.counts, after: trial.sample.counts)
  let abandoned = HostError(.cancelled, "there is no new data")
  do throws(HostError) {
    _ = try session.update(nothing) { _ throws(HostError) in throw abandoned }
  } catch { guard error == abandoned else { throw error } }
  try trial.change(session, to: trial.sample)
  guard let update = try trial.update(.moves, of: trial.sample) else { return }
  do throws(HostError) { try session.apply(update) } catch {
    switch error.kind {
    case .refused:
      throw Violation(expected: "a successful batch after an abandoned one", found: error.message)
    case .brokenContract: break
    default: throw error
    }
  }
  let (begins, ends) = (calls.count(of: "updates.begin"), calls.count(of: "updates.end"))
  try trial.require(
    begins == ends, expected: "an end for each of \(begins) calls of begin", found: "\(ends)")
  try trial.requireAsNew(session, update.after, "after an abandoned batch and another one")
}

@Sendable private func partialEqualsFull(_ trial: Trial) throws {
  let count = trial.sample.itemCount
  guard count > 0 else { return }
  var sampling = try trial.sampling()
  let first = Int.random(in: 0..<count, using: &sampling.random)
  var changes = [trial.sample.prefix(items: first), trial.sample.prefix(items: first + 1)]
  var other = trial.sample
  sampling.fillValues(&other)
  var changed = trial.sample
  for (name, column) in trial.sample.itemValues {
    guard let values = column.each, let others = other.itemValues[name]?.each else { continue }
    changed.itemValues[name] = ValueColumn(
      Array(values.prefix(first)) + others.dropFirst(first), type: column.type)
  }
  changes.append(changed)
  let path = trial.sample.path(ofItem: first)
  for change in [UpdateOperation.reload(path), .insert(path), .delete(path)] {
    changes.append(try SampleStep(change, of: trial.sample, &sampling).after)
  }
  for before in changes {
    for (from, to) in [(before, trial.sample), (trial.sample, before)] {
      try trial.withFreshSession(for: from) { session in
        guard (try? session.elements()) != nil else { return }
        // Builds the host's index, which later reads only rows reported as changed.
        _ = try session.elements(in: session.visibleRect)
        // Any other change makes the engine recalculate everything.
        try session.change(from: from, to: to)
        let what = "after a change from item \(first) on"
        try trial.requireAsNew(session, to, what)
        let found = try session.elements(in: session.visibleRect)
        try trial.withFreshSession(for: to) { fresh in
          let expected = try fresh.elements(in: session.visibleRect)
          guard found.elementsEqual(expected) else {
            throw Violation(
              expected: "\(what), the \(expected.count) elements of a new layout in the viewport",
              found: "\(found.count) elements, of which not all are the same")
          }
        }
      }
    }
  }
}

extension Trial {
  /// Changes at both ends, next to powers of two, and in all sections.
  fileprivate func seriesOfChanges() throws(HostError) -> [LayoutInput] {
    var sampling = try sampling()
    var series: [LayoutInput] = []
    var current = sample
    for _ in 0..<(level == .quick ? 10 : 24) {
      let sections = current.counts.indices.filter { current.counts[$0] > 0 }
      guard !sections.isEmpty else { break }
      let section = sampling.random.pick(sections)
      let count = current.counts[section]
      let places = [0, 1, 31, 32, 33, 63, 64, 65, 127, 128, count / 2, count - 2, count - 1]
        .filter { (0..<count).contains($0) }
      let path = ItemPath(section: section, item: sampling.random.pick(places))
      let end = ItemPath(section: section, item: count)
      let operation: UpdateOperation = sampling.random.pick([
        .reload(path), .reload(path), .insert(path), .delete(path), .insert(end),
      ])
      current = try SampleStep(operation, of: current, &sampling).after
      series.append(current)
    }
    return series
  }
}

extension LayoutInput {
  fileprivate func path(ofItem place: Int) -> ItemPath {
    var item = place
    for (section, count) in counts.enumerated() {
      if item < count { return ItemPath(section: section, item: item) }
      item -= count
    }
    return ItemPath(section: counts.count, item: 0)
  }
}
