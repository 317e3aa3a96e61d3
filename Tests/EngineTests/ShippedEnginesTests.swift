import Foundation
import TesseraHost
import TestSupport
import Testing

@Suite struct ShippedEnginesTests {
  @Test func everyFolderOfPluginsIsALibraryThatLoads() throws {
    let folders = try ShippedEngines.folders
    #expect(!folders.isEmpty)
    for folder in folders {
      let library = BuiltProducts.engine(folder).path
      let engines = ShippedEngines.listing.engines.filter { $0.library == library }
      let refusal = ShippedEngines.listing.refused.first { $0.file == library }
      let reason = refusal?.error.message ?? "there is no such library; build with Tools/test"
      #expect(!engines.isEmpty, "\(folder): \(reason)")
    }
  }

  /// No code of the host, the command or the suite depends on an engine that ships.
  @Test func noSourceNamesAnEngine() throws {
    let exempt = EngineNames.exemptSources
    #expect(exempt.count == 1, "the exemptions only become fewer")
    let named = try EngineNames.lines(in: ["Sources"]).filter { !$0.isProse }
    for line in named where !exempt.contains(where: { line.path.hasPrefix($0.path) }) {
      Issue.record("\(line.path):\(line.number) names an engine: \(line.text)")
    }
    for (path, reason) in exempt {
      #expect(named.contains { $0.path.hasPrefix(path) }, "\(path) needs no exemption: \(reason)")
    }
  }

  /// Pages and tests use shipped engines as examples; their number is exact, so that it only falls.
  @Test func namesOfEnginesDoNotSpread() throws {
    let lines = try EngineNames.lines(
      in: [
        "README.md", "CONTRIBUTING.md", "SECURITY.md", "Documentation", "Plugins", "Tests", "Tools",
      ])
    var files = Set(lines.map(\.path))
    #expect(EngineNames.users.count == 7, "the exemptions only become fewer")
    for (path, most, reason) in EngineNames.users {
      let found = files.filter { $0.hasPrefix(path) }
      #expect(
        found.count == most,
        "\(found.count) files in \(path) name engines that ship; expected \(most): \(reason)"
      )
      files.subtract(found)
    }
    #expect(files.isEmpty, "these name engines that ship: \(files.sorted())")
  }

  /// Or the size has no effect: a derived engine may override it.
  @Test(arguments: ShippedEngines.ids)
  func negativeSizeIsRejectedByName(_ id: String) throws {
    let session = try ShippedEngines.session(id)
    for description in session.engine.chain.flatMap(\.values) where description.type == .size {
      let sizes = [Size(width: 10, height: 10), Size(width: 10, height: -1)]
      try session.setSections(description.scope == .item ? [2] : [1, 1])
      let before = try Snapshot(session)
      switch description.scope {
      case .section: try session.setSectionValues(description.name, .sizes(sizes))
      case .item: try session.setItemValues(description.name, .sizes(sizes))
      }
      do { #expect(try Snapshot(session) == before) } catch let error as HostError {
        #expect(error.kind == .refused)
        for part in [description.name, "-1"] {
          #expect(error.message.contains(part), "\(part): \(error)")
        }
      }
    }
  }
}

/// Finds names of shipped engines: id, target, library, folder, or quoted.
private enum EngineNames {
  struct Line {
    let path: String
    let number: Int
    let text: String

    var isProse: Bool {
      let text = text.drop { $0 == " " }
      return path.hasSuffix(".md")
        || ["//", "/*", "* ", "# ", "tessera "].contains { text.hasPrefix($0) }
    }
  }

  /// Files in `Sources` that may name engines, and why.
  static let exemptSources: [(path: String, reason: String)] = [
    (
      "Sources/Bindings/Templates/derived/drawn-with.txt",
      "the base that the template is drawn with"
    )
  ]

  /// Folders that may name engines, with the number of files.
  static let users: [(path: String, most: Int, reason: String)] = [
    ("README.md", 1, "its first commands draw with engines"),
    ("Documentation/", 33, "examples for readers"),
    ("Plugins/", 9, "engines that are derived from others, or compared with them"),
    ("Tests/TesseraCommandTests/", 22, "the command is tested with engines as users run it"),
    ("Tests/Fixtures/", 20, "programs, documents and engines that tests use"),
    ("Tests/EngineTests/", 6, "tests of several engines together"),
    ("Tests/", 22, "the tests of what loads engines"),
  ]

  /// English words; engine names only in quotes and the like.
  private static let words: Set = ["flow", "grid", "table"]

  static func lines(in folders: [String]) throws -> [Line] {
    try ShippedEngines.ids.flatMap { id -> [Line] in
      let name = String(try #require(id.split(separator: ".").last))
      let type = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        .joined()
      var pattern =
        "org\\.tessera\\.\(name)\\b|\\bTessera\(type)\\b|\\b\(type)Engine\\b|Plugins/\(type)\\b"
        + "|tessera [a-z]+ \(name)\\b|[\"`']\(name)[\"`']"
      if !words.contains(name) { pattern += "|\\b\(type)\\b|(^|[^-[:alnum:]_])\(name)\\b" }
      let own = [
        "Plugins/\(type)/", "Tests/EngineTests/\(type)/", "Tests/Fixtures/goldens/\(name)",
      ]
      let found = try Program.run(
        "grep", ["-rnIE", "--exclude-dir=__pycache__", pattern] + folders,
        in: BuiltProducts.repository.path)
      return found.output.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let number = Int(parts[1]),
          !own.contains(where: { parts[0].hasPrefix($0) })
        else { return nil }
        return Line(path: String(parts[0]), number: number, text: String(parts[2]))
      }
    }
  }
}
