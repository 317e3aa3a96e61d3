import TesseraHost

let delegateCases: [ConformanceCase] = [
  ConformanceCase(
    "delegate-functions-are-called", .delegate,
    rule: "Every delegate function is called in some layout, with its context",
    why: "A program that supplies a declared function expects it to have an effect",
    remedy: "Call the entry of `functions` with its context first, or remove the declaration",
    needs: .delegate, owns: [.missingContext], examine: everyFunctionIsCalled),
  ConformanceCase(
    "delegate-asks-for-existing-items", .delegate,
    rule:
      "A delegate function that takes a section and an item is called only for items that exist",
    why: "Programs look up the item in their data, and for any other item they crash",
    remedy:
      "Pass the section, then the item's number in its section, less than the section's item count",
    needs: .delegate, samples: .usual.changed { sample, _ in sample.delegate = [:] },
    examine: asksForExistingItems),
  ConformanceCase(
    "delegate-absent-is-fallback", .delegate,
    rule: "After delegate functions are removed, the layout equals one that never had them",
    why: "A program may remove a function, and the documented fallback then applies",
    remedy: "Check in every prepare whether `call` is null, and keep no result",
    needs: .delegate, samples: .usual.changed { sample, _ in sample.delegate = [:] }
  ) { trial in
    let expected = try LayoutImage(trial.untouchedSession())
    let session = try trial.freshSession(for: trial.sample)
    try trial.setDelegate(of: session, adding: 1)
    guard (try? session.elements()) != nil else { return }
    for function in try trial.engine.delegateFunctions {
      try session.setDelegate(function.name, nil)
    }
    try trial.requireSame(LayoutImage(session), as: expected, "as without any delegate function")
  },
  ConformanceCase(
    "delegate-answers-change", .delegate,
    rule: "After the results of delegate functions change, the layout equals a new one",
    why: "Results depend on data, and data changes",
    remedy: "Call the functions again in every prepare; keep no result from an earlier one",
    needs: .delegate, samples: .usual
  ) { trial in
    let fresh = try trial.untouchedSession()
    try trial.setDelegate(of: fresh, adding: 0)
    let expected = try LayoutImage(fresh)
    let session = try trial.freshSession(for: trial.sample)
    try trial.setDelegate(of: session, adding: 1)
    guard (try? session.elements()) != nil else { return }
    try trial.setDelegate(of: session, adding: 0)
    try trial.requireSame(
      LayoutImage(session), as: expected, "as a new layout, after other results")
  },
  ConformanceCase(
    "delegate-answers-at-limits", .delegate,
    rule:
      "The smallest and largest results that a signature allows are laid out or refused by name",
    why: "A delegate function is someone else's code, and its mistakes must not become crashes",
    remedy:
      "Check a result before using it as an index or a length; name the function in a refusal",
    needs: .delegate, samples: .counts([5], [2, 0, 9]), examine: answersAtLimits),
  ConformanceCase(
    "delegate-values-change", .delegate,
    rule: "After section and item values change, the layout equals a new one",
    why: "Values depend on data, and data changes",
    remedy: "Read all values in every prepare, or all from the first item that `change` names",
    needs: .values, samples: .usual.changed { $1.fillValues(&$0) }
  ) { trial in
    let expected = try trial.image()
    var sampling = try trial.sampling()
    for _ in 0..<3 {
      var other = trial.sample
      sampling.fillValues(&other)
      // Values missing from the sample would survive the change.
      other.sectionValues = other.sectionValues.filter { trial.sample.sectionValues[$0.key] != nil }
      other.itemValues = other.itemValues.filter { trial.sample.itemValues[$0.key] != nil }
      let session = try trial.freshSession(for: other)
      guard (try? session.elements()) != nil else { continue }
      try trial.sample.applyValues(to: session)
      try trial.requireSame(
        LayoutImage(session), as: expected, "as a new layout, after other values",
        remedy: trial.remedyOfKeeping())
    }
  },
  ConformanceCase(
    "delegate-one-value-for-all", .delegate,
    rule: "One value for all sections or items gives the layout of separate, equal values",
    why: "The host passes one value for all with the stride 0, and separate values one by one",
    remedy: "Read value i of a column at `data` + i * `stride`",
    needs: .values,
    samples: .usual.changed { sample, sampling in
      sampling.fillValues(&sample)
      sample.sectionValues = sample.sectionValues.mapValues { .constant($0[0]) }
      sample.itemValues = sample.itemValues.mapValues { .constant($0[0]) }
    }, examine: oneValueForAll),
  ConformanceCase(
    "delegate-values-zero-and-huge", .delegate,
    rule: "Zero, negative and huge values are laid out or refused by name",
    why: "A picture has no size until it is loaded, and a list may be very long",
    remedy: "Never divide by a value that may be 0; name the value when refusing it",
    needs: .values, samples: SampleSet { sampling, level in sampling.extremeValues(level) },
    examine: extremesLaidOutOrRefused),
  ConformanceCase(
    "delegate-input-is-read-only", .delegate,
    rule: "The engine does not write to section and item values",
    why: "The host and the program continue to read these values; they lie in read-only memory",
    remedy: "Copy values before changing them; write only to the rows that the output returned",
    explainsCrashes: true,
    samples: .counts([4, 0, 9, 1, 3, 0, 20], [4, 0, 9, 1, 3, 0, 20]).changed { $1.fillValues(&$0) }
  ) { trial in
    let session = try trial.freshSession(for: trial.sample)
    try trial.setDelegate(of: session, adding: 0)
    _ = try trial.isLaidOut(session) && trial.isLaidOut(session, inSight: true)
  },
  ConformanceCase(
    "delegate-answers-have-an-effect", .delegate,
    rule: "Every delegate function's result changes something, also for the last item",
    why: "A program that supplies a function expects to see a difference for every item",
    remedy: "Use the result of each call in prepare, also for the last item of the last section",
    needs: .delegate, examine: answersHaveAnEffect),
  ConformanceCase(
    "delegate-values-have-an-effect", .delegate,
    rule:
      "Every section and item value changes something, also for the last section and the first and the "
      + "last item alone, unless it is declared as a hint",
    why: "A user who gives one item its own value expects to see a difference",
    remedy:
      "Read item values at the item's position among all items, up to the last one; if a value is "
      + "for programs or derived engines, add TESSERA_FLAG_HINT to its flags",
    needs: .values, examine: valuesHaveAnEffect),
]

