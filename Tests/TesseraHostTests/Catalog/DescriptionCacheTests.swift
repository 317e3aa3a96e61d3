import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost

@Suite struct DescriptionCacheTests {
  private let folder: TemporaryFolder
  private let cache: DescriptionCache

  init() throws {
    folder = try TemporaryFolder()
    cache = DescriptionCache(path: folder.path("cache"))
    try #require(cache.problem == nil)
  }

  private static let full = DescriptionBytesTests.full
  private static let digest = SHA256Digest(of: [1])

  private static func identity(
    device: UInt64 = 1, inode: UInt64 = 2, size: UInt64 = 3, modified: Int64 = 4,
    changed: Int64 = 5
  ) -> FileIdentity {
    FileIdentity(device: device, inode: inode, size: size, modified: modified, changed: changed)
  }

  private static func entry(
    _ result: Result<[EngineDescription], HostError>, digest: SHA256Digest = digest,
    for identity: FileIdentity = identity()
  ) -> CacheEntry {
    CacheEntry(
      identity: identity, digest: digest, abi: ABIVersion(major: 0, minor: 4), result: result)
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path("cache"))) ?? []
  }

  @Test func enginesAreRemembered() throws {
    #expect(cache.entry(for: Self.identity()) == nil)
    cache.store(Self.entry(.success([Self.full, Self.full])))
    let entry = try #require(cache.entry(for: Self.identity()))
    #expect(entry.digest == Self.digest && entry.abi == ABIVersion(major: 0, minor: 4))
    #expect(try entry.result.get() == [Self.full, Self.full])
    // Another host sharing the folder.
    let other = DescriptionCache(path: folder.path("cache"))
    #expect(try other.entry(for: Self.identity())?.result.get().count == 2)
  }

  @Test(
    arguments: [
      identity(device: 9), identity(inode: 9), identity(size: 9), identity(modified: 9),
      identity(changed: 9),
    ])
  func entryIsValidForOneStateOfAFile(other: FileIdentity) throws {
    cache.store(Self.entry(.success([Self.full])))
    #expect(cache.entry(for: other) == nil)
    // A new state replaces the old one of the same file only.
    let isSameFile = other.device == 1 && other.inode == 2
    cache.store(Self.entry(.success([]), for: other))
    #expect(cache.entry(for: other) != nil)
    #expect((cache.entry(for: Self.identity()) == nil) == isSameFile)
    #expect(names.count == (isSameFile ? 1 : 2))
  }

  /// A file changed within the last clock tick may change again unnoticed.
  @Test func recentlyChangedFileIsNotRemembered() throws {
    var fresh: FileIdentity
    // Retry: a busy machine may store it late enough.
    repeat {
      fresh = try LibraryFile(path: folder.write("engine.so", "x")).identity
      cache.store(Self.entry(.success([Self.full]), for: fresh))
    } while nanosecondsSince1970 - fresh.changed >= DescriptionCache.settlingTime
    #expect(cache.entry(for: fresh) == nil)
    let future = Self.identity(changed: nanosecondsSince1970 + 10_000_000_000)
    cache.store(Self.entry(.success([Self.full]), for: future))
    #expect(cache.entry(for: future) == nil)
    usleep(150_000)
    cache.store(Self.entry(.success([Self.full]), for: fresh))
    #expect(cache.entry(for: fresh) != nil)
  }

  @Test func damagedFilesAreIgnored() throws {
    let entry = Self.entry(.success([Self.full]))
    let name = "cache/" + DescriptionCache.name(of: Self.identity())
    try folder.write(name, entry.bytes)
    #expect(cache.entry(for: Self.identity()) != nil)
    for count in stride(from: 0, to: entry.bytes.count, by: 13) {
      try folder.write(name, Array(entry.bytes.prefix(count)))
      #expect(cache.entry(for: Self.identity()) == nil)
    }
    try folder.write(name, entry.bytes + [0])
    #expect(cache.entry(for: Self.identity()) == nil)
    for index in entry.bytes.indices {
      var bytes = entry.bytes
      bytes[index] ^= 1 << (index % 8)
      #expect(throws: HostError.self) { try CacheEntry(bytes: bytes) }
    }
    try folder.write(name, Array(repeating: 0, count: DescriptionCache.sizeLimit + 1))
    #expect(cache.entry(for: Self.identity()) == nil)
  }

  /// A valid checksum doesn't excuse invalid contents.
  @Test func otherVersionIsNotRead() throws {
    let entry = Self.entry(.success([Self.full]))
    for index in [0, 8, 12, 16] {
      var body = Array(entry.bytes.dropLast(32))
      body[index] += 1
      let bytes = body + SHA256Digest(of: body).bytes
      let error = try hostError { _ = try CacheEntry(bytes: bytes) }
      #expect(error.message.contains("has a different version"))
    }
    for count in 0..<(entry.bytes.count - 32) {
      let body = Array(entry.bytes.prefix(count))
      let bytes = body + SHA256Digest(of: body).bytes
      #expect(throws: HostError.self) { try CacheEntry(bytes: bytes) }
    }
  }

  @Test func withoutAFolderNothingIsRememberedAndTheReasonIsReported() throws {
    #expect(chmod(folder.path("cache"), 0o777) == 0)
    let cache = DescriptionCache(path: folder.path("cache"))
    #expect(cache.problem?.contains("can be changed by others") == true)
    cache.store(Self.entry(.success([Self.full])))
    #expect(cache.entry(for: Self.identity()) == nil && names.isEmpty)
  }
}

