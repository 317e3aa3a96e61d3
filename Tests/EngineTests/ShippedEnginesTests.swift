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
      #expect(!engines.isEmpty, "\(folder): \(refusal?.error.message ?? "its library holds no engine")")
    }
  }

  /// By the system's own programs: the entry is the one name that others can use, the note the one
  /// that the host looks for.
  @Test func everyLibraryExportsItsEntryAndHasItsNote() throws {
    for folder in try ShippedEngines.folders {
      let library = BuiltProducts.engine(folder).path
      let symbols = try Program.run("nm", ["-D", "--defined-only", "--extern-only", "-j", library])
      #expect(symbols.status == 0, "\(symbols.errors)")
      #expect(symbols.output == "tessera_register\n", "\(folder)")
      let notes = try Program.run("readelf", ["--notes", "--wide", library])
      #expect(notes.output.matches(of: /(?m)^ +Tessera +0x/).count == 1, "\(folder)")
    }
  }

  @Test func everyEngineHasAnIdAndASummaryOfItsOwn() {
    let engines = ShippedEngines.listing.engines.map(\.description)
    #expect(Set(engines.map(\.id)).count == engines.count)
    #expect(Set(engines.map(\.summary)).count == engines.count)
  }
}