@Sendable private func everyFunctionIsCalled(_ trial: Trial) throws {
  let functions = try trial.engine.delegateFunctions
  var missing = functions.map(\.name)
  // A derived engine may replace the program's function.
  let own = Set(try trial.engine.description.delegateFunctions.map(\.name))
  var sampling = try trial.sampling()
  for round in 0..<60
  where trial.hasTime && missing.contains(where: { round < 6 || own.contains($0) }) {
    var sample = round == 0 ? LayoutInput() : sampling.usual()
    guard sample.itemCount > 0 else { continue }
    sample.delegate = [:]
    let session = try trial.freshSession(for: sample)
    var called = Set<String>()
    try trial.setDelegate(of: session, adding: round) { name, _ in called.insert(name) }
    _ = try trial.isLaidOut(session)
    missing.removeAll(where: called.contains)
  }
  trial.coverage.record(.delegate, functions.map(\.name).filter { !missing.contains($0) })
  missing.removeAll { !own.contains($0) }
  try trial.require(
    missing.isEmpty,
    expected: "a call of each of \(own.count) function\(own.count == 1 ? "" : "s")",
    found: "no call of \(missing.joined(separator: ", ")) in 60 layouts")
}

/// Signatures don't name arguments: a function counts if all its calls pass the section first, and
/// most pass an item second.
@Sendable private func asksForExistingItems(_ trial: Trial) throws {
  for function in try trial.engine.delegateFunctions
  where try function.parsedSignature.takesTwoIndexes {
    let known = try trial.indexes(in: LayoutInput(counts: [20]), of: function)
    let isSwapped =
      try function.parsedSignature.arguments == [.u32, .u64]
      && known.allSatisfy { $0.item == 0 } && Set(known.map(\.section)).count >= 16
    try trial.require(
      !isSwapped, expected: "calls of \(function.name) for the items of section 0",
      found: "calls for item 0 of \(known.count) sections, of which there is one")
    let itemCalls = known.count { (0..<20).contains($0.item) }
    guard known.allSatisfy({ $0.section == 0 }), itemCalls * 2 >= known.count,
      Set(known.map(\.item)).count >= 16
    else { continue }
    let counts = trial.sample.counts
    for (section, item) in try trial.indexes(in: trial.sample, of: function) {
      let count = counts.indices.contains(section) ? counts[section] : nil
      try trial.require(
        count.map { (0..<$0).contains(item) } ?? false,
        expected: "calls of \(function.name) for items that exist, in sections of "
          + "\(counts.map(String.init).joined(separator: ", ")) items",
        found: "a call for item \(item) of section \(section)"
          + (count.map { ", which has \($0)" } ?? ""))
    }
  }
}

