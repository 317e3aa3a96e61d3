import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Finds engines on a search path; every call rereads the folders.
public final class Host: Sendable {
  /// The folders searched for engines.
  public let searchPath: SearchPath
  /// How engines are run.
  public var configuration: HostConfiguration { runtime.configuration }

  package let runtime: EngineLoader

  /// Creates a host for a search path.
  public init(searchPath: SearchPath, configuration: HostConfiguration = HostConfiguration()) {
    self.searchPath = searchPath
    runtime = EngineLoader(configuration)
  }

  /// Lists engines and refused files; loads libraries that aren't cached.
  public func listing() -> Listing {
    listing(LibraryScan(of: searchPath, trust: configuration.trust))
  }

  private func listing(_ scan: LibraryScan) -> Listing {
    var engines: [Listing.Entry] = []
    var refused = scan.refusals
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
        refused.append((candidate.path, error))
      }
    }
    return Listing(engines: engines, refused: refused)
  }

  private func describe(
    _ candidate: LibraryScan.Candidate
  ) throws(HostError) -> (ABIVersion, [EngineDescription]) {
    if let entry = runtime.cache?.entry(for: candidate.identity) {
      try configuration.trust.check(entry.digest, of: candidate.path)
      try runtime.checkFailures(entry.digest)
      return (entry.abi, try entry.result.get())
    }
    let library = try runtime.library(at: candidate.resolvedPath)
    return (library.abi, try runtime.descriptions(of: library))
  }

  /// Finds an engine by id, unique name or last part of its id, or library path ("PATH#ID").
  ///
  /// - Throws: `.notFound`, `.invalidInput` if ambiguous, `.cannotLoad`, `.notAllowed`.
  public func engine(_ name: String) throws(HostError) -> Engine {
    let (scan, known, found, beside) = try find(name)
    var listing = known
    if listing == nil, found.description.base != nil { listing = self.listing(scan) }
    let members = try Listing(
      engines: beside + (listing?.engines ?? []), refused: listing?.refused ?? []
    ).chain(of: found)
    return Engine(
      description: found.description, library: found.library, abi: found.abi, members: members,
      libraries: try ChainLibraries(members, runtime), host: self)
  }

  /// True even if its bases can't be used.
  package func finds(_ name: String) -> Bool { (try? find(name)) != nil }

  /// For a library path, also returns its other engines: they may be bases.
  private func find(
    _ name: String
  ) throws(HostError) -> (
    scan: LibraryScan, listing: Listing?, found: Listing.Entry, beside: [Listing.Entry]
  ) {
    // Paths have no NUL and are never this long.
    guard !name.utf8.contains(0), name.utf8.count <= 8192 else {
      throw HostError(
        .engineNotFound,
        "there is no engine \"\(clipped(name))\"; give a name of at most 8192 bytes, without NUL "
          + "characters")
    }
    let scan = LibraryScan(of: searchPath, trust: configuration.trust)
    if let folder = scan.refusals.first(where: { refusal in
      searchPath.folders.contains { $0.isRequired && $0.path == refusal.file }
    }) {
      throw folder.error.about(folder.file)
    }
    // Ids have no slash. A path needs the listing, which may load libraries, only for bases.
    let listing = name.contains("/") ? nil : listing(scan)
    let isId = listing?.engines.contains { $0.description.id == name } ?? false
    if let listing, isId || !name.prefix(while: { $0 != "#" }).hasSuffix(".so") {
      return (scan, listing, try engineOnPath(name, listing), [])
    }
    let (found, beside) = try engineInLibrary(name)
    return (scan, listing, found, beside)
  }

  private func engineOnPath(_ name: String, _ listing: Listing) throws(HostError) -> Listing.Entry {
    let engines = listing.engines.filter { $0.shadowedBy == nil }
    if let exact = engines.first(where: { $0.description.id == name }) { return exact }
    let matches = engines.filter {
      $0.description.id.lastPart == name || $0.description.name == name
    }
    if matches.count > 1 {
      let ids = matches.map(\.description.id).joined(separator: " and ")
      throw HostError(.ambiguousName, "\"\(name)\" may mean \(ids); give the whole id")
    }
    if let match = matches.first { return match }
    let ids = engines.flatMap { [$0.description.id.lastPart, $0.description.id] }
    let known = similarNames(to: name, among: ids)
    let near = (known.first ?? similarNames(to: name, among: engines.map(\.description.name)).first)
      .map { "did you mean \($0)?" }
    if near == nil, let hidden = listing.refusal(hiding: name) {
      throw hidden.error.about(
        "there is no engine \"\(name)\" that can be used; \(hidden.file) was refused")
    }
    if let near { throw HostError(.engineNotFound, "there is no engine \"\(name)\"; \(near)") }
    throw HostError(
      .engineNotFound,
      "there is no engine \"\(name)\"",
      .chooseEngine(usable: engines.count, refused: listing.refused.count))
  }

  private func engineInLibrary(
    _ name: String
  ) throws(HostError) -> (engine: Listing.Entry, all: [Listing.Entry]) {
    let parts = name.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts[0])
    do throws(HostError) {
      let library = try runtime.library(at: LibraryScan.resolve(path))
      let descriptions = try runtime.descriptions(of: library)
      let wanted = parts.count == 2 ? String(parts[1]) : nil
      let matches = descriptions.filter {
        wanted == nil || $0.id == wanted || $0.id.lastPart == wanted
      }
      guard let match = matches.first, matches.count == 1 else {
        let ids = descriptions.map(\.id)
        throw HostError(
          matches.isEmpty ? .engineNotFound : .ambiguousName,
          "it holds \(ids.joined(separator: ", ")); name one of them as \(path)#\(ids[0])")
      }
      func entry(_ description: EngineDescription) -> Listing.Entry {
        Listing.Entry(
          description: description, library: path, resolvedLibrary: library.path,
          abi: library.abi, shadowedBy: nil)
      }
      return (entry(match), descriptions.map(entry))
    } catch { throw error.about(path) }
  }
}

