import Foundation
import TestSupport
import Testing

/// The list of hostile engines is complete.
@Suite struct CatalogueTests {
  /// An engine without a case would never run.
  @Test func everyHostileEngineHasACase() throws {
    let folder = BuiltProducts.repository.appendingPathComponent("Tests/HostileEngines").path
    let sources = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".c") || $0.hasSuffix(".cpp") }
      .map { ($0 as NSString).deletingPathExtension }
    #expect(Set(sources) == Set(HostileCases.everything.map(\.source)))
  }
}