extension Trial {
  fileprivate func indexes(
    in sample: LayoutInput, of function: FunctionDescription
  ) throws -> [(section: Int, item: Int)] {
    var calls: [(section: Int, item: Int)] = []
    let session = try freshSession(for: sample)
    try setDelegate(of: session, adding: 1) { name, arguments in
      guard name == function.name else { return }
      let indexes = (0..<2).map { Int(clamping: arguments.integer(at: $0) ?? -1) }
      calls.append((indexes[0], indexes[1]))
    }
    _ = try isLaidOut(session)
    return calls
  }
}

extension Signature {
  /// Whether the first two arguments are integers wide enough for a section and an item.
  var takesTwoIndexes: Bool {
    arguments.count >= 2
      && arguments.prefix(2).allSatisfy { [.u32, .i32, .u64, .integer].contains($0) }
  }
}

/// Compares to within a pixel: sums and products round differently.
@Sendable private func oneValueForAll(_ trial: Trial) throws {
  guard trial.sample.itemCount > 0 else { return }
  let separate = trial.sample.with { sample in
    sample.sectionValues = sample.sectionValues.mapValues { $0.repeated(trial.sample.counts.count) }
    sample.itemValues = sample.itemValues.mapValues { $0.repeated(trial.sample.itemCount) }
  }
  let expected = try trial.image()
  let found = try LayoutImage(trial.freshSession(for: separate))
  guard let difference = expected.difference(from: found) else { return }
  let pixel = 1 / trial.sample.scale + 1e-6
  func isNear(_ one: Double, _ other: Double) -> Bool {
    (one - other).magnitude <= pixel + 1e-9 * max(one.magnitude, other.magnitude)
  }
  let (size, other) = (expected.contentSize, found.contentSize)
  let isNearlySame =
    expected.elements.count == found.elements.count && isNear(size.width, other.width)
    && isNear(size.height, other.height)
    && zip(expected.elements, found.elements).allSatisfy { one, other in
      one.identity == other.identity && isNear(one.frame.minX, other.frame.minX)
        && isNear(one.frame.minY, other.frame.minY) && isNear(one.frame.maxX, other.frame.maxX)
        && isNear(one.frame.maxY, other.frame.maxY)
    }
  try trial.require(
    isNearlySame, expected: "the same with a separate value for each: \(difference.expected)",
    found: difference.found)
}

extension ValueColumn {
  fileprivate func repeated(_ count: Int) -> ValueColumn {
    ValueColumn(Array(repeating: self[0], count: count), type: type)
  }
}

@Sendable private func extremesLaidOutOrRefused(_ trial: Trial) throws {
  try laidOutOrRefusedByName(trial)
  // Only lengths may move cells anywhere.
  let sample = trial.sample
  let columns = Array(sample.sectionValues.values) + Array(sample.itemValues.values)
  guard sample.parameters.isEmpty, columns.allSatisfy(\.type.isWhole), !columns.isEmpty,
    let elements = try? trial.elements()
  else { return }
  let content = try trial.contentSize()
  for element in elements
  where element.identity.category == .cell
    && (element.frame.isBehind(content) || min(element.frame.maxX, element.frame.maxY) < -1)
  {
    throw Violation(
      expected: "\(element.identity) within the content size \(Value.size(content))",
      found: "its frame \(element.frame.text)",
      remedy: "Limit numbers of columns and the like before calculating with them")
  }
}

extension Rect {
  fileprivate func isBehind(_ content: Size) -> Bool {
    x > content.width + 1 + 1e-9 * content.width || y > content.height + 1 + 1e-9 * content.height
  }
}

@Sendable private func answersAtLimits(_ trial: Trial) throws {
  for function in try trial.engine.delegateFunctions {
    for answer in try function.parsedSignature.result.extremes {
      let session = try trial.freshSession(for: trial.sample)
      try session.setDelegate(function) { _ in answer }
      let (content, elements): (Size, Elements)
      do throws(HostError) {
        (content, elements) = (try session.contentSize(), try session.elements())
      } catch {
        try trial.requireRefusal(
          error, naming: answer.isFar ? nil : [function.name],
          expected: "a refusal of \(answer) that names \(function.name)")
        continue
      }
      guard
        let outside = elements.first(where: {
          $0.identity.category == .cell
            && (min($0.frame.x, $0.frame.y) < -1 || $0.frame.isBehind(content))
        })
      else { continue }
      throw Violation(
        expected: "a refusal of \(answer) that names \(function.name), or a layout without cells "
          + "outside the content, from 0,0 to \(Value.size(content))",
        found: "\(outside.identity) at \(outside.frame.text)")
    }
  }
}
