import TesseraHost

extension FinishedAnimation {
  /// How many rows a table shows on a terminal.
  private static let terminalRows = 40

  /// Writes the tracks as a table for a person; on a terminal only the first of them.
  func writeTable(to output: BufferedOutput, isOnTerminal: Bool) throws {
    let tracks = animation.tracks
    try output.write("\(subject.id)\n")
    try output.write(
      "content \(animation.contentSizeBefore.text) → \(animation.contentSizeAfter.text), offset "
        + "\(animation.offsetBefore.text) → \(animation.offsetAfter.text), \(counts)\n")
    guard !tracks.isEmpty else { return }
    let fades = tracks.contains { $0.from.alpha != 1 || $0.to.alpha != 1 }
    let turns = tracks.contains { $0.from.transform != .identity || $0.to.transform != .identity }
    let titles =
      ["ELEMENT", "BEFORE", "AFTER", "FROM", "TO"]
      + (fades ? ["ALPHA"] : []) + (turns ? ["TRANSFORM"] : [])
    try TextTable(titles.map { TextTable.Column($0) }, rowCount: tracks.count) { row in
      let track = tracks[row]
      let identity = track.identity
      return [
        identity.kind ?? identity.category.name, track.before.placeText, track.after.placeText,
        track.from.frame.text, track.to.frame.text,
      ] + (fades ? ["\(track.from.alpha.readableText) → \(track.to.alpha.readableText)"] : [])
        + (turns ? [track.from.transform == track.to.transform ? "" : "changes"] : [])
    }.write(to: output, limit: isOnTerminal ? Self.terminalRows : .max)
    guard isOnTerminal && tracks.count > Self.terminalRows else { return }
    try output.write("… \(tracks.count - Self.terminalRows) more; --format json prints all\n")
  }

  /// "20 tracks: 2 appear, 1 disappears".
  private var counts: String {
    let all = animation.tracks.count
    let appearing = animation.tracks.count { $0.before == nil }
    let disappearing = animation.tracks.count { $0.after == nil }
    let parts = [
      appearing > 0 ? "\(appearing) \(appearing == 1 ? "appears" : "appear")" : nil,
      disappearing > 0 ? "\(disappearing) \(disappearing == 1 ? "disappears" : "disappear")" : nil,
    ].compactMap { $0 }
    return "\(all) \(all == 1 ? "track" : "tracks")"
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }
}

extension ElementIdentity? {
  /// "section, item", or a dash for what is not there.
  fileprivate var placeText: String { map { "\($0.section), \($0.item)" } ?? "–" }
}

extension Size {
  fileprivate var text: String { "\(width.readableText) × \(height.readableText)" }
}

extension Point {
  fileprivate var text: String { "\(x.readableText),\(y.readableText)" }
}

extension Rect {
  fileprivate var text: String {
    "\(x.readableText),\(y.readableText) \(size.width.readableText)×\(size.height.readableText)"
  }
}
