import Foundation
import TesseraHost
import TestSupport
import Testing

@Suite struct ResourceLimitTests {
  @Test func everyLimitOfTheKernelIsSetOrHasAReason() async {
    await #expect(processExitsWith: .success) {
      let session = try Session(Soak.host().engine("org.tessera.mosaic"))
      try session.setSections([50])
      _ = try session.contentSize()
      let worker = try #require(OwnProcess.children.first)
      let text = try Program.run("cat", ["/proc/\(worker)/limits"]).output
      let problems = ResourceLimits.problems(
        in: text,
        most: [
          "Max cpu time": 601,
          "Max file size": 0,
          "Max data size": 4 << 30,
          "Max stack size": 8 << 20,
          "Max core file size": 1,
          // Without a user namespace, all of the user's processes count.
          "Max processes": Self.hasNamespaces ? 256 : .max,
          "Max open files": 64,
          "Max locked memory": 0,
          "Max address space": 1 << 40,
          "Max pending signals": 256,
          "Max msgqueue size": 0,
          "Max nice priority": 0,
          "Max realtime priority": 0,
        ])
      #expect(problems == [])
    }
  }

  /// All calls within the stack size of SECURITY.md.
  @Test func callsFitIntoTheStackOfSecurity() async {
    await #expect(processExitsWith: .success) {
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        do {
          let session = try Session(Soak.host().engine("org.tessera.mosaic"))
          try session.setSections([50])
          #expect(try session.elements().count == 50)
          _ = try session.contentSize()
          #expect(throws: HostError.self) { try Soak.host().engine("org.tessera.unknown") }
        } catch { Issue.record(error) }
        done.signal()
      }
      thread.stackSize = 512 << 10
      thread.start()
      done.wait()
    }
  }

  private static let hasNamespaces =
    (try? Program.run(
      "bash",
      ["-c", "[ $EUID = 0 ] && set -- setpriv --reuid 65534; \"$@\" unshare --user true"]
    ).status) == 0
}
