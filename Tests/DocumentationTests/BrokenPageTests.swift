import Foundation
import TestSupport
import Testing

/// `Tools/docs --check` reports each fault of a page with its place and a remedy.
@Suite struct BrokenPageTests {
  /// A faulty page, and a part of the expected message.
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let message: String

    init(_ name: String, _ text: String, _ message: String) {
      (testDescription, self.text, self.message) = (name, text, message)
    }
  }

  private static let faults = [
    Fault("a broken link", "See [this](nothing.md).", ":3: nothing.md: this file does not exist"),
    Fault(
      "a broken anchor", "## Here\n\nSee [this](#there).",
      ":5: #there: no heading has this anchor; the anchors are page, here"),
    Fault(
      "a missing path", "Look into `Sources/Nothing/Nothing.swift`.",
      ":3: Sources/Nothing/Nothing.swift: this file does not exist"),
    Fault("a link with another scheme", "[x](file:///etc/passwd)", "expected https://"),
    Fault("a command that fails", "```sh\ntessera layout nothing\n```", ":3: status 66"),
    Fault(
      "different output", "```sh\necho one\n```\n\n```text\ntwo\n```",
      ":7: the commands print other output:\none"),
    Fault("output without a command", "```text\ntwo\n```", "no command precedes this output"),
    Fault(
      "code that no test reads", "```swift\nlet x = 1\n```", "name a file after the language"),
    Fault(
      "an excerpt that the file does not contain", "```swift Package.swift\nlet nothing = 1\n```",
      "Package.swift does not contain these lines"),
    Fault(
      "excerpts in another order",
      "```swift Package.swift\n// The engines that ship\n…\nimport PackageDescription\n```",
      "Package.swift does not contain these lines"),
    Fault(
      "a diff of lines that the file does not contain",
      "```c a.c\nint a;\n```\n\n```diff a.c\n-int b;\n+int c;\n```",
      ":7: a.c contains these lines 0 times"),
    Fault("an unclosed code block", "```sh\necho one\n", ":3: the code block is not closed"),
    Fault(
      "a picture that no command draws", "![x](PICTURES/mosaic.svg)",
      "0 commands of the page write mosaic.svg"),
    Fault(
      "a picture that differs",
      "```sh\ntessera layout flow -o mosaic.svg\n```\n\n![x](PICTURES/mosaic.svg)",
      "Documentation/Pictures/mosaic.svg differs from what"),
  ]

  @Test(arguments: faults) func faultIsReported(_ fault: Fault) throws {
    let folder = try TemporaryFolder()
    // Pages use relative paths.
    let up = String(repeating: "../", count: folder.path.split(separator: "/").count)
    let pictures = "\(up)\(BuiltProducts.repository.path.dropFirst())/Documentation/Pictures"
    let page = try folder.write(
      "page.md", "# Page\n\n\(fault.text.replacing("PICTURES", with: pictures))\n")
    let result = try DocumentationTool.check(page)
    #expect(result.status == 1)
    #expect(result.errors.contains(fault.message), "\(result.errors)")
  }

  @Test func correctPageIsAccepted() throws {
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

  @Test func unknownPartIsRejected() throws {
    let result = try DocumentationTool.check("everything")
    #expect(result.status == 1)
    #expect(result.errors.contains("everything is neither a page nor a part"))
  }
}
