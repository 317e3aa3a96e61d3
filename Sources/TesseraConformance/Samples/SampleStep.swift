import TesseraGeometry
import TesseraHost
import TesseraScenario

/// A random change of a sample.
struct SampleStep {
  let before: LayoutInput
  /// Values follow their sections and items; new and reloaded ones get other values.
  let after: LayoutInput
  let name: String
  /// Nil for a change without a batch.
  let batch: UpdateBatch?

  enum Kind: CaseIterable {
    case insertions, deletions, moves, reloads, sections, all
  }

  private init(
    _ before: LayoutInput, _ name: String, batch: UpdateBatch? = nil,
    _ change: (inout LayoutInput) -> Void
  ) {
    (self.before, self.name, self.batch) = (before, name, batch)
    after = before.with(change)
  }

  /// A batch; nil if nothing changes.
  init?(
    _ kind: Kind, of sample: LayoutInput, _ sampling: inout Sampling
  ) throws(HostError) {
    let drawn = try Self.drawn(kind, sample.counts, &sampling.random)
    guard let drawn else { return nil }
    let after = sample.updated(by: drawn, &sampling)
    self.init(sample, "a batch of \(drawn.summary)", batch: drawn) { $0 = after }
  }

  /// A change without a batch.
  init(
    _ operation: UpdateOperation, of sample: LayoutInput, _ sampling: inout Sampling
  ) throws(HostError) {
    var counts = sample.counts
    switch operation {
    case .insert(let path): counts[path.section] += 1
    case .delete(let path): counts[path.section] -= 1
    default: break
    }
    let batch = try UpdateBatch([operation], before: sample.counts, after: counts)
    let after = sample.updated(by: batch, &sampling)
    self.init(sample, "\(batch.summary) without a batch") { $0 = after }
  }

  /// Nil without items.
  init?(halvingItemsOf sample: LayoutInput) {
    guard sample.itemCount > 0 else { return nil }
    self.init(sample, "the second half of the items was removed") {
      $0 = $0.prefix(items: $0.itemCount / 2)
    }
  }

  private enum Draw {
    case batch, data, item, section, column, parameter, list, bounds, offset, contentInsets, scale
  }

  /// Any change; nil if the drawn kind of change doesn't apply.
  static func random(
    from sample: LayoutInput, _ sampling: inout Sampling
  ) throws(HostError) -> SampleStep? {
    var draws: [Draw] = [
      .batch, .batch, .data, .data, .data, .item, .item, .item, .section, .bounds, .offset,
    ]
    if !sampling.engine.settableLists.isEmpty { draws += [.list, .list] }
    draws += [.contentInsets, .scale, .parameter, .parameter, .parameter, .column]
    return switch sampling.random.pick(draws) {
    case .batch: try batch(sample, &sampling)
    case .data: try data(sample, &sampling)
    case .item: try item(sample, &sampling)
    case .section: section(sample, &sampling)
    case .column: column(sample, &sampling)
    case .parameter: parameter(sample, &sampling)
    case .list: list(sample, &sampling)
    case .bounds: bounds(sample, &sampling)
    case .offset: offset(sample, &sampling)
    case .contentInsets: contentInsets(sample, &sampling)
    case .scale: scale(sample, &sampling)
    }
  }

  private static func batch(
    _ sample: LayoutInput, _ sampling: inout Sampling
  ) throws(HostError) -> SampleStep? {
    let kind = sampling.random.pick(Kind.allCases)
    return try SampleStep(kind, of: sample, &sampling)
  }

  private static func data(
    _ sample: LayoutInput, _ sampling: inout Sampling
  ) throws(HostError) -> SampleStep? {
    guard let step = try batch(sample, &sampling), let batch = step.batch else { return nil }
    return SampleStep(sample, "\(batch.summary) without a batch") { $0 = step.after }
  }

  private static func item(
    _ sample: LayoutInput, _ sampling: inout Sampling
  ) throws(HostError) -> SampleStep? {
    let sections = sample.counts.indices.filter { sample.counts[$0] > 0 }
    guard !sections.isEmpty else { return nil }
    let section = sampling.random.pick(sections)
    let item = Int.random(in: 0..<sample.counts[section], using: &sampling.random)
    let path = ItemPath(section: section, item: item)
    let operation = sampling.random.pick(
      [UpdateOperation.reload(path), .reload(path), .insert(path), .delete(path)])
    return try SampleStep(operation, of: sample, &sampling)
  }

  private static func section(_ sample: LayoutInput, _ sampling: inout Sampling) -> SampleStep? {
    let declared = sampling.engine.settableValues.filter {
      $0.scope == .section && sample.sectionValues[$0.name] != nil
    }
    guard !declared.isEmpty, !sample.counts.isEmpty else { return nil }
    let description = sampling.random.pick(declared)
    guard let old = sample.sectionValues[description.name] else { return nil }
    var values = sample.counts.indices.map { old[$0] }
    let section = Int.random(in: values.indices, using: &sampling.random)
    values[section] = sampling.value(of: description, otherThan: values[section])
    return SampleStep(sample, "another \(description.name) of section \(section)") {
      $0[description] = ValueColumn(values, type: description.type)
    }
  }

