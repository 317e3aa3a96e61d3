package func clipped(_ text: String, to length: Int = 60) -> String {
  text.utf8.count <= length ? text : String(text.prefix(length - 1)) + "…"
}

package func quoted(_ text: String) -> String { "\"\(clipped(text))\"" }

/// "1 item", "2 items".
package func counted(
  _ count: Int, _ noun: String, _ plural: String? = nil, none: String = "0"
) -> String { "\(count == 0 ? none : "\(count)") \(count == 1 ? noun : plural ?? noun + "s")" }

/// "a, b and c".
package func list(_ names: [String], _ conjunction: String = "and") -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
  return "\(names.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// "did you mean X?" if a known name is near, else `advice`.
package func hint(_ name: String, among known: [String], else advice: String) -> String {
  // A typo is never this long.
  guard name.utf8.count <= 64, let near = similarNames(to: name, among: known).first else {
    return advice
  }
  return "did you mean \(near)?"
}

package func hint(_ name: String, among known: [String]) -> String {
  hint(name, among: known, else: known.isEmpty ? "there is none" : "expected \(list(known, "or"))")
}

/// Names with at most a third of the letters changed, nearest first; O(*n*·*m*²).
package func similarNames(to name: String, among known: [String]) -> [String] {
  let limit = max(1, name.utf8.count / 3)
  let candidates = known.filter { abs($0.utf8.count - name.utf8.count) <= limit }
  return candidates.map { ($0, distance(Array(name.lowercased()), Array($0.lowercased()))) }
    .filter { $0.1 <= limit }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
}

package func suggestedName(for name: String, among known: [String]) -> String {
  let near = similarNames(to: name, among: known)
  if let best = near.first { return "did you mean \(best)?" }
  return known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
}

/// The Damerau-Levenshtein distance.
private func distance(_ left: [Character], _ right: [Character]) -> Int {
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
