import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// What is remembered of libraries, and what is not.
@Suite struct DescriptionCacheTests {
  private let folder: TemporaryFolder
  private let cache: DescriptionCache

  init() throws {
    folder = try TemporaryFolder()
    cache = DescriptionCache(path: folder.path("cache"))
    try #require(cache.problem == nil)
  }

  private static let full = DescriptionBytesTests.full
  private static let digest = SHA256.digest(of: [1])

  private static func identity(
    device: UInt64 = 1, inode: UInt64 = 2, size: UInt64 = 3, modified: Int64 = 4,
    changed: Int64 = 5
  ) -> FileIdentity {
    FileIdentity(device: device, inode: inode, size: size, modified: modified, changed: changed)
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path("cache"))) ?? []
  }

  @Test func enginesAreRemembered() throws {
    #expect(cache.entry(for: Self.identity()) == nil)
    cache.store(.success([Self.full, Self.full]), digest: Self.digest, for: Self.identity())
    let entry = try #require(cache.entry(for: Self.identity()))
    #expect(entry.digest == Self.digest)
    #expect(try entry.result.get() == [Self.full, Self.full])
    // By another host of the same folder too.
    let other = DescriptionCache(path: folder.path("cache"))
    #expect(try other.entry(for: Self.identity())?.result.get().count == 2)
    cache.forget(Self.identity())
    #expect(other.entry(for: Self.identity()) == nil && names.isEmpty)
  }

  @Test(arguments: HostError.Kind.allCases) func refusalsAreRemembered(kind: HostError.Kind) throws
  {
    let refusal = HostError(kind, "it is of no use: \"é\"")
    cache.store(.failure(refusal), digest: Self.digest, for: Self.identity())
    let entry = try #require(cache.entry(for: Self.identity()))
    #expect(throws: refusal) { try entry.result.get() }
  }

  @Test(
    arguments: [
      identity(device: 9), identity(inode: 9), identity(size: 9), identity(modified: 9),
      identity(changed: 9),
    ])
  func anEntryHoldsForOneStateOfAFile(other: FileIdentity) throws {
    cache.store(.success([Self.full]), digest: Self.digest, for: Self.identity())
    #expect(cache.entry(for: other) == nil)
    // A new state takes the place of the old one, another file does not.
    let isSameFile = other.device == 1 && other.inode == 2
    cache.store(.success([]), digest: Self.digest, for: other)
    #expect(cache.entry(for: other) != nil)
    #expect((cache.entry(for: Self.identity()) == nil) == isSameFile)
    #expect(names.count == (isSameFile ? 1 : 2))
  }

  /// A file that was changed within the tick of a clock may change again unseen.
  @Test func whatChangedAMomentAgoIsNotRememberedYet() throws {
    let path = try folder.write("engine.so", "x")
    let fresh = try LibraryFile(path: path).identity
    cache.store(.success([Self.full]), digest: Self.digest, for: fresh)
    #expect(cache.entry(for: fresh) == nil)
    let future = Self.identity(changed: WallClock.nanoseconds + 10_000_000_000)
    cache.store(.success([Self.full]), digest: Self.digest, for: future)
    #expect(cache.entry(for: future) == nil)
    usleep(150_000)
    cache.store(.success([Self.full]), digest: Self.digest, for: fresh)
    #expect(cache.entry(for: fresh) != nil)
  }

  @Test func whatIsSpoiltIsNotRemembered() throws {
    let entry = CacheEntry(
      identity: Self.identity(), digest: Self.digest, result: .success([Self.full]))
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

  /// Sums that fit do not make up for contents that do not.
  @Test func anotherVersionIsNotRead() throws {
    let entry = CacheEntry(
      identity: Self.identity(), digest: Self.digest, result: .success([Self.full]))
    // The magic, the format, the oldest and the newest version of the contract.
    for index in [0, 8, 12, 16, 20, 24] {
      var body = Array(entry.bytes.dropLast(32))
      body[index] += 1
      let bytes = body + SHA256.digest(of: body).bytes
      let error = try hostError { _ = try CacheEntry(bytes: bytes) }
      #expect(error.message.contains("is of another version"))
    }
    for count in 0..<(entry.bytes.count - 32) {
      let body = Array(entry.bytes.prefix(count))
      let bytes = body + SHA256.digest(of: body).bytes
      #expect(throws: HostError.self) { try CacheEntry(bytes: bytes) }
    }
  }

  @Test func withoutAFolderNothingIsRememberedAndTheReasonIsSaid() throws {
    let none = DescriptionCache(environment: [:], home: nil)
    #expect(none.problem?.contains("neither XDG_CACHE_HOME nor HOME") == true)
    #expect(chmod(folder.path("cache"), 0o777) == 0)
    let open = DescriptionCache(path: folder.path("cache"))
    #expect(open.problem?.contains("may be changed by others") == true)
    for cache in [none, open] {
      cache.store(.success([Self.full]), digest: Self.digest, for: Self.identity())
      #expect(cache.entry(for: Self.identity()) == nil)
      cache.forget(Self.identity())
    }
    #expect(names.isEmpty)
  }

  @Test func thereAreNeverMoreThanAThousandEntries() throws {
    for number in 0..<1000 { try folder.write("cache/library-1-\(String(number, radix: 16))", "") }
    cache.store(.success([]), digest: Self.digest, for: Self.identity(inode: 5000))
    #expect(names.count == 900)
    #expect(cache.entry(for: Self.identity(inode: 5000)) != nil)
  }

  /// Threads that write different entries for the same file, and read: each finds one of them whole.
  @Test func manyHostsShareAnEntry() async throws {
    let path = folder.path("cache")
    let whole = await withTaskGroup(of: Int.self) { group in
      for writer in 0..<4 {
        group.addTask { Self.share(path, startingAt: writer) }
      }
      return await group.reduce(0, +)
    }
    #expect(whole == 160)
    #expect(names.count == 1)
  }

  /// Writes four entries of one file in turn, and says how often a whole one was read.
  private static func share(_ path: String, startingAt writer: Int) -> Int {
    let entries = (0..<4).map { number in
      (SHA256.digest(of: [UInt8(number)]), Array(repeating: full, count: number + 1))
    }
    let host = DescriptionCache(path: path)
    var whole = 0
    for round in 0..<40 {
      let (digest, engines) = entries[(writer + round) % 4]
      host.store(.success(engines), digest: digest, for: identity())
      guard let entry = host.entry(for: identity()), let read = try? entry.result.get() else {
        continue
      }
      if entries.contains(where: { $0.0 == entry.digest && $0.1 == read }) { whole += 1 }
    }
    return whole
  }
}
