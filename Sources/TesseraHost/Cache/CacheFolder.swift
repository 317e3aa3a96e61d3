import Glibc

/// The folder in which the host remembers libraries between runs: the caller's, and nobody else's.
///
/// It is opened once and then goes by its descriptor, so nobody can slip in another. Whatever goes
/// wrong in it only means that something is not remembered.
final class CacheFolder: Sendable {
  /// The absolute path.
  let path: String
  private let descriptor: Int32

  /// Why there is none: one sentence.
  struct Refusal: Error, Equatable {
    let reason: String
  }

  /// The folder of this version of the cache.
  ///
  /// It is `tessera/VERSION` in `XDG_CACHE_HOME`, or in `.cache` of the home folder.
  static func standardPath(environment: [String: String]?, home: String?) -> String? {
    StandardFolder.path("XDG_CACHE_HOME", ".cache", environment: environment, home: home)
      .map { "\($0)/tessera/\(CacheEntry.formatVersion)" }
  }

  /// Opens a folder, and makes it where it is missing.
  init(path: String) throws(Refusal) {
    let failure = StandardFolder.make(path)
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Refusal(
        reason:
          "the cache \(path) cannot be opened: \(systemMessage(failure == 0 ? errno : failure))")
    }
    var status = stat()
    let problem: String? =
      if fstat(descriptor, &status) != 0 {
        "cannot be looked at: \(systemMessage(errno))"
      } else if status.st_uid != geteuid() {
        "belongs to user \(status.st_uid), and this process runs as \(geteuid()); remove it"
      } else if status.st_mode & 0o022 != 0 {
        "may be changed by others; run chmod go-w \(path)"
      } else {
        nil
      }
    if let problem {
      close(descriptor)
      throw Refusal(reason: "the cache \(path) \(problem)")
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Opens a file of the caller's, or one that is new; its descriptor or -1.
  func open(_ name: String, _ flags: Int32) -> Int32 {
    let file = openat(descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else { return -1 }
    var status = stat()
    guard fstat(file, &status) == 0, FileKind(status) == .regular, status.st_uid == geteuid()
    else {
      close(file)
      return -1
    }
    return file
  }

  /// The bytes of a file of at most `limit` bytes, or nil.
  func read(_ name: String, limit: Int) -> [UInt8]? {
    let file = open(name, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return WholeFile.read(file, limit: limit)
  }

  /// Puts bytes in the place of a file, all at once: who reads finds the old ones or the new ones.
  ///
  /// - Returns: Whether that worked; where not, the file is as it was.
  @discardableResult
  func replace(_ name: String, with bytes: [UInt8]) -> Bool {
    let beside = "\(name).\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    let file = open(beside, O_WRONLY | O_CREAT | O_EXCL)
    guard file >= 0 else { return false }
    let isWritten = WholeFile.write(bytes, to: file) == 0
    close(file)
    guard isWritten, renameat(descriptor, beside, descriptor, name) == 0 else {
      remove(beside)
      return false
    }
    return true
  }

  /// Removes a file, if it is there.
  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// Makes a folder in it, if it is not there.
  func makeFolder(_ name: String) { mkdirat(descriptor, name, 0o700) }

  /// Removes the oldest files of a folder in it, "." for itself, where there are more than `limit`, so
  /// that nine tenths of as many stay.
  func prune(_ folder: String, limit: Int) {
    let names = files(in: folder)
    guard names.count > limit else { return }
    let prefix = folder == "." ? "" : "\(folder)/"
    var dated: [(changed: Int64, name: String)] = []
    for name in names {
      var status = stat()
      guard fstatat(descriptor, prefix + name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        FileKind(status) != .folder
      else { continue }
      dated.append((FileIdentity(status).modified, prefix + name))
    }
    dated.sort { ($0.changed, $0.name) < ($1.changed, $1.name) }
    for old in dated.prefix(max(0, dated.count - limit * 9 / 10)) { remove(old.name) }
  }

  /// The names in a folder, of files as a rule.
  func files(in folder: String) -> [String] {
    // A descriptor of its own, for each has one place in the folder, and closing the stream closes it.
    let own = openat(descriptor, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard own >= 0 else { return [] }
    guard let stream = fdopendir(own) else {
      close(own)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // An entry's memory may end with its name, so the field is never read as a whole.
      guard let field = entry.pointer(to: \.d_name) else { continue }
      let name = String(cString: UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
