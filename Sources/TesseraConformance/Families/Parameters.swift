import TesseraGeometry
import TesseraHost

let parameterCases: [ConformanceCase] = [
  ConformanceCase(
    "parameters-as-they-start", .parameters,
    rule: "The engine produces a layout with the initial value of every parameter",
    why: "This is the layout that everybody sees first",
    remedy: "Declare initial values that prepare accepts",
    samples: .plain,
    owns: .all(of: .refused).subtracting([.refusedWithoutReason])
  ) { trial in _ = try trial.elements() },
  ConformanceCase(
    "parameters-refusals-have-a-reason", .parameters,
    rule: "A call that fails reports why",
    why: "The user sees only that sentence, and cannot guess which of many values is wrong",
    remedy:
      "Before prepare or a query returns a failure, call host->report with a sentence that names the value "
      + "and says what is expected",
    samples: .plain + .limits + .odd + SampleSet { sampling, _ in sampling.extremeValues(.quick) }
      + .huge, owns: [.refusedWithoutReason]
  ) { trial in
    do throws(HostError) { _ = try trial.elements() } catch {
      guard error.isRefusal || error.kind == .brokenContract else { throw error }
    }
  },
  ConformanceCase(
    "parameters-at-their-limits", .parameters,
    rule: "Every value at a declared limit is laid out, or refused with the parameter's name",
    why: "A limit promises that the values within it are useful",
    remedy: "Narrow the limits to values that prepare accepts, or name the parameter when refusing",
    needs: .parameters, samples: .limits, examine: limitsLaidOut),
  ConformanceCase(
    "parameters-at-random", .parameters,
    rule:
      "Any combination of values within the limits is laid out, or one value is refused by name",
    why: "People set several parameters at once, to any values",
    remedy: "When refusing a combination, name one of the parameters and its value",
    needs: .parameters,
    samples: SampleSet { sampling, level in
      (0..<level.sampleCount * 2).map { _ in
        LayoutInput(counts: sampling.counts()).with { sampling.fillParameters(&$0) }
      }
    }, examine: laidOutOrRefusedByName),
  ConformanceCase(
    "parameters-out-of-range-refused", .parameters,
    rule: "A value that is out of range or otherwise invalid is refused with the parameter's name",
    why: "The user needs to know which of many values is wrong",
    remedy: "Declare limits as minimum and maximum, or name the parameter when refusing in prepare",
    needs: .parameters, samples: .plain
  ) { trial in
    let session = try trial.session()
    _ = try session.elements()
    for parameter in try trial.engine.settableParameters {
      for value in parameter.beyond {
        do throws(HostError) { try session.setParameter(parameter.name, to: value) } catch {
          guard error.code == .invalidValue else { throw error }
          continue
        }
        throw Violation(
          expected: "a refusal of \(parameter.name) \(value)", found: "the value was accepted")
      }
      for value in parameter.doubtful {
        try session.setParameter(parameter.name, to: value)
        do throws(HostError) { _ = try session.elements() } catch {
          try trial.requireRefusal(
            error, naming: [parameter.name],
            expected: "a layout for \(parameter.name) \(value), or a refusal with its name")
        }
      }
      try session.resetParameter(parameter.name)
    }
  },
  ConformanceCase(
    "parameters-read-back-from-text", .parameters,
    rule: "Initial values and limits read back unchanged from their text form",
    why: "Scenarios and command lines contain values as text",
    remedy: "Declare finite initial values, and choices without commas",
    needs: .parameters, samples: .plain
  ) { trial in
    let engines = try trial.engine.chain
    for parameter in try trial.engine.settableParameters {
      for value in [parameter.initial, parameter.lowerLimit, parameter.upperLimit] {
        guard let value else { continue }
        let sample = LayoutInput().with { $0.parameters[parameter.name] = value }
        let read = try LayoutInput(json: sample.json.line, for: engines)
        try trial.require(
          read.parameters == sample.parameters, expected: "\(parameter.name) \(value)",
          found: read.parameters[parameter.name].map { "\($0)" } ?? "nothing")
      }
    }
  },
  ConformanceCase(
    "parameters-set-again-changes-nothing", .parameters,
    rule: "Setting a parameter to its current value changes nothing",
    why: "Programs set values without checking the current ones",
    remedy: "Calculate only from the values in the input",
    needs: .parameters, samples: .usual
  ) { trial in
    let expected = try trial.image()
    let session = try trial.session()
    for parameter in try trial.engine.settableParameters {
      guard let value = trial.sample.parameters[parameter.name] else { continue }
      try session.setParameter(parameter.name, to: value)
      try trial.requireSame(
        LayoutImage(session), as: expected,
        "as before \(parameter.name) was set to its current value")
    }
  },
  ConformanceCase(
    "parameters-change-equals-fresh", .parameters,
    rule: "After a parameter changes, the layout equals a new one",
    why: "A layout that remembers an earlier value is wrong after the next change",
    remedy: "Read every parameter in every prepare, and recalculate after CHANGED_PARAMETERS",
    needs: .parameters, samples: .usual + .scrolled
  ) { trial in
    let expected = try LayoutImage(trial.freshSession(for: trial.sample))
    var sampling = try trial.sampling()
    func compare(
      _ before: LayoutInput, _ after: LayoutInput, _ what: String, _ remedy: String?
    ) throws {
      try trial.withFreshSession(for: before) { next in
        guard try trial.isLaidOut(next) else { return }
        // Only what differs: any other change makes the host prepare.
        try next.change(from: before, to: after)
        guard try trial.isLaidOut(next) else { return }
        let expected = try trial.withFreshSession(for: after) { try LayoutImage($0) }
        try trial.requireSame(
          LayoutImage(next), as: expected, "as a new layout, after \(what)", remedy: remedy)
      }
    }
    func compare(_ parameter: ParameterDescription, _ value: Value?, _ remedy: String?) throws {
      guard let value, value != trial.sample.parameters[parameter.name] ?? parameter.initial else {
        return
      }
      let changed = trial.sample.with { $0.parameters[parameter.name] = value }
      try compare(trial.sample, changed, "\(parameter.name) became \(value)", remedy)
    }
    func readInAdjust(_ name: String) -> String {
      "Read \(name) in adjust, and not in prepare; or remove TESSERA_FLAG_IN_ADJUST from its flags"
    }
    let adjusted = sampling.engine.settableParameters.filter(\.isInAdjust)
    for parameter in adjusted where trial.hasTime {
      try compare(parameter, sampling.value(of: parameter), readInAdjust(parameter.name))
    }
    for value in sampling.engine.settableValues where trial.hasTime && value.isInAdjust {
      guard trial.sample.count(of: value) > 0, let none = value.type.filled(with: 0) else {
        continue
      }
      let rested = trial.sample.with { $0.set(value) { _ in none } }
      let other = trial.sample.with { sample in
        sample.set(value) { _ in sampling.value(of: value) }
      }
      try compare(other, rested, "\(value.name) became \(none)", readInAdjust(value.name))
    }
    var other = trial.sample
    sampling.fillParameters(&other)
    let session = try trial.session()
    try trial.change(session, to: other)
    for _ in 0..<4 {
      for (name, value) in other.parameters { try session.setParameter(name, to: value) }
      guard try trial.isLaidOut(session) else { continue }
      for parameter in sampling.engine.settableParameters {
        if let value = trial.sample.parameters[parameter.name] {
          try session.setParameter(parameter.name, to: value)
        } else {
          try session.resetParameter(parameter.name)
        }
      }
      try trial.requireSame(
        LayoutImage(session), as: expected, "as a new layout, after other parameters",
        remedy: trial.remedyOfKeeping())
      other = trial.sample
      sampling.fillParameters(&other) { $0.once(in: 2) }
    }
    // An incremental engine may miss a change too small to alter line breaks.
    guard sampling.engine.traits.contains(.incremental) else { return }
    for parameter in sampling.engine.settableParameters where trial.hasTime && !parameter.isInAdjust
    {
      let old = trial.sample.parameters[parameter.name] ?? parameter.initial
      try compare(parameter, parameter.near(old), trial.remedyOfKeeping())
    }
  },
  ConformanceCase(
    "parameters-order-is-irrelevant", .parameters,
    rule: "The order in which parameters are set does not matter",
    why: "Scenarios and command lines set parameters in any order",
    remedy: "Calculate everything in prepare, from all values at once",
    needs: .parameters, samples: .usual
  ) { trial in
    let expected = try trial.image()
    let session = try trial.session()
    try trial.change(session, to: trial.sample.with { $0.parameters = [:] })
    for (name, value) in trial.sample.parameters.sorted(by: { $0.key > $1.key }) {
      try session.setParameter(name, to: value)
      // Intermediate layouts may leave stale state.
      _ = try? session.contentSize()
    }
    try trial.requireSame(
      LayoutImage(session), as: expected, "as with parameters set in the order of their names")
  },
  ConformanceCase(
    "parameters-have-an-effect", .parameters,
    rule:
      "Every parameter changes something, unless it is declared as a hint, which changes nothing",
    why: "A user who sets a parameter expects to see a difference",
    remedy:
      "Read the parameter in prepare; if it is for programs or derived engines, add TESSERA_FLAG_HINT to "
      + "its flags; if it is one of the base that this engine sets, give a default that is owned",
    needs: .parameters, examine: parametersHaveAnEffect),
  ConformanceCase(
    "parameters-records-have-an-effect", .parameters, .standard,
    rule: "A column of a list counts, and in later records as in the first one",
    why: "A user who writes a second record expects to see a difference",
    remedy:
      "Read value i of a column at `data` + i * `stride` for every record",
    needs: .lists, examine: recordsHaveAnEffect),
  ConformanceCase(
    "parameters-lists-of-any-length", .parameters,
    rule: "A list of any number of records is laid out, or refused with the list's name",
    why: "A list comes from a file that somebody is writing, record by record",
    remedy:
      "Check a list's records before using them, and name the list and the record when refusing",
    needs: .lists, explainsCrashes: true,
    samples: SampleSet { sampling, level in
      sampling.lists(ofLengths: level == .quick ? [0, 1, 2, 5] : [0, 1, 2, 3, 5, 10, 256, 1000])
        + sampling.longLists(level == .quick ? 20_000 : level == .standard ? 40_000 : 100_000)
    }, examine: listsLaidOutOrRefused),
  ConformanceCase(
    "parameters-lists-with-odd-records", .parameters,
    rule:
      "A record with any values of its columns is laid out, or refused with the list's name",
    why: "A mistake in one record must not end the process, or be looked for in all of them",
    remedy:
      "Check the places that records refer to, and that a tree has no cycles; name the list and the "
      + "record when refusing", needs: .lists, explainsCrashes: true, samples: .odd,
    examine: listsLaidOutOrRefused),
  ConformanceCase(
    "parameters-base-gets-valid-values", .parameters,
    rule: "A derived engine gives its base only values and records that the base allows",
    why: "A base is never asked for values that a program could not set, and may crash with them",
    remedy:
      "Keep what you calculate within the limits that the base declares, and every number finite",
    needs: .base, samples: .odd + .huge, owns: [.invalidOverride]
  ) { trial in
    do throws(HostError) { _ = try trial.elements() } catch {
      if error.code == .invalidOverride { throw error }
    }
  },
  ConformanceCase(
    "parameters-integers-have-64-bits", .parameters,
    rule: "Integers of values and lists are read with all of their 64 bits",
    why:
      "A number from another program, such as a key, may be large, and is then taken for a small one",
    remedy: "Read an int as int64_t, and compare it with what there is before making it smaller",
    needs: CaseNeed(reason: "it declares no values and no lists with integers") { engine in
      (engine.settableValues.map(\.type) + engine.settableLists.flatMap(\.columns).map(\.type))
        .contains(.integer)
    }, examine: integersHave64Bits),
  ConformanceCase(
    "parameters-lists-change-equals-fresh", .parameters,
    rule: "After a list changes, the layout equals a new one",
    why: "A layout that remembers earlier records is wrong after the next change",
    remedy: "Read every list in every prepare, and recalculate after CHANGED_LISTS",
    needs: .lists,
    samples: .usual.changed { sample, sampling in
      for list in sampling.engine.settableLists {
        sample.lists[list.name] = sampling.acceptedRecords(of: list)
      }
    }
  ) { trial in
    let expected = try LayoutImage(trial.freshSession(for: trial.sample))
    var sampling = try trial.sampling()
    let session = try trial.session()
    for list in sampling.engine.settableLists {
      for _ in 0..<3 {
        try session.setList(list.name, to: sampling.acceptedRecords(of: list))
        _ = try trial.isLaidOut(session)
        try session.setList(list.name, to: trial.sample.lists[list.name])
        try trial.requireSame(
          LayoutImage(session), as: expected, "as a new layout, after other records of \(list.name)"
        )
      }
    }
  },
]

