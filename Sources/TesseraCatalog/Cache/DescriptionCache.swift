import Glibc

/// Caches descriptions, so a listing doesn't load a library again.
///
/// Hosts may share the folder. An entry that can't be read or written counts as missing.
package struct DescriptionCache: Sendable {
  package let folder: CacheFolder?
  package let problem: String?

  package static let entryLimit = 1000
  /// Bytes.
  package static let sizeLimit = 16 << 20
  /// Nanoseconds; two writes in one tick of the file system's clock look alike.
  package static let settlingTime: Int64 = 100_000_000

  package init(path: String) {
    do throws(HostError) { (folder, problem) = (try CacheFolder(path: path), nil) } catch {
      (folder, problem) = (nil, error.message)
    }
  }

  package func entry(for identity: FileIdentity) -> CacheEntry? {
    guard let bytes = folder?.read(Self.name(of: identity), limit: Self.sizeLimit),
      let entry = try? CacheEntry(bytes: bytes), entry.identity == identity
    else { return nil }
    return entry
  }

  /// Ignores a file that changed within the last `settlingTime`.
  package func store(_ entry: CacheEntry) {
    guard let folder, entry.identity.changed &+ Self.settlingTime <= nanosecondsSince1970 else {
      return
    }
    let bytes = entry.bytes
    guard bytes.count <= Self.sizeLimit else { return }
    folder.replace(Self.name(of: entry.identity), with: bytes)
    folder.prune(".", limit: Self.entryLimit)
  }

  package static func name(of identity: FileIdentity) -> String {
    "library-\(String(identity.device, radix: 16))-\(String(identity.inode, radix: 16))"
  }
}

package struct CacheEntry: Equatable, Sendable {
  /// Raised when the format or the rules for descriptions change.
  package static let formatVersion: UInt32 = 8

  package let identity: FileIdentity
  package let digest: SHA256Digest
  package let abi: ABIVersion
  package let result: Result<[EngineDescription], HostError>

  private static let magic = Array("TsraLibD".utf8)

  /// Followed by their digest.
  package var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 4096)
    writer.put(raw: Self.magic)
    writer.put(Self.formatVersion)
    writer.put(ABIVersion.current)
    writer.put(identity)
    writer.put(digest)
    writer.put(abi)
    writer.put(result)
    writer.put(raw: SHA256Digest(of: writer.bytes).bytes)
    return writer.bytes
  }

  package init(
    identity: FileIdentity, digest: SHA256Digest, abi: ABIVersion,
    result: Result<[EngineDescription], HostError>
  ) { (self.identity, self.digest, self.abi, self.result) = (identity, digest, abi, result) }

  /// Throws for damaged bytes, another format or another ABI.
  package init(bytes: [UInt8]) throws(HostError) {
    let body = Array(bytes.dropLast(32))
    guard SHA256Digest(bytes: bytes.suffix(32)) == SHA256Digest(of: body) else {
      throw ByteReader.broken("does not match its digest")
    }
    var reader = ByteReader(body)
    guard try reader.raw(count: Self.magic.count) == Self.magic,
      try reader.read() == Self.formatVersion,
      try reader.read() == ABIVersion.current
    else { throw ByteReader.broken("has a different version") }
    identity = try reader.read()
    digest = try reader.read()
    abi = try reader.read()
    result = try reader.read()
    try reader.finish()
  }
}

extension ABIVersion: FieldCodable {
  package static let fields = Fields(ABIVersion.init(major:minor:), \.major, \.minor)
}

extension SHA256Digest: ByteCodable {
  package func write(to writer: inout ByteWriter) { writer.put(raw: bytes) }

  package static func read(from reader: inout ByteReader) throws(HostError) -> SHA256Digest {
    guard let digest = SHA256Digest(bytes: try reader.raw(count: 32)) else {
      throw ByteReader.broken("is truncated in a digest")
    }
    return digest
  }
}

/// Only the caller may write to it; failures only mean that something is not cached.
package final class CacheFolder: Sendable {
  package let path: String
  private let descriptor: Int32

  package static func standardPath(environment: [String: String]?, home: String?) -> String? {
    SearchPath.path("XDG_CACHE_HOME", ".cache", environment: environment, home: home)
      .map { "\($0)/tessera/\(CacheEntry.formatVersion)" }
  }

  package init(path: String) throws(HostError) {
    let failure = SearchPath.make(path)
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw HostError(
        .unreadableFile,
        "the cache \(path) cannot be opened: \(systemMessage(failure == 0 ? errno : failure))")
    }
    var status = stat()
    let problem: String? =
      if fstat(descriptor, &status) != 0 {
        "cannot be accessed: \(systemMessage(errno))"
      } else if status.st_uid != geteuid() {
        "belongs to user \(status.st_uid), and this process runs as \(geteuid()); remove it"
      } else if status.st_mode & 0o022 != 0 {
        "can be changed by others; run chmod go-w \(path)"
      } else {
        nil
      }
    if let problem {
      close(descriptor)
      throw HostError(.unreadableFile, "the cache \(path) \(problem)")
    }
    (self.path, self.descriptor) = (path, descriptor)
  }

  deinit { close(descriptor) }

  /// Returns -1 on failure, or if another user owns the file.
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

  package func read(_ name: String, limit: Int) -> [UInt8]? {
    let file = open(name, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return readWholeFile(file, limit: limit)
  }

  /// Atomic; false if the file is unchanged.
  @discardableResult
  package func replace(_ name: String, with bytes: [UInt8]) -> Bool {
    let temporary = "\(name).\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL)
    guard file >= 0 else { return false }
    let isWritten = writeWholeFile(bytes, to: file) == 0
    close(file)
    guard isWritten, renameat(descriptor, temporary, descriptor, name) == 0 else {
      remove(temporary)
      return false
    }
    return true
  }

  package func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  package func makeFolder(_ name: String) { mkdirat(descriptor, name, 0o700) }

  /// Removes the oldest files down to 90% of `limit`; "." is the folder itself.
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

  package func files(in folder: String) -> [String] {
    // Opened again, because a descriptor has one read position.
    let own = openat(descriptor, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard own >= 0 else { return [] }
    guard let stream = fdopendir(own) else {
      close(own)
      return []
    }
    return LibraryScan.names(in: stream) { _ in true }.map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "." && $0 != ".." }
  }
}
