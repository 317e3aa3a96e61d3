/// Finds engines on a search path and lets sessions use them.
///
/// Every question looks at the folders as they are.
public final class Host: Sendable {
  /// Where engines are looked for.
  public let searchPath: SearchPath
  /// How engines are run.
  public var configuration: HostConfiguration { runtime.configuration }

  package let runtime: EngineRuntime

  /// A host that looks for engines in the folders of a search path.
  public init(searchPath: SearchPath, configuration: HostConfiguration = HostConfiguration()) {
    self.searchPath = searchPath
    runtime = EngineRuntime(configuration)
  }

  /// Every engine on the search path, and every file there that is refused.
  ///
  /// A library is asked what it holds in a worker, unless the cache knows; without isolation it is
  /// loaded into this process.
  public func listing() -> Listing {
    let scan = LibraryScan(of: searchPath, trust: configuration.trust)
    var engines: [Listing.Entry] = []
    var refused = scan.refusals.map {
      Listing.Refusal(file: $0.file, reason: $0.error.message, kind: $0.error.kind)
    }
    var winners: [String: String] = [:]
    for candidate in scan.candidates {
      do throws(HostError) {
        let (abi, descriptions) = try describe(candidate)
        for description in descriptions {
          engines.append(
            Listing.Entry(
              description: description, library: candidate.path,
              resolvedLibrary: candidate.resolvedPath, abi: abi,
              shadowedBy: winners[description.id]))
          winners[description.id] = winners[description.id] ?? candidate.path
        }
      } catch {
        refused.append(
          Listing.Refusal(file: candidate.path, reason: error.message, kind: error.kind))
      }
    }
    return Listing(engines: engines, refused: refused)
  }

  /// What a library declares, from the cache where the file is known there.
  private func describe(
    _ candidate: LibraryScan.Candidate
  ) throws(HostError) -> (ABIVersion, [EngineDescription]) {
    if let entry = runtime.cache?.entry(for: candidate.identity) {
      try configuration.trust.check(entry.digest, of: candidate.path)
      try runtime.checkFailures(entry.digest)
      let descriptions = try entry.result.get()
      return (try LibraryInspection.inspect(path: candidate.resolvedPath).abi, descriptions)
    }
    let library = try runtime.library(at: candidate.resolvedPath)
    return (library.inspection.abi, try runtime.descriptions(of: library))
  }

  /// The engine of an id, of a last part of ids that is unique, or in a library that is named by its
  /// path; "PATH#ID" is one of several in a library.
  ///
  /// - Throws: `.notFound` where there is none, `.invalidInput` where several answer to the name,
  ///   `.cannotLoad` for a library or a base that cannot be used, `.notAllowed` for one that may not
  ///   be loaded.
  public func engine(_ name: String) throws(HostError) -> Engine {
    let listing = listing()
    if let folder = listing.refused.first(where: { refusal in
      searchPath.folders.contains { $0.isRequired && $0.path == refusal.file }
    }) {
      throw HostError(folder.kind, "\(folder.file): \(folder.reason)")
    }
    let isId = listing.engines.contains { $0.description.id == name }
    let isPath = name.contains("/") || name.prefix { $0 != "#" }.hasSuffix(".so")
    let found =
      isPath && !isId ? try engineInLibrary(name) : try engineOnPath(name, listing)
    let members = try BaseResolution(listing: listing).chain(of: found)
    return Engine(
      description: found.description, library: found.library, abi: found.abi, members: members,
      libraries: try ChainLibraries(members, runtime), host: self)
  }

  private func engineOnPath(
    _ name: String, _ listing: Listing
  ) throws(HostError) -> Listing.Entry {
    let engines = listing.engines.filter { $0.shadowedBy == nil }
    if let exact = engines.first(where: { $0.description.id == name }) { return exact }
    let matches = engines.filter { $0.description.id.lastPart == name }
    if matches.count > 1 {
      let ids = matches.map(\.description.id).joined(separator: " and ")
      throw HostError(.invalidInput, "\"\(name)\" may mean \(ids); give the whole id")
    }
    if let match = matches.first { return match }
    let known = engines.flatMap { [$0.description.id.lastPart, $0.description.id] }
    let near = Suggestion.near(name, among: known).first.map { "did you mean \($0)?" }
    if near == nil, let hidden = listing.refusal(hiding: name) {
      throw HostError(
        hidden.kind,
        "there is no engine \"\(name)\" that can be used; \(hidden.file) was refused: "
          + hidden.reason)
    }
    let refused = listing.refused.isEmpty ? "" : " (\(listing.refused.count) files were refused)"
    throw HostError(
      .notFound,
      "there is no engine \"\(name)\"; "
        + (near ?? "tessera list shows the \(engines.count) there are\(refused)"))
  }

  private func engineInLibrary(_ name: String) throws(HostError) -> Listing.Entry {
    let parts = name.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts[0])
    do throws(HostError) {
      let library = try runtime.library(at: LibraryScan.resolve(path))
      let descriptions = try runtime.descriptions(of: library)
      let wanted = parts.count == 2 ? String(parts[1]) : nil
      let matches = descriptions.filter {
        wanted == nil || $0.id == wanted || $0.id.lastPart == wanted
      }
      guard let description = matches.first, matches.count == 1 else {
        let ids = descriptions.map(\.id).joined(separator: ", ")
        let kind = matches.isEmpty ? HostError.Kind.notFound : .invalidInput
        throw HostError(
          kind, "it holds \(ids); name one of them as \(path)#\(descriptions[0].id)")
      }
      return Listing.Entry(
        description: description, library: path, resolvedLibrary: library.path,
        abi: library.inspection.abi, shadowedBy: nil)
    } catch { throw HostError(error.kind, "\(path): \(error.message)") }
  }
}

extension String {
  /// What follows the last dot of an engine's id.
  fileprivate var lastPart: String {
    split(separator: ".").last.map(String.init) ?? self
  }
}
