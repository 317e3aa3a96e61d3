import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// Layouts of one engine that were prepared in one call, the result of `Session.batch`.
public struct LayoutBatch: Sendable {
  /// The elements of all layouts, layout after layout, each layout in listing order.
  ///
  /// Their sections have the numbers that they have in the session.
  public let elements: Elements
  /// The positions of each layout's elements in `elements`; empty if the layout failed.
  public let ranges: [Range<Int>]
  /// The content size of each layout; zero if it failed.
  public let contentSizes: [Size]
  /// The errors of the layouts that failed, by the layouts' numbers.
  public let errors: [Int: HostError]
}

extension Session {
  /// Lays out parts of the session's data, each as a layout of its own: many small layouts of one engine
  /// in one call.
  ///
  /// The layouts share the engine, its parameters but for those in `parameters`, and all settings but the
  /// bounds. Each has its own sections of the session, with their item counts and values, and the engine
  /// sees them numbered from 0; so do delegate functions and `measure`, for which `batchPart` says which
  /// layout it is. The rows are copied and checked as
  /// in every query. With isolation, hundreds of layouts cross to the engine's process in a message and
  /// come back in one, which takes less than a microsecond for each layout besides the engine's own work.
  /// Layouts with elements that are measured take a message each.
  ///
  /// An error costs only its own layout, also one of its bounds or parameters. If the engine crashes or does
  /// not return in time, that is the error of the layout it was preparing, and a new process goes on with the next one.
  /// Each layout has the whole time limit. `progress` receives how many of the layouts are done, after
  /// each such error and now and then, and can cancel the batch.
  ///
  /// Afterwards the session's own layout is no longer prepared.
  ///
  /// - Parameters:
  ///   - sectionCounts: The number of sections of each layout, in their order; together all sections of
  ///     the session. If empty, each section is a layout.
  ///   - bounds: The bounds of each layout; if empty, all have those of the session.
  ///   - columns: The columns that the elements get besides their frames, by the names that a table of
  ///     Arrow has: `transform`, `alpha`, `z_index`, `hidden` and attributes. Others have the values of
  ///     an engine that does not write them, and cost nothing. If nil, the elements get all.
  ///   - parameters: The parameters of which each layout has a value of its own, by their names, with as
  ///     many values as layouts.
  /// - Throws: `.invalidInput` if there are other counts than sections, other bounds or values of a
  ///   parameter than layouts, a parameter that cannot be set, a column that elements do not have, or more
  ///   than `rowLimit` elements together; the error with which the engine cannot be started at all.
  /// - Complexity: O(*n*) in all items together.
  public func batch(
    sectionCounts: [Int] = [], bounds: [Size] = [], columns: Set<String>? = nil,
    parameters: [String: [Value]] = [:]
  ) throws(HostError) -> LayoutBatch {
    enter()
    defer { leave() }
    return try batch(sectionCounts, bounds, columns, parameters, problems: [:])
  }

  /// Lays out parts of the data.
  ///
  /// - Parameter problems: What is wrong with parameters of which layouts.
  package func batch(
    _ sectionCounts: [Int], _ bounds: [Size], _ columns: Set<String>?,
    _ given: [String: [Value]], problems: [Int: HostError]
  ) throws(HostError) -> LayoutBatch {
    enter()
    defer { leave() }
    try viewport.check()
    try values.checkCounts(starts)
    var (parts, failures) = try parts(sectionCounts, bounds)
    failures.merge(problems) { first, _ in first }
    var parameters: [PartParameter] = []
    for (name, values) in given.sorted(by: { $0.key < $1.key }) {
      guard values.count == parts.count else {
        throw HostError(
          .wrongCount,
          "\(name) has \(values.count) values for \(parts.count) layouts; give one for each")
      }
      let (parameter, problems) = try self.values.partParameter(name, values)
      parameters.append(parameter)
      failures.merge(problems) { first, _ in first }
    }
    try checkColumns(columns)
    (prepared, preparedData) = (nil, nil)
    changes = UInt32(TESSERA_CHANGED_ALL)
    let isWhole =
      measure == nil && measureSupplementary == nil && !pushes.items && !pushes.supplementaries
    // The counts come from the program, and may be far more than the rows of the results.
    let capacity = min(starts.total, rowLimit, Self.expectedRows)
    let (numbering, isAsked) = (runner.numbering, runner.traits.asksEachTime)
    var gathering = BatchGathering(
      parts.count, items: starts.total, limit: rowLimit, failures: failures,
      try ElementColumns(
        kinds: numbering.kinds, attributes: numbering.attributes,
        columns: !isWhole ? .all : isAsked ? numbering.adjustedColumns : numbering.columns,
        isAdjusted: !isWhole || isAsked, names: columns, capacity: capacity))
    // Of a single layout among many, an engine's progress says nothing.
    let progress = progress
    runner.progress = nil
    defer { runner.progress = progress }
    // Nothing is measured any more, though the last prepare may have been for measured sizes.
    if isWhole { values.forgetSizes() }
    try values.withParameters(ofParts: parameters) { () throws(HostError) in
      if isWhole {
        try gatherTogether(parts, progress, into: &gathering)
      } else {
        try gatherSeparately(parts, progress, into: &gathering)
      }
    }
    guard gathering.wanted <= rowLimit else { throw tooMany(gathering.wanted) }
    return LayoutBatch(
      elements: Elements(gathering.columns), ranges: gathering.ranges,
      contentSizes: gathering.contentSizes, errors: gathering.errors)
  }

