import Glibc

/// Remembers what libraries declare, so that a listing runs nothing of a library that it knows.
///
/// An entry holds for one state of one file and goes by nothing else. Hosts may share the folder:
/// entries are written whole. Nothing here fails: what cannot be read or written is not remembered.
package struct DescriptionCache: Sendable {
  /// Where entries lie; nil where there is no folder.
  package let folder: CacheFolder?
  /// Why there is no folder: one sentence.
  package let problem: String?

  /// The most entries that stay.
  package static let entryLimit = 1000
  /// The most bytes of an entry.
  package static let sizeLimit = 16 << 20
  /// How long a file must have rested before it is remembered, in nanoseconds.
  ///
  /// Clocks of file systems tick every few milliseconds: a file that is written twice within one
  /// tick has the same identity both times.
  package static let restingTime: Int64 = 100_000_000

  /// The cache of the user whose surroundings these are.
  package init(environment: [String: String]?, home: String?) {
    guard let path = CacheFolder.standardPath(environment: environment, home: home) else {
      self.init(
        folder: nil,
        problem: "there is no cache, because neither XDG_CACHE_HOME nor HOME names a folder")
      return
    }
    self.init(path: path)
  }

  /// A cache in a folder, which is made where it is missing.
  package init(path: String) {
    do throws(CacheFolder.Refusal) {
      self.init(folder: try CacheFolder(path: path), problem: nil)
    } catch { self.init(folder: nil, problem: error.reason) }
  }

  private init(folder: CacheFolder?, problem: String?) {
    self.folder = folder
    self.problem = problem
  }

  /// What is remembered of a file in exactly this state, or nil.
  ///
  /// Complexity: one small file is read.
  package func entry(
    for identity: FileIdentity
  ) -> (digest: SHA256Digest, result: Result<[EngineDescription], HostError>)? {
    guard let bytes = folder?.read(Self.name(of: identity), limit: Self.sizeLimit),
      let entry = try? CacheEntry(bytes: bytes), entry.identity == identity
    else { return nil }
    return (entry.digest, entry.result)
  }

  /// Remembers the engines of a library, or why it was refused, until its file changes.
  ///
  /// A file that has changed a moment ago is not remembered yet.
  package func store(
    _ result: Result<[EngineDescription], HostError>, digest: SHA256Digest,
    for identity: FileIdentity
  ) {
    guard let folder, identity.changed &+ Self.restingTime <= WallClock.nanoseconds else { return }
    let bytes = CacheEntry(identity: identity, digest: digest, result: result).bytes
    guard bytes.count <= Self.sizeLimit else { return }
    folder.replace(Self.name(of: identity), with: bytes)
    folder.prune(".", limit: Self.entryLimit)
  }

  /// Forgets what is remembered of a file.
  package func forget(_ identity: FileIdentity) { folder?.remove(Self.name(of: identity)) }

  /// One name a file, whatever its state, so that a new state takes the place of the old one.
  package static func name(of identity: FileIdentity) -> String {
    "library-\(String(identity.device, radix: 16))-\(String(identity.inode, radix: 16))"
  }
}

