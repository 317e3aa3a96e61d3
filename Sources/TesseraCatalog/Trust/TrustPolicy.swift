import CTesseraSystem
import Glibc

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
        + (known ? ", which has another sum for that path" : ""),
      .trustLibrary(path: library, allowlist: allowsOnly.file))
  }
}

/// The rule for what is taken without having been named outright: nobody but root and the caller can
/// change it, neither the file nor any folder or symlink on the way to it.
///
/// What a rule has passed stays as it is unless one of those two changes it, so there is no moment
/// between the check and the use that others could make something of.
package struct FolderRule: Sendable {
  /// Who may own things beside root.
  package let user: uid_t

  /// The rule for the user as whom the process acts.
  package init() { user = geteuid() }

  /// The rule for a user.
  package init(user: uid_t) { self.user = user }

  /// Checks a folder that is searched, and all that it lies in.
  ///
  /// - Returns: Its path without symlinks.
  /// - Throws: `.notAllowed` with who may write where; `.notFound` where there is no such folder.
  @discardableResult
  package func check(folder path: String) throws(HostError) -> String {
    let folder = try walk(to: path)
    try look(at: folder.path, isSticky: false)
    return folder.path
  }

  /// Checks a file, and all that it lies in; where it is a symlink, also what that leads to.
  ///
  /// - Returns: Its path without symlinks.
  /// - Throws: `.notAllowed` with who may write where; `.notFound` where there is no such file.
  @discardableResult
  package func check(file path: String) throws(HostError) -> String {
    let file = try walk(to: path)
    try look(at: file.folder, isSticky: false)
    try look(at: file.path, isSticky: false)
    return file.path
  }

  /// Follows a path from the root, one entry at a time, and looks at each before it is entered.
  private func walk(to path: String) throws(HostError) -> ResolvedPlace {
    var rest = Self.parts(of: try Self.absolute(path))
    var place = ResolvedPlace()
    var links = 0
    try look(at: place.path, isSticky: true)
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        place.leave()
        continue
      }
      let entry = place.entry(name)
      let status = try Self.status(of: entry)
      guard status.st_mode & S_IFMT == S_IFLNK else {
        try check(entry, status, isSticky: true)
        place.enter(name)
        continue
      }
      try checkOwner(of: entry, status, "symlink")
      links += 1
      // As many as the system follows.
      guard links <= 40 else {
        throw HostError(.notFound, "\(path) leads through too many symlinks; name its target")
      }
      let target = try Self.target(of: entry)
      if target.hasPrefix("/") { place = ResolvedPlace() }
      rest += Self.parts(of: target)
    }
    return place
  }

  private static func status(of path: String) throws(HostError) -> stat {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw HostError(.notFound, "\(path) cannot be looked at: \(systemMessage(errno))")
    }
    return status
  }

  private func look(at path: String, isSticky: Bool) throws(HostError) {
    try check(path, try Self.status(of: path), isSticky: isSticky)
  }

  /// - Parameter isSticky: Whether others may write to a folder in which they cannot replace what is
  ///   not theirs.
  private func check(_ path: String, _ status: stat, isSticky: Bool) throws(HostError) {
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let what = isFolder ? "folder" : "file"
    try checkOwner(of: path, status, what)
    if isFolder, isSticky, status.st_mode & S_ISVTX != 0 { return }
    var writers: [String] = []
    var remedy = ""
    if status.st_mode & S_IWGRP != 0, !isPrivate(path, status) {
      writers.append(
        tessera_has_access_list(path) != 0
          ? "those on its access list"
          : "the group \(Self.name(status.st_gid, tessera_group_name))")
      remedy += "g"
    }
    if status.st_mode & S_IWOTH != 0 {
      writers.append("everybody")
      remedy += "o"
    }
    guard writers.isEmpty else {
      throw HostError(
        .notAllowed,
        "the \(what) \(path) may be changed by \(writers.joined(separator: " and ")); "
          + "take that right away with chmod \(remedy)-w \(path)")
    }
  }

  /// Whether the group that may write has nobody in it but the caller.
  private func isPrivate(_ path: String, _ status: stat) -> Bool {
    tessera_has_access_list(path) == 0 && tessera_group_is_private(user, status.st_gid) != 0
  }

  private func checkOwner(of path: String, _ status: stat, _ what: String) throws(HostError) {
    guard status.st_uid != 0, status.st_uid != user else { return }
    let owner = Self.name(status.st_uid, tessera_user_name)
    let caller = Self.name(user, tessera_user_name)
    throw HostError(
      .notAllowed,
      user == 0
        ? "the \(what) \(path) belongs to \(owner), who may change it, and this process runs as "
          + "root; run it as \(owner), or give root the \(what) with chown root \(path)"
        : "the \(what) \(path) belongs to \(owner), who may change it; expected \(caller) or root; "
          + "take a copy of your own, or have it given to you with chown \(caller) \(path)")
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

  /// The parts of a path, the last first.
  private static func parts(of path: String) -> [String] {
    path.split(separator: "/").reversed().map(String.init)
  }

  private static func absolute(_ path: String) throws(HostError) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else {
      throw HostError(.notFound, "the working folder cannot be told: \(systemMessage(errno))")
    }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  private static func target(of link: String) throws(HostError) -> String {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
      count = buffer.withMemoryRebound(to: CChar.self) {
        readlink(link, $0.baseAddress!, $0.count)
      }
      filled = max(0, count)
    }
    guard count > 0, let target = String(validating: bytes, as: UTF8.self) else {
      throw HostError(.notFound, "the symlink \(link) cannot be read; make it again")
    }
    return target
  }
}

/// Where a walk along a path is, without symlinks.
private struct ResolvedPlace {
  private var names: [String] = []

  var path: String { "/" + names.joined(separator: "/") }
  /// What it lies in.
  var folder: String { "/" + names.dropLast().joined(separator: "/") }

  func entry(_ name: String) -> String { names.isEmpty ? "/\(name)" : "\(path)/\(name)" }

  mutating func enter(_ name: String) { names.append(name) }
  mutating func leave() { _ = names.popLast() }
}