extension String {
  fileprivate var lastPart: String { split(separator: ".").last.map(String.init) ?? self }
}

/// An engine that a host found, with its bases.
public struct Engine: Sendable {
  /// The engine's description.
  public let description: EngineDescription
  /// The library's path.
  public let library: String
  /// The library's contract version.
  public let abi: ABIVersion
  /// The descriptions of engine and bases, most derived first.
  public var chain: [EngineDescription] { members.map(\.description) }

  /// The engine's traits; three depend on its bases.
  ///
  /// Lazy if the most derived engine with `prepare` is; viewport if any is; mirrors if all do.
  public var traits: EngineTraits {
    var traits = description.traits.subtracting([.lazy, .viewport, .mirrors])
    let preparing = chain.first { $0.abilities.contains(.prepare) }
    if preparing?.traits.contains(.lazy) == true { traits.insert(.lazy) }
    if chain.contains(where: { $0.traits.contains(.viewport) }) { traits.insert(.viewport) }
    if chain.allSatisfy({ $0.traits.contains(.mirrors) }) { traits.insert(.mirrors) }
    return traits
  }

  /// The laws of the most derived engine with `prepare`.
  public var laws: EngineLaws { chain.first { $0.abilities.contains(.prepare) }?.laws ?? [] }

  /// Whether each session has its own process.
  public var hasOwnProcess: Bool { !runtime.isInProcess }

  let members: [Listing.Entry]
  /// As found, even if the files change.
  package let libraries: ChainLibraries
  /// The host that found it, and finds it again if its file is replaced.
  public let host: Host

  package var runtime: EngineLoader { host.runtime }
}

/// The engines and refused files on a search path.
public struct Listing: Sendable {
  /// An engine in a library.
  public struct Entry: Sendable {
    /// The engine's description.
    public let description: EngineDescription
    /// The library's path as found.
    public let library: String
    /// The library's path without symbolic links.
    public let resolvedLibrary: String
    /// The library's contract version.
    public let abi: ABIVersion
    /// The library whose engine of this id comes first, if any.
    public let shadowedBy: String?
  }

  /// In order of search path, file name and registration.
  public let engines: [Entry]
  /// The refused files, in the same order; the sentence calls the file "it".
  public let refused: [(file: String, error: HostError)]
}

extension Listing {
  /// A refused file with a similar name, else a file that the trust policy forbids.
  func refusal(hiding name: String) -> (file: String, error: HostError)? {
    let wanted = Self.letters(name.split(separator: ".").last ?? "")
    guard !wanted.isEmpty else { return nil }
    let named = refused.filter { refusal in
      let file = refusal.file.split(separator: "/").last ?? ""
      return file.hasSuffix(".so") && Self.letters(file.dropLast(3)).hasSuffix(wanted)
    }
    return named.min { $0.file.utf8.count < $1.file.utf8.count }
      ?? refused.first { $0.error.kind == .notAllowed }
  }

  private static func letters(_ text: some StringProtocol) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
