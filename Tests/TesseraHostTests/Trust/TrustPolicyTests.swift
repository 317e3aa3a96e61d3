import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// What a policy lets through.
@Suite struct TrustPolicyTests {
  private static let digest = SHA256.digest(of: [1])

  private static func list(_ entries: Allowlist.Entry...) -> Allowlist {
    Allowlist(file: "/list", exists: true, lines: entries.map { .entry($0) })
  }

  @Test func withoutAListAnyLibraryMayBeLoaded() throws {
    try TrustPolicy().check(Self.digest, of: "/engine.so")
  }

  @Test func withAListOnlyWhatItHolds() throws {
    let entry = Allowlist.Entry(digest: Self.digest, path: "/elsewhere.so")
    let policy = TrustPolicy(allowsOnly: Self.list(entry))
    try policy.check(Self.digest, of: "/engine.so")
    let other = SHA256.digest(of: [2])
    #expect(
      try hostError { try policy.check(other, of: "/engine.so") }
        == HostError(
          .notAllowed, "it is not on the allowlist",
          .trustLibrary(path: "/engine.so", allowlist: "/list")))
    #expect(
      try hostError { try policy.check(other, of: "/elsewhere.so") }.message
        .contains("which has another sum for that path"))
    #expect(throws: HostError.self) {
      try TrustPolicy(allowsOnly: Self.list()).check(Self.digest, of: "/engine.so")
    }
  }

  @Test func foldersAreCheckedUnlessThatIsTurnedOff() throws {
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
