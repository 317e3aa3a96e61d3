import Foundation
import TestSupport
import Testing

/// Runs `Tools/docs --check`, part by part.
@Suite struct DocumentationTests {
  @Test(
    "generated pages are current, links lead to files, and the site builds",
    arguments: ["made", "links", "site"])
  func partIsCorrect(_ part: String) throws {
    let result = try DocumentationTool.check(part)
    #expect(result.status == 0, "\(result.errors)")
    // Without rustc, it says what it leaves out.
    #expect(result.errors.isEmpty || !RustToolchain.isPresent, "\(result.errors)")
  }

  /// Pages with code that no other test reads.
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

  @Test func contentsListEveryPage() throws {
    let contents = try DocumentationTool.text("Documentation/README.md")
    let folder = BuiltProducts.repository.appendingPathComponent("Documentation").path
    for page in try FileManager.default.contentsOfDirectory(atPath: folder)
    where page.hasSuffix(".md") && page != "README.md" {
      #expect(contents.contains("](\(page))"), "Documentation/README.md does not list \(page)")
    }
  }

  /// A tool writes the figures between two comments, and begins with when and where it measured.
  @Test func figuresBetweenCommentsComeFromATool() throws {
    let page = try DocumentationTool.text("Documentation/Performance.md")
    let sections = page.matches(of: /<!-- ([\w-]+) -->\n([\s\S]*?)<!-- end of ([\w-]+) -->/)
    #expect(sections.count == 7)
    for (_, name, text, end) in sections.map(\.output) {
      #expect(name == end)
      #expect(text.isEmpty || text.hasPrefix("Measured on 20"), "section \(name)")
      // A tool with several sections begins their names with its own.
      let tool = name == "mutation-independent" ? "mutation" : name
      #expect(try DocumentationTool.text("Tools/\(tool)").contains("Tools/keep-figures \(name)"))
    }
  }
}
