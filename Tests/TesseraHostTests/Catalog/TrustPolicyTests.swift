import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost

@Suite struct TrustPolicyTests {
  private static let digest = SHA256Digest(of: [1])

  private static func list(_ entries: Allowlist.Entry...) -> Allowlist {
    Allowlist(file: "/list", exists: true, lines: entries.map { .entry($0) })
  }

  @Test func allowlistAdmitsOnlyItsLibraries() throws {
    let entry = Allowlist.Entry(digest: Self.digest, path: "/elsewhere.so")
    let policy = TrustPolicy(allowsOnly: Self.list(entry))
    try policy.check(Self.digest, of: "/engine.so")
    let other = SHA256Digest(of: [2])
    #expect(
      try hostError { try policy.check(other, of: "/engine.so") }
        == HostError(
          .notAllowlisted, "it is not on the allowlist",
          .trustLibrary(path: "/engine.so", allowlist: "/list")))
    #expect(
      try hostError { try policy.check(other, of: "/elsewhere.so") }.message
        .contains("which has a different sum for that path"))
    #expect(throws: HostError.self) {
      try TrustPolicy(allowsOnly: Self.list()).check(Self.digest, of: "/engine.so")
    }
  }

  @Test func foldersAreCheckedUnlessDisabled() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("open/engine.so", "x")
    #expect(chmod(folder.path("open"), 0o777) == 0)
    for check in [
      { try $0.check(folder: folder.path("open")) }, { try $0.check(file: file) },
    ] as [(TrustPolicy) throws -> Void] {
      #expect(try hostError { try check(TrustPolicy()) }.kind == .notAllowed)
      try check(TrustPolicy(checksFolders: false))
    }
  }
}

@Suite struct FolderRuleTests {
  private let folder: TemporaryFolder
  private static let otherUser: uid_t = 65534

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("one/two/engine.so", "x")
    for name in ["", "one", "one/two"] { #expect(chmod(folder.path(name), 0o755) == 0) }
    #expect(chmod(folder.path("one/two/engine.so"), 0o644) == 0)
  }

  private func problem(folder name: String) -> HostError? {
    do { try FolderRule().check(folder: folder.path(name)) } catch { return error }
    return nil
  }

  private func problem(file name: String) -> HostError? {
    do { try FolderRule().check(file: folder.path(name)) } catch { return error }
    return nil
  }

  private func setMode(_ name: String, _ mode: mode_t) {
    #expect(chmod(folder.path(name), mode) == 0)
  }

  @Test func ownerWritableFolderIsAccepted() throws {
    #expect(problem(folder: "one/two") == nil)
    #expect(problem(file: "one/two/engine.so") == nil)
    let path = try FolderRule().check(folder: folder.path("one/./two/../two//"))
    #expect(path == folder.path("one/two"))
    #expect(try FolderRule().check(folder: "/") == "/")
  }

