import Glibc
import TesseraHost

/// The folder in which a user keeps engines.
///
/// Those who install at the same time take turns, and readers see each library whole or not at all.
struct EngineFolder: Sendable {
  /// Its path.
  let path: String

  /// The folder at a path, which need not exist.
  init(path: String) { self.path = path }

  /// The folder of the standard search path in the user's home: `.local/lib/tessera`.
  ///
  /// Nil where the home is no absolute path, and in a process that runs with rights that its caller
  /// does not have.
  static func standard(home: String?) -> EngineFolder? {
    StandardFolder.path("", ".local/lib/tessera", environment: nil, home: home)
      .map(EngineFolder.init(path:))
  }

  /// The path of a file in the folder.
  func path(of file: String) -> String { path.hasSuffix("/") ? path + file : "\(path)/\(file)" }

  /// What lies in the folder: whatever may be used of it, since it is about to change.
  func listing(_ host: Host) -> Listing {
    var configuration = host.configuration
    configuration.trust = TrustPolicy()
    return Host(searchPath: SearchPath(folders: [path]), configuration: configuration).listing()
  }
}

/// The engines of one library, as `list` tells them.
struct ListedLibrary {
  let path: String
  let engines: [EngineDescription]

  var ids: Set<String> { Set(engines.map(\.id)) }

  /// The libraries of a listing, in its order.
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
  /// What an installation came to.
  struct Installation: Sendable {
    /// The library's path in the folder.
    let library: String
    /// Libraries of the same engines that it took the place of, itself among them where it was there.
    let replaced: [String]
  }

  /// Puts a library into the folder, under its own file's name.
  ///
  /// Others there that hold nothing but the same engines go away. Complexity: O(*n*) in its bytes,
  /// and a listing of the folder.
  ///
  /// - Parameter force: Whether to take the place also of other engines and of newer versions.
  /// - Throws: `.cannotWrite` where that would be needed and `force` is false, and where the folder or
  ///   the file cannot be written; `.notAllowed` where others may change the folder; `.cannotLoad`
  ///   where the library has changed since it was looked at.
  func install(
    _ file: EngineFile, force: Bool = false, host: Host
  ) throws(HostError) -> Installation {
    let target = path(of: file.name)
    return try FolderLock.held(path, failure: { EngineFile.unwritable(target, $0) }) {
      () throws(HostError) in
      let listing = listing(host)
      let libraries = ListedLibrary.all(in: listing)
      let new = Set(file.engines.map(\.id))
      if !force { try check(file, target: target, libraries, listing) }
      try put(file, at: target)
      var replaced = libraries.filter { $0.path == target }.map(\.path)
      for library in libraries where library.path != target && library.ids.isSubset(of: new) {
        guard unlink(library.path) == 0 else { throw EngineFile.unwritable(library.path, errno) }
        replaced.append(library.path)
      }
      return Installation(library: target, replaced: replaced)
    }
  }

  /// - Throws: `.cannotWrite` with what stands in the way.
  private func check(
    _ file: EngineFile, target: String, _ libraries: [ListedLibrary], _ listing: Listing
  ) throws(HostError) {
    let new = Set(file.engines.map(\.id))
    if let refused = listing.refused.first(where: { $0.file == target }) {
      throw HostError(
        .cannotWrite,
        "\(target) is there already and is no engine library that can be used: \(refused.error.fact); "
          + "take it away, or give --force")
    }
    for library in libraries {
      let others = library.ids.subtracting(new).sorted()
      guard library.path == target || !library.ids.isDisjoint(with: new) else { continue }
      guard others.isEmpty else {
        throw HostError(
          .cannotWrite,
          "\(library.path) is there already and holds \(others.joined(separator: " and ")), which "
            + "\(file.path) does not; rename yours, or give --force to put it there all the same")
      }
      for engine in file.engines {
        guard let there = library.engines.first(where: { $0.id == engine.id }),
          let old = SemanticVersion(there.version), let version = SemanticVersion(engine.version),
          version < old
        else { continue }
        throw HostError(
          .cannotWrite,
          "\(library.path) holds \(engine.id) \(there.version), newer than \(engine.version) in "
            + "\(file.path); give --force to go back")
      }
    }
  }

  private func put(_ file: EngineFile, at target: String) throws(HostError) {
    // Named so that no scan takes it.
    let beside = "\(target).\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    do throws(HostError) {
      try file.write(to: beside)
      guard rename(beside, target) == 0 else { throw EngineFile.unwritable(target, errno) }
    } catch {
      unlink(beside)
      throw error
    }
  }
}

extension EngineFolder {
  /// What was taken out.
  struct Removal: Sendable {
    /// The library's path.
    let library: String
    /// The engines that it held; none for one that could not be used.
    let engines: [EngineDescription]
  }