@Sendable private func listsLaidOutOrRefused(_ trial: Trial) throws {
  do throws(HostError) { _ = try trial.elements() } catch {
    guard error.isRefusal else { throw error }
    let lists = trial.sample.lists.keys.sorted()
    let names = lists + (try trial.engine.settableValues.map(\.name))
    try trial.require(
      names.contains(where: error.message.contains),
      expected: "a layout, or a refusal that names \(lists.joined(separator: ", "))",
      found: "the refusal \"\(error.message)\"")
    return
  }
  try itemsExactlyOnce(trial)
  try contentContainsElements(trial)
}

@Sendable private func limitsLaidOut(_ trial: Trial) throws {
  try laidOutOrRefusedByName(trial)
  guard try !trial.isLaidOut(trial.session()) else { return }
  for parameter in try trial.engine.settableParameters where parameter.type.isWhole {
    guard let value = trial.sample.parameters[parameter.name], value == parameter.upperLimit,
      let number = value.numbers.first,
      let less = Value(type: parameter.type, numbers: [number - 1])
    else { continue }
    let sample = trial.sample.with { $0.parameters[parameter.name] = less }
    guard try trial.isLaidOut(trial.freshSession(for: sample)) else { continue }
    throw Violation(
      expected: "a layout with \(parameter.name) \(value), its maximum, as with \(less)",
      found: "a refusal",
      remedy: "Compare the value with <= where the maximum is allowed, or declare a smaller maximum"
    )
  }
}