  /// The most rows for which a batch has space before its first layouts show how many there will be.
  private static let expectedRows = 1 << 14

  /// Checks the parameters of `batch`.
  ///
  /// - Returns: The layouts, and the errors of those whose bounds or values are invalid.
  private func parts(
    _ sectionCounts: [Int], _ bounds: [Size]
  ) throws(HostError) -> ([LayoutPart], [Int: HostError]) {
    let count = starts.counts.count
    if let wrong = sectionCounts.firstIndex(where: { $0 < 0 || $0 > count }) {
      throw HostError(
        .wrongCount,
        "layout \(wrong) has \(sectionCounts[wrong]) sections; expected 0 to \(count), which the "
          + "session has")
    }
    let sum = sectionCounts.reduce(0) { $0 &+ $1 }
    guard sectionCounts.isEmpty || sum == count else {
      throw HostError(
        .wrongCount,
        "the layouts have \(sum) sections together and the session \(count); give as many, or no "
          + "counts for one section each")
    }
    let layouts = sectionCounts.isEmpty ? count : sectionCounts.count
    guard bounds.isEmpty || bounds.count == layouts else {
      throw HostError(
        .wrongCount,
        "there are \(bounds.count) bounds for \(layouts) layouts; give \(layouts), or none for "
          + "those of the session")
    }
    let parts = (0..<layouts).map { layout in
      LayoutPart(
        sectionCount: sectionCounts.isEmpty ? 1 : sectionCounts[layout],
        bounds: bounds.isEmpty ? self.bounds : bounds[layout].isValid ? bounds[layout] : .zero)
    }
    var failures = faults(of: parts)
    for (layout, size) in bounds.enumerated() where !size.isValid {
      failures[layout] = HostError(
        .invalidValue, "the bounds are \(Value.size(size)); expected finite numbers, 0 or more")
    }
    return (parts, failures)
  }

  package func checkColumns(_ columns: Set<String>?) throws(HostError) {
    enter()
    defer { leave() }
    let known =
      ["category", "kind", "section", "item", "frame"] + BuiltInColumns.all.headerNames
      + runner.numbering.attributes.map(\.name)
    if let unknown = columns?.subtracting(known).min() {
      throw .unknownName(unknown, "column", of: engine.description.id, known: known)
    }
  }

  /// The first fault in the item values of each layout that has some.
  private func faults(of parts: [LayoutPart]) -> [Int: HostError] {
    var failures: [Int: HostError] = [:]
    for (name, found) in values.faults {
      var (layout, first, section) = (0, 0, 0)
      for fault in found {
        while Int(starts.buffer[section + 1]) <= fault.item { section += 1 }
        while section >= first + parts[layout].sectionCount {
          first += parts[layout].sectionCount
          layout += 1
        }
        guard failures[layout] == nil else { continue }
        let item = fault.item - Int(starts.buffer[section])
        failures[layout] = .invalidValue(
          "\(name) of item \(item) in section \(section - first)", fault.problem)
      }
    }
    return failures
  }

  /// Has all parts prepared in one call, and copies the rows of each.
  private func gatherTogether(
    _ parts: [LayoutPart], _ progress: ((Double) -> Bool)?, into gathering: inout BatchGathering
  ) throws(HostError) {
    let (kinds, ranks) = (runner.numbering.kinds, runner.numbering.kindRanks)
    // Each access to a property of the session is checked.
    let (traits, starts, rowLimit) = (runner.traits, starts, rowLimit)
    let isMirrored = viewport.direction == .rightToLeft && traits.isMirrored
    var section = 0
    let context = CallContext(viewport: viewport, rowLimit: rowLimit)
    var isCancelled = false
    try runner.prepareEach(parts, context) { number, result in
      gathering.columns.firstSection = section
      gathering.add { (gathering) throws(HostError) in
        let part = try result.get()
        let runs = part.store.runs
        let rows = runs.last.map { $0.row + $0.count - runs[0].row } ?? 0
        guard rows <= rowLimit else { throw tooMany(rows) }
        let items = starts.buffer[section + parts[number].sectionCount]
        guard try gathering.room(for: rows, items: items) else { return part.contentSize }
        let mirrorWidth = isMirrored ? part.contentSize.width : nil
        do throws(HostError) {
          // Most layouts are one run: there is nothing to sort.
          let places =
            runs.count == 1 ? [0] : try RunOrder(runs, kinds: kinds, ranks: ranks).places
          for place in places {
            var run = runs[place]
            run.section += UInt32(section)
            try gathering.columns.append(
              run, rows: run.row..<run.row + run.count, of: part.store, mirrorWidth: mirrorWidth)
          }
        } catch {
          throw traits.broken(error)
        }
        return part.contentSize
      }
      section += parts[number].sectionCount
      isCancelled = cancels(progress, gathering.errors[number], number, of: parts.count)
      return !isCancelled
    }
    guard !isCancelled else { throw cancelled }
  }

