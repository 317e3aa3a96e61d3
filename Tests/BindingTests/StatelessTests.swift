import Synchronization
import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

@Suite struct StatelessTests {
  private let session: @Sendable (Isolation) throws -> Session

  init() throws {
    let folder = try TemporaryFolder()
    try CCompiler("gcc").compile(
      FixtureEngine.source("stateless"), to: folder.path("libstateless.so"))
    session = { isolation in
      let host = Host(
        searchPath: SearchPath(folders: [folder.path]),
        configuration: HostConfiguration(isolation: isolation))
      return try Session(host.engine("org.example.stateless"))
    }
  }

  @Test(arguments: [Isolation.none, .sandbox]) func itReports(_ isolation: Isolation) throws {
    let session = try session(isolation)
    try session.setSections([7])
    let error = #expect(throws: HostError.self) { _ = try session.contentSize() }
    #expect(error?.kind == .refused)
    #expect(error?.message.contains("there are 7 items; give at most 6") == true)
    try session.setSections([6])
    #expect(try session.contentSize() == Size(width: 50, height: 60))
  }

  @Test(arguments: [Isolation.none, .sandbox]) func itShowsProgressAndStops(
    _ isolation: Isolation
  ) throws {
    let session = try session(isolation)
    let seen = Mutex<[Double]>([])
    session.progress = { fraction in
      seen.withLock { $0.append(fraction) }
      return fraction < 0.5
    }
    try session.setSections([4])
    let error = #expect(throws: HostError.self) { _ = try session.contentSize() }
    #expect(error?.kind == .cancelled)
    #expect(seen.withLock { $0 }.last == 0.5)
  }
}
