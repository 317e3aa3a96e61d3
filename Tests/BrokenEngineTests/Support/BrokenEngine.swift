import Foundation
import TestSupport
import Testing

/// An entry of Tests/BrokenEngines/FAMILY.txt or Tests/IndependentEngines/faults.txt: a correct engine with
/// lines replaced, and what must come of it.
struct BrokenEngine: Sendable, CustomTestStringConvertible {
  /// A case that must come to a verdict.
  struct Promise: Sendable, Equatable {
    let id: String
    /// "failed", "crashed", "warning".
    let verdict: String
    /// What the message holds.
    let text: String
    /// Whether only a run of all categories looks at it.
    let isOnlyInFullRun: Bool
  }

  /// The name, unique in the folder.
  let name: String
  /// What is wrong with it.
  let fault: String
  /// The file of the correct engine.
  var twin = ""
  /// The lines that are replaced, without the spaces around them, and what stands there instead.
  var replacements: [(line: String, text: String)] = []
  /// What the compiler is told beside the usual.
  var flags: [String] = []
  /// Which engine of several, by its id.
  var engine: String?
  /// The cases that must not pass.
  var promises: [Promise] = []
  /// Whether only the cases that must not pass are run.
  var isAlone = false
  /// Why one fault breaks several rules.
  var reason: String?

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

  /// The entries of a text: paragraphs, of which the first is prose.
  private static func entries(of text: String) throws -> [BrokenEngine] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let paragraphs = lines.split { $0.isEmpty }
    return try paragraphs.dropFirst().map { try BrokenEngine($0.map(String.init)) }
  }

  private init(_ lines: [String]) throws {
    let title = lines[0].split(separator: ":", maxSplits: 1).map(String.init)
    guard title.count == 2 else { throw Malformed(description: "no \"NAME: FAULT\": \(lines[0])") }
    name = title[0]
    fault = title[1].trimmed
    for line in lines.dropFirst() {
      let also = "also "
      if line.hasPrefix(also) {
        try read(String(line.dropFirst(also.count)), isOnlyInFullRun: true)
      } else {
        try read(line)
      }
    }
    guard !twin.isEmpty, !promises.isEmpty, !replacements.isEmpty || !flags.isEmpty else {
      throw Malformed(description: "\(name) lacks its twin, its line or its cases")
    }
  }

  private mutating func read(_ line: String, isOnlyInFullRun: Bool = false) throws {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? String(parts[1]).trimmed : ""
    switch parts[0] {
    case "twin": twin = rest
    case "-": replacements.append((rest, ""))
    case "+" where !replacements.isEmpty: replacements[replacements.count - 1].text = rest
    case "flags": flags = rest.split(separator: " ").map(String.init)
    case "engine": engine = rest
    case "because": reason = rest
    case "alone": isAlone = true
    case "fails": try promise("failed", rest, isOnlyInFullRun)
    case "crashes": try promise("crashed", rest, isOnlyInFullRun)
    case "warns": try promise("warning", rest, isOnlyInFullRun)
    default: throw Malformed(description: "\(name) has the line \"\(line)\"")
    }
  }

  private mutating func promise(
    _ verdict: String, _ rest: String, _ isOnlyInFullRun: Bool
  ) throws {
    let parts = rest.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
    guard parts.count == 2, !parts[1].isEmpty else {
      throw Malformed(description: "\(name) promises \"\(rest)\" without a text")
    }
    promises.append(
      Promise(
        id: parts[0], verdict: verdict, text: parts[1], isOnlyInFullRun: isOnlyInFullRun))
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