@Suite struct CacheFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func refusal(_ path: String) -> String? {
    do { _ = try CacheFolder(path: path) } catch { return error.message }
    return nil
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test func isMadeForTheUserAlone() throws {
    let path = folder.path("a/b/c")
    _ = try CacheFolder(path: path)
    for made in ["a", "a/b", "a/b/c"] {
      var status = stat()
      #expect(stat(folder.path(made), &status) == 0 && status.st_mode & 0o777 == 0o700)
    }
    _ = try CacheFolder(path: path)
  }

  @Test func isNotUsedIfOthersMayWrite() throws {
    let path = try folder.makeFolder("open")
    for mode: mode_t in [0o777, 0o720, 0o702, 0o1777] {
      #expect(chmod(path, mode) == 0)
      #expect(refusal(path) == "the cache \(path) can be changed by others; run chmod go-w \(path)")
    }
    #expect(chmod(path, 0o755) == 0)
    #expect(refusal(path) == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
  func isNotUsedIfAnotherUserOwnsIt() throws {
    let path = try folder.makeFolder("theirs")
    #expect(chmod(path, 0o700) == 0 && chown(path, 65534, 65534) == 0)
    #expect(refusal(path)?.contains("belongs to user 65534, and this process runs as 0") == true)
  }

  @Test func isNotUsedIfItIsNotAFolder() throws {
    let file = try folder.write("file", "x")
    #expect(refusal(file)?.contains("cannot be opened") == true)
    #expect(refusal("\(file)/below")?.contains("cannot be opened") == true)
    #expect(refusal("/proc/none/such")?.contains("cannot be opened") == true)
  }

  @Test func filesAreReplacedAtomically() throws {
    let cache = try CacheFolder(path: folder.path("cache"))
    #expect(cache.read("x", limit: 10) == nil)
    #expect(cache.replace("x", with: [1, 2, 3]))
    #expect(cache.replace("x", with: [4]))
    #expect(cache.read("x", limit: 1) == [4])
    #expect(cache.read("x", limit: 0) == nil)
    #expect(try names(cache.path) == ["x"])
    cache.remove("x")
    cache.remove("x")
    #expect(try names(cache.path).isEmpty)
  }

  @Test func linksPipesAndFoldersAreRejected() throws {
    let cache = try CacheFolder(path: folder.path("cache"))
    try folder.write("elsewhere", "secret")
    try folder.link("cache/link", to: "../elsewhere")
    try folder.makeFolder("cache/folder")
    #expect(mkfifo(folder.path("cache/pipe"), 0o600) == 0)
    for name in ["link", "folder", "pipe"] { #expect(cache.read(name, limit: 100) == nil) }
    #expect(!cache.replace("folder", with: [1]))
    #expect(cache.replace("link", with: [1]))
    #expect(try folder.bytes("elsewhere") == Array("secret".utf8))
    #expect(try names(cache.path) == ["folder", "link", "pipe"])
  }

  @Test func deletedFolderIsNoError() throws {
    let cache = try CacheFolder(path: folder.path("cache"))
    #expect(rmdir(folder.path("cache")) == 0)
    #expect(!cache.replace("x", with: [1]))
    #expect(cache.read("x", limit: 10) == nil)
    cache.prune(".", limit: 1)
    cache.makeFolder("deaths")
  }

  /// Out of space, simulated by a file size limit.
  @Test func failedWriteLeavesNothingBehind() async throws {
    let path = folder.path("cache")
    let cache = try CacheFolder(path: path)
    #expect(cache.replace("x", with: [1]))
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
        let cache = try? CacheFolder(path: path)
      else { exit(2) }
      exit(cache.replace("x", with: Array(repeating: 7, count: 5000)) ? 3 : 0)
    }
    #expect(cache.read("x", limit: 10) == [1])
    #expect(try names(path) == ["x"])
  }

  @Test func oldestFilesAreRemovedFirst() throws {
    let cache = try CacheFolder(path: folder.path("cache"))
    for number in 0..<20 {
      cache.replace("f\(number)", with: [1])
      var times = Array(
        repeating: timespec(tv_sec: 1_000_000 + (number * 7) % 20, tv_nsec: 0), count: 2)
      #expect(utimensat(AT_FDCWD, folder.path("cache/f\(number)"), &times, 0) == 0)
    }
    cache.prune(".", limit: 20)
    #expect(try names(cache.path).count == 20)
    cache.prune(".", limit: 10)
    let kept = (0..<20).filter { ($0 * 7) % 20 >= 11 }.map { "f\($0)" }
    #expect(try names(cache.path) == kept.sorted())
  }
}
