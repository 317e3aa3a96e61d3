import CTesseraSystem
import Glibc

/// Decides which libraries may be loaded.
public struct TrustPolicy: Sendable {
  /// The only loadable libraries; nil if unrestricted.
  public var allowsOnly: Allowlist?
  /// Whether folders and files that other users can change are refused.
  public var checksFolders: Bool

  /// Creates a policy.
  public init(allowsOnly: Allowlist? = nil, checksFolders: Bool = true) {
    (self.allowsOnly, self.checksFolders) = (allowsOnly, checksFolders)
  }

  /// Checks a folder before it is searched; throws `.notAllowed`.
  public func check(folder: String) throws(HostError) {
    if checksFolders { try FolderRule().check(folder: folder) }
  }

  /// Checks a file found in a folder, not one named by the user; throws `.notAllowed`.
  public func check(file: String) throws(HostError) {
    if checksFolders { try FolderRule().check(file: file) }
  }

  /// For a file that is not a symlink, in a checked folder.
  package func check(file: String, _ status: stat) throws(HostError) {
    if checksFolders { try FolderRule().check(file, status, isSticky: false) }
  }

  /// Checks the digest of any library, even one named by its path; throws `.notAllowed`.
  public func check(_ digest: SHA256Digest, of library: String) throws(HostError) {
    guard let allowsOnly, !allowsOnly.contains(digest) else { return }
    let isPathListed = allowsOnly.entries.contains { $0.path == library }
    throw HostError(
      .notAllowlisted,
      "it is not on the allowlist"
        + (isPathListed ? ", which has a different sum for that path" : ""),
      .trustLibrary(path: library, allowlist: allowsOnly.file))
  }
}

/// Only root and the user can change the file, its folders and symlinks, so checks don't race.
package struct FolderRule: Sendable {
  /// The allowed owner besides root.
  package let user: uid_t

  package init() { user = geteuid() }

  package init(user: uid_t) { self.user = user }

  /// Returns the path without symlinks; throws `.notAllowed` or `.notFound`.
  @discardableResult
  package func check(folder path: String) throws(HostError) -> String {
    let folder = try walk(to: path)
    try checkStatus(of: Self.path(folder), isSticky: false)
    return Self.path(folder)
  }

  /// Returns the path without symlinks; throws `.notAllowed` or `.notFound`.
  @discardableResult
  package func check(file path: String) throws(HostError) -> String {
    let file = try walk(to: path)
    try checkStatus(of: Self.path(file.dropLast()), isSticky: false)
    try checkStatus(of: Self.path(file), isSticky: false)
    return Self.path(file)
  }

  /// Checks each entry before following it.
  private func walk(to path: String) throws(HostError) -> [String] {
    var rest = Self.parts(of: try Self.absolute(path))
    var place: [String] = []
    var links = 0
    try checkStatus(of: Self.path(place), isSticky: true)
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        _ = place.popLast()
        continue
      }
      let entry = Self.path(place + [name])
      let status = try Self.status(of: entry)
      guard status.st_mode & S_IFMT == S_IFLNK else {
        try check(entry, status, isSticky: true)
        place.append(name)
        continue
      }
      try checkOwner(of: entry, status, "symlink")
      links += 1
      // The limit of Linux.
      guard links <= 40 else {
        throw HostError(.fileNotFound, "\(path) leads through too many symlinks; name its target")
      }
      let target = try Self.target(of: entry)
      if target.hasPrefix("/") { place = [] }
      rest += Self.parts(of: target)
    }
    return place
  }

  private static func path(_ names: some Sequence<String>) -> String {
    "/" + names.joined(separator: "/")
  }

  private static func status(of path: String) throws(HostError) -> stat {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw HostError(.fileNotFound, "\(path) cannot be accessed: \(systemMessage(errno))")
    }
    return status
  }

  private func checkStatus(of path: String, isSticky: Bool) throws(HostError) {
    try check(path, try Self.status(of: path), isSticky: isSticky)
  }

  /// In a sticky folder, users can't replace others' files.
  fileprivate func check(_ path: String, _ status: stat, isSticky: Bool) throws(HostError) {
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let what = isFolder ? "folder" : "file"
    try checkOwner(of: path, status, what)
    if isFolder, isSticky, status.st_mode & S_ISVTX != 0 { return }
    var writers: [String] = []
    var remedy = ""
    if status.st_mode & S_IWGRP != 0, !isPrivate(path, status) {
      writers.append(
        tessera_has_access_list(path) != 0
          ? "users on its access list"
          : "the group \(Self.name(status.st_gid, tessera_group_name))")
      remedy += "g"
    }
    if status.st_mode & S_IWOTH != 0 {
      writers.append("everyone")
      remedy += "o"
    }
    guard writers.isEmpty else {
      throw HostError(
        .changeableByOthers,
        "the \(what) \(path) can be changed by \(writers.joined(separator: " and ")); remove the "
          + "permission with chmod \(remedy)-w \(path)")
    }
  }

  private func isPrivate(_ path: String, _ status: stat) -> Bool {
    tessera_has_access_list(path) == 0 && tessera_group_is_private(user, status.st_gid) != 0
  }

  private func checkOwner(of path: String, _ status: stat, _ what: String) throws(HostError) {
    guard status.st_uid != 0, status.st_uid != user else { return }
    let owner = Self.name(status.st_uid, tessera_user_name)
    let caller = Self.name(user, tessera_user_name)
    throw HostError(
      .changeableByOthers,
      user == 0
        ? "the \(what) \(path) belongs to \(owner), who can change it, and this process runs as "
          + "root; run it as \(owner), or give root the \(what) with chown root \(path)"
        : "the \(what) \(path) belongs to \(owner), who can change it; expected \(caller) or root; "
          + "copy it, or take ownership with chown \(caller) \(path)")
  }

  private static func name(
    _ number: UInt32, _ find: (UInt32, UnsafeMutablePointer<CChar>, Int) -> Void
  ) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      // A capacity above zero has an address.
      find(number, buffer.baseAddress!, buffer.count)
      return String(cString: buffer.baseAddress!)
    }
  }

  private static func parts(of path: String) -> [String] {
    path.split(separator: "/").reversed().map(String.init)
  }

  private static func absolute(_ path: String) throws(HostError) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else {
      throw HostError(
        .fileNotFound, "the working folder cannot be determined: \(systemMessage(errno))")
    }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  private static func target(of link: String) throws(HostError) -> String {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
      count = buffer.withMemoryRebound(to: CChar.self) { readlink(link, $0.baseAddress!, $0.count) }
      filled = max(0, count)
    }
    guard count > 0, let target = String(validating: bytes, as: UTF8.self) else {
      throw HostError(.fileNotFound, "the symlink \(link) cannot be read; recreate it")
    }
    return target
  }
}
