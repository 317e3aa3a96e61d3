import TesseraGeometry
import TesseraHost

enum Observation: CaseIterable {
  case layout
  case cells
  case scrolled
  case functions
  case resting
  case measured
  case dropped
  case animated

  static let all = allCases.filter { $0 != .cells }

  func applies(to engine: Engine) -> Bool {
    switch self {
    case .layout, .cells: true
    case .scrolled: engine.traits.contains(.viewport)
    case .functions: !engine.publishedFunctions.isEmpty
    case .resting: engine.has(.snapping)
    case .measured: engine.has(.sizing)
    case .dropped: engine.has(.reordering)
    case .animated: engine.has(.updates)
    }
  }
}

struct Observed: Equatable {
  var elements: [[Element]] = []
  var values: [Value] = []
  var refusals: [String] = []
}

extension Trial {
  /// Leaves the session with another input.
  func observe(_ session: Session, _ observation: Observation) throws(HostError) -> Observed {
    var observed = Observed()
    do throws(HostError) {
      switch observation {
      case .layout, .cells:
        try lookAtLayout(session, &observed)
        guard observation == .cells else { break }
        observed.elements = observed.elements.map { $0.filter { $0.identity.category == .cell } }
      case .scrolled: try lookWhileScrolling(session, &observed)
      case .functions: try callFunctions(session, &observed)
      case .resting: try scroll(session, &observed)
      case .measured: try measure(session, &observed)
      case .dropped: try drag(session, &observed)
      case .animated: try update(session, &observed)
      }
    } catch {
      guard error.isRefusal || error.kind == .invalidInput else { throw error }
      observed.refusals.append(error.message)
    }
    return observed
  }

  private func lookAtLayout(_ session: Session, _ observed: inout Observed) throws(HostError) {
    observed.values.append(.size(try session.contentSize()))
    let elements = try session.elements()
    coverage.record(elements)
    observed.elements.append(Array(elements))
  }

  private func lookWhileScrolling(_ session: Session, _ observed: inout Observed) throws(HostError)
  {
    let content = try session.contentSize()
    for share in [-0.1, 0.3, 1] {
      session.offset = Point(x: content.width * share, y: content.height * share)
      let elements = try session.elements(in: session.visibleRect)
      coverage.record(elements)
      observed.elements.append(Array(elements))
    }
  }

  private func callFunctions(_ session: Session, _ observed: inout Observed) throws(HostError) {
    _ = try session.contentSize()
    let last = Double(max(0, session.itemCounts.reduce(0, +) - 1))
    for function in session.engine.publishedFunctions {
      let types = try function.parsedSignature.arguments
      for numbers in [[0, 0], [0, 1], [0, last], [1, 0], [60, 60], [300, 500]] {
        let arguments = types.enumerated().map { place, type in
          let number = numbers[min(place, 1)]
          return type.filled(with: type == .bool ? min(number, 1) : number)
        }
        do throws(HostError) {
          observed.values.append(try call(session, function.name, arguments.map { $0 ?? .void }))
        } catch {
          guard error.isRefusal || error.kind == .invalidInput else { throw error }
          observed.refusals.append(error.message)
        }
      }
    }
  }

  private func scroll(_ session: Session, _ observed: inout Observed) throws(HostError) {
    let content = try session.contentSize()
    for share in [0, 0.21, 0.55, 0.93] {
      let proposed = Point(x: content.width * share + 7, y: content.height * share + 7)
      for speed in [0, 300.0, -2000] {
        let velocity = Point(x: speed, y: speed)
        observed.values.append(.point(try session.restingOffset(for: proposed, velocity: velocity)))
      }
    }
  }

