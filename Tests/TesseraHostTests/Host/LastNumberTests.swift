import TestSupport
import Testing

@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Elements may be numbered up to 2^63 - 2: whatever is asked about the last one has an answer.
@Suite struct LastNumberTests {
  @Test func theLastLineIsFollowedByNone() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.path("libnumbered.so")
      try CCompiler("gcc").compile(
        FixtureEngine.source("numbered"), to: path, flags: ["-std=gnu11", "-shared", "-fPIC"])
      let session = try Session(Soak.host(.sandbox).engine(path))
      try session.setSections([3])
      let line = ElementIdentity(
        category: .decoration, kind: "line", section: 0, item: Int.max - 1)
      #expect(try session.element(line)?.frame.height == 1)
      #expect(try session.elements().count == 4)
      for tracks in [UpdateTracks.visible, .all] {
        let count = session.itemCounts[0]
        let insertions = try UpdateBatch(
          [.insert(ItemPath(section: 0, item: 0))], before: [count], after: [count + 1])
        let animation = try session.update(insertions, tracks: tracks) { _ in }
        // The line stays, the cells but one do, and one appears.
        #expect(animation.tracks.count == count + 2)
      }
    }
  }

  /// A program may mean that there is no limit, or compute one that is below 0.
  @Test(arguments: ["org.tessera.grid", "org.tessera.stagger"])
  func anyNumberIsALimit(_ id: String) async {
    await #expect(processExitsWith: .success) { [id] in
      for isolation in [Isolation.none, .process] {
        let session = try Session(Soak.host(isolation).engine(id))
        try session.setSections([3])
        for limit in [Int.max, Int.min, -1, 0, 1 << 40] {
          session.rowLimit = limit
          let questions: [() throws -> Int] = [
            { try session.elements().count }, { try session.visibleElements().count },
            { try session.batch().elements.count },
            { try session.element(.cell(section: 0, item: 2)) == nil ? 0 : 3 },
          ]
          // One element is found whatever the limit of a query is; a batch has the error of each layout.
          for (number, ask) in questions.enumerated() {
            do {
              let found = try ask()
              #expect(found == (limit > 0 || number == 3 ? 3 : 0), "\(limit), question \(number)")
            } catch let error as HostError {
              #expect(limit <= 0 && error.kind != .brokenContract, "\(limit): \(error)")
            }
          }
        }
      }
    }
  }
}
