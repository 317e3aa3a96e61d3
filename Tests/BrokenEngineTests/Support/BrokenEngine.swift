import Foundation
import TestSupport
import Testing

/// An entry of FAMILY.txt: a correct engine, replaced lines, expected failures.
struct BrokenEngine: Sendable, CustomTestStringConvertible {
  struct Promise: Sendable, Equatable {
    let id: String
    let verdict: String
    let text: String
  }

  let name: String
  let fault: String
  let twin: String
  /// Lines are compared without surrounding spaces.
  var replacements: [(line: String, text: String)] = []
  var flags: [String] = []
  var engine: String?
  var promises: [Promise] = []

  var testDescription: String { name }

  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  static func entries(in folder: URL) throws -> [BrokenEngine] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }.sorted()
      .flatMap { file in
        try entries(
          of: String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8))
      }
  }

  private static func entries(of text: String) throws -> [BrokenEngine] {
    var entries: [BrokenEngine] = []
    var twin = ""
    for line in text.split(separator: "\n").dropFirst() {
      if line.hasPrefix("twin ") {
        twin = String(line.dropFirst(5))
      } else if line.hasPrefix("  "), !entries.isEmpty {
        let before = entries.dropLast().last?.replacements.last?.line
        try entries[entries.count - 1].read(line.dropFirst(2), after: before)
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

  /// Reads a line; `before` is the line that the entry above replaces.
  private mutating func read(_ line: Substring, after before: String?) throws {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? String(parts[1]).trimmed : ""
    let verdicts = ["fails": "failed", "crashes": "crashed", "warns": "warning"]
    switch parts[0] {
    case "-": replacements.append((rest, ""))
    case "+" where !replacements.isEmpty: replacements[replacements.count - 1].text = rest
    case "+": replacements = [(before ?? "", rest)]
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
  var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
