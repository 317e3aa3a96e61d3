/// What the engines of a chain are together, the most derived first.
struct ChainTraits: Sendable {
  /// The id of the most derived engine.
  let id: String
  /// Whether the layout answers queries itself: as the most derived engine with a prepare says.
  let isLazy: Bool
  /// Whether queries are re-shaped for the viewport.
  let hasAdjust: Bool
  /// Whether the host mirrors right-to-left layouts.
  let isMirrored: Bool
  /// Whether an engine shapes how elements appear or disappear.
  let hasUpdates: Bool
  /// Whether an engine has items that may be measured.
  let hasSizing: Bool

  init(chain: [EngineDescription]) {
    id = chain[0].id
    isLazy = chain.first { $0.abilities.contains(.prepare) }?.traits.contains(.lazy) ?? false
    hasAdjust = chain.contains { $0.abilities.contains(.adjust) }
    isMirrored = chain.allSatisfy { $0.traits.contains(.mirrors) }
    hasUpdates = chain.contains { $0.abilities.contains(.updates) }
    hasSizing = chain.contains { $0.abilities.contains(.sizing) }
  }

  /// Whether every question goes into an engine, prepared or not.
  var asksEachTime: Bool { isLazy || hasAdjust }

  func broken(_ sentence: String) -> HostError {
    HostError(.brokenContract, "\(id): \(sentence)")
  }
}