  private func measure(_ session: Session, _ observed: inout Observed) throws(HostError) {
    session.measure = { _, item, _ throws(HostError) in
      Size(width: Double(30 + item % 5 * 8), height: Double(20 + item % 7 * 3))
    }
    session.measureSupplementary = { _, section, _ throws(HostError) in
      Size(width: 30, height: Double(15 + section % 3 * 4))
    }
    defer { session.measureSupplementary = nil }
    try lookAtLayout(session, &observed)
    // Measured sizes replace only estimates.
    session.measure = { _, _, _ throws(HostError) in Size(width: 30, height: 20) }
    observed.values.append(.size(try session.contentSize()))
    session.offset = .zero
    observed.elements.append(Array(try session.visibleElements()))
  }

  private func drag(_ session: Session, _ observed: inout Observed) throws(HostError) {
    let content = try session.contentSize()
    guard let section = session.itemCounts.firstIndex(where: { $0 > 0 }) else { return }
    for share in [0, 0.31, 0.57, 1] {
      let target = try session.reorderingTarget(
        for: ItemPath(section: section, item: 0),
        at: Point(x: content.width * share + 1, y: content.height * share + 1))
      observed.values += [.integer(Int64(target.section)), .integer(Int64(target.item))]
    }
  }

  private func update(_ session: Session, _ observed: inout Observed) throws(HostError) {
    _ = try session.elements()
    let before = session.itemCounts
    guard let last = before.indices.last else { return }
    var rows = before.named
    rows[0].insert("new", at: 0)
    if !rows[last].isEmpty { rows[last].removeLast() }
    let animation = try session.update(try UpdateBatch(from: before.named, to: rows)) {
      _ throws(HostError) in
    }
    observed.elements.append(animation.tracks.flatMap { [$0.from, $0.to] })
    observed.values.append(.point(animation.offsetAfter))
  }
}

extension [Int] {
  fileprivate var named: [[String]] {
    enumerated().map { section, count in (0..<count).map { "\(section).\($0)" } }
  }
}

struct EffectSearch {
  typealias Attempt = (base: LayoutInput, changes: [LayoutInput])

  let trial: Trial
  private let engine: Engine
  private let observations: [Observation]
  private var sessions: [Session?]
  private(set) var sampling: Sampling
  private var samples: [[[Int]]: [LayoutInput]] = [:]

  /// In addition to the fixed samples; some declarations rarely show.
  private static let randomCount = 100

  init(_ trial: Trial, base: Engine? = nil) throws(HostError) {
    self.trial = trial
    let engine: Engine = if let base { base } else { try trial.engine }
    self.engine = engine
    observations = Observation.allCases.filter { $0.applies(to: engine) }
    sessions = [nil, nil]
    sampling = trial.sampling(for: engine)
  }

  /// Tries fixed samples first; nil if no sample can be changed.
  mutating func hasEffect(
    among counts: [[Int]], in observations: [Observation] = Observation.all,
    _ attempt: (LayoutInput, inout Sampling) -> Attempt?
  ) throws(HostError) -> Bool? {
    try effects(among: counts, upTo: 1, in: observations, attempt).map { $0 > 0 }
  }

  /// The limit if time runs out; nil if no sample can be changed.
  mutating func effects(
    among counts: [[Int]], upTo limit: Int, in wanted: [Observation] = Observation.all,
    _ attempt: (LayoutInput, inout Sampling) -> Attempt?
  ) throws(HostError) -> Int? {
    var (count, isTried) = (0, false)
    attempts: for number in Self.numbers(of: counts) where count < limit {
      let sample = sample(number, of: counts)
      guard let attempt = attempt(sample, &sampling) else { continue }
      isTried = true
      for observation in observations where wanted.contains(observation) {
        guard trial.hasTime else { return limit }
        guard let before = try observed(attempt.base, observation, 0) else { continue }
        for change in attempt.changes {
          guard let after = try observed(change, observation, 1), before != after else { continue }
          count += 1
          continue attempts
        }
      }
    }
    return isTried ? count : nil
  }

  /// With so many effects in one place, other places should have some too.
  static let telling = 6

