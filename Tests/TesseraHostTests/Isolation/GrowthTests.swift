import Foundation
import Synchronization
import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Sessions that come and go, one after the other and many at once.
@Suite struct GrowthTests {
  @Test func sessionsThatAreClosedLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) { try Growth.oneAfterTheOther() }
  }

  @Test func manySessionsAtOnceAnswerAlike() async {
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
    let count = Soak.count("SESSIONS", 100)
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
    let count = Soak.count("AT_ONCE", 64)
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
          // Nobody goes on before all are there.
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
