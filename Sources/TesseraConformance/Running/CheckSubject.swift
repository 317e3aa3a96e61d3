import Foundation
import TesseraHost

/// The engine under test: where its library is, and how sessions of it are made.
public struct CheckSubject: Sendable {
  /// The engine as the command line named it: an id, or a library's path.
  public let name: String
  /// The host that finds it and its bases.
  public let host: TesseraHost.Host
  /// Options of the command line that reproducing commands repeat: "--engines DIR".
  public let hostOptions: [String]
  /// What the process of a plain sample came to, once for all cases that look at it.
  let processReport = SharedReport()
  /// The engine, or why there is none.
  public let loading: Result<Engine, HostError>

  /// Looks for an engine by its id or its library's path.
  ///
  /// - Throws: `.notFound` and `.invalidInput` where there is no one engine of that name, `.notAllowed`. A library
  ///   that cannot be loaded is a subject like others: its cases say why.
  public init(
    _ name: String, host: TesseraHost.Host, hostOptions: [String] = []
  ) throws(HostError) {
    self.name = name
    self.host = host
    self.hostOptions = hostOptions
    do throws(HostError) { loading = .success(try host.engine(name)) } catch {
      // One whose base is missing was found itself.
      let isFound = error.message.contains(" is derived from ")
      if [.notFound, .invalidInput, .notAllowed].contains(error.kind), !isFound { throw error }
      loading = .failure(error)
    }
  }

  /// Whether what was named is at least a file of the kind that libraries are: without that there is
  /// nothing to report on.
  public var isLibrary: Bool {
    let path = String(name.prefix { $0 != "#" })
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    let start = try? file.read(upToCount: 4)
    return start == Data([0x7F, 0x45, 0x4C, 0x46])
  }

  /// The path of the library.
  var libraryPath: String {
    if case .success(let engine) = loading { return engine.library }
    return String(name.prefix { $0 != "#" })
  }

  /// The engine.
  ///
  /// - Throws: Why it cannot be loaded.
  public var engine: Engine {
    get throws(HostError) { try loading.get() }
  }

  /// A session that was given nothing but a sample.
  ///
  /// - Throws: What the host or the engine refuses.
  public func session(for sample: Sample) throws(HostError) -> Session {
    let session = try Session(try engine)
    try sample.apply(to: session)
    return session
  }

  /// The command that examines one case alone, ready for a shell.
  func command(for id: String, seed: UInt64, sample: Sample?) -> String {
    var words = ["tessera", "check", name] + hostOptions + ["--filter", id, "--seed", "\(seed)"]
    if let sample { words += ["--sample", sample.json.line] }
    return words.map(\.shellWord).joined(separator: " ")
  }
}