  /// The output for a sample (place 0) or its change (place 1).
  mutating func observed(
    _ sample: LayoutInput, _ observation: Observation, _ place: Int,
    prepare: (Session) throws(HostError) -> Void = { _ throws(HostError) in }
  ) throws(HostError) -> Observed? {
    let session: Session
    if let known = sessions[place] {
      session = known
      do throws(HostError) { try trial.change(session, to: sample) } catch {
        guard error.kind == .invalidInput else { throw error }
        return nil
      }
    } else {
      session = try trial.freshSession(for: sample, of: engine)
      sessions[place] = session
    }
    try prepare(session)
    return try trial.observe(session, observation)
  }

  static func numbers(of counts: [[Int]]) -> Range<Int> { 0..<counts.count + randomCount }

  mutating func sample(_ number: Int, of counts: [[Int]]) -> LayoutInput {
    while samples[counts, default: []].count <= number {
      let made = samples[counts, default: []].count
      let new = made < counts.count ? LayoutInput(counts: counts[made]) : random(made, of: counts)
      samples[counts, default: []].append(new)
    }
    return samples[counts, default: []][number]
  }

  private mutating func random(_ number: Int, of counts: [[Int]]) -> LayoutInput {
    let counts = counts[number % counts.count]
    var result = sample(number, counts)
    // Some engines refuse most random combinations.
    for attempt in 0..<Self.tries where trial.hasTime && isRefused(result) {
      result = sample(number, counts)
      if attempt > Self.tries / 2 { result.sectionValues = [:] }
    }
    return result
  }

  private static let tries = 8

  private mutating func sample(_ number: Int, _ counts: [Int]) -> LayoutInput {
    var sample = sampling.usual()
    let plain = LayoutInput(counts: counts)
    if number % 3 == 0 { (sample.parameters, sample.delegate) = (plain.parameters, plain.delegate) }
    (sample.sectionValues, sample.itemValues) = ([:], [:])
    sample.counts = counts
    // Every third sample sets everything, since an effect may need several settings together.
    if number % 3 == 2 { sampling.fillAll(&sample) }
    // Values often refer to list records.
    for list in sampling.engine.settableLists where sample.lists[list.name] == nil {
      if number % 2 == 1 { sample.lists[list.name] = sampling.acceptedRecords(of: list) }
    }
    return sample
  }

  private mutating func isRefused(_ sample: LayoutInput) -> Bool {
    guard let observed = try? observed(sample, .layout, 0) else { return false }
    return !observed.refusals.isEmpty
  }
}

private enum Reach: CaseIterable {
  case every, first, last, later

  func places(_ scope: ValueDescription.Scope, _ counts: [Int]) -> [Int]? {
    let places =
      scope == .item ? Array(0..<counts.reduce(0, +)) : counts.indices.filter { counts[$0] > 0 }
    return switch self {
    case .every: places
    case .first: places.first.map { [$0] }
    case .last: places.last.map { [$0] }
    case .later where scope == .section:
      // A spacing between sections affects the second of three.
      places.count > 2 ? Array(places.dropFirst()) : nil
    case .later:
      // Catches indexing by position in the section.
      counts.count > 2 && counts.dropLast().reduce(0, +) >= (counts.max() ?? 0)
        ? counts.last.map { Array(places.suffix($0)) } : nil
    }
  }

  func text(_ scope: ValueDescription.Scope, _ group: String) -> String {
    let noun = scope == .item ? "item" : "section"
    return switch self {
    case .every: "for any \(noun)"
    case .first: "for the first \(noun) of \(group)"
    case .last: "for the last \(noun) of \(group)"
    case .later: "for later sections of \(group)"
    }
  }
}

private let groups = [
  (name: "one section", counts: [[5], [9]]),
  (name: "several sections", counts: [[3, 0, 4], [4, 6, 2], [2, 5, 3]]),
]

