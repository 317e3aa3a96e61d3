import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TesseraHost

/// A killed worker costs at most one result.
///
/// In a separate process, so that all children are this test's workers.
@Suite struct KillingTests {
  @Test func everyPrepareIsCorrectOrReported() async {
    await #expect(processExitsWith: .success) { try Killing.run() }
  }
}

private final class Killer: @unchecked Sendable {
  private let isOver = Mutex(false)
  private let killed = Mutex(0)
  private let done = DispatchSemaphore(value: 0)

  func start() {
    Thread.detachNewThread {
      var random = SeededGenerator(seed: UInt64(Soak.count("SEED", 11)))
      while !self.isOver.withLock({ $0 }) {
        usleep(UInt32.random(in: 0...40_000, using: &random))
        for child in OwnProcess.children where kill(child, SIGKILL) == 0 {
          self.killed.withLock { $0 += 1 }
        }
      }
      self.done.signal()
    }
  }

  func stop() -> Int {
    isOver.withLock { $0 = true }
    done.wait()
    return killed.withLock { $0 }
  }
}

private enum Killing {
  private static let widths = [300.0, 320, 375, 414, 768]
  private static let sizes = (0..<2000).map { Size(width: Double(20 + $0 % 71), height: 30) }

  private static func session(_ host: TesseraHost.Host) throws -> Session {
    let session = try Session(host.engine("org.tessera.flow"))
    try session.setSections([sizes.count])
    try session.setItemValues("size", .sizes(sizes))
    return session
  }

  private static func answer(_ session: Session, _ width: Double) throws -> [Rect] {
    session.bounds.width = width
    let content = try session.contentSize()
    return [Rect(origin: .zero, size: content)] + (try session.elements().map(\.frame))
  }

  static func run() throws {
    let reference = try session(Soak.host(.none))
    let expected = try widths.map { try answer(reference, $0) }
    let session = try session(Soak.host())
    let killer = Killer()
    killer.start()
    var (right, reported) = (0, 0)
    for number in 0..<Soak.count("KILLS", 40, second: 120) {
      let which = number % widths.count
      do {
        let found = try answer(session, widths[which])
        if found == expected[which] { right += 1 } else { Issue.record("a wrong answer") }
      } catch let error as HostError {
        #expect(error.kind == .died, "\(error)")
        #expect(error.message.hasPrefix("org.tessera.flow "))
        reported += 1
      }
    }
    let killed = killer.stop()
    #expect(right > 0 && reported > 0)
    // The last worker may be dead; the next call succeeds.
    let last = Result { try answer(session, 375) }
    if case .failure(let error as HostError) = last { #expect(error.kind == .died) }
    #expect(try answer(session, 375) == expected[2])
    #expect(settles(within: 1) { OwnProcess.children.count == 1 })
    Soak.report(
      "prepares with kills in between",
      "\(right + reported) prepares, \(killed) kills: \(right) right, \(reported) reported, 0 wrong"
    )
  }
}

@Suite struct GrowthTests {
  @Test func sessionsThatAreClosedLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) { try Growth.oneAfterTheOther() }
  }

  @Test func concurrentSessionsReturnTheSame() async {
    await #expect(processExitsWith: .success) { try Growth.atOnce() }
  }
}

private enum Growth {
  private static func frames(_ engine: Engine, _ items: Int) throws -> [Rect] {
    let session = try Session(engine)
    try session.setSections([items])
    return try session.elements().map(\.frame)
  }

