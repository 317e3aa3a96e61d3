/// Section and item values after an update: they follow their sections and items.
///
/// A section of `after` with a value sets it for all its items. Other items keep theirs:
/// expressions use the new viewport and the item's old numbers. New items take their section's
/// common value or expression, or the fallback if the section had a list or is new.
struct CarriedValues {
  private let chain: [EngineDescription]
  private let batch: UpdateBatch
  private let stated: [Scenario.Section]
  private let options: Scenario
  /// Old data with the new settings.
  private let old: LayoutInput
  /// New data with the values of new places.
  private let new: LayoutInput

  init(
    from before: Scenario, to after: Scenario, stated: Scenario, options: Scenario,
    _ batch: UpdateBatch, for chain: [EngineDescription]
  ) throws(HostError) {
    (self.chain, self.batch, self.options) = (chain, batch, options)
    if options.content == nil, case .sections(let sections) = stated.content {
      self.stated = sections
    } else {
      self.stated = []
    }
    var moved = after
    moved.content = before.content
    old = try moved.resolved(for: chain).input
    var placed = after
    placed.content =
      Self.placed(
        before, stated: self.stated, batch, Vocabulary(chain)) ?? after.content
    new = try placed.resolved(for: chain).input
  }

  /// Without the values of single items; nil for a table.
  private static func placed(
    _ before: Scenario, stated: [Scenario.Section], _ batch: UpdateBatch, _ vocabulary: Vocabulary
  ) -> Scenario.Content? {
    if case .table = before.content { return nil }
    let sections = before.sections
    return .sections(
      batch.after.indices.map { number in
        var section = Scenario.Section(items: batch.after[number])
        if let origin = batch.origin(ofSection: number) {
          section.itemValues = sections[origin].itemValues.filter {
            !vocabulary.isList($0.value, of: $0.key)
          }
        }
        guard stated.indices.contains(number) else { return section }
        section.values = stated[number].values
        section.itemValues.merge(stated[number].itemValues) { $1 }
        return section
      })
  }

  func fill(_ input: inout LayoutInput) throws(HostError) {
    let starts = batch.before.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    let items = batch.after.total
    input.itemValues = try columns(\.itemValues, .item, count: items) { name, visit in
      for section in batch.after.indices {
        let isGiven =
          options.itemValues[name] == nil && stated.indices.contains(section)
          && stated[section].itemValues[name] != nil
        for item in 0..<batch.after[section] {
          let origin = isGiven ? nil : batch.origin(of: ItemPath(section: section, item: item))
          visit(origin.map { starts[$0.section] + $0.item })
        }
      }
    }
    let sections = batch.after.count
    input.sectionValues = try columns(\.sectionValues, .section, count: sections) { name, visit in
      for section in batch.after.indices {
        let isGiven =
          options.sectionValues[name] == nil && stated.indices.contains(section)
          && stated[section].values[name] != nil
        visit(isGiven ? nil : batch.origin(ofSection: section))
      }
    }
  }

  /// - Parameter places: Visits new places in order, with the old place whose value they keep.
  private func columns(
    _ path: KeyPath<LayoutInput, [String: ValueColumn]>, _ scope: ValueDescription.Scope,
    count: Int, places: (_ name: String, _ visit: (Int?) -> Void) -> Void
  ) throws(HostError) -> [String: ValueColumn] {
    let vocabulary = Vocabulary(chain)
    var result = new[keyPath: path]
    for (name, kept) in old[keyPath: path] {
      let given = new[keyPath: path][name]
      if case .constant = kept, given == kept { continue }
      let description = chain.lazy.flatMap(\.values).first { $0.scope == scope && $0.name == name }
      guard let description else { continue }
      let fallback = vocabulary.fallback(for: description, parameters: new.parameters)
      var builder = try description.builder(count: count)
      var place = 0
      places(name) { origin in
        if let value = origin.map({ kept[$0] }) ?? given?[place] ?? fallback {
          builder.append(value)
        }
        place += 1
      }
      result[name] = count == 0 ? nil : builder.column
    }
    return result
  }
}

extension Vocabulary {
  fileprivate func isList(_ node: JSONNode, of name: String) -> Bool {
    guard let value = try? value(name, .item, for: node) else { return false }
    return node.isList(of: value.type)
  }
}
