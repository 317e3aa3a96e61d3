import TesseraHost
import TestSupport

/// The engines that the build put beside these tests, found as a user's host finds them.
enum ShippedEngines {
  static let host = Host(
    searchPath: SearchPath(folders: [BuiltProducts.folder.path]),
    configuration: HostConfiguration(isolation: .none))

  /// What lies beside the tests.
  static let listing = host.listing()

  /// Their ids in the order found.
  static let ids = listing.engines.filter { $0.shadowedBy == nil }.map(\.description.id)

  /// A session of an engine with everything as it starts.
  static func session(_ id: String) throws -> Session { try Session(host.engine(id)) }

  /// The folders that hold the sources of engines, one library each, without those in Rust if there
  /// is no rustc to build them.
  static var folders: [String] {
    get throws { try BuiltProducts.engineFolders.filter { !BuiltProducts.isLeftOut($0) } }
  }
}
