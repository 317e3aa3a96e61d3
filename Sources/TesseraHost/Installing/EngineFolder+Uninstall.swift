import Glibc

extension EngineFolder {
  /// What was taken out.
  public struct Removal: Sendable {
    /// The library's path.
    public let library: String
    /// The engines that it held; none for one that could not be used.
    public let engines: [EngineDescription]
  }

  /// Takes an engine out of the folder, with every library there that holds it.
  ///
  /// - Parameters:
  ///   - name: An id, a last part of ids that is unique in the folder, or the name of a library's file.
  ///   - force: Whether to take a library away that holds other engines, too.
  /// - Throws: `.notFound` where the folder does not hold it; `.invalidInput` where several ids end so;
  ///   `.cannotWrite` where a library holds others and `force` is false, and where one cannot be taken
  ///   away; `.notAllowed` where others may change the folder.
  public func uninstall(
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
