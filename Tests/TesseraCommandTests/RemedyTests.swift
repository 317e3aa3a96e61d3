import Foundation
import TestSupport
import Testing

/// Errors of the libraries name no option or command; only the command itself does.
@Suite struct RemedyTests {
  /// Modules whose sources may name them: the command, the suite, whose reports give commands to
  /// repeat a case, pages, whose styles have names with two hyphens, and what is no library.
  private static let exempt: Set<String> = [
    "tessera", "TesseraCommand", "TesseraConformance", "TesseraDrawing", "Templates", "Bindings",
  ]

  /// The names of the commands, from the help of `tessera`.
  private static let commands = try? Program.tessera("--help").output
    .matches(of: /(?m)^ {2}([a-z]+) {2}/).map { String($0.output.1) }

  @Test func librariesNameNeitherOptionsNorCommands() throws {
    let commands = try #require(Self.commands)
    #expect(commands.count > 10)
    let name = try Regex("(^|[^-a-z])--[a-z]|tessera (\(commands.joined(separator: "|")))\\b")
    var scanned: Set<String> = []
    let sources = BuiltProducts.repository.appendingPathComponent("Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    for file in files where file.hasSuffix(".swift") {
      let module = String(file.prefix { $0 != "/" })
      guard !Self.exempt.contains(module) else { continue }
      scanned.insert(module)
      let text = try String(
        contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for literal in Self.literals(in: text) {
        #expect(literal.firstMatch(of: name) == nil, "\(file): \"\(literal)\"")
      }
    }
    #expect(scanned.isSuperset(of: ["TesseraHost", "TesseraScenario", "TesseraLibrary"]))
  }

  /// The string literals of a Swift source, line by line, without its comments.
  private static func literals(in source: String) -> [Substring] {
    var isBlock = false
    return source.split(separator: "\n").flatMap { line -> [Substring] in
      let isDelimited = line.contains("\"\"\"")
      defer { if isDelimited { isBlock.toggle() } }
      if isBlock || isDelimited { return [line] }
      guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return [] }
      // Every other part of a line that is split at quotation marks is a literal.
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
    }
  }
}
