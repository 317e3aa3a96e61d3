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

  /// Pages that show code and that no other test reads: "Documentation/Tutorial.md".
  static let pages: [String] = {
    let result = try? Program.run("\(root)/Tools/docs", ["--pages"])
    return result?.output.split(separator: "\n").map(String.init) ?? []
  }()

  /// A file of the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }
}
