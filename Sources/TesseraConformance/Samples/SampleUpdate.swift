import TesseraHost

struct SampleUpdate {
  let batch: UpdateBatch
  /// Values follow their sections and items; new and reloaded ones get other values.
  let after: LayoutInput

  enum Kind: CaseIterable {
    case insertions, deletions, moves, reloads, sections, all
  }

  init?(_ kind: Kind, of sample: LayoutInput, _ sampling: inout Sampling) throws(HostError) {
    guard let batch = try Self.batch(kind, sample.counts, &sampling.random) else { return nil }
    self.batch = batch
    after = sample.updated(by: batch, &sampling)
  }

  private static func batch(
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
      origins.map { origin in
        let kept = origin.place.map { values[$0] }
        guard let kept, !origin.isReloaded else {
          return sampling.value(of: description, otherThan: kept)
        }
        return kept
      }, type: description.type)
  }
}
