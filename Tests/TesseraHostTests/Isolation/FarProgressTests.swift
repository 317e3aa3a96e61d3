import Synchronization
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Progress, cancelling, warnings and traces of engines that run elsewhere.
@Suite struct FarProgressTests {
  struct Way: Sendable, CustomTestStringConvertible {
    let isolation: Isolation
    let path: Channel.Path?
    var testDescription: String { path == nil ? isolation.rawValue : "socket" }
  }

  static let ways = [
    Way(isolation: .sandbox, path: nil), Way(isolation: .process, path: nil),
    Way(isolation: .sandbox, path: .socket), Way(isolation: .none, path: nil),
  ]

  private func session(_ way: Way, _ name: String, _ folder: TemporaryFolder) throws -> Session {
    let library = folder.path("libmisbehaving.so")
    try CCompiler("gcc").compile(FixtureEngine.source("misbehaving"), to: library)
    let host = Soak.host(way.isolation) { $0.path = way.path }
    let session = try Session(host.engine("\(library)#org.example.\(name)"))
    try session.setSections([6])
    return session
  }

  @Test(arguments: ways) func fractionsComeAndCallsAreCancelled(_ way: Way) throws {
    let folder = try TemporaryFolder()
    let session = try session(way, "asks-progress", folder)
    let fractions = Mutex<[Double]>([])
    session.progress = { fraction in
      fractions.withLock { $0.append(fraction) }
      return true
    }
    #expect(try session.elements().count == 6)
    #expect(fractions.withLock { $0 } == (0...100).map { Double($0) / 100 })
    session.progress = { $0 < 0.3 }
    session.bounds.width += 1
    #expect(try hostError { _ = try session.elements() }.kind == .cancelled)
    session.progress = nil
    #expect(try session.elements().count == 6)
  }

  @Test(arguments: ways) func callsAreTraced(_ way: Way) throws {
    let folder = try TemporaryFolder()
    let session = try session(way, "asks-progress", folder)
    let lines = Mutex<[String]>([])
    session.trace = { line in lines.withLock { $0.append(line) } }
    _ = try session.elements()
    let traced = lines.withLock { $0 }
    #expect(traced.contains { $0.contains("prepare") && $0.contains("items 6") }, "\(traced)")
  }
}
