import TesseraHost
import TestSupport
import Testing

/// Engines that report unchanged rows, which the host does not read again.
@Suite struct LeavingTests {
  private let library: LayerLibrary

  init() throws { library = try LayerLibrary("leaving") }

  private func session(_ count: Int, isolation: Isolation = .none) throws -> Session {
    let host = Host(
      searchPath: SearchPath(folders: [library.folder.path]),
      configuration: HostConfiguration(isolation: isolation))
    let session = try Session(host.engine("org.example.leaving"))
    try session.setSections([count])
    _ = try session.elements(in: session.visibleRect)
    return session
  }

  @Test(arguments: [Isolation.none, .process])
  func rowsAreFoundAfterEachChangeOfTheirNumber(_ isolation: Isolation) throws {
    let session = try session(1000, isolation: isolation)
    for count in [1001, 1100, 1099, 16, 0, 5, 4000, 3999, 15, 17] {
      try session.setSections([count])
      for first in [0, 10, max(0, count - 20)] {
        let found = try session.elements(
          in: Rect(x: 0, y: Double(10 * first), width: 10, height: 100))
        let end = min(first + 10, count)
        #expect(found.map(\.identity.item) == Array(first..<max(first, end)), "\(count)")
      }
    }
  }

  /// A cell next to the change, and one from the rotating spot check.
  @Test(arguments: [Isolation.none, .process], [980, 0])
  func rowThatWasNotLeftIsReported(_ isolation: Isolation, _ moved: Int) throws {
    let session = try session(1000, isolation: isolation)
    try session.setParameter("moved", to: .integer(Int64(moved)))
    let error = #expect(throws: HostError.self) {
      for count in 1001...1040 {
        try session.setSections([count])
        _ = try session.elements(in: session.visibleRect)
      }
    }
    #expect(error?.kind == .brokenContract)
    #expect(error?.message.contains("call leave only for rows that") == true)
  }
}
