import Foundation
import TestSupport
import Testing

@Suite struct RepeatedOptionTests {
  @Test(arguments: [
    (["--bounds=1", "--bounds", "2"], "--bounds"), (["--record", "1", "--record=2"], "--record"),
    (["-o", "1", "-o", "2"], "--output"), (["--output", "1", "-o", "2"], "--output"),
  ])
  func singleOptionIsRefusedTwice(options: [String], name: String) throws {
    let result = try Program.tessera(["layout", "flow"] + options)
    #expect(result.status == 64)
    #expect(
      result.errors.hasPrefix(
        "tessera: \(name) is given twice, as \"1\" and as \"2\"; give it once"),
      "\(result.errors)")
  }

  @Test(
    arguments: [
      ("--set", "minimumLineSpacing"), ("--item", "size"), ("--section", "sectionInset"),
      ("--delegate", "sizeForItem"),
    ])
  func settingOfANameIsRefusedTwice(option: String, name: String) throws {
    let result = try Program.tessera(
      "layout", "flow", "--items", "2", option, "\(name)=1", option, "\(name)=1")
    #expect(result.status == 65)
    #expect(result.errors == "tessera: \(option) \(name) is given twice; give it once\n")
  }
}