/// Fails if a value has no visible effect at all, or only in the first or last place (a warning).
@Sendable func valuesHaveAnEffect(_ trial: Trial) throws {
  var search = try EffectSearch(trial)
  var idle: [String] = []
  let owned = try trial.engine.ownedParameters
  let own = Set(try trial.engine.description.values.map { "\($0.scope) \($0.name)" })
  let hasLists = !search.sampling.engine.settableLists.isEmpty
  for description in try trial.engine.settableValues
  where own.contains("\(description.scope) \(description.name)") && !description.isHint
    && !owned.contains(description.fallback ?? "")
    // Another item's index may be out of range or form a cycle.
    && !search.sampling.namesItems(description)
  {
    let scope = description.scope
    let name = scope == .item ? "item \(description.name)" : "section \(description.name)"
    for group in groups {
      // A spacing before later sections doesn't affect the first.
      let isAlone = scope == .section && group.counts.allSatisfy { $0.count == 1 }
      for reach in Reach.allCases where !isAlone && (scope == .item || reach != .first) {
        if hasLists && reach != .later { continue }
        let hasEffect = try search.hasEffect(among: group.counts) {
          $1.attempt(description, reach, $0)
        }
        guard hasEffect == false else { continue }
        if hasLists {
          let telling = EffectSearch.telling
          let effects = try search.effects(among: group.counts, upTo: telling) {
            $1.attempt(description, .first, $0)
          }
          guard effects == telling, trial.hasTime else { continue }
        }
        if reach == .later {
          throw Violation(
            expected:
              "\(name) of the \(scope == .item ? "items of the last section" : "sections after the first")"
              + " to change something, as that of others does",
            found: "nothing changes among sections of "
              + group.counts.filter { reach.places(scope, $0) != nil }.map {
                $0.map(String.init).joined(separator: ", ")
              }.joined(separator: " or ") + " items")
        }
        if reach == .every { try trial.require(effectOf: [name], "value", isCertain: true) }
        idle.append("\(name) \(reach.text(scope, group.name))")
      }
    }
  }
  try trial.require(effectOf: idle, "value", isCertain: false)
}

extension Sampling {
  fileprivate mutating func attempt(
    _ description: ValueDescription, _ reach: Reach, _ sample: LayoutInput
  ) -> EffectSearch.Attempt? {
    guard let places = reach.places(description.scope, sample.counts) else { return nil }
    let base = (0..<sample.count(of: description)).map { _ in value(of: description) }
    let changes = (0..<3).map { _ in
      var changed = base
      for place in places {
        for _ in 0..<8 where changed[place] == base[place] {
          changed[place] = value(of: description)
        }
      }
      return sample.with(changed, for: description)
    }
    return (sample.with(base, for: description), changes)
  }

  /// Changes the first or all later records of an accepted list; nil without such a list.
  fileprivate mutating func attempt(
    _ column: ParameterDescription, of list: ListDescription, inFirst: Bool, _ sample: LayoutInput
  ) -> EffectSearch.Attempt? {
    let known = (lists[list.name] ?? []).filter { $0.count > 1 }
    guard !known.isEmpty else { return nil }
    var base = sample
    // Some numbers are thresholds against the bounds.
    let far = random.pick([1.0, 1, 20, 500])
    var records = random.pick(known)
    for other in list.columns where other != list.parent && other.type == .number {
      guard other.unit != nil else { continue }
      records = records.with(
        Dictionary(
          uniqueKeysWithValues: (0..<records.count).map { place in
            let number = (value(of: other).numbers.first ?? 0) * far
            return (place, other.clamped(.number(number)))
          }), of: other)
    }
    base.lists[list.name] = records
    let places = inFirst ? [0] : Array(1..<records.count)
    let changes = (0..<3).map { _ in
      let values = Dictionary(uniqueKeysWithValues: places.map { ($0, value(of: column)) })
      return base.with { $0.lists[list.name] = records.with(values, of: column) }
    }
    return (base, changes)
  }
}

