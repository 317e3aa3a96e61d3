import TesseraHost
import TestSupport
import Testing

/// Engines that recalculate only what follows a change learn of the first change.
@Suite struct FirstChangeTests {
  /// A table keeps the rows before the first change: a header above them must be that change.
  @Test func sectionValueOfTheSectionWhoseItemsChangeComesFirst() throws {
    let host = Host(
      searchPath: SearchPath(folders: []), configuration: HostConfiguration(isolation: .none))
    let session = try Session(host.engine(BuiltProducts.engine("Table").path))
    try session.setSections([3])
    try session.setSectionValues("headerHeight", .numbers([10]))
    _ = try session.elements()
    try session.setSections([4])
    try session.setSectionValues("headerHeight", .numbers([30]))
    let rows = try session.elements().filter { $0.identity.category == .cell }
    #expect(rows.map(\.frame.y) == [30, 74, 118, 162])
  }
}
