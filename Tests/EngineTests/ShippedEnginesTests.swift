import TesseraHost
import TestSupport
import Testing

/// That the other tests here look at all engines that ship.
@Suite struct ShippedEnginesTests {
  @Test func everyFolderOfPluginsIsALibraryThatLoads() throws {
    let folders = try ShippedEngines.folders
    #expect(!folders.isEmpty)
    for folder in folders {
      let library = BuiltProducts.engine(folder).path
      let engines = ShippedEngines.listing.engines.filter { $0.library == library }
      let refusal = ShippedEngines.listing.refused.first { $0.file == library }
      #expect(!engines.isEmpty, "\(folder): \(refusal?.reason ?? "its library holds no engine")")
    }
  }

  @Test func everyEngineHasAnIdAndASummaryOfItsOwn() {
    let engines = ShippedEngines.listing.engines.map(\.description)
    #expect(Set(engines.map(\.id)).count == engines.count)
    #expect(Set(engines.map(\.summary)).count == engines.count)
  }
}
