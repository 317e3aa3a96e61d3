/// Lays out many scenarios of one engine, as few calls as possible into it.
///
/// Each scenario goes over one that all share. The session, and with it the engine's process, is used
/// for all of them, from one thread at a time.
package final class ScenarioBatch {
  /// The result of a line.
  package struct Outcome {
    /// The line's number in its file, from 1.
    package let line: Int
    /// The text of the line's `id`, as it was written; nil if it has none.
    package let id: ArraySlice<UInt8>?
    package let layout: Result<BatchedLayout, HostError>
  }

  /// The most items of the layouts that are handed over together, unless it is a single layout.
  private static let mostItems = 1 << 16

  private let session: Session
  private let shared: Scenario
  private let vocabulary: Vocabulary
  /// Called with each warning of the engine.
  private let warn: (String) -> Void

  /// Starts the engine.
  ///
  /// - Parameter received: Called after each layout.
  /// - Throws: The error with which the engine cannot be started; `.invalidInput` if the shared
  ///   scenario does not fit it.
  package init(
    _ engine: Engine, shared: Scenario, warn: @escaping (String) -> Void,
    received: @escaping () -> Void
  ) throws(HostError) {
    vocabulary = Vocabulary(engine.chain)
    for note in try shared.resolved(for: vocabulary).notes { warn(note) }
    session = try Session(engine)
    session.layoutReceived = received
    (self.shared, self.warn) = (shared, warn)
  }

  /// The sandbox of the engine's process.
  package var sandboxedSession: Session { session }

  /// Ends the engine's process.
  package func close() { try? session.close() }

  /// Lays out the scenarios of some lines.
  ///
  /// - Parameter receive: Called with the outcomes of some lines at a time, in their order.
  package func layOut(_ lines: [(number: Int, bytes: [UInt8])], receive: ([Outcome]) throws -> Void)
    rethrows
  {
    var (gathered, items) = ([ParsedLine](), 0)
    for line in lines {
      let parsed = ParsedLine(line, over: shared)
      let more = parsed.itemCount
      if !gathered.isEmpty, items + more > Self.mostItems {
        try receive(outcomes(of: gathered))
        (gathered, items) = ([], 0)
      }
      gathered.append(parsed)
      items += more
    }
    if !gathered.isEmpty { try receive(outcomes(of: gathered)) }
  }

  /// Lays out lines together that differ only in their data and bounds, and the others by themselves.
  private func outcomes(of lines: [ParsedLine]) -> [Outcome] {
    var layouts: [Result<BatchedLayout, HostError>?] = Array(repeating: nil, count: lines.count)
    var groups: [LayoutInput: [BatchMember]] = [:]
    for (place, line) in lines.enumerated() {
      do throws(HostError) {
        let scenario = try line.scenario.get()
        let input = try scenario.resolved(for: vocabulary).input
        let member = BatchMember(place: place, scenario: scenario, input: input)
        if member.isAlone {
          layouts[place] = Result { () throws(HostError) in try layoutAlone(member) }
        } else {
          groups[member.common, default: []].append(member)
        }
      } catch {
        layouts[place] = .failure(error)
      }
    }
    for group in groups.values.sorted(by: { $0[0].place < $1[0].place }) {
      for (member, layout) in zip(group, layOutTogether(group)) { layouts[member.place] = layout }
    }
    return zip(lines, layouts).map { line, layout in
      Outcome(line: line.number, id: line.id, layout: layout!)
    }
  }

  private func layOutTogether(_ group: [BatchMember]) -> [Result<BatchedLayout, HostError>] {
    do throws(HostError) {
      try merged(group).apply(to: session, resetting: true)
      let batch = try session.batch(
        sectionCounts: group.map(\.input.counts.count), bounds: group.map(\.input.bounds))
      session.warnings.forEach(warn)
      var section = 0
      return group.indices.map { place in
        defer { section += group[place].input.counts.count }
        if let error = batch.errors[place] { return .failure(error) }
        return .success(
          BatchedLayout(
            scenario: group[place].scenario, parameters: group[place].input.parameters,
            contentSize: batch.contentSizes[place], elements: batch.elements,
            range: batch.ranges[place], firstSection: section))
      }
    } catch {
      // One of them may be the reason.
      return group.map { member in
        Result { () throws(HostError) in try layoutAlone(member) }
      }
    }
  }

  /// The data of all layouts as that of one session.
  private func merged(_ group: [BatchMember]) throws(HostError) -> LayoutInput {
    var input = group[0].input
    input.counts = group.flatMap(\.input.counts)
    for name in input.sectionValues.keys {
      let type = try vocabulary.value(name, .section, for: JSONNode(.null, source: name)).type
      input.sectionValues[name] = .joined(
        group.map { ($0.input.sectionValues[name]!, $0.input.counts.count) }, type: type)
    }
    for name in input.itemValues.keys {
      let type = try vocabulary.value(name, .item, for: JSONNode(.null, source: name)).type
      input.itemValues[name] = .joined(
        group.map { ($0.input.itemValues[name]!, $0.input.itemCount) }, type: type)
    }
    return input
  }

  private func layoutAlone(_ member: BatchMember) throws(HostError) -> BatchedLayout {
    defer { session.layoutReceived?() }
    try member.input.apply(to: session, resetting: true)
    let elements =
      if let rect = member.scenario.rect {
        try session.elements(in: rect)
      } else {
        try session.elements()
      }
    let contentSize = try session.contentSize()
    session.warnings.forEach(warn)
    return BatchedLayout(
      scenario: member.scenario, parameters: member.input.parameters, contentSize: contentSize,
      elements: elements, range: elements.indices, firstSection: 0)
  }
}