  /// Takes an engine out of the folder, with every library there that holds it.
  ///
  /// - Parameters:
  ///   - name: An id, a last part of ids that is unique in the folder, or the name of a library's file.
  ///   - force: Whether to take a library away that holds other engines, too.
  /// - Throws: `.notFound` where the folder does not hold it; `.invalidInput` where several ids end so;
  ///   `.cannotWrite` where a library holds others and `force` is false, and where one cannot be taken
  ///   away; `.notAllowed` where others may change the folder.
  func uninstall(
    _ name: String, force: Bool = false, host: Host
  ) throws(HostError) -> [Removal] {
    guard access(path, F_OK) == 0 else { throw missing(name, [], host) }
    return try FolderLock.held(path, failure: { EngineFile.unwritable(path, $0) }) {
      () throws(HostError) in
      let removals = try libraries(named: name, force: force, host)
      for removal in removals {
        guard unlink(removal.library) == 0 else {
          throw HostError(
            .cannotWrite, "\(removal.library) cannot be taken away: \(systemMessage(errno))")
        }
      }
      return removals
    }
  }

  private func libraries(
    named name: String, force: Bool, _ host: Host
  ) throws(HostError) -> [Removal] {
    let listing = listing(host)
    let libraries = ListedLibrary.all(in: listing)
    let file = path(of: name)
    if let library = libraries.first(where: { $0.path == file }) {
      return [Removal(library: file, engines: library.engines)]
    }
    if name.hasSuffix(".so"), listing.refused.contains(where: { $0.file == file }) {
      return [Removal(library: file, engines: [])]
    }
    let id = try id(of: name, among: libraries, host)
    let found = libraries.filter { $0.ids.contains(id) }
    for library in found where library.ids.count > 1 && !force {
      let others = library.ids.subtracting([id]).sorted().joined(separator: " and ")
      throw HostError(
        .cannotWrite,
        "\(library.path) holds \(others), too, which would go with \(id); give --force to take it away"
      )
    }
    return found.map { Removal(library: $0.path, engines: $0.engines) }
  }

  private func id(
    of name: String, among libraries: [ListedLibrary], _ host: Host
  ) throws(HostError) -> String {
    let ids = libraries.reduce(into: Set<String>()) { $0.formUnion($1.ids) }.sorted()
    if ids.contains(name) { return name }
    let matches = ids.filter { $0.hasSuffix(".\(name)") && !name.contains(".") }
    guard matches.count < 2 else {
      throw HostError(
        .invalidInput,
        "\"\(name)\" may mean \(matches.joined(separator: " and ")); give the whole id")
    }
    guard let match = matches.first else { throw missing(name, ids, host) }
    return match
  }

  private func missing(_ name: String, _ ids: [String], _ host: Host) -> HostError {
    let elsewhere = host.listing().engines.first {
      $0.description.id == name || $0.description.id.hasSuffix(".\(name)")
    }
    let advice =
      if let elsewhere {
        "\(elsewhere.library) holds one, which whoever put it there can take away"
      } else if let near = Suggestion.near(name, among: ids).first {
        "did you mean \(near)?"
      } else {
        ids.isEmpty ? "there is none" : "it holds \(ids.joined(separator: ", "))"
      }
    return HostError(.notFound, "there is no engine \"\(name)\" in \(path); \(advice)")
  }
}

/// A library that is to be installed, as it was when it was looked at.
struct EngineFile: Sendable {
  /// The path that it was given by.
  let path: String
  /// The engines that it holds, in the order registered.
  let engines: [EngineDescription]

  /// The name that it gets in a folder: its own file's.
  let name: String
  let digest: SHA256Digest

  /// Inspects a library and asks it, in a worker, what it holds.
  ///
  /// - Throws: `.notFound` where nothing lies at the path; `.cannotLoad`, `.notAllowed` and `.died` for
  ///   one that the host refuses; `.invalidInput` for a file's name that no scan finds.
  init(path: String, host: Host) throws(HostError) {
    self.path = path
    name = path.split(separator: "/").last.map(String.init) ?? path
    guard name.hasSuffix(".so"), name.count > 3 else {
      throw HostError(
        .invalidInput, "\(path) does not end in .so, as a library that is found has to; rename it")
    }
    do throws(HostError) {
      let library = try host.runtime.library(at: LibraryScan.resolve(path))
      digest = library.digest
      engines = try host.runtime.descriptions(of: library)
    } catch { throw error.about(path) }
  }

  /// Writes the bytes that were looked at to a new file.
  ///
  /// - Throws: `.cannotLoad` where the library has changed since, `.cannotWrite`.
  func write(to new: String) throws(HostError) {
    let library: SealedLibrary
    do throws(HostError) { library = try SealedLibrary(path: LibraryScan.resolve(path)) } catch {
      throw error.about(path)
    }
    guard library.digest == digest else {
      throw HostError(.cannotLoad, "\(path) has changed while it was looked at; try again")
    }
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.unwritable(new, errno) }
    defer { close(descriptor) }
    let bytes = WholeFile.read(library.descriptor, limit: Int(SealedLibrary.sizeLimit)) ?? []
    var failure = WholeFile.write(bytes, to: descriptor)
    // Whatever the mask: others may read it, and nobody else may write to it.
    if failure == 0, fchmod(descriptor, 0o644) != 0 || fsync(descriptor) != 0 { failure = errno }
    guard failure == 0 else { throw Self.unwritable(new, failure) }
  }

  static func unwritable(_ path: String, _ number: Int32) -> HostError {
    HostError(
      .cannotWrite, "\(path) cannot be written: \(systemMessage(number)); make its folder writable")
  }
}
