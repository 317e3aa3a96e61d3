import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// The layouts prepared by `Session.batch`.
public struct LayoutBatch: Sendable {
  /// The elements, layout after layout; sections are numbered as in the session.
  public let elements: Elements
  /// Each layout's positions in `elements`; empty if it failed.
  public let ranges: [Range<Int>]
  /// Each layout's content size; zero if it failed.
  public let contentSizes: [Size]
  /// Errors by layout number.
  public let errors: [Int: HostError]
}

extension Session {
  /// Prepares many small layouts of one engine in one call.
  ///
  /// Each layout has some of the session's sections, renumbered from 0 for engines, delegate
  /// functions and `measure`; see `batchPart`. With isolation, hundreds of layouts share a message,
  /// at less than 1 µs each; measured ones take a message each.
  ///
  /// An error, a crash or a timeout fails only its own layout, and each layout has the whole time
  /// limit. `progress` receives the fraction done, and can cancel the batch. Afterwards the
  /// session's own layout is no longer prepared.
  ///
  /// - Parameters:
  ///   - sectionCounts: Sections per layout; if empty, one each.
  ///   - bounds: Bounds per layout; if empty, the session's.
  ///   - columns: Columns besides frames, by their Arrow names such as `z_index`; nil for all.
  ///   - parameters: A value per layout, by parameter name.
  /// - Throws: `.invalidInput` for counts that don't match, an unknown column or parameter, or more
  ///   than `rowLimit` elements together; the error with which the engine can't start.
  /// - Complexity: O(*n*) in all items together.
  public func batch(
    sectionCounts: [Int] = [], bounds: [Size] = [], columns: Set<String>? = nil,
    parameters: [String: [Value]] = [:]
  ) throws(HostError) -> LayoutBatch {
    enter()
    defer { leave() }
    return try batch(sectionCounts, bounds, columns, parameters, problems: [:])
  }

  /// `problems` are parameter errors by layout.
  package func batch(
    _ sectionCounts: [Int], _ bounds: [Size], _ columns: Set<String>?,
    _ given: [String: [Value]], problems: [Int: HostError]
  ) throws(HostError) -> LayoutBatch {
    enter()
    defer { leave() }
    try viewport.check()
    try values.checkCounts(input.starts)
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
    state.forgetLayout()
    state.data = nil
    let isWhole = !measuring.isSupplied
    // The program's counts may be far above the number of results.
    let capacity = min(input.starts.total, rowLimit, Self.expectedRows)
    let (numbering, isAsked) = (runner.numbering, runner.traits.asksEachTime)
    var gathering = BatchGathering(
      parts.count, items: input.starts.total, limit: rowLimit, failures: failures,
      try ElementColumns(
        kinds: numbering.kinds, attributes: numbering.attributes,
        columns: !isWhole ? .all : isAsked ? numbering.adjustedColumns : numbering.columns,
        isAdjusted: !isWhole || isAsked, names: columns, capacity: capacity))
    // One layout's progress means nothing in a batch.
    let progress = progress
    runner.progress = nil
    defer { runner.progress = progress }
    // The last prepare may have used measured sizes.
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

  /// Initial space, until the first layouts show how much is needed.
  private static let expectedRows = 1 << 14

  private func parts(
    _ sectionCounts: [Int], _ bounds: [Size]
  ) throws(HostError) -> ([LayoutPart], [Int: HostError]) {
    let count = input.starts.counts.count
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

  private func faults(of parts: [LayoutPart]) -> [Int: HostError] {
    var failures: [Int: HostError] = [:]
    for (name, found) in values.faults {
      var (layout, first, section) = (0, 0, 0)
      for fault in found {
        while Int(input.starts.buffer[section + 1]) <= fault.item { section += 1 }
        while section >= first + parts[layout].sectionCount {
          first += parts[layout].sectionCount
          layout += 1
        }
        guard failures[layout] == nil else { continue }
        let item = fault.item - Int(input.starts.buffer[section])
        failures[layout] = .invalidValue(
          "\(name) of item \(item) in section \(section - first)", fault.problem)
      }
    }
    return failures
  }

  private func gatherTogether(
    _ parts: [LayoutPart], _ progress: ((Double) -> Bool)?, into gathering: inout BatchGathering
  ) throws(HostError) {
    let (kinds, ranks) = (runner.numbering.kinds, runner.numbering.kindRanks)
    // Avoids an exclusivity check per access.
    let (traits, starts, rowLimit) = (runner.traits, input.starts, rowLimit)
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
          // Most layouts are one run: nothing to sort.
          let places = runs.count == 1 ? [0] : try RunOrder(runs, kinds: kinds, ranks: ranks).places
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

  /// Asks after each layout that ended the process, which is slow, and every 256 layouts.
  private func cancels(
    _ progress: ((Double) -> Bool)?, _ error: HostError?, _ number: Int, of count: Int
  ) -> Bool {
    guard let progress, error?.kind == .died || (number + 1) % 256 == 0 else { return false }
    return !progress(Double(number + 1) / Double(count))
  }

  private var cancelled: HostError { .cancelled("prepare", of: engine.description.id) }

  private func gatherSeparately(
    _ parts: [LayoutPart], _ progress: ((Double) -> Bool)?, into gathering: inout BatchGathering
  ) throws(HostError) {
    // Measuring moves each layout's offset separately.
    let (whole, own, anchor) = (input.starts, viewport, measuring.pushed)
    let (sizing, kept) = (values.sizing, values.keptSizes)
    let sizes = values.sizes(kinds: runner.numbering.kinds)
    measuring.pushed = nil
    var section = 0
    defer {
      values.use(nil)
      (input.starts, viewport, measuring.pushed) = (whole, own, anchor)
      runner.supply(whole)
      (values.sizing, values.keptSizes) = (sizing, kept)
      state.forgetLayout()
      state.data = nil
    }
    for (number, part) in parts.enumerated() {
      let item = Int(whole.buffer[section])
      input.starts = try SectionStarts(
        counts: Array(whole.counts[section..<section + part.sectionCount]), memory: values.memory)
      runner.supply(input.starts)
      time.begin()
      values.use((number, section, item))
      (values.sizing, values.keptSizes) = ([], sizes.map { $0.starting(at: (section, item)) })
      viewport = own
      viewport.bounds = part.bounds
      state.forgetLayout()
      state.data = nil
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
  /// The layout and its first section while a batch calls the program; nil otherwise.
  public var batchPart: (layout: Int, firstSection: Int)? {
    values.part.map { ($0.number, $0.section) }
  }
}

private struct BatchGathering {
  let columns: ElementColumns
  private(set) var ranges: [Range<Int>] = []
  private(set) var contentSizes: [Size] = []
  private(set) var errors: [Int: HostError] = [:]
  /// Includes elements that didn't fit.
  private(set) var wanted = 0
  private let limit: Int
  private let items: Int
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

  // `gather` copies the elements if there is room, and returns the content size.
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

  /// False if there would be too many; `known` is the number of items so far.
  mutating func room(for count: Int, items known: UInt64) throws(HostError) -> Bool {
    wanted += count
    guard wanted <= limit else { return false }
    try columns.reserve(count, expecting: expected(known))
    return true
  }

  /// Extrapolates from the elements per item so far, plus 5%.
  private func expected(_ known: UInt64) -> Int {
    let number = 1.05 * Double(wanted) * (Double(items) / Double(max(1, known)))
    return Int(min(number, 4 * Double(items), Double(limit), 0x1p40))
  }
}