  @Test(arguments: ["one/two", "one"])
  func worldWritableFolderIsRefused(name: String) {
    setMode(name, 0o757)
    let path = folder.path(name)
    let expected = HostError(
      .changeableByOthers,
      "the folder \(path) can be changed by everyone; remove the permission with chmod o-w \(path)")
    #expect(problem(folder: "one/two") == expected)
    #expect(problem(file: "one/two/engine.so") == expected)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files to a group that it is not in"))
  func groupWritableFolderIsRefused() throws {
    // An unused group number.
    let group: gid_t = 4_000_123
    #expect(chown(folder.path("one"), 0, group) == 0)
    setMode("one", 0o775)
    let path = folder.path("one")
    #expect(
      problem(folder: "one/two")?.message
        == "the folder \(path) can be changed by the group 4000123; "
        + "remove the permission with chmod g-w \(path)")
    setMode("one", 0o777)
    #expect(
      problem(folder: "one/two")?.message
        == "the folder \(path) can be changed by the group 4000123 and everyone; "
        + "remove the permission with chmod go-w \(path)")
  }

  @Test func filesAreCheckedLikeFolders() {
    setMode("one/two/engine.so", 0o646)
    let path = folder.path("one/two/engine.so")
    #expect(
      problem(file: "one/two/engine.so")?.message
        == "the file \(path) can be changed by everyone; remove the permission with chmod o-w \(path)"
    )
    #expect(problem(folder: "one/two") == nil)
  }

  /// Sticky folders let others add files, but not replace any: fine for parents only.
  @Test func stickyFolderOnThePathIsAllowed() {
    setMode("one", 0o1777)
    #expect(problem(folder: "one/two") == nil)
    #expect(problem(file: "one/two/engine.so") == nil)
    #expect(problem(folder: "one")?.kind == .notAllowed)
    #expect(problem(folder: "one/two/..")?.kind == .notAllowed)
    setMode("one/two", 0o1777)
    #expect(problem(folder: "one/two")?.kind == .notAllowed)
    #expect(problem(file: "one/two/engine.so")?.kind == .notAllowed)
  }

  @Test func symlinksAreFollowedAndTheirTargetsChecked() throws {
    try folder.link("here", to: "one/two")
    try folder.link("absolute", to: folder.path("one/two"))
    try folder.link("one/library.so", to: "two/engine.so")
    #expect(try FolderRule().check(folder: folder.path("here")) == folder.path("one/two"))
    #expect(try FolderRule().check(folder: folder.path("absolute/")) == folder.path("one/two"))
    #expect(
      try FolderRule().check(file: folder.path("one/library.so"))
        == folder.path("one/two/engine.so"))
    setMode("one/two", 0o777)
    #expect(problem(folder: "here")?.message.contains(folder.path("one/two")) == true)
    #expect(problem(folder: "absolute")?.kind == .notAllowed)
    #expect(problem(file: "one/library.so")?.kind == .notAllowed)
  }

  @Test func missingFileIsReported() throws {
    #expect(problem(folder: "none")?.kind == .notFound)
    #expect(problem(file: "one/engine.so/x")?.kind == .notFound)
    try folder.link("loop", to: "loop")
    #expect(problem(folder: "loop")?.kind == .notFound)
    try folder.link("dangling", to: "none")
    #expect(problem(file: "dangling")?.message.contains(folder.path("none")) == true)
  }

  @Test func folderOfAnotherUserIsRefused() throws {
    let other = FolderRule(user: 4_000_124)
    if geteuid() == 0 {
      // Everyone trusts root.
      #expect(try other.check(folder: folder.path("one/two")) == folder.path("one/two"))
    } else {
      let error = try hostError { try other.check(folder: folder.path("one/two")) }
      #expect(error.message.contains("expected 4000124 or root"))
    }
    #expect(try other.check(folder: "/usr/lib").hasPrefix("/usr"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
  func rootIgnoresFilesOfOtherUsers() throws {
    let path = folder.path("one")
    #expect(chown(path, Self.otherUser, gid_t(Self.otherUser)) == 0)
    #expect(
      problem(folder: "one/two")
        == HostError(
          .changeableByOthers,
          "the folder \(path) belongs to nobody, who can change it, and this process runs as root; "
            + "run it as nobody, or give root the folder with chown root \(path)"))
    #expect(
      try FolderRule(user: Self.otherUser).check(folder: folder.path("one/two"))
        == folder.path("one/two"))
    let other = try hostError { try FolderRule(user: 4_000_124).check(folder: path) }
    #expect(other.message.contains("belongs to nobody"))
    #expect(other.message.contains("chown 4000124 \(path)"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
  func symlinkOfAnotherUserIsNotFollowed() throws {
    let link = try folder.link("link", to: "one/two")
    #expect(lchown(link, Self.otherUser, gid_t(Self.otherUser)) == 0)
    #expect(
      problem(folder: "link")?.message.hasPrefix("the symlink \(link) belongs to nobody") == true)
  }

  @Test func privateGroupMayWrite() throws {
    let user = geteuid()
    let account = try #require(getpwuid(user))
    let gid = account.pointee.pw_gid
    let group = try #require(getgrgid(gid))
    let isNamesake = strcmp(account.pointee.pw_name, group.pointee.gr_name) == 0
    let users = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
      .split(separator: "\n").filter {
        $0.split(separator: ":", omittingEmptySubsequences: false)[3] == "\(gid)"
      }
    let isPrivate = isNamesake && group.pointee.gr_mem.pointee == nil && users.count == 1
    #expect(chown(folder.path("one"), user, gid) == 0)
    setMode("one", 0o775)
    #expect((problem(folder: "one/two") == nil) == isPrivate)
    #expect(throws: HostError.self) {
      try FolderRule(user: 4_000_124).check(folder: folder.path("one"))
    }
  }
}

@Suite struct SurroundingsTests {
  @Test func theEnvironmentNamesWorkerAndCache() {
    let configuration = HostConfiguration.standard(
      environment: ["TESSERA_WORKER": "/opt/worker", "XDG_CACHE_HOME": "/fast"], home: "/home/ada")
    #expect(configuration.worker == "/opt/worker")
    #expect(configuration.cacheFolder == "/fast/tessera/8")
    #expect(configuration.isolation == .sandbox)
  }

  private static let refused: [(file: String, error: HostError)] = [
    ("/engines/libTesseraWideFlow.so", HostError.Code.crashedRepeatedly),
    ("/engines/libTesseraFlow.so", .notAllowlisted), ("/engines/notes.so", .notALibrary),
  ].map { ($0.0, HostError($0.1, "it is refused")) }

  /// By file name, shortest first; otherwise any refused library.
  @Test(arguments: [
    ("org.example.flow", "/engines/libTesseraFlow.so"),
    ("wide-flow", "/engines/libTesseraWideFlow.so"), ("notes", "/engines/notes.so"),
    ("mosaic", "/engines/libTesseraFlow.so"),
  ])
  func refusedFileCanShadowAnEngine(name: String, file: String) {
    let listing = Listing(engines: [], refused: Self.refused)
    #expect(listing.refusal(hiding: name)?.file == file)
  }
}
