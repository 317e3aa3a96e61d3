/// A text short enough for one line of an error.
func clipped(_ text: String, to length: Int = 60) -> String {
  text.utf8.count <= length ? text : String(text.prefix(length - 1)) + "…"
}

/// A text in quotes, short enough for one line of an error.
func quoted(_ text: String) -> String { "\"\(clipped(text))\"" }

/// "a, b and c".
func list(_ names: [String], _ conjunction: String = "and") -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
  return "\(names.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// A number as people write it: shortest, and without ".0".
func format(_ value: Double) -> String {
  let text = "\(value)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// "1 item", "2 items".
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// "did you mean X?" where a known name is near, else the other advice.
func hint(_ name: String, among known: [String], else advice: String) -> String {
  guard let nearest = nearest(to: name, among: known) else { return advice }
  return "did you mean \(nearest)?"
}

/// The advice for an unknown name: the near one, or all there are.
func hint(_ name: String, among known: [String]) -> String {
  hint(name, among: known, else: known.isEmpty ? "there is none" : "expected \(list(known, "or"))")
}

/// The known name that differs from `name` by about a third of its letters or fewer.
func nearest(to name: String, among known: [String]) -> String? {
  guard name.utf8.count <= 64 else { return nil }
  let lower = name.lowercased()
  let ranked = known.map { (name: $0, distance: distance(lower, $0.lowercased())) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(1, (name.utf8.count + 1) / 3) ? best.name : nil
}

/// How many letters must be inserted, deleted or replaced to make one text of the other.
func distance(_ left: String, _ right: String) -> Int {
  let right = Array(right.utf8)
  var row = Array(0...right.count)
  for (line, letter) in left.utf8.enumerated() {
    var diagonal = row[0]
    row[0] = line + 1
    for (column, other) in right.enumerated() {
      let replaced = diagonal + (letter == other ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, min(row[column], diagonal) + 1)
    }
  }
  return row[right.count]
}
