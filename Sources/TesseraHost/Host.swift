import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Finds engines on a search path, for sessions to use.
///
/// Every call reads the folders again.
public final class Host: Sendable {
  /// The folders in which the host looks for engines.
  public let searchPath: SearchPath
  /// How engines are run.
  public var configuration: HostConfiguration { runtime.configuration }

  package let runtime: EngineLoader

  /// Creates a host that looks for engines in the folders of a search path.
  public init(searchPath: SearchPath, configuration: HostConfiguration = HostConfiguration()) {
    self.searchPath = searchPath
    runtime = EngineLoader(configuration)
  }

  /// Every engine on the search path, and every file there that is refused.
  ///
  /// A library that is not in the cache is loaded in a worker, or in this process if there is no
  /// isolation.
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

  /// Reads the descriptions of a library's engines, from the cache if possible.
  private func describe(
    _ candidate: LibraryScan.Candidate
  ) throws(HostError) -> (ABIVersion, [EngineDescription]) {
    if let entry = runtime.cache?.entry(for: candidate.identity) {
      try configuration.trust.check(entry.digest, of: candidate.path)
      try runtime.checkFailures(entry.digest)
      return (entry.abi, try entry.result.get())
    }
    let library = try runtime.library(at: candidate.resolvedPath)
    return (library.inspection.abi, try runtime.descriptions(of: library))
  }

  /// Finds an engine by its id, by the last part of its id or its name if that is unique, or by the path
  /// of its library; "PATH#ID" selects one of several engines in a library.
  ///
  /// - Throws: `.notFound` if there is no such engine, `.invalidInput` if the name is ambiguous,
  ///   `.cannotLoad` for a library or a base that cannot be used, `.notAllowed` for a library that the
  ///   trust policy forbids.
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

  /// Whether there is an engine of that name, even if its bases cannot be used.
  package func finds(_ name: String) -> Bool { (try? find(name)) != nil }

  /// Finds an engine, and the engines beside one that is named by its library's path, which may be its
  /// bases.
  ///
  /// - Returns: Also the scan, and the engines on the search path if they had to be listed.
  private func find(
    _ name: String
  ) throws(HostError) -> (
    scan: LibraryScan, listing: Listing?, found: Listing.Entry, beside: [Listing.Entry]
  ) {
    // The system would end a path at a NUL, and has none that is longer.
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
    // The libraries on the search path may have to be loaded: no id has a slash, so that a path needs
    // them only for its bases.
    let listing = name.contains("/") ? nil : listing(scan)
    let isId = listing?.engines.contains { $0.description.id == name } ?? false
    if let listing, isId || !name.prefix(while: { $0 != "#" }).hasSuffix(".so") {
      return (scan, listing, try engineOnPath(name, listing), [])
    }
    let (found, beside) = try engineInLibrary(name)
    return (scan, listing, found, beside)
  }

  private func engineOnPath(
    _ name: String, _ listing: Listing
  ) throws(HostError) -> Listing.Entry {
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
    if let near {
      throw HostError(.engineNotFound, "there is no engine \"\(name)\"; \(near)")
    }
    throw HostError(
      .engineNotFound,
      "there is no engine \"\(name)\"",
      .chooseEngine(usable: engines.count, refused: listing.refused.count))
  }

  /// The engine of a library that is named by its path, and all engines of the library.
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
          abi: library.inspection.abi, shadowedBy: nil)
      }
      return (entry(match), descriptions.map(entry))
    } catch { throw error.about(path) }
  }
}

extension String {
  /// The part after the last dot of an engine's id.
  fileprivate var lastPart: String { split(separator: ".").last.map(String.init) ?? self }
}

/// An engine that a host found, with its bases.
public struct Engine: Sendable {
  /// The engine's description.
  public let description: EngineDescription
  /// The path of the engine's library.
  public let library: String
  /// The version of the contract that the library was built for.
  public let abi: ABIVersion
  /// The descriptions of the engine and its bases, the engine first.
  public var chain: [EngineDescription] { members.map(\.description) }

  /// The traits of the engine together with its bases.
  ///
  /// The chain is lazy if the most derived engine that prepares is, depends on the viewport if any
  /// engine does, and is mirrored if all are. All other traits are the engine's own, because it decides
  /// last where elements are.
  public var traits: EngineTraits {
    var traits = description.traits.subtracting([.lazy, .viewport, .mirrors])
    let preparing = chain.first { $0.abilities.contains(.prepare) }
    if preparing?.traits.contains(.lazy) == true { traits.insert(.lazy) }
    if chain.contains(where: { $0.traits.contains(.viewport) }) { traits.insert(.viewport) }
    if chain.allSatisfy({ $0.traits.contains(.mirrors) }) { traits.insert(.mirrors) }
    return traits
  }

  /// The laws that the layouts follow: those of the most derived engine that prepares.
  public var laws: EngineLaws { chain.first { $0.abilities.contains(.prepare) }?.laws ?? [] }

  /// Whether its sessions run in a process of their own.
  public var hasOwnProcess: Bool { !runtime.isInProcess }

  let members: [Listing.Entry]
  /// The libraries as they were when the engine was found, even if their files change.
  package let libraries: ChainLibraries
  /// The host that found the engine, and that finds it again if its file is replaced.
  public let host: Host

  package var runtime: EngineLoader { host.runtime }
}

/// The engines on a search path, and the files that were refused.
public struct Listing: Sendable {
  /// An engine in a library.
  public struct Entry: Sendable {
    /// The engine's description.
    public let description: EngineDescription
    /// The library's path, as it was found.
    public let library: String
    /// The library's path, with symbolic links resolved.
    public let resolvedLibrary: String
    /// The version of the contract that the library was built for.
    public let abi: ABIVersion
    /// The library whose engine with the same id comes first; nil if this one does.
    public let shadowedBy: String?
  }

  /// The engines in the order of the search path, then by file name, then in the order of registration.
  public let engines: [Entry]
  /// The files that were refused, in the same order: each path as it was found, and why; the sentence
  /// calls the file "it".
  public let refused: [(file: String, error: HostError)]
}

extension Listing {
  /// The refusal that may explain why an engine is missing: of a file with a similar name, or else of
  /// a file that the trust policy forbids; nil if there is neither.
  ///
  /// A refused library is not loaded, so only its file name hints at its engines.
  ///
  /// - Parameter name: An engine's id or the last part of it.
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
