import TesseraCatalog
import TesseraRuntime
import TesseraWorker

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
      Listing.Refusal(file: $0.file, error: $0.error)
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
        refused.append(Listing.Refusal(file: candidate.path, error: error))
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
      throw folder.error.about(folder.file)
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
      throw hidden.error.about(
        "there is no engine \"\(name)\" that can be used; \(hidden.file) was refused")
    }
    let fact = "there is no engine \"\(name)\""
    if let near { throw HostError(.notFound, "\(fact); \(near)") }
    throw HostError(
      .notFound, fact, .chooseEngine(usable: engines.count, refused: listing.refused.count))
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
    } catch { throw error.about(path) }
  }
}

extension String {
  /// What follows the last dot of an engine's id.
  fileprivate var lastPart: String {
    split(separator: ".").last.map(String.init) ?? self
  }
}

/// An engine that a host has found, with its bases.
public struct Engine: Sendable {
  /// What the engine declares.
  public let description: EngineDescription
  /// The library that it lies in.
  public let library: String
  /// The contract that the library was built for.
  public let abi: ABIVersion
  /// What the engine and its bases declare, itself first.
  public var chain: [EngineDescription] { members.map(\.description) }

  /// What the engine with its bases promises: lazy as the most derived engine that prepares says,
  /// depending on the viewport if any of them does, mirrored if all are, and everything else as the
  /// engine itself says, which has the last word on where elements are.
  public var traits: EngineTraits {
    var traits = description.traits.subtracting([.lazy, .viewport, .mirrors])
    let preparing = chain.first { $0.abilities.contains(.prepare) }
    if preparing?.traits.contains(.lazy) == true { traits.insert(.lazy) }
    if chain.contains(where: { $0.traits.contains(.viewport) }) { traits.insert(.viewport) }
    if chain.allSatisfy({ $0.traits.contains(.mirrors) }) { traits.insert(.mirrors) }
    return traits
  }

  /// Whether sessions of it run in a process of their own.
  public var hasOwnProcess: Bool { !runtime.isInProcess }

  let members: [EngineMember]
  /// The libraries as they were when the engine was found, whatever becomes of their files.
  package let libraries: ChainLibraries
  /// The host that found it, which finds it again where its file is replaced.
  let host: Host

  package var runtime: EngineRuntime { host.runtime }
}

/// What lies on a search path: every engine, and every file that is none.
public struct Listing: Sendable {
  /// An engine in a library.
  public struct Entry: Sendable {
    /// What the engine declares.
    public let description: EngineDescription
    /// The library's path as it was found.
    public let library: String
    /// The file that the path leads to, its links followed.
    public let resolvedLibrary: String
    /// The contract that the library was built for.
    public let abi: ABIVersion
    /// The library whose engine of the same id comes first, or nil.
    public let shadowedBy: String?

    var member: EngineMember {
      EngineMember(description: description, library: resolvedLibrary)
    }
  }

  /// A file that was not taken.
  public struct Refusal: Sendable {
    /// The file's path as it was found.
    public let file: String
    /// Why it was refused; the sentence calls the file "it".
    public let error: HostError
  }

  /// The engines in the order of the search path, then of files' names, then of registration.
  public let engines: [Entry]
  /// The files that were not taken, in the same order.
  public let refused: [Refusal]
}

extension Listing {
  /// Why an engine of a name may be missing: a refused file that is named like it, else what may not
  /// be loaded; nil where neither was met.
  ///
  /// A refused library is not asked what it holds, so its file's name is all there is to go by.
  ///
  /// - Parameter name: An engine's id or the last part of one.
  func refusal(hiding name: String) -> Refusal? {
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
