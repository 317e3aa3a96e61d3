/// Which libraries may be loaded.
public struct TrustPolicy: Sendable {
  /// The libraries beside which nothing is loaded; nil where any may be.
  public var allowsOnly: Allowlist?
  /// Whether folders of the search path, and the files in them, must be safe from others.
  public var checksFolders: Bool

  /// A policy; without arguments: safe folders, and any library in them.
  public init(allowsOnly: Allowlist? = nil, checksFolders: Bool = true) {
    self.allowsOnly = allowsOnly
    self.checksFolders = checksFolders
  }

  /// Checks a folder before what lies in it is looked at.
  ///
  /// - Throws: `.notAllowed` with who may change it and how to forbid that.
  public func check(folder: String) throws(HostError) {
    if checksFolders { try FolderRule().check(folder: folder) }
  }

  /// Checks a file that was found in a folder; one that someone named by its path needs no check.
  ///
  /// - Throws: `.notAllowed` with who may change it and how to forbid that.
  public func check(file: String) throws(HostError) {
    if checksFolders { try FolderRule().check(file: file) }
  }

  /// Checks the bytes of a library, also of one that was named by its path.
  ///
  /// The sentence of an error speaks of the library as "it".
  ///
  /// - Throws: `.notAllowed` where they are not on the allowlist.
  public func check(_ digest: SHA256Digest, of library: String) throws(HostError) {
    guard let allowsOnly, !allowsOnly.contains(digest) else { return }
    let known = allowsOnly.entries.contains { $0.path == library }
    throw HostError(
      .notAllowed,
      "it is not on the allowlist"
        + (known ? ", which has another sum for that path" : "")
        + "; if you trust it, run tessera trust add --allowlist \(allowsOnly.file) \(library)")
  }
}