  static func oneAfterTheOther() throws {
    let count = Soak.count("SESSIONS", 40, second: 100)
    let engines = try ["flow", "grid", "cover-flow", "mosaic"].map {
      try Soak.host().engine("org.tessera.\($0)")
    }
    for number in 0..<40 { _ = try frames(engines[number % engines.count], 500) }
    let temporaries = OwnProcess.temporaries
    let before = State()
    for number in 0..<count { _ = try frames(engines[number % engines.count], 500) }
    let after = State()
    #expect(
      after.descriptors.count <= before.descriptors.count,
      "\(after.descriptors), before \(before.descriptors)")
    #expect(after.threads <= before.threads)
    #expect(after.mappings <= before.mappings + 10)
    #expect(after.residentBytes <= before.residentBytes + 24 << 20)
    #expect(OwnProcess.children == [])
    #expect(OwnProcess.temporaries.subtracting(temporaries) == [])
    Soak.report(
      "sessions one after the other",
      "\(count) sessions: descriptors \(before.descriptors.count) → \(after.descriptors.count), threads "
        + "\(before.threads) → \(after.threads), mappings \(before.mappings) → \(after.mappings), "
        + "memory \(before.residentBytes >> 20) → \(after.residentBytes >> 20) MiB")
  }

  private struct State {
    let descriptors = OwnProcess.descriptors
    let threads = OwnProcess.threads
    let mappings = OwnProcess.mappings
    let residentBytes = OwnProcess.residentBytes
  }

  static func atOnce() throws {
    let count = Soak.count("AT_ONCE", 16, second: 64)
    let expected = try frames(Soak.host(.none).engine("org.tessera.flow"), 300)
    let engine = try Soak.host().engine("org.tessera.flow")
    let start = ContinuousClock.now
    let problems = Mutex<[String]>([])
    let open = Mutex(0)
    let group = DispatchGroup()
    for _ in 0..<count {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        do {
          let session = try Session(engine)
          try session.setSections([300])
          open.withLock { $0 += 1 }
          // Barrier.
          while open.withLock({ $0 }) < count, problems.withLock({ $0.isEmpty }) { usleep(1000) }
          for round in 0..<10 {
            session.bounds.width = round % 2 == 0 ? 500 : 375
            _ = try session.contentSize()
          }
          let found = try session.elements().map(\.frame)
          if found != expected { problems.withLock { $0.append("another answer") } }
        } catch { problems.withLock { $0.append("\(error)") } }
      }
    }
    group.wait()
    let took = ContinuousClock.now - start
    #expect(problems.withLock { $0 } == [])
    #expect(settles(within: 2) { OwnProcess.children.isEmpty })
    Soak.report("sessions at once", "\(count) sessions of one thread each: all alike, in \(took)")
  }
}

extension Soak {
  static func host(
    _ isolation: Isolation = .sandbox, _ change: (inout HostConfiguration) -> Void = { _ in }
  ) -> TesseraHost.Host {
    var configuration = HostConfiguration(isolation: isolation)
    configuration.worker = BuiltProducts.folder.appendingPathComponent("tessera-worker").path
    configuration.refusalTime = 0
    change(&configuration)
    return TesseraHost.Host(
      searchPath: SearchPath(folders: [BuiltProducts.folder.path]), configuration: configuration)
  }
}

enum OwnProcess {
  static var children: [Int32] { children(of: getpid()) }

  static func children(of process: Int32) -> [Int32] {
    names("/proc/\(process)/task").flatMap { thread in
      read("/proc/\(process)/task/\(thread)/children").split(separator: " ")
        .compactMap { Int32($0) }
    }
  }

  static func descendants(of process: Int32) -> [Int32] {
    children(of: process).flatMap { [$0] + descendants(of: $0) }
  }

  static var descriptors: [String] {
    names("/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.sorted()
  }

  static var threads: Int { names("/proc/self/task").count }
  static var mappings: Int { read("/proc/self/maps").split(separator: "\n").count }

  static func isRunning(_ process: Int32) -> Bool {
    let status = read("/proc/\(process)/stat")
    guard let end = status.lastIndex(of: ")") else { return false }
    return status[end...].dropFirst(2).first != "Z"
  }

  static var residentBytes: Int {
    let pages = read("/proc/self/statm").split(separator: " ").dropFirst().first
    return (pages.flatMap { Int($0) } ?? 0) * 4096
  }

  static var temporaries: Set<String> {
    Set(
      (names("/tmp") + names("/dev/shm")).filter {
        $0.contains("tessera") && !$0.hasPrefix("tessera-test-")
      })
  }

  private static func names(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private static func read(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}

/// Waits for a condition; returns whether it held in time.
func settles(within seconds: Double, _ condition: () -> Bool) -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while !condition() {
    guard ContinuousClock.now < end else { return false }
    usleep(2000)
  }
  return true
}