/// The layout of one line, among the elements of all that were handed over together.
package struct BatchedLayout {
  /// The scenario of the line over the shared one.
  package let scenario: Scenario
  /// The parameters that were set.
  package let parameters: [String: Value]
  package let contentSize: Size
  package let elements: Elements
  /// The positions of the layout's elements.
  package let range: Range<Int>
  /// The number of the layout's first section among the elements.
  package let firstSection: Int

  /// The elements as pieces of one category, kind and section, in their order: their places among those
  /// of all layouts, the number of the kind, which is 0 for cells, and the section's number in the layout.
  package var pieces:
    [(places: Range<Int>, category: ElementCategory, kind: Int, section: Int, firstItem: Int)]
  {
    guard !range.isEmpty else { return [] }
    let runs = elements.memory.runs
    var pieces:
      [(places: Range<Int>, category: ElementCategory, kind: Int, section: Int, firstItem: Int)] =
        []
    var place = range.lowerBound
    for run in runs[runs.lastIndex(atOrBefore: place, from: 0)...] {
      let end = min(range.upperBound, run.row + run.count)
      pieces.append(
        (
          place..<end, run.category, run.category == .cell ? 0 : Int(run.kind),
          Int(run.section) - firstSection, run.item(atRow: place)
        ))
      place = end
      if place == range.upperBound { break }
    }
    return pieces
  }
}

/// A line with its scenario over the shared one, which no engine has checked yet.
private struct ParsedLine {
  let number: Int
  let id: ArraySlice<UInt8>?
  let scenario: Result<Scenario, HostError>

  init(_ line: (number: Int, bytes: [UInt8]), over shared: Scenario) {
    let name = "the line"
    let (value, kept) = JSON.line(line.bytes, name: name, keeping: "id")
    (number, id) = (line.number, kept)
    scenario = Result { () throws(HostError) in
      let json = try value.get()
      guard case .object(let members) = json else {
        throw HostError(.invalidScenario, "\(name) is \(json.found); expected an object")
      }
      return try Scenario(.object(members.filter { $0.name != "id" })).over(shared)
    }
  }

  var itemCount: Int { (try? scenario.get().itemCounts.reduce(0) { $0 &+ min($1, 1 << 40) }) ?? 0 }
}

/// A line whose scenario an engine can be given.
private struct BatchMember {
  let place: Int
  let scenario: Scenario
  let input: LayoutInput

  /// Whether the layout is a query of its own: for a rect, or with answers that depend on the item's
  /// place among the items of the whole session.
  var isAlone: Bool {
    scenario.rect != nil || !input.delegate.isEmpty || input.measure != nil
  }

  /// What layouts must have in common to be handed over together: all but the bounds, the counts and
  /// the values, of which they have the names in common.
  var common: LayoutInput {
    var common = input
    common.viewport.bounds = .zero
    common.counts = []
    common.sectionValues = common.sectionValues.mapValues { _ in .constant(.void) }
    common.itemValues = common.itemValues.mapValues { _ in .constant(.void) }
    return common
  }
}
