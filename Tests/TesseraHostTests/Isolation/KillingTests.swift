import Foundation
import Synchronization
import TesseraGeometry
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// A worker that is killed at any moment costs one answer at most.
///
/// The process is one of its own, so that every child of it is a worker of this test.
@Suite struct KillingTests {
  @Test func everyPrepareIsRightOrReported() async {
    await #expect(processExitsWith: .success) { try Killing.run() }
  }
}

/// Kills the workers of this process again and again.
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

  /// How many were killed.
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

  /// The content and the frames for each width.
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
    for number in 0..<Soak.count("KILLS", 120) {
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
    // The last one may have been killed since it answered; the call after that is right.
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
