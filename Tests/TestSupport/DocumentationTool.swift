import Foundation

/// Runs `Tools/docs` with this build's command.
public enum DocumentationTool {
  private static let root = BuiltProducts.repository.path

  /// Runs it with arguments.
  public static func run(_ arguments: String...) throws -> ProgramResult {
    try Program.run("\(root)/Tools/docs", ["--command", BuiltProducts.command.path] + arguments)
  }

  /// Checks one part or one page.
  public static func check(_ part: String) throws -> ProgramResult { try run("--check", part) }

  /// Pages with code that no other test covers: "Documentation/Tutorial.md".
  public static let pages: [String] = {
    let result = try? Program.run("\(root)/Tools/docs", ["--pages"])
    return result?.output.split(separator: "\n").map(String.init) ?? []
  }()

  /// The text of a file of the repository.
  public static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }
}
