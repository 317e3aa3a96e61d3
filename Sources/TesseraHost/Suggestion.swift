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

  /// How many letters must be changed, added or taken away.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let change = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, diagonal + 1, row[j] + 1)
      }
    }
    return row[right.count]
  }
}
