import Foundation
import TestSupport

/// `Tools/docs`, asked with the command that was built with these tests.
enum DocumentationTool {
  private static let root = BuiltProducts.repository.path

  /// Has one part, or one page, checked.
  static func check(_ part: String) throws -> ProgramResult {
    try Program.run(
      "\(root)/Tools/docs", ["--command", BuiltProducts.command.path, "--check", part])
  }

  /// Pages that show code and that no other test reads, sorted.
  static let pages: [String] = {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/Documentation")) ?? []
    return names.sorted().filter { name in
      name.hasSuffix(".md") && name != "Recording.md"
        && (try? text("Documentation/\(name)"))?.contains("\n```") == true
    }
  }()

  /// A file of the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }
}
