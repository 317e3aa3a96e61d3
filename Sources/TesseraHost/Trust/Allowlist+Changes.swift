import Glibc

extension Allowlist {
  /// Adds a library to a file, which is made where it is missing, and gives the new list.
  ///
  /// A sum that is listed for the same path already stays as it is. Others may add and remove at the
  /// same time: nothing is lost.
  ///
  /// - Throws: as `init(file:)`; `.cannotWrite` where the file cannot be written.
  @discardableResult
  public static func add(
    _ digest: SHA256Digest, path: String, to file: String
  ) throws(HostError) -> Allowlist {
    let entry = Entry(digest: digest, path: path)
    return try AllowlistFile.locked(file) { () throws(HostError) in
      let list = try Allowlist(file: file)
      guard !list.entries.contains(entry) else { return list }
      return try list.written(list.lines + [.entry(entry)])
    }
  }

  /// Takes libraries off a file: those of a path, or the one whose sum is given or begins so.
  ///
  /// - Returns: The entries that are gone.
  /// - Throws: as `init(file:)`; `.notFound` where nothing is listed under the name, `.invalidInput`
  ///   where several sums begin so, `.cannotWrite` where the file cannot be written.
  @discardableResult
  public static func remove(_ name: String, from file: String) throws(HostError) -> [Entry] {
    try AllowlistFile.locked(file) { () throws(HostError) in
      let list = try Allowlist(file: file)
      let gone = try list.entries(named: name)
      _ = try list.written(list.lines.filter { line in !gone.contains { line == .entry($0) } })
      return gone
    }
  }

  private func written(_ lines: [AllowlistLine]) throws(HostError) -> Allowlist {
    try AllowlistFile.replace(file, with: lines.map { $0.text + "\n" }.joined())
    return Allowlist(file: file, exists: true, lines: lines)
  }

  private func entries(named name: String) throws(HostError) -> [Entry] {
    let byPath = entries.filter { $0.path == name }
    if !byPath.isEmpty { return byPath }
    let prefix = name.lowercased()
    let bySum = name.isEmpty ? [] : entries.filter { $0.digest.description.hasPrefix(prefix) }
    let sums = Set(bySum.map(\.digest))
    guard sums.count <= 1 else {
      throw HostError(
        .invalidInput,
        "\(sums.count) sums on the allowlist \(file) begin with \(name); give more of its digits")
    }
    guard !bySum.isEmpty else {
      throw HostError(
        .notFound,
        "the allowlist \(file) has neither a path nor a sum \(name); give one that it has")
    }
    return bySum
  }
}
