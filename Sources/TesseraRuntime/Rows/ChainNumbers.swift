import TesseraCatalog

package struct ChainNumbers: Sendable {
  package let kinds: [KindDescription]
  /// Positions when sorted by name.
  package let kindRanks: [Int]
  package let attributes: [AttributeDescription]
  /// Written by any engine in prepare or queries.
  package let columns: BuiltInColumns
  /// In queries of lazy layouts and in adjust.
  package let adjustedColumns: BuiltInColumns
  /// For each engine, most derived first: its kind number → the chain's.
  package let kindNumbers: [[Int]]
  package let attributeNumbers: [[Int]]

  /// Most derived engine first, then new names of each base.
  package init(chain: [EngineDescription]) throws(HostError) {
    var kinds: [KindDescription] = []
    var attributes: [AttributeDescription] = []
    var columns: BuiltInColumns = []
    var adjusted: BuiltInColumns = []
    for engine in chain {
      for kind in engine.kinds {
        guard let known = kinds.first(where: { $0.name == kind.name }) else {
          kinds.append(kind)
          continue
        }
        guard known.category == kind.category else {
          throw Self.disagreement(chain, engine, "kind", kind.name)
        }
      }
      for attribute in engine.attributes {
        guard let known = attributes.first(where: { $0.name == attribute.name }) else {
          attributes.append(attribute)
          continue
        }
        guard known.type == attribute.type, known.choices == attribute.choices else {
          throw Self.disagreement(chain, engine, "attribute", attribute.name)
        }
      }
      columns.formUnion(engine.columns)
      adjusted.formUnion(engine.adjustedColumns)
    }
    self.kinds = kinds
    kindRanks = Self.ranks(of: kinds)
    self.attributes = attributes
    self.columns = columns
    self.adjustedColumns = columns.union(adjusted)
    kindNumbers = chain.indices.map { layer in
      Self.names(chain[layer...], \.kinds, \.name).map { name in
        kinds.firstIndex { $0.name == name } ?? 0
      }
    }
    attributeNumbers = chain.indices.map { layer in
      Self.names(chain[layer...], \.attributes, \.name).map { name in
        attributes.firstIndex { $0.name == name } ?? 0
      }
    }
  }

  private static func names<Entry>(
    _ chain: ArraySlice<EngineDescription>, _ entries: KeyPath<EngineDescription, [Entry]>,
    _ name: KeyPath<Entry, String>
  ) -> [String] {
    var names: [String] = []
    for engine in chain {
      for entry in engine[keyPath: entries] where !names.contains(entry[keyPath: name]) {
        names.append(entry[keyPath: name])
      }
    }
    return names
  }

  package static func ranks(of kinds: [KindDescription]) -> [Int] {
    let byName = kinds.indices.sorted { kinds[$0].name < kinds[$1].name }
    var ranks = Array(repeating: 0, count: max(1, kinds.count))
    for (rank, kind) in byName.enumerated() { ranks[kind] = rank }
    return ranks
  }

  private static func disagreement(
    _ chain: [EngineDescription], _ base: EngineDescription, _ what: String, _ name: String
  ) -> HostError {
    HostError(
      .unfitBase,
      "\(chain[0].id) and its base \(base.id) declare the \(what) \(name) differently; declare it "
        + "the same way, or use another name")
  }
}

extension [KindDescription] {
  /// 0 for a cell.
  package func number(of identity: ElementIdentity) -> Int? {
    identity.category == .cell
      ? 0 : firstIndex { $0.name == identity.kind && $0.category == identity.category }
  }
}

package final class ChainTraits: Sendable {
  package let id: String
  /// As the most derived engine with `prepare` declares.
  package let isLazy: Bool
  package let hasAdjust: Bool
  package let isMirrored: Bool
  /// Whether any engine changes how elements appear or disappear.
  package let hasUpdates: Bool
  package let hasSizing: Bool

  package init(chain: [EngineDescription]) {
    id = chain[0].id
    isLazy = chain.first { $0.abilities.contains(.prepare) }?.traits.contains(.lazy) ?? false
    hasAdjust = chain.contains { $0.abilities.contains(.adjust) }
    isMirrored = chain.allSatisfy { $0.traits.contains(.mirrors) }
    hasUpdates = chain.contains { $0.abilities.contains(.updates) }
    hasSizing = chain.contains { $0.abilities.contains(.sizing) }
  }

  package var asksEachTime: Bool { isLazy || hasAdjust }

  /// Blames the most derived engine; any other invalid answer is a broken contract too.
  package func broken(_ error: HostError) -> HostError {
    error.kind == .brokenContract
      ? error.caused(by: id) : HostError(.invalidAnswer, error.message, engine: id)
  }
}
