import Foundation
import TestSupport
import Testing

/// The pages that lead a developer through the sources name files and functions that exist.
@Suite struct GuideTests {
  @Test func usualChangesNameFilesThatExist() throws {
    let page = try DocumentationTool.text("CONTRIBUTING.md")
    let changes = page.matches(of: /(?m)^### (.+)$/).map(\.output.1)
    #expect(changes.count > 10)
    for change in changes {
      let section = try #require(Self.section("### \(change)", of: page))
      let paths = section.matches(
        of: /`((?:Sources|Plugins|Tests|Tools|Documentation)\/[^`\s]*|[A-Z]\w+\.(?:md|swift))`/
      )
      .map { String($0.output.1) }
      #expect(paths.count >= 2, "\(change)")
      for path in paths {
        #expect(
          FileManager.default.fileExists(atPath: "\(BuiltProducts.repository.path)/\(path)"),
          "CONTRIBUTING.md names \(path), which does not exist")
      }
    }
  }

  @Test func walksNameFilesAndNamesThatExist() throws {
    let page = try DocumentationTool.text("Sources/README.md")
    let steps = page.matches(of: /(?m)^\d+\. `([\w+\/-]+\.(?:swift|c))`: ((?:`[\w.]+`(?:, )?)+)/)
    #expect(steps.count > 50)
    #expect(steps.count == page.matches(of: #/(?m)^\d+\. /#).count, "a step has another form")
    for (_, file, names) in steps.map(\.output) {
      let found = Self.sources.filter { $0 == file || $0.hasSuffix("/\(file)") }
      #expect(found.count == 1, "\(file) names \(found.count) files; give more of its path")
      guard let path = found.first else { continue }
      let text = try DocumentationTool.text("Sources/\(path)")
      for name in names.matches(of: /(\w+)`/).map(\.output.1) {
        #expect(text.contains(name), "\(path) does not contain \(name)")
      }
    }
  }

  private static let sources =
    (try? FileManager.default.subpathsOfDirectory(
      atPath: BuiltProducts.repository.appendingPathComponent("Sources").path)) ?? []

  /// The text below a heading, up to the next heading.
  private static func section(_ heading: String, of page: String) -> Substring? {
    guard let start = page.range(of: "\(heading)\n") else { return nil }
    let rest = page[start.upperBound...]
    return rest[..<(rest.range(of: "\n#")?.lowerBound ?? rest.endIndex)]
  }
}
