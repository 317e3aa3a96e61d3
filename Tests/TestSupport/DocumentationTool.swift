import Foundation

/// Runs `Tools/docs` with this build's command.
package enum DocumentationTool {
  private static let root = BuiltProducts.repository.path

  package static func run(_ arguments: String...) throws -> ProgramResult {
    try Program.run("\(root)/Tools/docs", ["--command", BuiltProducts.command.path] + arguments)
  }

  package static func check(_ part: String) throws -> ProgramResult { try run("--check", part) }

  /// Pages with code that no other test covers: "Documentation/Tutorial.md".
  package static let pages: [String] = {
    let result = try? Program.run("\(root)/Tools/docs", ["--pages"])
    return result?.output.split(separator: "\n").map(String.init) ?? []
  }()

  package static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }
}
