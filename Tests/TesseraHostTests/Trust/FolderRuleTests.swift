import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Which folders and files others can change; the modes are set here, as chmod would.
@Suite struct FolderRuleTests {
  private let folder: TemporaryFolder
  /// Of nobody, who exists everywhere.
  private static let stranger: uid_t = 65534

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

  @Test func whatOnlyItsOwnerMayWriteIsTaken() throws {
    #expect(problem(folder: "one/two") == nil)
    #expect(problem(file: "one/two/engine.so") == nil)
    let path = try FolderRule().check(folder: folder.path("one/./two/../two//"))
    #expect(path == folder.path("one/two"))
    #expect(try FolderRule().check(folder: "/") == "/")
  }

  @Test(arguments: ["one/two", "one"])
  func whatEverybodyMayWriteIsNot(name: String) {
    setMode(name, 0o757)
    let path = folder.path(name)
    let expected = HostError(
      .notAllowed,
      "the folder \(path) may be changed by everybody; take that right away with chmod o-w \(path)")
    #expect(problem(folder: "one/two") == expected)
    #expect(problem(file: "one/two/engine.so") == expected)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files to a group that it is not in"))
  func whatAGroupMayWriteIsNot() throws {
    // No user's own, as no user has this number.
    let group: gid_t = 4_000_123
    #expect(chown(folder.path("one"), 0, group) == 0)
    setMode("one", 0o775)
    let path = folder.path("one")
    #expect(
      problem(folder: "one/two")?.message
        == "the folder \(path) may be changed by the group 4000123; "
        + "take that right away with chmod g-w \(path)")
    setMode("one", 0o777)
    #expect(
      problem(folder: "one/two")?.message
        == "the folder \(path) may be changed by the group 4000123 and everybody; "
        + "take that right away with chmod go-w \(path)")
  }

  @Test func aFileIsHeldToTheSame() {
    setMode("one/two/engine.so", 0o646)
    let path = folder.path("one/two/engine.so")
    #expect(
      problem(file: "one/two/engine.so")?.message
        == "the file \(path) may be changed by everybody; take that right away with chmod o-w \(path)"
    )
    #expect(problem(folder: "one/two") == nil)
  }

  /// In a sticky folder others may add, but not replace: good enough on the way, not for libraries.
  @Test func aStickyFolderMayLieOnTheWay() {
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

  @Test func whatIsNotThereIsSaidToBeMissing() throws {
    #expect(problem(folder: "none")?.kind == .notFound)
    #expect(problem(file: "one/engine.so/x")?.kind == .notFound)
    try folder.link("loop", to: "loop")
    #expect(problem(folder: "loop")?.kind == .notFound)
    try folder.link("dangling", to: "none")
    #expect(problem(file: "dangling")?.message.contains(folder.path("none")) == true)
  }

  /// Seen by a user whose number is not the owner's, the folder belongs to another.
  @Test func whatBelongsToAnotherIsNotTaken() throws {
    let other = FolderRule(user: 4_000_124)
    if geteuid() == 0 {
      // Root's own are taken by everybody.
      #expect(try other.check(folder: folder.path("one/two")) == folder.path("one/two"))
    } else {
      let error = try hostError { try other.check(folder: folder.path("one/two")) }
      #expect(error.message.contains("expected 4000124 or root"))
    }
    #expect(try other.check(folder: "/usr/lib").hasPrefix("/usr"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
  func rootTakesNothingOfAnotherUser() throws {
    let path = folder.path("one")
    #expect(chown(path, Self.stranger, gid_t(Self.stranger)) == 0)
    #expect(
      problem(folder: "one/two")
        == HostError(
          .notAllowed,
          "the folder \(path) belongs to nobody, who may change it, and this process runs as root; "
            + "run it as nobody, or give root the folder with chown root \(path)"))
    // That user takes it, as what lies in it is root's.
    #expect(
      try FolderRule(user: Self.stranger).check(folder: folder.path("one/two"))
        == folder.path("one/two"))
    let other = try hostError { try FolderRule(user: 4_000_124).check(folder: path) }
    #expect(other.message.contains("belongs to nobody"))
    #expect(other.message.contains("chown 4000124 \(path)"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
  func aSymlinkOfAnotherUserIsNotFollowed() throws {
    let link = try folder.link("link", to: "one/two")
    #expect(lchown(link, Self.stranger, gid_t(Self.stranger)) == 0)
    #expect(
      problem(folder: "link")?.message.hasPrefix("the symlink \(link) belongs to nobody") == true)
  }

  /// A group of the user's own name that has nobody else in it is the user.
  @Test func aPrivateGroupMayWrite() throws {
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
    // But it is not another user's.
    #expect(throws: HostError.self) {
      try FolderRule(user: 4_000_124).check(folder: folder.path("one"))
    }
  }
}