/// Fails if a column counts only in the first record, or a plain column in none.
@Sendable func recordsHaveAnEffect(_ trial: Trial) throws {
  var search = try EffectSearch(trial)
  var idle: [String] = []
  let counts = [[20], [3, 0, 5], [7, 9]]
  for list in try trial.engine.description.lists {
    for column in list.columns where column != list.parent && !column.isHint {
      let hasEffect = try search.hasEffect(among: counts) {
        $1.attempt(column, of: list, inFirst: false, $0)
      }
      guard hasEffect == false else { continue }
      let telling = EffectSearch.telling
      let effects = try search.effects(among: counts, upTo: telling) {
        $1.attempt(column, of: list, inFirst: true, $0)
      }
      // In a tree, or beside a choice, a column may need records that no sample has.
      let isPlain = list.parent == nil && !list.columns.contains { $0.type == .choice }
      if isPlain && effects == 0 && trial.hasTime { idle.append("\(column.name) of \(list.name)") }
      guard effects == telling, trial.hasTime else { continue }
      throw Violation(
        expected:
          "\(column.name) of the records of \(list.name) after the first to change something, "
          + "as that of the first does",
        found: "nothing changes in \(EffectSearch.numbers(of: counts).count) layouts with others")
    }
  }
  try trial.require(effectOf: idle, "column", isCertain: true)
}

extension LayoutInput {
  fileprivate func with(_ values: [Value], for description: ValueDescription) -> LayoutInput {
    with { $0[description] = ValueColumn(values, type: description.type) }
  }
}

/// Fails if results have no visible effect, or only the last call's (a warning).
@Sendable func answersHaveAnEffect(_ trial: Trial) throws {
  var search = try EffectSearch(trial)
  let counts = [[20], [3, 0, 5], [7, 2]]
  var idle: [String] = []
  for function in try trial.engine.delegateFunctions {
    let result = try function.parsedSignature.result
    let usual = result.filled(with: 0) ?? .void
    let others = [1, 2, 40, 0.5].compactMap { result.filled(with: $0) }.filter { $0 != usual }
    guard !others.isEmpty else { continue }
    var calls: Set<[Value]> = []
    /// The greatest arguments so far; nil before the first call.
    func greatest() -> [Value]? {
      calls.max { left, right in
        zip(left, right).lazy.map { ($0.numbers, $1.numbers) }.first { $0 != $1 }
          .map { $0.0.lexicographicallyPrecedes($0.1) } ?? false
      }
    }
    var (isCalled, reaches) = (false, Set<Bool>())
    search: for number in EffectSearch.numbers(of: counts) where trial.hasTime {
      var sample = search.sample(number, of: counts)
      sample.delegate = [:]
      for observation in Observation.all where observation.applies(to: try trial.engine) {
        calls = []
        let before = try search.observed(sample, observation, 0) { session throws(HostError) in
          try session.setDelegate(function) { arguments in
            calls.insert(arguments.values)
            return usual
          }
        }
        guard let last = greatest(), let before else { continue }
        isCalled = true
        for answer in others {
          for isLast in [false, true] where !reaches.contains(isLast) {
            let after = try search.observed(sample, observation, 1) { session throws(HostError) in
              try session.setDelegate(function) { !isLast || $0.values == last ? answer : usual }
            }
            if after != before { reaches.insert(isLast) }
          }
        }
        if reaches.count == 2 { break search }
      }
    }
    // Another case reports functions that are never called.
    guard isCalled, trial.hasTime else { continue }
    if !reaches.contains(false) {
      try trial.require(effectOf: [function.name], "result", isCertain: true)
    } else if !reaches.contains(true) {
      idle.append("\(function.name) for the last item")
    }
  }
  try trial.require(effectOf: idle, "result", isCertain: false)
}

extension CallArguments {
  fileprivate var values: [Value] { (0..<count).map { value(at: $0) } }
}

extension Trial {
  /// Warns instead if no sample may have what the effect needs.
  func require(
    effectOf idle: [String], _ what: String, isCertain: Bool, remedy: String? = nil
  ) throws(Violation) {
    guard !idle.isEmpty else { return }
    throw Violation(
      expected: "a \(what) that changes an element, the content size or another answer",
      found: "nothing changes with \(idle.joined(separator: ", "))", isWarning: !isCertain,
      remedy: remedy)
  }
}
