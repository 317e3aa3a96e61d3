import Foundation
import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// An embedding program survives all hostile engines: no leaks, no changed state, and a good engine
/// works after each.
///
/// Each group runs in a separate process, so other tests don't affect the counts.
extension HostileEngineTests {
  @Suite struct LibraryTests {
    @Test(arguments: HostileCases.allCases)
    func programSurvivesEveryEngine(_ group: HostileCases) async {
      await #expect(processExitsWith: .success) {
        [group = group as HostileCases, workshop = Workshop.folder as String] in
        try Embedding.askGoodEngine()
        for hostile in group.met { try Embedding.survives(hostile, in: workshop) }
      }
    }

    /// The kernel inherits peak memory from the parent process.
    @Test func memoryLimitIsReportedInALargeProgram() async {
      await #expect(processExitsWith: .success) {
        [workshop = Workshop.folder as String] in
        // Twice the worker's limit, all touched.
        let ballast = [UInt8](repeating: 1, count: 256 << 20)
        let greedy = try #require(MemoryCases.all.first { $0.isForEmbedding })
        try Embedding.askGoodEngine()
        try Embedding.survives(greedy, in: workshop)
        #expect(ballast.count == 256 << 20)
      }
    }
  }
}

enum Embedding {
  /// Runs a hostile engine, then a good one.
  ///
  /// A good engine must have run before.
  static func survives(_ hostile: HostileCase, in workshop: String) throws {
    let library = try HostileLibrary(hostile, in: workshop)
    let before = ProcessState.now
    let start = ContinuousClock.now
    let outcome = outcome(of: hostile, library)
    let time = ContinuousClock.now - start
    #expect(time < .seconds(hostile.limits.secondsPerCall + 5) || !hostile.mayHang)
    #expect(time < .seconds(hostile.seconds), "\(hostile.testDescription)")
    let mismatches = hostile.ends.map { mismatch(outcome, $0) }
    #expect(mismatches.contains(nil), "\(hostile.testDescription): \(outcome)")
    try askGoodEngine()
    #expect(try library.changes() == [], "\(hostile.testDescription)")
    var changes: [String] = []
    _ = Processes.settled {
      changes = ProcessState.now.changes(since: before)
      return changes.isEmpty
    }
    #expect(changes == [], "\(hostile.testDescription): \(changes)")
    #expect(Processes.settled { Processes.strayWorkers.isEmpty }, "\(hostile.testDescription)")
  }

  private static func outcome(
    of hostile: HostileCase, _ library: HostileLibrary
  ) -> Result<[Int], HostError> {
    var configuration = HostConfiguration()
    configuration.limits = hostile.limits
    configuration.refusalTime = 0
    let host = Host(
      searchPath: SearchPath(folders: hostile.isOnPath ? [library.folder] : []),
      configuration: configuration)
    return Result { () throws(HostError) in
      let session = try Session(host.engine(library.name))
      session.bounds = Size(width: 375, height: 667)
      try session.setSections([6])
      if hostile.arguments.contains("--delegate") {
        let answer: (UInt32) -> UInt32 = { _ in 3 }
        let answerForItem: (UInt32, UInt32) -> UInt32 = { _, _ in 3 }
        try session.setDelegate(
          "answer",
          hostile.source == "takes-over"
            ? DelegateFunction("answer", answerForItem) : DelegateFunction("answer", answer))
      }
      let items = try ask(session, hostile.question)
      try session.close()
      return items
    }
  }

  private static func ask(
    _ session: Session, _ question: HostileCase.Question
  ) throws(HostError) -> [Int] {
    switch question {
    case .layout: break
    case .call: _ = try session.call("attack", [])
    case .snap: _ = try session.restingOffset(for: Point(x: 0, y: 10))
    case .update:
      _ = try session.elements()
      try session.setSections([7])
    }
    return try session.elements().filter {
      $0.frame == Rect(x: 0, y: 50 * Double($0.identity.item), width: 375, height: 50)
    }.map(\.identity.item)
  }

  private static func mismatch(_ outcome: Result<[Int], HostError>, _ end: HostileEnd) -> String? {
    switch outcome {
    case .success(let items):
      return end.status == 0 && items == Array(0..<6) ? nil : "laid out \(items)"
    case .failure(let error):
      let statuses: [HostError.Kind: Int32] = [
        .refused: 69, .brokenContract: 70, .cannotLoad: 76, .notFound: 66, .died: 70,
      ]
      guard statuses[error.kind] == end.status else { return "\(error.kind)" }
      let missing = end.missing(in: error.message)
      return missing.isEmpty ? nil : "nothing of \(missing)"
    }
  }

  static func askGoodEngine() throws {
    let host = Host(searchPath: SearchPath(folders: []))
    let session = try Session(host.engine(BuiltProducts.engine("Flow").path))
    try session.setSections([3])
    // Flow's cells: 50 square, 65 apart in a line of 375.
    #expect(try session.elements().map(\.frame.origin.x) == [0, 65, 130])
  }
}
