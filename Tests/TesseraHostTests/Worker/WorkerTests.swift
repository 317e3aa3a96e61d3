import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TesseraHost
@testable import TesseraWorker

@Suite struct HostLifeTests {
  /// Ends at once, with its workers and its drawing program, here a waiting script.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL], ["layout", "check", "pictures"])
  func hostKilledInAHangingCallLeavesNoWorker(signal: Int32, command: String) throws {
    let folder = try TemporaryFolder()
    let library = folder.path("libhangs.so")
    let source = BuiltProducts.repository
      .appendingPathComponent("Tests/HostileEngines/time.c").path
    try CCompiler("gcc").compile(
      source, to: library,
      flags: ["-std=gnu11", "-shared", "-fPIC", "-DHOSTILE_ATTACK=sleeps_forever"])
    let limit = ["--timeout", "60"]
    let program: String
    let arguments: [String]
    switch command {
    case "pictures":
      try folder.write("bin/tessera-pictures", "#!/bin/sh\nexec sleep 60\n")
      for name in ["tessera", "tessera-worker"] {
        try FileManager.default.copyItem(
          at: BuiltProducts.folder.appendingPathComponent(name),
          to: URL(fileURLWithPath: folder.path("bin/\(name)")))
      }
      chmod(folder.path("bin/tessera-pictures"), 0o755)
      program = folder.path("bin/tessera")
      arguments = [
        "layout", "flow", "--engines", BuiltProducts.folder.path, "-o", folder.path("p.png"),
      ]
    default:
      program = BuiltProducts.command.path
      let items = command == "layout" ? ["--items", "6"] : []
      arguments = [command, library] + items + limit
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Background shells ignore SIGINT, and children inherit that.
    Foundation.signal(SIGINT, SIG_DFL)
    try process.run()
    let host = process.processIdentifier
    // The describing worker exits soon; the other hangs.
    var hanging: [Int32] = []
    #expect(
      settles(within: 20) {
        let seen = OwnProcess.descendants(of: host)
        usleep(300_000)
        hanging = seen == OwnProcess.descendants(of: host) ? seen : []
        return !hanging.isEmpty
      }, "\(command): \(hanging)")
    try #require(!hanging.isEmpty)
    kill(host, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
    #expect(settles(within: 1) { !hanging.contains(where: OwnProcess.isRunning) })
  }

  @Test func workerOutlivesTheThreadThatStartedIt() async {
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

  @Test func forkedProcessHasItsOwnSessions() async {
    await #expect(processExitsWith: .success) {
      let host = Soak.host()
      let session = try Session(host.engine("org.tessera.mosaic"))
      try session.setSections([50])
      let expected = try session.elements().map(\.frame)
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
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

@Suite struct RelayTests {
  private func session(_ isolation: Isolation) throws -> Session {
    let host = Host(
      searchPath: SearchPath(folders: [BuiltProducts.folder.path]),
      configuration: HostConfiguration(isolation: isolation))
    let session = try Session(host.engine("org.tessera.aspect-flow"))
    try session.setSections([150, 0, 150])
    return session
  }

  /// A class, since delegates may run on any of the session's threads.
  private final class Asked {
    var count = 0
  }

  @Test func resultsEqualThoseOfThisProcess() throws {
    var images: [[Element]] = []
    for isolation in Isolation.allCases {
      let session = try session(isolation)
      let asked = Asked()
      try session.setDelegate(
        "layoutModeForItem",
        DelegateFunction("layoutModeForItem") { (section: UInt32, item: UInt32) -> UInt8 in
          asked.count += 1
          return UInt8((section + item / 3) % 2)
        })
      images.append(Array(try session.elements()))
      // Each at least once, prefetched ones not again.
      #expect((300...600).contains(asked.count), "\(asked.count) in \(isolation)")
    }
    #expect(images[0].count == 300)
    #expect(images[0] == images[1] && images[1] == images[2])
  }

  @Test(arguments: Isolation.allCases)
  func errorOfTheFunctionIsReturned(isolation: Isolation) throws {
    let session = try session(isolation)
    try session.setDelegate(
      "layoutModeForItem",
      DelegateFunction("layoutModeForItem", try Signature("u8(u32,u32)")) {
        arguments throws(HostError) in
        guard arguments.integer(at: 1) != 77 else {
          throw HostError(.callbackFailed, "nobody knows item 77")
        }
        return .unsigned(1)
      })
    let error = #expect(throws: HostError.self) { try session.elements() }
    #expect(error == HostError(.callbackFailed, "nobody knows item 77"))
  }
}

@Suite struct FarProgressTests {
  private func session(_ isolation: Isolation, _ name: String, _ folder: TemporaryFolder) throws
    -> Session
  {
    let library = folder.path("libmisbehaving.so")
    try CCompiler("gcc").compile(FixtureEngine.source("misbehaving"), to: library)
    let host = Soak.host(isolation)
    let session = try Session(host.engine("\(library)#org.example.\(name)"))
    try session.setSections([6])
    return session
  }

  @Test(arguments: Isolation.allCases) func fractionsComeAndCallsAreCancelled(
    _ isolation: Isolation
  ) throws {
    let folder = try TemporaryFolder()
    let session = try session(isolation, "asks-progress", folder)
    let fractions = Mutex<[Double]>([])
    session.progress = { fraction in
      fractions.withLock { $0.append(fraction) }
      return true
    }
    #expect(try session.elements().count == 6)
    let hundredths: [Double] = (0...100).map { Double($0) / 100 }
    #expect(fractions.withLock { $0 } == hundredths)
    session.progress = { $0 < 0.3 }
    session.bounds.width += 1
    #expect(try hostError { _ = try session.elements() }.kind == .cancelled)
    session.progress = nil
    #expect(try session.elements().count == 6)
  }
}

@Suite struct SwiftRuntimeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func linked(_ folders: String) throws -> FileHandle {
    let source = try folder.write("engine.c", SampleLibrary.source)
    try CCompiler("gcc").compile(
      source, to: folder.path("libengine.so"),
      flags: ["-std=c11", "-shared", "-fPIC", "-Wl,-rpath,\(folders)"])
    return try #require(FileHandle(forReadingAtPath: folder.path("libengine.so")))
  }

  /// Only protected files of a real runtime: no neighbours, no lookalikes, none writable by others.
  @Test func onlyFilesOfAProtectedRuntimeAreOpened() throws {
    for name in ["runtime", "secrets", "named", "open"] { try folder.makeFolder(name) }
    let core = try folder.write("core.c", "int nothing;")
    for name in ["runtime", "open"] {
      try CCompiler("gcc").compile(
        core, to: folder.path("\(name)/libswiftCore.so"),
        flags: ["-shared", "-fPIC", "-Wl,-soname,libswiftCore.so"])
    }
    try CCompiler("gcc").compile(
      core, to: folder.path("named/libswiftCore.so"), flags: ["-shared", "-fPIC"])
    for name in ["runtime/libswiftGlibc.so", "runtime/key", "runtime/other.so", "secrets/key"] {
      try folder.write(name, "")
    }
    #expect(chmod(folder.path("open"), 0o777) == 0)
    let library = try linked(
      ["runtime", "secrets", "named", "open", "missing"].map(folder.path).joined(separator: ":"))
    #expect(
      WorkerProcess.runtimeFiles(ofLibrary: library.fileDescriptor)
        == ["libswiftCore.so", "libswiftGlibc.so"].map { folder.path("runtime/\($0)") })
  }
}
