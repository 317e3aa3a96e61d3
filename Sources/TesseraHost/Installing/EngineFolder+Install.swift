import Glibc

extension EngineFolder {
  /// What an installation came to.
  public struct Installation: Sendable {
    /// The library's path in the folder.
    public let library: String
    /// Libraries of the same engines that it took the place of, itself among them where it was there.
    public let replaced: [String]
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
  public func install(
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
        "\(target) is there already and is no engine library that can be used: \(refused.reason); "
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
