import Foundation
import TestSupport

/// Runs `Tools/docs` with the command that was built with these tests.
enum DocumentationTool {
  private static let root = BuiltProducts.repository.path

  static func run(_ arguments: String...) throws -> ProgramResult {
    try Program.run("\(root)/Tools/docs", ["--command", BuiltProducts.command.path] + arguments)
  }

  /// Checks one part or one page.
  static func check(_ part: String) throws -> ProgramResult { try run("--check", part) }

  /// Pages with code that no other test reads: "Documentation/Tutorial.md".
  static let pages: [String] = {
    let result = try? Program.run("\(root)/Tools/docs", ["--pages"])
    return result?.output.split(separator: "\n").map(String.init) ?? []
  }()

  /// The text of a file of the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }
}
