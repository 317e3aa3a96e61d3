import Glibc
import TesseraCommand
import TesseraHost

/// A lock serializes installations, and readers never see a partly written library.
struct EngineFolder: Sendable {
  let path: String

  /// `~/.local/lib/tessera`; throws if the process has more privileges than its caller.
  static func own() throws(HostError) -> EngineFolder {
    let home = ProcessEnvironment.home
    guard let path = SearchPath.path("", ".local/lib/tessera", environment: nil, home: home) else {
      throw HostError(
        .unwritableFile,
        "there is no folder for your engines, because HOME names no folder, or this process has "
          + "more rights than its caller; set HOME")
    }
    return EngineFolder(path: path)
  }

  func path(of file: String) -> String { SearchPath.join(path, file) }

  /// Ignores the allowlist.
  func listing(_ host: Host) -> Listing {
    var configuration = host.configuration
    configuration.trust = TrustPolicy()
    return Host(searchPath: SearchPath(folders: [path]), configuration: configuration).listing()
  }
}

struct ListedLibrary {
  let path: String
  let engines: [EngineDescription]

  var ids: Set<String> { Set(engines.map(\.id)) }

  static func all(in listing: Listing) -> [ListedLibrary] {
    var order: [String] = []
    var engines: [String: [EngineDescription]] = [:]
    for entry in listing.engines {
      if engines[entry.library] == nil { order.append(entry.library) }
      engines[entry.library, default: []].append(entry.description)
    }
    return order.map { ListedLibrary(path: $0, engines: engines[$0] ?? []) }
  }
}

extension EngineFolder {
  /// Removes libraries with only the same engines, and returns the path and the removed ones.
  ///
  /// - Parameter force: Replaces other engines and newer versions, too.
  /// - Throws: `.cannotWrite`, `.notAllowed`, or `.cannotLoad` if the library changed.
  func install(
    _ file: EngineFile, force: Bool = false, host: Host
  ) throws(HostError) -> (library: String, replaced: [String]) {
    let target = path(of: file.name)
    return try SearchPath.locked(path, failure: { EngineFile.unwritable(target, $0) }) {
      () throws(HostError) in
      let listing = listing(host)
      let libraries = ListedLibrary.all(in: listing)
      let new = Set(file.engines.map(\.id))
      if !force { try check(file, target: target, libraries, listing) }
      try file.write(to: target)
      var replaced = libraries.filter { $0.path == target }.map(\.path)
      for library in libraries where library.path != target && library.ids.isSubset(of: new) {
        guard unlink(library.path) == 0 else { throw EngineFile.unwritable(library.path, errno) }
        replaced.append(library.path)
      }
      return (target, replaced)
    }
  }

  private func check(
    _ file: EngineFile, target: String, _ libraries: [ListedLibrary], _ listing: Listing
  ) throws(HostError) {
    let new = Set(file.engines.map(\.id))
    if let refused = listing.refused.first(where: { $0.file == target }) {
      throw HostError(
        .wouldReplace,
        "\(target) exists and is not a usable engine library: \(refused.error.fact); remove it, or "
          + "give --force")
    }
    for library in libraries {
      let others = library.ids.subtracting(new).sorted()
      guard library.path == target || !library.ids.isDisjoint(with: new) else { continue }
      guard others.isEmpty else {
        throw HostError(
          .wouldReplace,
          "\(library.path) exists and contains \(others.joined(separator: " and ")), which "
            + "\(file.path) does not; rename yours, or give --force to replace it")
      }
      for engine in file.engines {
        guard let there = library.engines.first(where: { $0.id == engine.id }),
          let old = SemanticVersion(there.version), let version = SemanticVersion(engine.version),
          version < old
        else { continue }
        throw HostError(
          .wouldReplace,
          "\(library.path) contains \(engine.id) \(there.version), newer than \(engine.version) in "
            + "\(file.path); give --force to downgrade")
      }
    }
  }
}

