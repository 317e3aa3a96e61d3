import Foundation
import TestSupport
import Testing

@Suite struct DocumentationTests {
  @Test(
    "generated parts are current, and links lead to files", arguments: ["made", "links"])
  func partIsCorrect(_ part: String) throws {
    let result = try DocumentationTool.check(part)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  }

  @Test func referenceHasEveryCommandAndCase() throws {
    let folder = try TemporaryFolder()
    let result = try DocumentationTool.run("--reference", folder.path(""))
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    func read(_ page: String) throws -> String {
      try String(contentsOfFile: folder.path(page), encoding: .utf8)
    }
    let contents = try read("README.md")
    for name in ["Commands", "Cases", "Contract"] {
      #expect(contents.contains("](\(name)/README.md)"), "the contents do not list \(name)")
    }
    let help = try Program.run(BuiltProducts.command.path, ["--help"]).output
    // Skip extra programs, listed before; they have their own pages.
    let own = try #require(help.range(of: "USAGE: "))
    let commands = help[own.upperBound...].matches(of: /(?m)^ {2}([a-z]+) {2}/)
      .map { String($0.output.1) }
    #expect(commands.contains("layout"))
    for command in commands {
      #expect(try read("Commands/\(command).md").hasPrefix("# tessera \(command)\n"))
    }
    let cases = try FileManager.default.contentsOfDirectory(atPath: folder.path("Cases"))
      .map { try read("Cases/\($0)") }.joined()
    let list = try Program.run(
      BuiltProducts.command.path, ["check", "--list", "--format", "json"]
    ).output
    let ids = list.matches(of: /"id": ?"([a-z0-9-]+)"/).map { $0.output.1 }
    #expect(ids.count > 100)
    for id in ids { #expect(cases.contains("\n## \(id)\n"), "\(id)") }
    #expect(try read("Contract/the-engine.md").contains("still_valid"))
  }

  @Test func contentsListEveryPage() throws {
    let contents = try DocumentationTool.text("Documentation/README.md")
    let folder = BuiltProducts.repository.appendingPathComponent("Documentation").path
    for page in try FileManager.default.contentsOfDirectory(atPath: folder)
    where page.hasSuffix(".md") && page != "README.md" {
      #expect(contents.contains("](\(page))"), "Documentation/README.md does not list \(page)")
    }
  }

  @Test func versionsAreThatOfTheCommand() throws {
    let printed = try Program.run(BuiltProducts.command.path, ["--version"]).output
    let version = try #require(printed.firstMatch(of: /tessera (\d+\.\d+\.\d+)/)?.output.1)
    var names = 0
    for page in try ["Documentation/Installing.md", "README.md"].map(DocumentationTool.text) {
      let found = page.matches(of: /tessera[-:_ ](\d+\.\d+\.\d+)(?!_amd64)/)
      for name in found { #expect(name.output.1 == version, "\(name.output.0)") }
      names += found.count
    }
    #expect(names > 2)
    let changes = try DocumentationTool.text("CHANGELOG.md")
    #expect(changes.contains("\n## \(version) - 20"))
    let policy = try DocumentationTool.text("Documentation/ABIPolicy.md")
    let abi = try #require(printed.firstMatch(of: /ABI (\d+\.\d+)/)?.output.1)
    #expect(policy.contains("| version of the contract | \(abi) |"))
  }

  private static func sourcesOfTests() throws -> String {
    let tests = BuiltProducts.repository.appendingPathComponent("Tests")
    return try FileManager.default.subpathsOfDirectory(atPath: tests.path)
      .filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8) }.joined()
  }

  /// In a table's last column, or alone on a line in parentheses.
  @Test func everyPromiseOfSecurityNamesTestsThatExist() throws {
    let tests = BuiltProducts.repository.appendingPathComponent("Tests")
    let files = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
    let sources = try Self.sourcesOfTests()
    let engines = try files.filter { $0.hasPrefix("HostileEngines/") }.map {
      try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8)
    }
    var (isTable, count) = (false, 0)
    for line in try DocumentationTool.text("SECURITY.md").components(separatedBy: "\n") {
      isTable = line.hasSuffix("| test |") || isTable && line.hasPrefix("|")
      let cell = isTable ? line.split(separator: "|").last.map(String.init) : nil
      guard let names = cell ?? line.wholeMatch(of: /\((`[^()]*`)\)/).map({ String($0.output.1) }),
        !line.hasSuffix("| test |"), !line.hasPrefix("|-")
      else { continue }
      let found = names.matches(of: /`([\w-]+)`/).map { String($0.output.1) }
      #expect(!found.isEmpty, "\(line)")
      for name in found {
        #expect(
          sources.contains("func \(name)(") || sources.contains("struct \(name)")
            || engines.contains {
              $0.contains("ATTACK(\(name.replacing("-", with: "_")),")
                || $0.contains("HOSTILE(\"\(name)\"")
            }, "\(name)")
      }
      count += 1
    }
    #expect(count >= 15)
  }
}