@Sendable func laidOutOrRefusedByName(_ trial: Trial) throws {
  do throws(HostError) { _ = try trial.elements() } catch {
    let names =
      try trial.engine.settableParameters.map(\.name) + trial.engine.settableLists.map(\.name)
      + trial.engine.settableValues.map(\.name)
    return try trial.requireRefusal(
      error, naming: trial.sample.hasFarNumbers ? nil : names,
      expected: "a layout, or a refusal that names one of \(names.joined(separator: ", "))")
  }
  try itemsExactlyOnce(trial)
}

/// Looks for an integer whose layout equals the layout of its lower half.
@Sendable private func integersHave64Bits(_ trial: Trial) throws {
  let sampling = try trial.sampling()
  var inputs: [(what: String, sample: (Int64) -> LayoutInput)] = []
  for value in sampling.engine.settableValues where value.type == .integer {
    let plain = LayoutInput(counts: [7, 0, 5])
    inputs.append(
      (value.name, { number in plain.with { $0[value] = .constant(.integer(number)) } }))
  }
  for list in sampling.engine.settableLists {
    for records in (sampling.lists[list.name] ?? []).filter({ $0.count > 3 }).prefix(6) {
      for column in list.columns where column.type == .integer {
        let sample = { (number: Int64) in
          let changed = records.with([records.count - 1: .integer(number)], of: column)
          return LayoutInput(counts: [7, 0, 5]).with { $0.lists[list.name] = changed }
        }
        inputs.append(("\(column.name) of the last record of \(list.name)", sample))
      }
    }
  }
  for (what, sample) in inputs where trial.hasTime {
    func layouts(_ numbers: [Int64]) throws -> [LayoutImage]? {
      var images: [LayoutImage] = []
      for number in numbers {
        guard let session = try? trial.freshSession(for: sample(number)),
          try trial.isLaidOut(session)
        else { return nil }
        images.append(try LayoutImage(session))
      }
      return images
    }
    func areSame(_ one: [LayoutImage], _ other: [LayoutImage]) -> Bool {
      zip(one, other).allSatisfy { $0.difference(from: $1) == nil }
    }
    // A choice by remainder, such as every fourth, repeats after 65,536.
    guard let few = try layouts([0, 1, 2]),
      few.contains(where: { $0.difference(from: few[0]) != nil }),
      let far = try layouts([0x1_0000_0000, 0x1_0000_0001, 0x1_0000_0002]), areSame(few, far)
    else { continue }
    if let near = try layouts([0x1_0000, 0x1_0001, 0x1_0002]), areSame(few, near) { continue }
    throw Violation(
      expected: "another layout, or a refusal, for \(what) of 4294967297 than for 1",
      found: "the same layout, and for 4294967296 that of 0")
  }
}

