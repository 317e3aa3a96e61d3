import CTesseraSystem

/// The folder in which a user keeps engines.
///
/// Those who install at the same time take turns, and readers see each library whole or not at all.
public struct EngineFolder: Sendable {
  /// Its path.
  public let path: String

  /// The folder at a path, which need not exist.
  public init(path: String) { self.path = path }

  /// The folder of the standard search path in the user's home: `.local/lib/tessera`.
  ///
  /// Nil where the home is no absolute path, and in a process that runs with rights that its caller
  /// does not have.
  public static func standard(home: String?) -> EngineFolder? {
    StandardFolder.path("", ".local/lib/tessera", environment: nil, home: home)
      .map(EngineFolder.init(path:))
  }

  /// The path of a file in the folder.
  func path(of file: String) -> String { path.hasSuffix("/") ? path + file : "\(path)/\(file)" }

  /// What lies in the folder: whatever may be used of it, since it is about to change.
  func listing(_ host: Host) -> Listing {
    var configuration = host.configuration
    configuration.trust = TrustPolicy()
    return Host(searchPath: SearchPath(folders: [path]), configuration: configuration).listing()
  }
}

/// The engines of one library, as `list` tells them.
struct ListedLibrary {
  let path: String
  let engines: [EngineDescription]

  var ids: Set<String> { Set(engines.map(\.id)) }

  /// The libraries of a listing, in its order.
  static func all(in listing: Listing) -> [ListedLibrary] {
    var order: [String] = []
    var engines: [String: [EngineDescription]] = [:]
    for entry in listing.engines {
      if engines[entry.library] == nil { order.append(entry.library) }
      engines[entry.library, default: []].append(entry.description)
    }
    return order.map { ListedLibrary(path: $0, engines: engines[$0] ?? []) }
  }
}
