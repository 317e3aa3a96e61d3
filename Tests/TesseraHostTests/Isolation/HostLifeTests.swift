import Foundation
import Synchronization
import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Workers live as long as the process that uses them, whatever its threads do, and no longer.
@Suite struct HostLifeTests {
  @Test func aHostThatIsKilledInAHangingCallLeavesNoWorker() throws {
    let folder = try TemporaryFolder()
    let library = folder.path("libhangs.so")
    let source = BuiltProducts.repository
      .appendingPathComponent("Tests/HostileEngines/sleeps-forever.c").path
    try CCompiler("gcc").compile(
      source, to: library, flags: ["-std=gnu11", "-shared", "-fPIC", "-DWHERE=prepare"])
    let process = Process()
    process.executableURL = BuiltProducts.command
    process.arguments = ["layout", library, "--items", "6", "--timeout", "60"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let host = process.processIdentifier
    // The worker that describes ends soon; the one that stays hangs.
    var worker: Int32?
    #expect(
      settles(within: 20) {
        let seen = OwnProcess.children(of: host).first
        usleep(300_000)
        worker = seen == OwnProcess.children(of: host).first ? seen : nil
        return worker != nil
      })
    let hanging = try #require(worker)
    kill(host, SIGKILL)
    process.waitUntilExit()
    #expect(settles(within: 1) { !OwnProcess.isRunning(hanging) })
  }

  @Test func aWorkerOutlivesTheThreadThatStartedIt() async {
    await #expect(processExitsWith: .success) {
      nonisolated(unsafe) var started: Result<Session, any Error>?
      let starting = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        started = Result {
          let session = try Session(Soak.host().engine("org.tessera.mosaic"))
          try session.setSections([50])
          _ = try session.contentSize()
          return session
        }
        starting.signal()
      }
      starting.wait()
      let threads = OwnProcess.threads
      _ = settles(within: 1) { OwnProcess.threads < threads }
      let worker = OwnProcess.children
      #expect(worker.count == 1)
      usleep(100_000)
      let session = try #require(try started?.get())
      #expect(try session.elements().count == 50)
      #expect(OwnProcess.children == worker)
    }
  }

  @Test func aForkedProcessHasSessionsOfItsOwn() async {
    await #expect(processExitsWith: .success) {
      let host = Soak.host()
      let session = try Session(host.engine("org.tessera.mosaic"))
      try session.setSections([50])
      let expected = try session.elements().map(\.frame)
      let fork = unsafeBitCast(
        dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
      let child = fork()
      if child == 0 {
        let other = try? Session(host.engine("org.tessera.mosaic"))
        try? other?.setSections([50])
        let found = try? other?.elements().map(\.frame)
        _exit(found == expected ? 0 : 1)
      }
      var status: Int32 = -1
      #expect(waitpid(child, &status, 0) == child)
      #expect(status == 0)
      session.bounds.width += 1
      #expect(try session.elements().count == 50)
    }
  }
}