extension ParameterDescription {
  fileprivate func near(_ value: Value) -> Value? {
    guard type.isOrdered else { return nil }
    let larger = Value(type: type, numbers: value.numbers.map { $0 + (type.isWhole ? 1 : 0.5) })
    return larger.map(clamped).flatMap { $0 == value ? nil : $0 }
  }

  /// 0 and -1, which may be invalid within the limits.
  fileprivate var doubtful: [Value] {
    guard type.isOrdered, type != .rect else { return [] }
    return [0, -1].compactMap(allowed)
  }

  /// Values with one component beyond a limit, NaN or infinite.
  fileprivate var beyond: [Value] {
    let initial = self.initial.numbers
    return minimum.indices.flatMap { index -> [Value] in
      let wrong = [minimum[index] - 1, maximum[index] + 1].filter(\.isFinite) + [.nan, .infinity]
      return wrong.compactMap { number in
        var numbers = initial
        numbers[index] = number
        return Value(type: type, numbers: numbers)
      }
    }
  }
}

extension Sampling {
  fileprivate mutating func values(of parameter: ParameterDescription) -> [Value] {
    if parameter.type == .choice { return parameter.choices.map(Value.choice) }
    if parameter.type == .bool { return [.bool(true), .bool(false)] }
    var result = (0..<3).map { _ in value(of: parameter) }
    result += [parameter.lowerLimit, parameter.upperLimit].compactMap(\.self)
    return result
  }
}

