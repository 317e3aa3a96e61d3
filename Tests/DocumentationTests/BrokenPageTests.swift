import Foundation
import TestSupport
import Testing

/// A page that does not hold is found out, with a sentence that says where and why.
@Suite struct BrokenPageTests {
  /// What is wrong with a page: its text, and what has to be said about it.
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let complaint: String

    init(_ name: String, _ text: String, _ complaint: String) {
      (testDescription, self.text, self.complaint) = (name, text, complaint)
    }
  }

  private static let faults = [
    Fault("a link to nothing", "See [this](nothing.md).", ":3: nothing.md: there is no such file"),
    Fault(
      "an anchor to nothing", "## Here\n\nSee [this](#there).",
      ":5: #there: no heading has this anchor; there are page, here"),
    Fault(
      "a path to nothing", "Look into `Sources/Nothing/Nothing.swift`.",
      ":3: Sources/Nothing/Nothing.swift: there is no such file"),
    Fault("a link that is no page", "[x](file:///etc/passwd)", "expected https://"),
    Fault("a command that fails", "```sh\ntessera layout nothing\n```", ":3: status 66"),
    Fault(
      "another output", "```sh\necho one\n```\n\n```text\ntwo\n```",
      ":7: the commands print something else:\none"),
    Fault("output of nothing", "```text\ntwo\n```", "no command stands before this output"),
    Fault(
      "code that nobody looks at", "```swift\nlet x = 1\n```", "name a file behind its language"),
    Fault(
      "an excerpt of something else", "```swift Package.swift\nlet nothing = 1\n```",
      "Package.swift does not hold this"),
    Fault(
      "excerpts in another order",
      "```swift Package.swift\n// The engines that ship\n…\nimport PackageDescription\n```",
      "Package.swift does not hold this"),
    Fault(
      "a change of what is not there",
      "```c a.c\nint a;\n```\n\n```diff a.c\n-int b;\n+int c;\n```",
      ":7: a.c holds these lines 0 times"),
    Fault("code without an end", "```sh\necho one\n", ":3: a block of code has no end"),
    Fault(
      "a picture that nothing draws", "![x](PICTURES/mosaic.svg)",
      "0 commands of the page write mosaic.svg"),
    Fault(
      "another picture",
      "```sh\ntessera layout flow -o mosaic.svg\n```\n\n![x](PICTURES/mosaic.svg)",
      "Documentation/Pictures/mosaic.svg is not what"),
  ]

  @Test(arguments: faults) func isFound(_ fault: Fault) throws {
    let folder = try TemporaryFolder()
    // A relative path, as pages have it.
    let up = String(repeating: "../", count: folder.path.split(separator: "/").count)
    let pictures = "\(up)\(BuiltProducts.repository.path.dropFirst())/Documentation/Pictures"
    let page = try folder.write(
      "page.md", "# Page\n\n\(fault.text.replacing("PICTURES", with: pictures))\n")
    let result = try DocumentationTool.check(page)
    #expect(result.status == 1)
    #expect(result.errors.contains(fault.complaint), "\(result.errors)")
  }

  @Test func aPageThatHoldsIsNotComplainedAbout() throws {
    let folder = try TemporaryFolder()
    let page = try folder.write(
      "page.md",
      """
      # Page

      ```c a.c
      int main(void) { return 3; }
      ```

      ```diff a.c
      -int main(void) { return 3; }
      +int main(void) { return 4; }
      ```

      ```sh
      mkdir b
      gcc a.c -o b/a
      cd b
      ```

      ```sh
      ./a || echo "status $?"
      ```

      ```text
      …us 4
      ```

      ```swift Package.swift
      import PackageDescription
      …
      /// The engines that ship, each its own library.
      ```

      See [above](#page) and `Package.swift`.

      """)
    let result = try DocumentationTool.check(page)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  }

  @Test func aPartThatDoesNotExistIsRefused() throws {
    let result = try DocumentationTool.check("everything")
    #expect(result.status == 1)
    #expect(result.errors.contains("everything is no page and no part"))
  }
}
