import TesseraHost
import TestSupport

/// The engines of a library that is compiled from Tests/Fixtures/engines.
///
/// A loaded library stays, so its file is only needed until then.
struct FixtureLibrary: Sendable {
  private let engines: [String: Engine]

  /// Compiles and loads a library, all of whose engines must be sound.
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

  /// The engine "org.example.NAME".
  func engine(_ name: String) throws -> Engine {
    guard let engine = engines["org.example.\(name)"] else {
      throw HostError(.notFound, "no engine \(name) in \(engines.keys.sorted())")
    }
    return engine
  }

  /// A session of an engine, with so many items in a section and a way of doing what it does.
  func session(_ name: String, which: Int = 0, items: Int = 6) throws -> Session {
    let session = try Session(engine(name))
    try session.setSections([items])
    if which != 0 { try session.setParameter("which", to: .integer(Int64(which))) }
    return session
  }

  /// Engines each of which does one thing that the host must tell or survive.
  static let misbehaving = Result { try FixtureLibrary("misbehaving") }
  /// An engine that writes every column.
  static let columns = Result { try FixtureLibrary("columns") }
  /// Engines that lay out what they are given.
  static let inputs = Result { try FixtureLibrary("inputs") }
}

/// The error of something that must go wrong at the host.
func hostError(_ body: () throws -> Void) throws -> HostError {
  do { try body() } catch let error as HostError { return error }
  throw HostError(.invalidInput, "nothing went wrong")
}
