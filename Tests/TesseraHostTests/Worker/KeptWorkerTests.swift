import Foundation
import TestSupport
import Testing

@testable import TesseraHost

@Suite struct KeptWorkerTests {
  private static func host(_ count: Int) -> TesseraHost.Host {
    Soak.host { $0.keptWorkers = count }
  }

  @Test func aNewSessionOfTheSameEngineUsesTheWorker() async {
    await #expect(processExitsWith: .success) {
      let host = KeptWorkerTests.host(2)
      let engine = try host.engine("flow")
      var expected: [Element]?
      var workers: [[Int32]] = []
      for round in 0..<4 {
        let session = try Session(engine)
        try session.setSections([60])
        let elements = try Array(session.elements())
        #expect(elements == expected ?? elements)
        expected = elements
        workers.append(OwnProcess.children)
        try session.setParameter("itemSize", to: .size(Size(width: 70, height: 9)))
        try session.setSections([5_000 * round, 3])
        let sizes = Array(repeating: Size(width: 7, height: 8), count: 5_000 * round + 3)
        try session.setItemValues("size", .sizes(sizes))
        #expect(try session.elements().count == sizes.count)
      }
      #expect(workers[0].count == 1 && Set(workers).count == 1)
    }
  }

  @Test func sessionsOfOtherEnginesAndAtTheSameTimeHaveTheirOwn() async {
    await #expect(processExitsWith: .success) {
      let host = KeptWorkerTests.host(2)
      let mosaic = try host.engine("mosaic")
      _ = try Session(mosaic).contentSize()
      let kept = OwnProcess.children
      #expect(kept.count == 1)
      let flow = try Session(host.engine("flow"))
      #expect(try flow.contentSize() == Session(host.engine("flow")).contentSize())
      #expect(Set(OwnProcess.children).isStrictSuperset(of: kept))
      let sessions = try (0..<2).map { _ in try Session(mosaic) }
      #expect(Set(OwnProcess.children).isSuperset(of: kept))
      #expect(try sessions[0].contentSize() == sessions[1].contentSize())
      let derived = try Session(host.engine("aspect-flow"))
      #expect(
        try derived.contentSize() == Session(Soak.host(.none).engine("aspect-flow")).contentSize())
    }
  }

  @Test func aWorkerThatDiedMeanwhileIsReplaced() async {
    await #expect(processExitsWith: .success) {
      let host = KeptWorkerTests.host(1)
      let engine = try host.engine("mosaic")
      _ = try Session(engine).contentSize()
      let kept = try #require(OwnProcess.children.first)
      kill(kept, SIGKILL)
      usleep(20_000)
      let session = try Session(engine)
      try session.setSections([9])
      #expect(try session.elements().count == 9)
    }
  }

  @Test func noMoreAreKeptThanConfigured() async {
    await #expect(processExitsWith: .success) {
      var host: TesseraHost.Host? = KeptWorkerTests.host(1)
      var sessions = try (0..<3).map { _ in try Session(host!.engine("mosaic")) }
      #expect(OwnProcess.children.count == 3)
      sessions = []
      #expect(OwnProcess.children.count == 1)
      let session = try Session(host!.engine("mosaic"))
      #expect(OwnProcess.children.count == 1)
      try session.close()
      #expect(OwnProcess.children.isEmpty)
      _ = try session.contentSize()
      #expect(OwnProcess.children.count == 1)
      _ = consume session
      host = nil
      _ = consume sessions
    }
  }

  @Test func theHostEndsWhatItKeeps() async {
    await #expect(processExitsWith: .success) {
      do {
        let host = KeptWorkerTests.host(4)
        _ = try Session(host.engine("mosaic")).contentSize()
        _ = try Session(host.engine("flow")).contentSize()
        #expect(OwnProcess.children.count == 2)
      }
      #expect(OwnProcess.children.isEmpty)
    }
  }
}
