/// An engine's row in the table of the engines: the outcome, the status, texts of the message.
struct TableRow {
  /// The last three columns.
  let text: String

  init(_ cases: [HostileCase]) {
    let ends = cases.flatMap(\.ends)
    let calls = Self.distinct(ends.compactMap(\.call))
    let parts = Self.distinct(ends.flatMap(\.sentence))
    let columns = [
      Self.distinct(ends.map(\.words)).joined(separator: "; or "),
      Self.distinct(ends.map { "\($0.status)" }).joined(separator: " or "),
      ((parts.count > 6 ? ["what it did"] : parts) + (calls.count > 1 ? ["the call"] : calls))
        .joined(separator: ", "),
    ]
    text = columns.joined(separator: " | ")
  }

  private static func distinct(_ texts: [String]) -> [String] {
    texts.enumerated().filter { !texts[..<$0.offset].contains($0.element) }.map(\.element)
  }
}
