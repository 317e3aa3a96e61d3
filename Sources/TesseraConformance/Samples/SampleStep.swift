import TesseraGeometry
import TesseraHost

/// A random change, made with the fewest calls to tell the engine exactly what changed.
struct SampleStep {
  let after: LayoutInput
  let name: String
  private let make: (Session) throws(HostError) -> Void

  /// The session must have the sample before the change.
  func apply(to session: Session) throws(HostError) { try make(session) }

  /// Nil if the drawn kind of change doesn't apply.
  init?(from sample: LayoutInput, _ sampling: inout Sampling) throws(HostError) {
    var kinds: [Kind] = [
      .batch, .batch, .data, .data, .data, .item, .item, .item, .section, .bounds, .offset,
    ]
    if !sampling.engine.settableLists.isEmpty { kinds += [.list, .list] }
    kinds += [.contentInsets, .scale, .parameter, .parameter, .parameter, .column]
    let step =
      switch sampling.random.pick(kinds) {
      case .batch: try Self.batch(from: sample, &sampling)
      case .data: try Self.data(from: sample, &sampling)
      case .item: try Self.item(from: sample, &sampling)
      case .section: Self.section(from: sample, &sampling)
      case .column: Self.column(from: sample, &sampling)
      case .parameter: Self.parameter(from: sample, &sampling)
      case .list: Self.list(from: sample, &sampling)
      case let kind: Self.viewport(kind, from: sample, &sampling)
      }
    guard let step else { return nil }
    self = step
  }

  private init(
    _ after: LayoutInput, _ name: String, _ make: @escaping (Session) throws(HostError) -> Void
  ) { (self.after, self.name, self.make) = (after, name, make) }

  private enum Kind {
    case batch, data, item, section, column, parameter, list, bounds, offset, contentInsets, scale
  }

  private static func batch(
    from sample: LayoutInput, _ sampling: inout Sampling
  ) throws(HostError) -> SampleStep? {
    let kind = sampling.random.pick(SampleUpdate.Kind.allCases)
    guard let update = try SampleUpdate(kind, of: sample, &sampling) else { return nil }
    return SampleStep(update.after, "a batch of \(update.batch.summary)") {
      session throws(HostError) in try session.apply(update)
    }
  }

  private static func data(
    from sample: LayoutInput, _ sampling: inout Sampling
  ) throws(HostError) -> SampleStep? {
    let kind = sampling.random.pick(SampleUpdate.Kind.allCases)
    guard let update = try SampleUpdate(kind, of: sample, &sampling) else { return nil }
    return data(from: sample, update.batch, update.after)
  }

  private static func item(
    from sample: LayoutInput, _ sampling: inout Sampling
  ) throws(HostError) -> SampleStep? {
    let sections = sample.counts.indices.filter { sample.counts[$0] > 0 }
    guard !sections.isEmpty else { return nil }
    let section = sampling.random.pick(sections)
    let item = Int.random(in: 0..<sample.counts[section], using: &sampling.random)
    let path = ItemPath(section: section, item: item)
    return try .data(
      sampling.random.pick([.reload(path), .reload(path), .insert(path), .delete(path)]),
      of: sample, &sampling)
  }

  static func data(
    _ operation: UpdateOperation, of sample: LayoutInput, _ sampling: inout Sampling
  ) throws(HostError) -> SampleStep {
    var counts = sample.counts
    switch operation {
    case .insert(let path): counts[path.section] += 1
    case .delete(let path): counts[path.section] -= 1
    default: break
    }
    let batch = try UpdateBatch([operation], before: sample.counts, after: counts)
    return data(from: sample, batch, sample.updated(by: batch, &sampling))
  }

  private static func data(
    from sample: LayoutInput, _ batch: UpdateBatch, _ after: LayoutInput
  ) -> SampleStep {
    SampleStep(after, "\(batch.summary) without a batch") { session throws(HostError) in
      if after.counts != sample.counts {
        try session.setSections(after.counts)
        try after.applyValues(to: session)
        return
      }
      for (name, column) in after.sectionValues where column != sample.sectionValues[name] {
        try session.setSectionValues(name, column)
      }
      for (name, column) in after.itemValues where column != sample.itemValues[name] {
        try session.setItemValues(name, column)
      }
    }
  }

  static func fewerItems(of sample: LayoutInput) -> SampleStep? {
    guard sample.itemCount > 0 else { return nil }
    let after = sample.prefix(items: sample.itemCount / 2)
    return SampleStep(after, "the second half of the items was removed") {
      session throws(HostError) in
      try session.setSections(after.counts)
      try after.applyValues(to: session)
    }
  }

