import Foundation
import TestSupport
import Testing

/// The walks through the sources name files and functions that exist.
@Suite struct GuideTests {
  @Test func walksNameFilesAndNamesThatExist() throws {
    let page = try DocumentationTool.text("Sources/README.md")
    let steps = page.matches(of: /(?m)^\d+\. `([\w+\/-]+\.(?:swift|c))`: ((?:`[\w.]+`(?:, )?)+)/)
    #expect(steps.count > 40)
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
}
