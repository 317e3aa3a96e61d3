import TestSupport
import Testing

/// Slow parts of `Tools/docs --check`: the site, and the commands of each page.
@Suite struct SiteTests {
  @Test func siteBuilds() throws {
    let result = try DocumentationTool.check("site")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  }

  private static let pages = DocumentationTool.pages

  @Test("the commands of a page succeed and print what it shows", arguments: pages)
  func pageIsCorrect(_ page: String) throws {
    let result = try DocumentationTool.check(page)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func pagesAreListed() {
    #expect(Self.pages.count >= 10)
    #expect(Self.pages.contains("Documentation/Tutorial.md"))
  }
}