extension EngineFolder {
  /// Removes and returns every library with an engine; an unloadable library has no engines.
  ///
  /// - Parameters:
  ///   - name: An id, its unique last part, or a file name.
  ///   - force: Removes libraries with other engines, too.
  func uninstall(
    _ name: String, force: Bool = false, host: Host
  ) throws(HostError) -> [ListedLibrary] {
    guard access(path, F_OK) == 0 else { throw missing(name, [], host) }
    return try SearchPath.locked(path, failure: { EngineFile.unwritable(path, $0) }) {
      () throws(HostError) in
      let removals = try libraries(named: name, force: force, host)
      for removal in removals {
        guard unlink(removal.path) == 0 else {
          throw HostError(
            .unwritableFile, "\(removal.path) cannot be removed: \(systemMessage(errno))")
        }
      }
      return removals
    }
  }

  private func libraries(
    named name: String, force: Bool, _ host: Host
  ) throws(HostError) -> [ListedLibrary] {
    let listing = listing(host)
    let libraries = ListedLibrary.all(in: listing)
    let file = path(of: name)
    if let library = libraries.first(where: { $0.path == file }) { return [library] }
    if name.hasSuffix(".so"), listing.refused.contains(where: { $0.file == file }) {
      return [ListedLibrary(path: file, engines: [])]
    }
    let id = try id(of: name, among: libraries, host)
    let found = libraries.filter { $0.ids.contains(id) }
    for library in found where library.ids.count > 1 && !force {
      let others = library.ids.subtracting([id]).sorted().joined(separator: " and ")
      throw HostError(
        .wouldReplace,
        "\(library.path) also contains \(others); give --force to remove it all the same")
    }
    return found
  }

  private func id(
    of name: String, among libraries: [ListedLibrary], _ host: Host
  ) throws(HostError) -> String {
    let ids = libraries.reduce(into: Set<String>()) { $0.formUnion($1.ids) }.sorted()
    if ids.contains(name) { return name }
    let matches = ids.filter { $0.hasSuffix(".\(name)") && !name.contains(".") }
    guard matches.count < 2 else {
      throw HostError(
        .ambiguousName,
        "\"\(name)\" is ambiguous: it matches \(matches.joined(separator: " and ")); give the whole id"
      )
    }
    guard let match = matches.first else { throw missing(name, ids, host) }
    return match
  }

  private func missing(_ name: String, _ ids: [String], _ host: Host) -> HostError {
    let elsewhere = host.listing().engines.first {
      $0.description.id == name || $0.description.id.hasSuffix(".\(name)")
    }
    let near = similarNames(to: name, among: ids).first.map { "did you mean \($0)?" }
    let advice =
      elsewhere.map { "\($0.library) contains it, but is not in this folder" } ?? near
      ?? (ids.isEmpty ? "the folder is empty" : "it contains \(ids.joined(separator: ", "))")
    return HostError(.engineNotFound, "there is no engine \"\(name)\" in \(path); \(advice)")
  }
}

/// In its inspected state.
struct EngineFile: Sendable {
  let path: String
  let engines: [EngineDescription]

  let name: String
  let digest: SHA256Digest

  /// Reads the descriptions in a worker.
  init(path: String, host: Host) throws(HostError) {
    self.path = path
    name = path.split(separator: "/").last.map(String.init) ?? path
    guard name.hasSuffix(".so"), name.count > 3 else {
      throw HostError(
        .invalidValue, "\(path) does not end in .so, so it would not be found; rename it")
    }
    do throws(HostError) {
      let library = try host.runtime.library(at: LibraryScan.resolve(path))
      digest = library.digest
      engines = try host.runtime.descriptions(of: library)
    } catch { throw error.about(path) }
  }

  /// Atomic; throws `.cannotLoad` if the library has changed.
  func write(to target: String) throws(HostError) {
    let library: SealedLibrary
    do throws(HostError) { library = try SealedLibrary(path: LibraryScan.resolve(path)) } catch {
      throw error.about(path)
    }
    guard library.digest == digest else {
      throw HostError(.fileChanged, "\(path) changed during the installation; try again")
    }
    let bytes = readWholeFile(library.descriptor, limit: Int(SealedLibrary.sizeLimit)) ?? []
    do throws(SystemError) { try NewFile.write(bytes, replacing: target, mode: 0o644) } catch {
      throw Self.unwritable(target, error.number)
    }
  }

  static func unwritable(_ path: String, _ number: Int32) -> HostError {
    HostError(
      .unwritableFile,
      "\(path) cannot be written: "
        + SystemError(number: number).sentence(advice: "make its folder writable"))
  }
}
