import TesseraConformance
import TesseraHost
import TestSupport
import Testing

/// The well-known sample mosaic, with the numbers that are known of it.
@Suite struct HalvingTests {
  private func examine(
    _ engine: String, _ id: String, items: Int
  ) throws -> Finding? {
    var options = ConformanceSuite.Options()
    options.filters = [id]
    options.sample = LayoutInput(counts: [items])
    let library = try BrokenEngineFolder.built.get().library(engine)
    let report = try ConformanceSuite(
      CheckSubject(library, host: Host(searchPath: SearchPath(folders: []))), options
    ).run()
    return report.results[0].verdict.finding
  }

  /// Item 7 begins at 705, below the viewport's end; item 8 beside it begins at 604.
  @Test func lastOfNineItemsIsMissingOnTheFirstScreen() throws {
    let finding = try #require(try examine("halving", "query-rect-is-a-filter", items: 9))
    #expect(finding.found.contains("without cell 8 of section 0 at 126,604,249,200"))
  }

  /// Nine rows of 200 points with one above each are 1809 points high, eight are 1608.
  @Test func contentOfTwentyItemsOmitsTheLastRow() throws {
    let finding = try #require(
      try examine("mosaic-last-row", "geometry-content-contains-elements", items: 20))
    #expect(finding.expected == "cell 19 of section 0 within the content size 375x1608")
    #expect(finding.found == "its frame 0,1609,375,200")
    #expect(finding.pictures?.expected.contentSize.height == 1809)
  }
}
