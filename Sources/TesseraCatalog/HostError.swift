/// What went wrong, in one sentence that says what was found, what was expected and what to do.
public struct HostError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Who or what was at fault.
  ///
  /// The command maps each to its own exit status; recordings store the raw value.
  public enum Kind: String, Sendable, CaseIterable {
    /// A value, name or count that the caller gave is wrong.
    case invalidInput
    /// There is no such engine, library or file.
    case notFound
    /// The engine refused the work; the sentence is its own.
    case refused
    /// The engine broke the contract.
    case brokenContract
    /// The engine crashed, hung or took too much, and its process was ended.
    case died
    /// The file is not an engine library that this host can load.
    case cannotLoad
    /// The library is one that this host may not load.
    case notAllowed
    /// The caller's own progress handler stopped the work.
    case cancelled
    /// A file of the host's own, as an allowlist is, cannot be written.
    case cannotWrite
  }

  /// Who or what was at fault.
  public let kind: Kind
  /// One sentence for a person, without a final full stop.
  public let message: String

  /// An error of a kind with its sentence.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The sentence.
  public var description: String { message }
}

extension HostError {
  /// For an engine that has more rows than there is room for.
  package static func noRoom(_ engine: String, capacity: Int) -> HostError {
    HostError(
      .invalidInput,
      "\(engine) has more than \(capacity) rows for this; ask for a smaller part of it, as with "
        + "--visible, or for fewer items")
  }
}

/// Helps someone who misspelt a name.
public enum Suggestion {
  /// The names that differ from a given one by a third of its letters at most, nearest first.
  ///
  /// - Complexity: O(*n*·*m*²) for *n* names of *m* letters.
  public static func near(_ name: String, among known: [String]) -> [String] {
    let limit = max(1, name.count / 3)
    return known.map { ($0, distance(Array(name.lowercased()), Array($0.lowercased()))) }
      .filter { $0.1 <= limit }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  /// The end of a sentence that says what there is: the near names, or else all of them.
  public static func sentence(for name: String, among known: [String]) -> String {
    let near = near(name, among: known)
    if let best = near.first { return "did you mean \(best)?" }
    return known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
  }

  /// How many letters must be changed, added, taken away or exchanged with their neighbour.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before = Array(repeating: 0, count: right.count + 1)
    var row = Array(0...right.count)
    for i in left.indices {
      var next = [i + 1]
      for j in right.indices {
        var best = min(row[j] + (left[i] == right[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, before[j - 1] + 1)
        }
        next.append(best)
      }
      (before, row) = (row, next)
    }
    return row[right.count]
  }
}
