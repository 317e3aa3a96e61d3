import TesseraConformance
import TesseraHost
import TestSupport
import Testing

/// The engines that ship pass; the output states how long each takes.
@Suite struct ShippedEnginesTests {
  static let host = Host(searchPath: SearchPath(folders: [BuiltProducts.folder.path]))
  static let ids = host.listing().engines.filter { $0.shadowedBy == nil }.map(\.description.id)

  @Test func shippedEnginesAreFound() { #expect(!Self.ids.isEmpty) }

  @Test(arguments: ids)
  func passesAtQuick(_ id: String) throws {
    var options = ConformanceSuite.Options()
    options.level = .quick
    let report = try ConformanceSuite(CheckSubject(id, host: Self.host), options).run()
    #expect(report.isPassed, "\(report)")
    #expect(report.count("passed") > 30)
    print("\(id): \(report.count("passed")) cases passed at quick in \(report.duration)")
  }
}
