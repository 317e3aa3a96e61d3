import CTesseraSystem
import Glibc
import TesseraHost

/// Behind a `tessera_engines`: a host that is made anew where a setting changes.
final class EnginesHandle: Handle {
  var folders: [String] = [] {
    didSet { made = nil }
  }
  var hasStandardFolders = false {
    didSet { made = nil }
  }
  var configuration = HostConfiguration() {
    didSet { made = nil }
  }
  /// What the last listing found, and the texts that were given out of it.
  private(set) var listing: Listing?
  var texts = TextStore()
  private var made: Host?

  /// The host with what is set now.
  var host: Host {
    if let made { return made }
    let host = Host(searchPath: searchPath, configuration: configuration)
    made = host
    return host
  }

  /// Looks at all folders.
  func list() -> Listing {
    let listing = host.listing()
    self.listing = listing
    texts = TextStore()
    return listing
  }

  private var searchPath: SearchPath {
    guard hasStandardFolders else { return SearchPath(folders: folders) }
    return SearchPath.standard(
      first: folders, environment: Self.environment, executable: Self.installedCommand,
      home: Self.variable("HOME"))
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static var environment: [String: String] {
    variable("TESSERA_PATH").map { ["TESSERA_PATH": $0] } ?? [:]
  }

  /// Where the command lies in the prefix that holds this library in its folder lib.
  private static var installedCommand: String? {
    guard let file = tessera_own_file(), let resolved = realpath(file, nil) else { return nil }
    defer { free(resolved) }
    let parts = String(cString: resolved).split(separator: "/").dropLast(2)
    return "/" + (parts + ["bin", "tessera"]).joined(separator: "/")
  }
}

/// Does the work of a call with a handle that may be null.
func engines(_ pointer: OpaquePointer?, _ work: (EnginesHandle) throws -> Void) -> Int32 {
  guard let handle = pointer?.handle(EnginesHandle.self) else { return Status.misused }
  return handle.perform { try work(handle) }
}
