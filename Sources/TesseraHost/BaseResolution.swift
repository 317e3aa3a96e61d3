import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Finds the bases of an engine by their ids: in the engine's own library, then on the search path.
struct BaseResolution {
  /// The maximum number of engines in a chain.
  static let chainLimit = 32

  let listing: Listing

  /// Returns the engine and its bases, the engine first.
  ///
  /// - Throws: `.notFound` for a missing base; `.cannotLoad` for an incompatible version, a cycle, or
  ///   a lazy engine with a base that is not lazy.
  func chain(of engine: Listing.Entry) throws(HostError) -> [EngineMember] {
    var chain = [engine]
    while let id = chain[chain.count - 1].description.base {
      let derived = chain[chain.count - 1]
      guard !chain.contains(where: { $0.description.id == id }) else {
        let ids = chain.map(\.description.id) + [id]
        throw .cyclicBases(ids)
      }
      guard chain.count < Self.chainLimit else {
        throw .tooManyBases(of: engine.description.id, limit: Self.chainLimit - 1)
      }
      let base = try base(id, of: derived)
      try checkVersion(of: base, for: derived)
      chain.append(base)
    }
    if let top = chain.first(where: { $0.description.abilities.contains(.prepare) }),
      top.description.traits.contains(.lazy),
      let eager = chain.first(where: { !$0.description.traits.contains(.lazy) })
    {
      throw .eagerBase(eager.description.id, of: top.description.id)
    }
    return chain.map(\.member)
  }

  private func base(_ id: String, of derived: Listing.Entry) throws(HostError) -> Listing.Entry {
    let candidates = listing.engines.filter { $0.description.id == id }
    let own = candidates.first { $0.resolvedLibrary == derived.resolvedLibrary }
    guard let base = own ?? candidates.first(where: { $0.shadowedBy == nil }) else {
      if let hidden = listing.refusal(hiding: id) {
        throw hidden.error.about(
          "\(derived.description.id) is derived from \(id), and \(hidden.file) was refused")
      }
      throw .baseNotFound(id, of: derived.description.id)
    }
    return base
  }

  private func checkVersion(
    of base: Listing.Entry, for derived: Listing.Entry
  ) throws(HostError) {
    guard let wanted = derived.description.baseVersion,
      let lowest = SemanticVersion(wanted), let found = SemanticVersion(base.description.version)
    else { return }
    guard found.major == lowest.major, found >= lowest else {
      throw .wrongBaseVersion(
        base.description.version, of: base.description.id, in: base.library,
        for: derived.description.id, wanted: wanted)
    }
  }
}