  private static func section(from sample: LayoutInput, _ sampling: inout Sampling) -> SampleStep? {
    let declared = sampling.engine.settableValues.filter {
      $0.scope == .section && sample.sectionValues[$0.name] != nil
    }
    guard !declared.isEmpty, !sample.counts.isEmpty else { return nil }
    let description = sampling.random.pick(declared)
    guard let old = sample.sectionValues[description.name] else { return nil }
    var values = sample.counts.indices.map { old[$0] }
    let section = Int.random(in: values.indices, using: &sampling.random)
    values[section] = sampling.value(of: description, otherThan: values[section])
    let column = ValueColumn(values, type: description.type)
    let after = sample.with { $0[description] = column }
    return SampleStep(after, "another \(description.name) of section \(section)") {
      session throws(HostError) in try session.setSectionValues(description.name, column)
    }
  }

  private static func column(from sample: LayoutInput, _ sampling: inout Sampling) -> SampleStep? {
    let declared = sampling.engine.settableValues
    guard !declared.isEmpty, sample.itemCount > 0 else { return nil }
    let description = sampling.random.pick(declared)
    let column =
      sampling.random.once(in: 2)
      ? nil : sampling.column(of: description, sample.count(of: description))
    let after = sample.with { $0[description] = column }
    let name = "\(column == nil ? "no" : "another") \(description.name) of all"
    return SampleStep(after, name) { session throws(HostError) in
      // Setting the counts removes all values.
      if column == nil { try session.setSections(after.counts) }
      try after.applyValues(to: session)
    }
  }

  private static func parameter(
    from sample: LayoutInput, _ sampling: inout Sampling
  ) -> SampleStep? {
    let parameters = sampling.engine.settableParameters
    guard !parameters.isEmpty else { return nil }
    let parameter = sampling.random.pick(parameters)
    let isReset = sampling.random.once(in: 3)
    let value = isReset ? nil : sampling.value(of: parameter)
    let after = sample.with { $0.parameters[parameter.name] = value }
    let name = "\(parameter.name) \(value.map(\.description) ?? "as initially")"
    return SampleStep(after, name) { session throws(HostError) in
      guard let value else { return try session.resetParameter(parameter.name) }
      try session.setParameter(parameter.name, to: value)
    }
  }

  private static func list(from sample: LayoutInput, _ sampling: inout Sampling) -> SampleStep? {
    let lists = sampling.engine.settableLists
    guard !lists.isEmpty else { return nil }
    let list = sampling.random.pick(lists)
    let records = sampling.random.once(in: 4) ? nil : sampling.acceptedRecords(of: list)
    let after = sample.with { $0.lists[list.name] = records }
    return SampleStep(after, "\(records == nil ? "no" : "other") records of \(list.name)") {
      session throws(HostError) in try session.setList(list.name, to: records)
    }
  }

  private static func viewport(
    _ kind: Kind, from sample: LayoutInput, _ sampling: inout Sampling
  ) -> SampleStep {
    var after = sample
    let name: String
    switch kind {
    case .bounds:
      after.bounds = Size(
        width: sampling.random.number(in: 100...1000),
        height: sampling.random.number(in: 100...1000))
      // In a quarter of them, many items are wider than the bounds.
      if after.bounds.width < 325 { after.bounds.width = (after.bounds.width / 8).rounded() }
      name = "bounds \(Value.size(after.bounds))"
    case .contentInsets:
      after.contentInsets = sampling.insets(upTo: 30)
      name = "contentInsets \(Value.insets(after.contentInsets))"
    case .scale:
      after.scale = sampling.random.pick([1, 2, 3])
      after.direction = sampling.random.pick([.leftToRight, .rightToLeft])
      name = "scale \(after.scale.shortText), \(after.direction.rawValue)"
    default:
      after.offset = Point(
        x: sampling.random.number(in: -50...300), y: sampling.random.number(in: -50...900))
      name = "offset \(Value.point(after.offset))"
    }
    return SampleStep(after, name) { session throws(HostError) in
      session.bounds = after.bounds
      session.contentInsets = after.contentInsets
      session.scale = after.scale
      session.direction = after.direction
      if kind == .offset { session.offset = after.offset }
    }
  }
}

extension Session {
  @discardableResult func apply(_ update: SampleUpdate) throws(HostError) -> LayoutAnimation {
    try self.update(update.batch) { session throws(HostError) in
      try update.after.applyValues(to: session)
    }
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