  /// Whether the program cancels a batch: asked after each layout that ended the engine's process, which can have
  /// taken long, and after some hundreds of others.
  private func cancels(
    _ progress: ((Double) -> Bool)?, _ error: HostError?, _ number: Int, of count: Int
  ) -> Bool {
    guard let progress, error?.kind == .died || (number + 1) % 256 == 0 else { return false }
    return !progress(Double(number + 1) / Double(count))
  }

  private var cancelled: HostError { .cancelled("prepare", of: engine.description.id) }

  /// Prepares and queries each part as the session's only data.
  private func gatherSeparately(
    _ parts: [LayoutPart], _ progress: ((Double) -> Bool)?, into gathering: inout BatchGathering
  ) throws(HostError) {
    // Each layout corrects the offset by what it measures, for itself alone.
    let (whole, own, anchor) = (starts, viewport, pushed)
    let (sizing, kept) = (values.sizing, values.keptSizes)
    let sizes = values.sizes(kinds: runner.numbering.kinds)
    pushed = nil
    var section = 0
    defer {
      values.use(nil)
      (starts, viewport, pushed) = (whole, own, anchor)
      runner.supply(whole)
      (values.sizing, values.keptSizes) = (sizing, kept)
      (prepared, preparedData) = (nil, nil)
      changes = UInt32(TESSERA_CHANGED_ALL)
    }
    for (number, part) in parts.enumerated() {
      let item = Int(whole.buffer[section])
      starts = try SectionStarts(
        counts: Array(whole.counts[section..<section + part.sectionCount]), memory: values.memory)
      runner.supply(starts)
      time.begin()
      values.use((number, section, item))
      (values.sizing, values.keptSizes) = ([], sizes.map { $0.starting(at: (section, item)) })
      viewport = own
      viewport.bounds = part.bounds
      (prepared, preparedData) = (nil, nil)
      changes = UInt32(TESSERA_CHANGED_ALL)
      gathering.add { (gathering) throws(HostError) in
        let elements = try elements()
        let items = whole.buffer[section + part.sectionCount]
        guard try gathering.room(for: elements.count, items: items) else { return .zero }
        for element in elements {
          var element = element
          element.identity.section += section
          let kind = elements.kinds.number(of: element.identity) ?? 0
          gathering.columns.append(element, kind: kind)
        }
        return try contentSize()
      }
      guard !cancels(progress, gathering.errors[number], number, of: parts.count) else {
        throw cancelled
      }
      section += part.sectionCount
    }
  }
}

extension Session {
  /// In a delegate function or `measure` during a batch: the number of the layout that is being prepared, and
  /// the number that its first section has in the session.
  ///
  /// It is nil outside of batches.
  public var batchPart: (layout: Int, firstSection: Int)? {
    values.part.map { ($0.number, $0.section) }
  }
}

private struct BatchGathering {
  let columns: ElementColumns
  private(set) var ranges: [Range<Int>] = []
  private(set) var contentSizes: [Size] = []
  private(set) var errors: [Int: HostError] = [:]
  /// The number of elements of all layouts, also of those for which there was no room.
  private(set) var wanted = 0
  private let limit: Int
  private let items: Int
  /// The errors of layouts that are known before.
  private let failures: [Int: HostError]

  init(
    _ count: Int, items: Int, limit: Int, failures: [Int: HostError], _ columns: ElementColumns
  ) {
    self.columns = columns
    (self.items, self.limit) = (items, limit)
    self.failures = failures
    ranges.reserveCapacity(count)
    contentSizes.reserveCapacity(count)
  }

  /// Adds the result of the next layout.
  ///
  /// - Parameter gather: Copies the elements, if there is room for them, and returns the content size.
  mutating func add(_ gather: (inout BatchGathering) throws(HostError) -> Size) {
    let (start, runs, wanted) = (columns.count, columns.runs.count, wanted)
    do throws(HostError) {
      if !failures.isEmpty, let error = failures[contentSizes.count] { throw error }
      contentSizes.append(try gather(&self))
    } catch {
      columns.truncate(to: start, runs: runs)
      self.wanted = wanted
      errors[contentSizes.count] = error
      contentSizes.append(.zero)
    }
    ranges.append(start..<columns.count)
  }

  /// Provides space for more elements; returns false if there would be too many.
  ///
  /// - Parameter known: How many items the layouts so far have, with the next one.
  mutating func room(for count: Int, items known: UInt64) throws(HostError) -> Bool {
    wanted += count
    guard wanted <= limit else { return false }
    try columns.reserve(count, expecting: expected(known))
    return true
  }

  /// The number of elements if the other layouts have as many for an item, and a few more.
  private func expected(_ known: UInt64) -> Int {
    let number = 1.05 * Double(wanted) * (Double(items) / Double(max(1, known)))
    return Int(min(number, 4 * Double(items), Double(limit), 0x1p40))
  }
}
