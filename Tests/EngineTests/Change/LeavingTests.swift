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
