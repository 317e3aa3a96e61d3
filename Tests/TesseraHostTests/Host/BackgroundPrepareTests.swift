import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TesseraHost

@Suite struct BackgroundPrepareTests {
  private static let count = 200_000

  private actor View {
    let session: Session
    var shown: Elements?

    init(_ engine: String, isolation: Isolation = .sandbox) throws {
      session = try Session(Soak.host(isolation).engine(engine))
      // Busy test threads may delay the task that unblocks the engine.
      session.timeLimit = 600
      session.bounds = Size(width: 400, height: 300)
      try session.setSections([BackgroundPrepareTests.count])
    }

    func widen(to width: Double) { session.bounds.width = width }

    func prepare() async throws { try await session.prepareInBackground() }

    func prepareAndNameThread() async throws -> UInt {
      let thread = UInt(pthread_self())
      try await session.prepareInBackground()
      return thread
    }

    func show() throws -> [Element] {
      let elements = try session.visibleElements()
      shown = elements
      return Array(elements)
    }

    func set(_ progress: (@Sendable (Double) -> Bool)?) { session.progress = progress }

    func use(_ work: @Sendable (Session) throws -> Void) rethrows { try work(session) }
  }

  private static func expected(_ engine: String, width: Double) throws -> [Element] {
    let session = try Session(Soak.host(.none).engine(engine))
    session.bounds = Size(width: width, height: 300)
    try session.setSections([count])
    return Array(try session.visibleElements())
  }

  @Test(arguments: ["mosaic", "table", "grid"], [Isolation.sandbox, .none])
  func theLayoutIsThatOfAPrepare(_ engine: String, _ isolation: Isolation) async throws {
    let view = try View(engine, isolation: isolation)
    for width in [400.0, 500, 333] {
      await view.widen(to: width)
      try await view.prepare()
      let calls = Mutex(0)
      await view.use { session in
        session.trace = { line in if line.hasPrefix("prepare(") { calls.withLock { $0 += 1 } } }
      }
      #expect(try await view.show() == Self.expected(engine, width: width))
      #expect(calls.withLock { $0 } == 0)
      await view.use { $0.trace = nil }
    }
  }

  @Test func theActorGoesOn() async throws {
    let view = try View("mosaic")
    let before = try await view.show()
    let started = AsyncStream.makeStream(of: Void.self)
    let goesOn = DispatchSemaphore(value: 0)
    let isFirst = Mutex(true)
    await view.set { _ in
      let first = isFirst.withLock { (value: inout Bool) in
        defer { value = false }
        return value
      }
      guard first else { return true }
      started.continuation.finish()
      return goesOn.wait(timeout: .now() + 600) == .success
    }
    await view.widen(to: 500)
    let preparing = Task { try await view.prepare() }
    for await _ in started.stream {}
    #expect(await view.shown.map(Array.init) == before)
    goesOn.signal()
    #expect(try await view.show() == Self.expected("mosaic", width: 500))
    try await preparing.value
    #expect(try await view.show() == Self.expected("mosaic", width: 500))
  }

  @Test func cancellingTheTaskCancelsThePrepare() async throws {
    let view = try View("mosaic")
    let cancel = Mutex<Task<Void, any Error>?>(nil)
    let isSet = DispatchSemaphore(value: 0)
    await view.set { _ in
      _ = isSet.wait(timeout: .now() + 600)
      isSet.signal()
      cancel.withLock { $0?.cancel() }
      return true
    }
    let preparing = Task { try await view.prepare() }
    cancel.withLock { $0 = preparing }
    isSet.signal()
    let error = await #expect(throws: HostError.self) { try await preparing.value }
    #expect(error?.kind == .cancelled && error?.message.contains("prepare") == true)
    await view.set(nil)
    #expect(try await view.show() == Self.expected("mosaic", width: 400))
    await view.widen(to: 500)
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      try await view.prepare()
    }
    late.cancel()
    #expect(await #expect(throws: HostError.self) { try await late.value }?.kind == .cancelled)
    #expect(try await view.show() == Self.expected("mosaic", width: 500))
    try await view.prepare()
  }

  @Test func anEngineThatCrashesIsAnError() async throws {
    let folder = try TemporaryFolder()
    let library = folder.path("libparts.so")
    try CCompiler("gcc").compile(
      FixtureEngine.source("parts"), to: library, flags: ["-std=gnu11", "-shared", "-fPIC"])
    let view = try View(library)
    func layOut(_ count: Int) async throws {
      try await view.use { session in
        try session.setSections([count])
        try session.setItemValues("length", .constant(.number(5)))
      }
      try await view.prepare()
    }
    for _ in 0..<2 {
      let error = await #expect(throws: HostError.self) { try await layOut(13) }
      #expect(error?.kind == .died && error?.message.contains("SIGABRT") == true)
      try await layOut(2)
      #expect(try await view.show().count == 2)
    }
    _ = folder
  }

  @Test func delegatesStayOnTheThread() async throws {
    let view = try View("aspect-flow")
    let threads = Mutex<Set<UInt>>([])
    try await view.use { session in
      try session.setSections([20])
      let function = try DelegateFunction("layoutModeForItem", Signature("u8(u32,u32)")) {
        _ throws(HostError) -> Value in
        threads.withLock { _ = $0.insert(UInt(pthread_self())) }
        return .unsigned(1)
      }
      try session.setDelegate("layoutModeForItem", function)
    }
    let own = try await view.prepareAndNameThread()
    #expect(threads.withLock { $0 } == [own])
  }
}
