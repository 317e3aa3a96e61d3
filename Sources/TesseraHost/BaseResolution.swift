import TesseraCatalog
import TesseraRuntime
import TesseraWorker

extension Listing {
  private static let chainLimit = 32

  /// Finds bases by id, in the derived engine's library before the search path.
  func chain(of engine: Entry) throws(HostError) -> [Entry] {
    var chain = [engine]
    while let id = chain[chain.count - 1].description.base {
      let derived = chain[chain.count - 1]
      guard !chain.contains(where: { $0.description.id == id }) else {
        let ids = chain.map(\.description.id) + [id]
        throw HostError(
          .cyclicBases,
          "the bases of \(ids[0]) form a cycle: \(ids.joined(separator: " → ")); an engine cannot "
            + "be its own base")
      }
      guard chain.count < Self.chainLimit else {
        throw HostError(
          .cyclicBases,
          "\(engine.description.id) has a chain of more than \(Self.chainLimit - 1) bases; derive "
            + "it from an engine with fewer bases")
      }
      let base = try base(id, of: derived)
      try checkVersion(of: base, for: derived)
      chain.append(base)
    }
    if let top = chain.first(where: { $0.description.abilities.contains(.prepare) }),
      top.description.traits.contains(.lazy),
      let eager = chain.first(where: { !$0.description.traits.contains(.lazy) })
    {
      throw HostError(
        .unfitBase,
        "\(top.description.id) is lazy but \(eager.description.id) in its chain is not; a lazy "
          + "engine needs lazy bases")
    }
    return chain
  }

  private func base(_ id: String, of derived: Entry) throws(HostError) -> Entry {
    let candidates = engines.filter { $0.description.id == id }
    let own = candidates.first { $0.resolvedLibrary == derived.resolvedLibrary }
    guard let base = own ?? candidates.first(where: { $0.shadowedBy == nil }) else {
      if let hidden = refusal(hiding: id) {
        throw hidden.error.about(
          "\(derived.description.id) is derived from \(id), and \(hidden.file) was refused")
      }
      throw HostError(
        .baseNotFound,
        "\(derived.description.id) is derived from \(id), which is not on the search path; put its "
          + "library there")
    }
    return base
  }

  private func checkVersion(of base: Entry, for derived: Entry) throws(HostError) {
    guard let wanted = derived.description.baseVersion,
      let lowest = SemanticVersion(wanted), let found = SemanticVersion(base.description.version)
    else { return }
    guard found.major == lowest.major, found >= lowest else {
      throw HostError(
        .unfitBase,
        "\(derived.description.id) needs \(base.description.id) \(wanted) or newer of the same "
          + "major version; found \(base.description.version) in \(base.library)")
    }
  }
}