extension EffectSearch {
  fileprivate mutating func hasEffect(
    _ parameter: ParameterDescription, in observations: [Observation] = Observation.all
  ) throws(HostError) -> Bool? {
    try hasEffect(among: [[20], [3, 0, 5], [7, 2]], in: observations) { base, sampling in
      let changes = sampling.values(of: parameter).map { value in
        base.with { $0.parameters[parameter.name] = value }
      }
      return (base, changes)
    }
  }

  /// The one side of insets without effect; two such sides may be about one axis.
  fileprivate mutating func idleSide(
    of parameter: ParameterDescription
  ) throws(HostError) -> String? {
    var idle: [String] = []
    for (place, side) in parameter.type.components.enumerated() {
      let hasEffect = try hasEffect(among: [[20], [3, 0, 5], [7, 2]]) { base, _ in
        let numbers = (base.parameters[parameter.name] ?? parameter.initial).numbers
        let changes = [13.0, -13].compactMap { more -> LayoutInput? in
          var changed = numbers
          changed[place] += more
          guard let value = Value(type: parameter.type, numbers: changed),
            parameter.clamped(value) == value
          else { return nil }
          return base.with { $0.parameters[parameter.name] = value }
        }
        return changes.isEmpty ? nil : (base, changes)
      }
      if hasEffect == false { idle.append("\(parameter.name) \(side)") }
    }
    return idle.count == 1 ? idle[0] : nil
  }
}

/// Fails if a parameter has no visible effect, or a hint has one.
@Sendable private func parametersHaveAnEffect(_ trial: Trial) throws {
  var search = try EffectSearch(trial)
  var idle: [(name: String, parameter: ParameterDescription)] = []
  // Base engines are tested separately, and a derived engine may set their parameters.
  let own = Set(try trial.engine.description.parameters.map(\.name))
  for parameter in try trial.engine.settableParameters where own.contains(parameter.name) {
    let places = parameter.isHint ? [Observation.layout, .scrolled] : Observation.all
    let hasEffect = try search.hasEffect(parameter, in: places)
    if hasEffect == false && !parameter.isHint { idle.append((parameter.name, parameter)) }
    if hasEffect == true && parameter.type == .insets && !parameter.isHint && trial.hasTime,
      let side = try search.idleSide(of: parameter)
    {
      idle.append((side, parameter))
    }
    if hasEffect == true && parameter.isHint && trial.hasTime {
      throw Violation(
        expected: "no change with \(parameter.name), which is declared as a hint",
        found: "another value of it changes the layout",
        remedy: "Remove TESSERA_FLAG_HINT from its flags, or do not read it")
    }
  }
  try trial.require(
    effectOf: idle.map(\.name), "parameter", isCertain: true,
    remedy: idle.allSatisfy(\.parameter.isInAdjust)
      ? "Use the parameter in adjust, for which its flags say it is, in every place that it is about"
      : nil)
  guard trial.level != .quick, let lost = try parameterOfSkippedAdjust(trial, &search) else {
    return
  }
  throw Violation(
    expected: "a parameter that changes visible elements, as it does in the base alone",
    found: "nothing changes with \(lost)",
    remedy:
      "Call super's adjust in adjust; or set the parameter, and give a default for it that is owned"
  )
}

/// A parameter used only by a base's adjust, which the engine overrides.
private func parameterOfSkippedAdjust(
  _ trial: Trial, _ search: inout EffectSearch
) throws(HostError) -> String? {
  let engine = try trial.engine
  guard engine.description.abilities.contains(.adjust), engine.chain.count > 1,
    engine.chain.dropFirst().contains(where: { $0.abilities.contains(.adjust) })
  else { return nil }
  var alone = try EffectSearch(trial, base: engine.host.engine(engine.chain[1].id))
  let own = Set(engine.description.parameters.map(\.name))
  for parameter in engine.settableParameters
  where !own.contains(parameter.name) && !parameter.isHint {
    // Adjust moves headers, rarely cells.
    guard try alone.hasEffect(parameter, in: [.cells]) == false,
      try alone.hasEffect(parameter, in: [.layout]) == true,
      try search.hasEffect(parameter) == false, trial.hasTime
    else { continue }
    return parameter.name
  }
  return nil
}
