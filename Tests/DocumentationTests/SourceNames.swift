import Foundation
import TestSupport

/// The names that the sources declare, for pages that quote them.
struct SourceNames {
  /// Everything that a file declares: types, functions, properties, cases, macros.
  let declared: Set<String>
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
    let declaration =
      /\b(?:class|struct|enum|protocol|typealias|func|var|let|case) (?:TESSERA_\w+ )?`?(\w+)/
    let swift = text.matches(of: declaration).map { String($0.output.1) }
    let members = text.matches(of: /\(\*(?:TESSERA_\w+ )?(\w+)\)\(/).map { String($0.output.1) }
    let functions = text.matches(of: /(?m)^(?:[\w*]+ )+\*?(\w+)\(/).map { String($0.output.1) }
    let typedefs = text.matches(of: /typedef \w+ (\w+);/).map { String($0.output.1) }
    let macros = text.matches(of: /#define (\w+)/).map { String($0.output.1) }
    declared = Set(swift + members + functions + typedefs + macros)
  }

  /// Whether every part of a name is declared: "Session", "Session.bounds", "tessera_run", "init".
  func declare(_ name: String) -> Bool {
    name.split(separator: ".").allSatisfy { part in
      part == "init" ? text.contains("init(") : declared.contains(String(part))
    }
  }

  /// Whether the sources contain a string literal.
  func quote(_ literal: String) -> Bool { text.contains("\"\(literal)\"") }

  /// Whether the sources declare a command: "tessera check".
  func haveCommand(_ name: String) -> Bool {
    name.hasPrefix("tessera ") && text.contains("commandName: \"\(name.dropFirst(8))\"")
  }
}