  private static func column(_ sample: LayoutInput, _ sampling: inout Sampling) -> SampleStep? {
    let declared = sampling.engine.settableValues
    guard !declared.isEmpty, sample.itemCount > 0 else { return nil }
    let description = sampling.random.pick(declared)
    let column =
      sampling.random.once(in: 2)
      ? nil : sampling.column(of: description, sample.count(of: description))
    let name = "\(column == nil ? "no" : "another") \(description.name) of all"
    return SampleStep(sample, name) { $0[description] = column }
  }

  private static func parameter(_ sample: LayoutInput, _ sampling: inout Sampling) -> SampleStep? {
    let parameters = sampling.engine.settableParameters
    guard !parameters.isEmpty else { return nil }
    let parameter = sampling.random.pick(parameters)
    let isReset = sampling.random.once(in: 3)
    let value = isReset ? nil : sampling.value(of: parameter)
    return SampleStep(sample, "\(parameter.name) \(value?.description ?? "as initially")") {
      $0.parameters[parameter.name] = value
    }
  }

  private static func list(_ sample: LayoutInput, _ sampling: inout Sampling) -> SampleStep? {
    let list = sampling.random.pick(sampling.engine.settableLists)
    let records = sampling.random.once(in: 4) ? nil : sampling.acceptedRecords(of: list)
    return SampleStep(sample, "\(records == nil ? "no" : "other") records of \(list.name)") {
      $0.lists[list.name] = records
    }
  }

  private static func bounds(_ sample: LayoutInput, _ sampling: inout Sampling) -> SampleStep {
    var bounds = Size(
      width: sampling.random.number(in: 100...1000), height: sampling.random.number(in: 100...1000))
    // In a quarter of them, many items are wider than the bounds.
    if bounds.width < 325 { bounds.width = (bounds.width / 8).rounded() }
    return SampleStep(sample, "bounds \(Value.size(bounds))") { $0.bounds = bounds }
  }

  private static func contentInsets(
    _ sample: LayoutInput, _ sampling: inout Sampling
  ) -> SampleStep {
    let insets = sampling.insets(upTo: 30)
    return SampleStep(sample, "contentInsets \(Value.insets(insets))") { $0.contentInsets = insets }
  }

  private static func scale(_ sample: LayoutInput, _ sampling: inout Sampling) -> SampleStep {
    let scale = sampling.random.pick([1.0, 2, 3])
    let direction = sampling.random.pick(LayoutDirection.allCases)
    return SampleStep(sample, "scale \(scale.shortText), \(direction.rawValue)") {
      ($0.scale, $0.direction) = (scale, direction)
    }
  }

  private static func offset(_ sample: LayoutInput, _ sampling: inout Sampling) -> SampleStep {
    let offset = Point(
      x: sampling.random.number(in: -50...300), y: sampling.random.number(in: -50...900))
    return SampleStep(sample, "offset \(Value.point(offset))") { $0.offset = offset }
  }
}

extension Session {
  /// Makes a change of the sample that the session has; returns the animation of a batch.
  @discardableResult
  func apply(_ step: SampleStep) throws(HostError) -> LayoutAnimation? {
    guard let batch = step.batch else {
      try change(from: step.before, to: step.after)
      return nil
    }
    return try update(batch) { session throws(HostError) in
      try step.after.applyValues(to: session)
    }
  }

  /// Makes the fewest calls, to tell the engine exactly what changed.
  func change(from old: LayoutInput, to new: LayoutInput) throws(HostError) {
    // Setting the counts removes all values.
    let keepsValues =
      old.counts == new.counts
      && Set(old.sectionValues.keys).isSubset(of: new.sectionValues.keys)
      && Set(old.itemValues.keys).isSubset(of: new.itemValues.keys)
    let data: [LayoutField] = [.sections, .sectionValues, .itemValues]
    let known = Set(
      old.changes(of: LayoutField.allCases.filter { keepsValues || !data.contains($0) }))
    for change in new.changes() where !known.contains(change) { try set(change) }
    for name in old.parameters.keys where new.parameters[name] == nil { try resetParameter(name) }
    for name in old.lists.keys where new.lists[name] == nil { try setList(name, to: nil) }
  }
}

