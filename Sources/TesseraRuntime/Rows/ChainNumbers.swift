import TesseraCatalog

/// The kinds and attributes of a chain of engines with numbers that hold for the whole chain, and
/// the mapping from the numbers of each engine.
package struct ChainNumbers: Sendable {
  package let kinds: [KindDescription]
  /// The position of each kind when all are sorted by name.
  package let kindRanks: [Int]
  package let attributes: [AttributeDescription]
  /// The built-in columns that any engine of the chain writes in prepare or queries.
  package let columns: BuiltInColumns
  /// The built-in columns that exist in queries of lazy layouts and in adjust.
  package let adjustedColumns: BuiltInColumns
  /// For each engine of the chain, the most derived first: its number of a kind → the chain's.
  package let kindNumbers: [[Int]]
  /// For each engine of the chain: its number of an attribute → the chain's.
  package let attributeNumbers: [[Int]]

  /// Numbers the kinds and attributes of a chain: those of the most derived engine first, then the
  /// new names of each base engine.
  ///
  /// - Throws: `.cannotLoad` if two engines declare one name differently.
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

  /// The names in the order in which the first engine of a chain numbers them.
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
  /// The number of an element's kind, 0 for a cell; nil for a kind that is not there.
  package func number(of identity: ElementIdentity) -> Int? {
    identity.category == .cell
      ? 0 : firstIndex { $0.name == identity.kind && $0.category == identity.category }
  }
}

/// The combined properties of a chain of engines.
package final class ChainTraits: Sendable {
  package let id: String
  /// Whether the layout answers queries itself, as the most derived engine with a prepare declares.
  package let isLazy: Bool
  /// Whether any engine adjusts query results for the viewport.
  package let hasAdjust: Bool
  /// Whether the host mirrors right-to-left layouts.
  package let isMirrored: Bool
  /// Whether any engine changes how elements appear or disappear.
  package let hasUpdates: Bool
  /// Whether any engine has items that can be measured.
  package let hasSizing: Bool

  package init(chain: [EngineDescription]) {
    id = chain[0].id
    isLazy = chain.first { $0.abilities.contains(.prepare) }?.traits.contains(.lazy) ?? false
    hasAdjust = chain.contains { $0.abilities.contains(.adjust) }
    isMirrored = chain.allSatisfy { $0.traits.contains(.mirrors) }
    hasUpdates = chain.contains { $0.abilities.contains(.updates) }
    hasSizing = chain.contains { $0.abilities.contains(.sizing) }
  }

  /// Whether every query calls an engine, even after a prepare.
  package var asksEachTime: Bool { isLazy || hasAdjust }

  /// An error that the engines caused, as one of the most derived engine.
  ///
  /// Whatever else is wrong with an answer, its process broke the contract.
  package func broken(_ error: HostError) -> HostError {
    error.kind == .brokenContract
      ? error.caused(by: id) : HostError(.invalidAnswer, error.message, engine: id)
  }
}
