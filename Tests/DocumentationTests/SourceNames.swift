import Foundation
import TestSupport

/// The names that the sources declare, for pages that quote them.
struct SourceNames {
  /// Types and functions.
  private let functions: Set<String>
  /// Properties, constants, cases and macros.
  private let others: Set<String>
  private let text: String

  /// The names of one file, or of all files in a folder: "Sources".
  init(in path: String) throws {
    let root = BuiltProducts.repository.appendingPathComponent(path)
    let files =
      root.hasDirectoryPath || root.pathExtension.isEmpty
      ? FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?
        .compactMap { $0 as? URL } ?? []
      : [root]
    text = try files.filter { ["swift", "h", "c"].contains($0.pathExtension) }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    let text = text
    func names(_ pattern: some RegexComponent<(Substring, Substring)>) -> Set<String> {
      Set(text.matches(of: pattern).map { String($0.output.1) })
    }
    functions =
      names(/\b(?:class|struct|enum|protocol|extension|func) (?:TESSERA_\w+ )?`?(\w+)/)
      .union(names(/(?m)^(?:[\w*]+ )+\*?(\w+)\(/))
      .union(text.contains("init(") ? ["init"] : [])
    others = names(/\b(?:typealias|var|let|case) `?(\w+)/)
      .union(names(/\(\*(?:TESSERA_\w+ )?(\w+)\)\(/))
      .union(names(/typedef \w+ (\w+);/)).union(names(/#define (\w+)/))
  }

  /// Whether every part of a name is a type or a function: "Session", "Session.init", "tessera_run".
  func declareFunction(_ name: String) -> Bool {
    name.split(separator: ".").allSatisfy { functions.contains(String($0)) }
  }

  /// Whether every part of a name is declared, also as a property or a constant: "Session.bounds".
  func declare(_ name: String) -> Bool {
    name.split(separator: ".").map(String.init)
      .allSatisfy { functions.contains($0) || others.contains($0) }
  }

  /// Whether the sources contain a string literal.
  func quote(_ literal: String) -> Bool { text.contains("\"\(literal)\"") }

  /// Whether the sources declare a command: "tessera check".
  func haveCommand(_ name: String) -> Bool {
    name.hasPrefix("tessera ") && text.contains("commandName: \"\(name.dropFirst(8))\"")
  }
}