extension SampleStep {
  private static func drawn(
    _ kind: Kind, _ counts: [Int], _ random: inout SeededNumbers
  ) throws(HostError) -> UpdateBatch? {
    switch kind {
    case .reloads: return try reloads(counts, &random)
    case .sections: return try sections(counts, &random)
    case .insertions, .deletions, .moves, .all: break
    }
    var next = 0
    let before = counts.map { count in
      defer { next += count }
      return (next..<next + count).map { "\($0)" }
    }
    var data = before
    for step in 0..<4 where !data.isEmpty {
      let section = Int.random(in: data.indices, using: &random)
      let change = kind == .all ? random.pick([.insertions, .deletions, .moves, .sections]) : kind
      switch change {
      case .insertions:
        let place = Int.random(in: 0...data[section].count, using: &random)
        data[section].insert("new \(step)", at: place)
      case .deletions where !data[section].isEmpty:
        data[section].remove(at: Int.random(in: data[section].indices, using: &random))
      case .moves where !data[section].isEmpty:
        let item = data[section].remove(at: Int.random(in: data[section].indices, using: &random))
        let target = Int.random(in: data.indices, using: &random)
        data[target].insert(item, at: Int.random(in: 0...data[target].count, using: &random))
      case .sections where random.once(in: 2): data.append(["\(step) first", "\(step) second"])
      case .sections where data.count > 1: data.removeLast()
      default: break
      }
    }
    let batch = try UpdateBatch(from: before, to: data)
    return batch.operations.isEmpty ? nil : batch
  }

  private static func reloads(
    _ counts: [Int], _ random: inout SeededNumbers
  ) throws(HostError) -> UpdateBatch? {
    let places = LayoutInput(counts: counts).paths
    guard !places.isEmpty else { return nil }
    return try UpdateBatch(
      places.shuffled(using: &random).prefix(3).map { .reload($0) }, before: counts, after: counts)
  }

  private static func sections(
    _ counts: [Int], _ random: inout SeededNumbers
  ) throws(HostError) -> UpdateBatch? {
    var operations: [UpdateOperation] = []
    var left = Array(counts.indices)
    func take() -> Int? {
      guard !left.isEmpty else { return nil }
      return left.remove(at: Int.random(in: left.indices, using: &random))
    }
    var after = counts
    let reloaded = take()
    if let reloaded {
      operations.append(.reloadSection(reloaded))
      after[reloaded] = Int.random(in: 0...9, using: &random)
    }
    let (moved, deleted) = (take(), take())
    var order = Array(counts.indices)
    if let deleted {
      operations.append(.deleteSection(deleted))
      order.removeAll { $0 == deleted }
    }
    order.removeAll { $0 == moved }
    // -1 is the new section.
    order.insert(-1, at: Int.random(in: 0...order.count, using: &random))
    if let moved { order.insert(moved, at: Int.random(in: 0...order.count, using: &random)) }
    for (place, origin) in order.enumerated() {
      if origin == -1 { operations.append(.insertSection(place)) }
      if origin == moved { operations.append(.moveSection(origin, to: place)) }
    }
    return try UpdateBatch(
      operations, before: counts, after: order.map { $0 == -1 ? 4 : after[$0] })
  }
}

extension LayoutInput {
  func updated(by batch: UpdateBatch, _ sampling: inout Sampling) -> LayoutInput {
    var result = self
    result.counts = batch.after
    let starts = starts
    let items = result.paths.map { path in
      let origin = batch.origin(of: path)
      return (
        place: origin.map { starts[$0.section] + $0.item },
        isReloaded: origin.map(batch.isReloaded) ?? false
      )
    }
    let sections = batch.after.indices.map { section in
      let origin = batch.origin(ofSection: section)
      return (place: origin, isReloaded: origin.map(batch.isSectionReloaded) ?? false)
    }
    for description in sampling.engine.settableValues {
      result[description] = Self.column(
        self[description], count: count(of: description),
        description.scope == .section ? sections : items, of: description, &sampling)
    }
    return result
  }

  /// `origins` are indexes in the old data; nil if new.
  private static func column(
    _ old: ValueColumn?, count: Int, _ origins: [(place: Int?, isReloaded: Bool)],
    of description: ValueDescription, _ sampling: inout Sampling
  ) -> ValueColumn? {
    guard let old, count > 0 else { return old }
    let values = (0..<count).map { old[$0] }
    // A sample's text doesn't distinguish a constant from equal values.
    guard count == 1 || values.contains(where: { $0 != values[0] }) else {
      return .constant(values[0])
    }
    guard !origins.isEmpty else { return nil }
    return ValueColumn(
      origins.map { place, isReloaded in
        let kept = place.map { values[$0] }
        guard let kept, !isReloaded else { return sampling.value(of: description, otherThan: kept) }
        return kept
      }, type: description.type)
  }
}

extension UpdateBatch {
  /// Such as "move 0,3 to 0,1; delete 1,0".
  var summary: String {
    let shown = operations.prefix(4).map(\.summary).joined(separator: "; ")
    return operations.count > 4 ? "\(shown) and \(operations.count - 4) more" : shown
  }
}

extension UpdateOperation {
  fileprivate var summary: String {
    func text(_ path: ItemPath) -> String { "\(path.section),\(path.item)" }
    return switch self {
    case .insert(let path): "insert \(text(path))"
    case .delete(let path): "delete \(text(path))"
    case .move(let path, let target): "move \(text(path)) to \(text(target))"
    case .reload(let path): "reload \(text(path))"
    case .insertSection(let section): "insert section \(section)"
    case .deleteSection(let section): "delete section \(section)"
    case .moveSection(let section, let target): "move section \(section) to \(target)"
    case .reloadSection(let section): "reload section \(section)"
    }
  }
}
