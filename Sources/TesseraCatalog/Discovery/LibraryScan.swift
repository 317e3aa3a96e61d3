import Glibc

/// Lists libraries without opening any file, in folders that the trust policy allows.
package struct LibraryScan {
  package struct Candidate: Equatable {
    package let path: String
    /// Without symlinks.
    package let resolvedPath: String
    package let identity: FileIdentity
  }

  /// Files and symlinks named "*.so", each once, in search order, then bytewise by name.
  package private(set) var candidates: [Candidate] = []
  package private(set) var refusals: [(file: String, error: HostError)] = []

  private let trust: TrustPolicy
  /// By device and inode.
  private var searchedFolders: Set<[UInt64]> = []
  private var firstPaths: [[UInt64]: String] = [:]

  package init(of searchPath: SearchPath, trust: TrustPolicy = TrustPolicy(checksFolders: false)) {
    self.trust = trust
    for folder in searchPath.folders { search(folder) }
  }

  private mutating func refuse(_ file: String, _ error: HostError) {
    refusals.append((file, error))
  }

  private mutating func search(_ folder: SearchPath.Folder) {
    var status = stat()
    guard stat(folder.path, &status) == 0 else {
      let number = errno
      let isMissing = number == ENOENT || number == ENOTDIR
      guard folder.isRequired || !isMissing else { return }
      return refuse(
        folder.path,
        isMissing
          ? HostError(.fileNotFound, "there is no such folder; give one that exists")
          : .unsearchable(number))
    }
    guard FileKind(status) == .folder else { return refuse(folder.path, .notAFolder) }
    let identity = FileIdentity(status)
    guard searchedFolders.insert([identity.device, identity.inode]).inserted else { return }
    let names: [[UInt8]]
    do {
      try trust.check(folder: folder.path)
      names = try Self.names(inFolder: folder.path)
    } catch { return refuse(folder.path, error) }
    let resolvedFolder = Self.resolve(folder.path)
    for bytes in names {
      let name = String(decoding: bytes, as: UTF8.self)
      let path = SearchPath.join(folder.path, name)
      guard name.utf8.elementsEqual(bytes) else {
        refuse(path, HostError(.unreadableFile, "its name is not UTF-8; rename it"))
        continue
      }
      examine(path, SearchPath.join(resolvedFolder, name))
    }
  }

  /// - Parameter entry: With the folder's symlinks resolved.
  private mutating func examine(_ path: String, _ entry: String) {
    var status = stat()
    let isSymlink = lstat(entry, &status) != 0 || FileKind(status) == .symlink
    guard !isSymlink || stat(path, &status) == 0 else {
      let number = errno
      return refuse(
        path,
        number == ENOENT
          ? HostError(
            .fileNotFound, "it is a symlink to a file that does not exist; fix or remove it")
          : .unreadable("accessed", number))
    }
    guard FileKind(status) == .regular else { return refuse(path, FileKind(status).refusal) }
    guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else {
      return refuse(path, .unreadable("read", errno, "; allow it with chmod"))
    }
    let identity = FileIdentity(status)
    let key = [identity.device, identity.inode]
    if let first = firstPaths[key] {
      return refuse(
        path,
        HostError(.duplicateFile, "it is the same file as \(first), found before; keep one of them")
      )
    }
    firstPaths[key] = path
    do throws(HostError) {
      if isSymlink { try trust.check(file: path) } else { try trust.check(file: entry, status) }
    } catch { return refuse(path, error) }
    candidates.append(
      Candidate(
        path: path, resolvedPath: isSymlink ? Self.resolve(path) : entry, identity: identity))
  }

  package static func resolve(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Sorted; throws `.notFound`.
  package static func names(
    inFolder path: String,
    where isWanted: (UnsafeRawBufferPointer) -> Bool = { $0.suffix(3).elementsEqual(".so".utf8) }
  ) throws(HostError) -> [[UInt8]] {
    guard let folder = opendir(path) else { throw .unsearchable(errno) }
    return names(in: folder, where: isWanted).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Closes the folder.
  static func names(
    in folder: OpaquePointer, where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) -> [[UInt8]] {
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while let entry = readdir(folder) {
      // The memory of an entry may end with its name.
      guard let field = entry.pointer(to: \.d_name) else { continue }
      let start = UnsafeRawPointer(field)
      let count = strlen(start.assumingMemoryBound(to: CChar.self))
      let name = UnsafeRawBufferPointer(start: start, count: count)
      if isWanted(name) { names.append(Array(name)) }
    }
    return names
  }
}
