// How messages write texts, lists and counts.

/// A text short enough for one line of an error.
package func clipped(_ text: String, to length: Int = 60) -> String {
  text.utf8.count <= length ? text : String(text.prefix(length - 1)) + "…"
}

/// A text in quotes, short enough for one line of an error.
package func quoted(_ text: String) -> String { "\"\(clipped(text))\"" }

/// "a, b and c".
package func list(_ names: [String], _ conjunction: String = "and") -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
  return "\(names.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// "1 item", "2 items".
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// "did you mean X?" where a known name is near, else the other advice.
package func hint(_ name: String, among known: [String], else advice: String) -> String {
  // The time to compare grows with the length, and nobody misspells a name into a book.
  guard name.utf8.count <= 64, let near = Suggestion.near(name, among: known).first else {
    return advice
  }
  return "did you mean \(near)?"
}

/// The advice for an unknown name: the near one, or all there are.
package func hint(_ name: String, among known: [String]) -> String {
  hint(name, among: known, else: known.isEmpty ? "there is none" : "expected \(list(known, "or"))")
}
