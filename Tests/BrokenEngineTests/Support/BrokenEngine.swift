import Foundation
import TestSupport
import Testing

/// An entry of Tests/BrokenEngines/FAMILY.txt or Tests/IndependentEngines/faults.txt: a correct engine with
/// lines replaced, and the cases that must find the fault.
struct BrokenEngine: Sendable, CustomTestStringConvertible {
  /// A case that must come to a verdict.
  struct Promise: Sendable, Equatable {
    let id: String
    /// "failed", "crashed", "warning".
    let verdict: String
    /// A part of the message.
    let text: String
  }

  /// The name, unique in the folder.
  let name: String
  let fault: String
  /// The file of the correct engine.
  let twin: String
  /// The lines that are replaced, without surrounding spaces, and their replacements.
  var replacements: [(line: String, text: String)] = []
  /// Additional compiler flags.
  var flags: [String] = []
  /// The engine's id, if the library has several.
  var engine: String?
  /// The cases that must not pass.
  var promises: [Promise] = []

  var testDescription: String { name }

  /// What is wrong with the text of an entry.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  /// The entries of the texts in a folder, in the order of their names.
  static func entries(in folder: URL) throws -> [BrokenEngine] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }.sorted()
      .flatMap { file in
        try entries(
          of: String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8))
      }
  }

  /// The entries of a text, whose first line is prose.
  private static func entries(of text: String) throws -> [BrokenEngine] {
    var entries: [BrokenEngine] = []
    var twin = ""
    for line in text.split(separator: "\n").dropFirst() {
      if line.hasPrefix("twin ") {
        twin = String(line.dropFirst(5))
      } else if line.hasPrefix("  "), !entries.isEmpty {
        try entries[entries.count - 1].read(line.dropFirst(2))
      } else {
        let title = line.split(separator: ":", maxSplits: 1).map(String.init)
        guard title.count == 2 else { throw Malformed(description: "no \"NAME: FAULT\": \(line)") }
        entries.append(BrokenEngine(name: title[0], fault: title[1].trimmed, twin: twin))
      }
    }
    for entry in entries {
      guard !entry.twin.isEmpty, !entry.promises.isEmpty,
        !entry.replacements.isEmpty || !entry.flags.isEmpty
      else { throw Malformed(description: "\(entry.name) lacks its twin, its line or its cases") }
    }
    return entries
  }

  private mutating func read(_ line: Substring) throws {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? String(parts[1]).trimmed : ""
    let verdicts = ["fails": "failed", "crashes": "crashed", "warns": "warning"]
    switch parts[0] {
    case "-": replacements.append((rest, ""))
    case "+" where !replacements.isEmpty: replacements[replacements.count - 1].text = rest
    case "flags": flags = rest.split(separator: " ").map(String.init)
    case "engine": engine = rest
    default:
      let promised = rest.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
      guard let verdict = verdicts[String(parts[0])], promised.count == 2, !promised[1].isEmpty
      else {
        throw Malformed(description: "\(name) has the line \"\(line)\"")
      }
      promises.append(Promise(id: promised[0], verdict: verdict, text: promised[1]))
    }
  }

  /// The twin's text with the lines replaced and marked.
  func source(from twin: String) throws -> String {
    var lines = twin.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (line, text) in replacements {
      let places = lines.indices.filter { lines[$0].trimmed == line }
      guard let place = places.first, places.count == 1 else {
        throw Malformed(
          description: "\(name): \(self.twin) has the line \"\(line)\" \(places.count) times, "
            + "expected once")
      }
      let margin = lines[place].prefix { $0 == " " }
      lines[place] = "\(margin)\(text) // broken: \(fault)"
    }
    return lines.joined(separator: "\n")
  }
}

extension String {
  /// Without the spaces around it.
  var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
