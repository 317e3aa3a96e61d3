import TesseraHost
import TestSupport

/// Engines compiled from Tests/Fixtures/engines.
///
/// Libraries stay loaded, so the file is deleted.
struct FixtureLibrary: Sendable {
  private let engines: [String: Engine]

  init(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("lib\(name).so")
    try CCompiler("gcc").compile(FixtureEngine.source(name), to: path)
    let host = Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: .none))
    let listing = host.listing()
    if let refusal = listing.refused.first { throw refusal.error }
    var engines: [String: Engine] = [:]
    for entry in listing.engines {
      engines[entry.description.id] = try host.engine(entry.description.id)
    }
    self.engines = engines
  }

  func engine(_ name: String) throws -> Engine {
    guard let engine = engines["org.example.\(name)"] else {
      throw HostError(.engineNotFound, "no engine \(name) in \(engines.keys.sorted())")
    }
    return engine
  }

  /// One section of `items`; `which` selects the behaviour.
  func session(_ name: String, which: Int = 0, items: Int = 6) throws -> Session {
    let session = try Session(engine(name))
    try session.setSections([items])
    if which != 0 { try session.setParameter("which", to: .integer(Int64(which))) }
    return session
  }

  static let misbehaving = Result { try FixtureLibrary("misbehaving") }
  static let columns = Result { try FixtureLibrary("columns") }
  static let inputs = Result { try FixtureLibrary("inputs") }
}

func hostError(_ body: () throws -> Void) throws -> HostError {
  do { try body() } catch let error as HostError { return error }
  throw HostError(.invalidValue, "nothing went wrong")
}
