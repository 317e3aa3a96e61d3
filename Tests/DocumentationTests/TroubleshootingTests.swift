import Foundation
import TestSupport
import Testing

/// Sentences that the built command prints are found in Documentation/Troubleshooting.md.
///
/// `Tools/docs --check made` compares the page with the sources; these tests compare it with what users see.
@Suite struct TroubleshootingTests {
  /// A section of the page, and its messages, each as the parts between what differs.
  private struct Section {
    let title: String
    let messages: [[String]]

    init(_ text: String) {
      title = String(text.prefix { $0 != "\n" })
      messages = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2).map { row in
        row.dropFirst(2).components(separatedBy: " | ")[0].replacing("`", with: "")
          .replacing("\\", with: "").components(separatedBy: "…")
      }
    }

    /// Whether a text contains all parts of a message, in their order.
    func hasMessage(of text: String) -> Bool {
      messages.contains { parts in
        var rest = text[...]
        return parts.allSatisfy { part in
          guard !part.isEmpty else { return true }
          guard let found = rest.range(of: part) else { return false }
          rest = rest[found.upperBound...]
          return true
        }
      }
    }
  }

  private let sections: [Section]

  init() throws {
    let page = try DocumentationTool.text("Documentation/Troubleshooting.md")
    sections = page.components(separatedBy: "\n### ").dropFirst().map(Section.init)
  }

  @Test func everyMessageHasAdvice() throws {
    let page = try DocumentationTool.text("Documentation/Troubleshooting.md")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count > 600)
    for row in rows { #expect(!row.hasSuffix("|  |"), "\(row)") }
  }

  /// Arguments, and the section in which their error must be found.
  private static let failures: [([String], String)] = [
    (["layout", "flow", "--itms", "3"], "Wrong usage"),
    (["layout", "flow", "--rect", "0,0,1,1", "--visible"], "Wrong usage"),
    (["check", "flow", "--jobs", "0"], "Wrong usage"),
    (["layout", "flow", "--set", "itemSize=wide"], "Invalid input"),
    (["layout", "flow", "--items", "2", "--set", "nothing=1"], "Invalid input"),
    (["layout", "flow", "--scenario", "/dev/null"], "Not found"),
    (["layout", "spyral"], "Not found"),
    (["layout", "/nowhere/libspiral.so"], "The library cannot be loaded"),
    (["info", "/etc/passwd"], "The library cannot be loaded"),
    (["layout", "flow", "-o", "/nowhere/flow.svg"], "Cannot be written"),
    (["layout", "flow", "--require-hash"], "The library is not allowed"),
  ]

  @Test(arguments: failures) func sentenceIsListed(arguments: [String], title: String) throws {
    let result = try Program.run(BuiltProducts.command.path, arguments)
    let error = result.errors
    #expect(result.status != 0 && !error.isEmpty)
    let found = sections.filter { $0.hasMessage(of: error) }
    #expect(
      found.contains { $0.title.hasPrefix(title) },
      "\(error) is in \(found.map(\.title)); add its maker to Tools/Documentation/messages.py")
  }

  @Test func everyKindOfErrorHasMessages() throws {
    #expect(sections.count >= 13)
    for section in sections { #expect(!section.messages.isEmpty, "\(section.title)") }
    #expect(sections.map(\.messages.count).reduce(0, +) > 600)
  }
}
