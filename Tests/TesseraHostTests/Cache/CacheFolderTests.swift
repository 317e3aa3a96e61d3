import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Which folder is used to remember things, and what goes wrong in it silently.
@Suite struct CacheFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func refusal(_ path: String) -> String? {
    do { _ = try CacheFolder(path: path) } catch { return error.reason }
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

  @Test func isNotUsedWhereOthersMayWrite() throws {
    let path = try folder.makeFolder("open")
    for mode: mode_t in [0o777, 0o720, 0o702, 0o1777] {
      #expect(chmod(path, mode) == 0)
      #expect(refusal(path) == "the cache \(path) may be changed by others; run chmod go-w \(path)")
    }
    #expect(chmod(path, 0o755) == 0)
    #expect(refusal(path) == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
  func isNotUsedWhereItIsAnothers() throws {
    let path = try folder.makeFolder("theirs")
    #expect(chmod(path, 0o700) == 0 && chown(path, 65534, 65534) == 0)
    #expect(refusal(path)?.contains("belongs to user 65534, and this process runs as 0") == true)
  }

  @Test func isNotUsedWhereItIsNoFolder() throws {
    let file = try folder.write("file", "x")
    #expect(refusal(file)?.contains("cannot be opened") == true)
    #expect(refusal("\(file)/below")?.contains("cannot be opened") == true)
    #expect(refusal("/proc/none/such")?.contains("cannot be opened") == true)
  }

  @Test func filesAreReplacedWhole() throws {
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

  @Test func linksPipesAndFoldersAreNoFiles() throws {
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

  @Test func aFolderThatGoesAwayIsNoError() throws {
    let cache = try CacheFolder(path: folder.path("cache"))
    #expect(rmdir(folder.path("cache")) == 0)
    #expect(!cache.replace("x", with: [1]))
    #expect(cache.read("x", limit: 10) == nil)
    cache.prune(".", limit: 1)
    cache.makeFolder("deaths")
  }

  /// A small file system of its own would be a full disk, but takes rights; the limit of a file's size
  /// is one that a process can set, and a write beyond it fails in the same place.
  @Test func whatCannotBeWrittenLeavesNothingBehind() async throws {
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

  @Test func theOldestFilesGoFirst() throws {
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

  @Test(
    arguments: [
      ([:], "/home/ada", "/home/ada/.cache/tessera/2"),
      (["XDG_CACHE_HOME": "/fast"], "/home/ada", "/fast/tessera/2"),
      (["XDG_CACHE_HOME": "relative"], "/home/ada", "/home/ada/.cache/tessera/2"),
      ([:], nil, nil), (nil, "relative", nil),
    ] as [([String: String]?, String?, String?)])
  func theUsersOwnFolder(environment: [String: String]?, home: String?, expected: String?) {
    #expect(CacheFolder.standardPath(environment: environment, home: home) == expected)
  }
}
