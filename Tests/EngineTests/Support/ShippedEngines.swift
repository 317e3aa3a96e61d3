import TesseraHost
import TestSupport

/// The engines beside the tests, discovered as a user's host does.
enum ShippedEngines {
  static let host = Host(
    searchPath: SearchPath(folders: [BuiltProducts.folder.path]),
    configuration: HostConfiguration(isolation: .none))

  static let listing = host.listing()

  static let ids = listing.engines.filter { $0.shadowedBy == nil }.map(\.description.id)

  static func session(_ id: String) throws -> Session { try Session(host.engine(id)) }

  /// One library per folder; Rust engines only if there is a rustc.
  static var folders: [String] {
    get throws { try BuiltProducts.engineFolders.filter { !BuiltProducts.isLeftOut($0) } }
  }
}

struct Snapshot: Equatable, Sendable {
  let identities: [ElementIdentity]
  let numbers: [UInt64]
  let attributes: [[Value]]

  init(_ session: Session) throws {
    let content = try session.contentSize()
    let elements = try session.elements()
    identities = elements.map(\.identity)
    attributes = elements.map(\.attributes)
    var numbers = [content.width.bitPattern, content.height.bitPattern]
    for element in elements {
      let frame = element.frame
      numbers += [frame.x, frame.y, frame.width, frame.height].map(\.bitPattern)
      numbers += element.transform.elements.map(\.bitPattern)
      numbers += [element.alpha.bitPattern, UInt64(bitPattern: Int64(element.zIndex))]
      numbers.append(element.isHidden ? 1 : 0)
    }
    self.numbers = numbers
  }
}