/// What the cache remembers of one library.
package struct CacheEntry: Equatable, Sendable {
  /// Raised when an entry is written otherwise, or when another rule decides what is sound.
  package static let formatVersion: UInt32 = 2

  /// The library's file in the state that it had.
  package let identity: FileIdentity
  /// The sum of its bytes.
  package let digest: SHA256Digest
  /// Its engines, or why it was refused.
  package let result: Result<[EngineDescription], HostError>

  private static let magic = Array("TsraLibD".utf8)

  /// The bytes of a file, a sum of all of them last.
  package var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 4096)
    writer.put(raw: Self.magic)
    writer.put(Self.formatVersion)
    for version in [ABIVersion.supported.lowerBound, ABIVersion.supported.upperBound] {
      writer.put(version.major)
      writer.put(version.minor)
    }
    writer.put(identity)
    writer.put(raw: digest.bytes)
    switch result {
    case .success(let descriptions):
      writer.put(true)
      writer.put(descriptions)
    case .failure(let refusal):
      writer.put(false)
      writer.put(refusal)
    }
    writer.put(raw: SHA256.digest(of: writer.bytes).bytes)
    return writer.bytes
  }

  package init(
    identity: FileIdentity, digest: SHA256Digest, result: Result<[EngineDescription], HostError>
  ) {
    self.identity = identity
    self.digest = digest
    self.result = result
  }

  /// Reads what a host of the same format and range of versions wrote, whole.
  ///
  /// - Throws: `.brokenContract` or `.cannotLoad` for anything else.
  package init(bytes: [UInt8]) throws(HostError) {
    let body = Array(bytes.dropLast(32))
    guard SHA256Digest(bytes: bytes.suffix(32)) == SHA256.digest(of: body) else {
      throw ByteReader.broken("has another sum than it says")
    }
    var reader = ByteReader(body)
    guard try reader.raw(count: Self.magic.count) == Self.magic,
      try reader.uint32() == Self.formatVersion,
      try reader.version() == ABIVersion.supported.lowerBound,
      try reader.version() == ABIVersion.supported.upperBound
    else { throw ByteReader.broken("is of another version") }
    identity = try reader.fileIdentity()
    digest = try reader.digest()
    result =
      try reader.bool()
      ? .success(try reader.engineDescriptions()) : .failure(try reader.hostError())
    try reader.finish()
  }

  package static func == (left: CacheEntry, right: CacheEntry) -> Bool {
    guard left.identity == right.identity, left.digest == right.digest else { return false }
    return switch (left.result, right.result) {
    case (.success(let left), .success(let right)): left == right
    case (.failure(let left), .failure(let right)): left == right
    default: false
    }
  }
}

extension ByteReader {
  fileprivate mutating func version() throws(HostError) -> ABIVersion {
    ABIVersion(major: try uint32(), minor: try uint32())
  }

  /// 32 bytes as a sum.
  package mutating func digest() throws(HostError) -> SHA256Digest {
    guard let digest = SHA256Digest(bytes: try raw(count: 32)) else {
      throw Self.broken("is cut short in a sum")
    }
    return digest
  }
}

/// The folder in which the host remembers libraries between runs: the caller's, and nobody else's.
///
/// It is opened once and then goes by its descriptor, so nobody can slip in another. Whatever goes
/// wrong in it only means that something is not remembered.
package final class CacheFolder: Sendable {
  /// The absolute path.
  package let path: String
  private let descriptor: Int32

  /// Why there is none: one sentence.
  package struct Refusal: Error, Equatable {
    package let reason: String


    package init(reason: String) {
      self.reason = reason
    }  }

  /// The folder of this version of the cache.
  ///
  /// It is `tessera/VERSION` in `XDG_CACHE_HOME`, or in `.cache` of the home folder.
  package static func standardPath(environment: [String: String]?, home: String?) -> String? {
    StandardFolder.path("XDG_CACHE_HOME", ".cache", environment: environment, home: home)
      .map { "\($0)/tessera/\(CacheEntry.formatVersion)" }
  }

  /// Opens a folder, and makes it where it is missing.
  package init(path: String) throws(Refusal) {
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
  package func open(_ name: String, _ flags: Int32) -> Int32 {
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
  package func read(_ name: String, limit: Int) -> [UInt8]? {
    let file = open(name, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return WholeFile.read(file, limit: limit)
  }

  /// Puts bytes in the place of a file, all at once: who reads finds the old ones or the new ones.
  ///
  /// - Returns: Whether that worked; where not, the file is as it was.
  @discardableResult
  package func replace(_ name: String, with bytes: [UInt8]) -> Bool {
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
  package func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// Makes a folder in it, if it is not there.
  package func makeFolder(_ name: String) { mkdirat(descriptor, name, 0o700) }

  /// Removes the oldest files of a folder in it, "." for itself, where there are more than `limit`, so
  /// that nine tenths of as many stay.
  package func prune(_ folder: String, limit: Int) {
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
  package func files(in folder: String) -> [String] {
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
