import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// What a host reports about its machine.
@Suite struct DiagnosisTests {
  private func diagnosis(_ folders: [String], worker: String? = nil) -> Diagnosis {
    var configuration = HostConfiguration()
    configuration.worker =
      worker ?? BuiltProducts.folder.appendingPathComponent("tessera-worker").path
    return TesseraHost.Host(
      searchPath: SearchPath(folders: folders), configuration: configuration
    ).diagnosis()
  }

  @Test func foldersAreReportedWithTheirState() throws {
    let folder = try TemporaryFolder()
    try folder.write("engines/liba.so", "x")
    try folder.write("engines/notes.txt", "x")
    let open = try folder.makeFolder("open")
    #expect(chmod(open, 0o777) == 0)
    let found = diagnosis([
      folder.path("engines"), folder.path("none"), open, folder.path("engines/liba.so"),
    ])
    let states = found.folders.map(\.state)
    #expect(states[0] == .searched(libraries: 1))
    #expect(states[1] == .missing)
    #expect(states.count == 4)
    for (state, kind) in zip(states[2...], [HostError.Kind.notAllowed, .notFound]) {
      guard case .refused(let error) = state else {
        Issue.record("\(state)")
        continue
      }
      #expect(error.kind == kind)
    }
    #expect(found.worker.library == nil)
    #expect(found.cache.folder == nil)
    #expect(found.user == geteuid())
  }

  @Test func workerIsStarted() throws {
    let found = diagnosis([BuiltProducts.folder.path])
    // Where the kernel has all that a worker needs, it starts.
    if found.kernel.dropsPrivileges {
      #expect(found.worker.error == nil)
      #expect((found.worker.seconds ?? 0) > 0)
      #expect((found.worker.librarySeconds ?? 0) > 0)
    }
    let none = diagnosis([BuiltProducts.folder.path], worker: "/none/worker")
    #expect(none.worker.error?.message.contains("/none/worker cannot be started") == true)
    #expect(none.worker.seconds == nil)
    #expect(!none.runsSandboxed)
    let useless = diagnosis([BuiltProducts.folder.path], worker: "/bin/false")
    #expect(useless.worker.error?.message.contains("exit status 1") == true)
  }

  @Test(
    arguments: [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 5)] as [(Int, Int)])
  func protectionsComeWithVersions(version: Int, count: Int) {
    let kernel = KernelOffer(
      release: "6.1", machine: "x86_64", dropsPrivileges: true, filtersCalls: true,
      landlock: version)
    #expect(KernelOffer.Protection.allCases.count { kernel.protects($0) } == count)
  }
}
