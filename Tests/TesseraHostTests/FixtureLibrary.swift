import TesseraHost
import TestSupport

/// The engines of a library compiled from Tests/Fixtures/engines.
///
/// A loaded library stays loaded, so its file is deleted afterwards.
struct FixtureLibrary: Sendable {
  private let engines: [String: Engine]

  /// Compiles and loads a library, all of whose engines must be valid.
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
      throw HostError(.engineNotFound, "no engine \(name) in \(engines.keys.sorted())")
    }
    return engine
  }

  /// A session of an engine with one section of `items`; `which` selects what the engine does.
  func session(_ name: String, which: Int = 0, items: Int = 6) throws -> Session {
    let session = try Session(engine(name))
    try session.setSections([items])
    if which != 0 { try session.setParameter("which", to: .integer(Int64(which))) }
    return session
  }

  /// Engines that each do one thing that the host must report or survive.
  static let misbehaving = Result { try FixtureLibrary("misbehaving") }
  /// An engine that writes every column.
  static let columns = Result { try FixtureLibrary("columns") }
  /// Engines that write their input into their layout.
  static let inputs = Result { try FixtureLibrary("inputs") }
}

/// The error of a closure that must fail in the host.
func hostError(_ body: () throws -> Void) throws -> HostError {
  do { try body() } catch let error as HostError { return error }
  throw HostError(.invalidValue, "nothing went wrong")
}
