import ArgumentParser
import TesseraCommand
import TesseraDrawing
import TesseraHost
import TesseraScenario

struct AnimationOptions: ParsableArguments {
  @Option(
    "Output one moment of the animation, 0 to 1, in any format.", "fraction",
    more: """
      Without it, svg and html play the whole animation, json contains the track of each element, \
      and a table summarizes the tracks.
      """)
  var progress: Double?

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var style: StyleOptions

  mutating func validate() throws {
    if let progress, !(0...1).contains(progress) {
      throw ValidationError("--progress is \(progress); give a number from 0 to 1")
    }
    let format = output.chosenFormat
    try style.check(for: format)
    try require(
      progress != nil || style.columns == nil,
      "--columns cuts only one moment; give --progress 0 to 1 with it")
    try require(
      progress != nil || format.holdsAnimations,
      "\(format) holds only one moment; give --progress 0 to 1, or another format")
  }

  func write(_ animation: FinishedAnimation) throws {
    var animation = animation
    animation.progress = progress
    try output.write(animation, style.style(for: output.chosenFormat))
  }
}

struct FinishedAnimation {
  let engine: (name: String, id: String)
  let scenario: Scenario
  let animation: LayoutAnimation
  let writer: TrackWriter
  /// One moment; nil for the whole animation.
  var progress: Double?

  private func moment(at progress: Double) -> FinishedLayout<[Element]> {
    let elements = animation.elements(at: progress)
    return FinishedLayout(
      engine: engine, scenario: scenario,
      viewport: Rect(origin: animation.offset(at: progress), size: scenario.viewport.bounds),
      rect: nil, contentSize: animation.contentSize(at: progress), elements: elements,
      attributes: animation.attributes, columns: elements.columns)
  }

  private func drawing(_ style: DrawingStyle) -> any Drawable {
    var picture = AnimatedPicture(
      engineName: engine.name, engineID: engine.id, animation: animation,
      bounds: scenario.viewport.bounds)
    picture.contentInsets = scenario.viewport.contentInsets
    picture.scale = scenario.viewport.scale
    picture.direction = scenario.viewport.direction
    picture.label = scenario.text(of: "label")
    picture.style = style
    if let progress { return picture.picture(at: progress) }
    return picture
  }
}

extension [Element] {
  fileprivate var columns: BuiltInColumns {
    var columns: BuiltInColumns = []
    for element in self {
      if element.zIndex != 0 { columns.insert(.zIndex) }
      if element.alpha != 1 { columns.insert(.alpha) }
      if element.isHidden { columns.insert(.hidden) }
      if element.transform != .identity { columns.insert(.transform) }
    }
    return columns
  }
}

extension FinishedAnimation: LayoutOutput {
  var summary: String { "an animation of \(counted(animation.tracks.count, "element"))" }

  var scale: Double { scenario.viewport.scale }

  /// The whole animation as its tracks, in the only format that holds them.
  func write(as format: LayoutWriter.Format, to output: BufferedOutput) throws {
    if let progress { return try moment(at: progress).write(as: format, to: output) }
    try writer.write { try $0.withUnsafeBytes { try output.write($0) } }
  }

  func writeSVG(to output: BufferedOutput, _ style: DrawingStyle) throws {
    try drawing(style).writeSVG { bytes throws in try output.write(bytes) }
  }

  func writeHTML(to output: BufferedOutput) throws {
    try drawing(DrawingStyle()).writeHTML { bytes throws in try output.write(bytes) }
  }

  /// Truncated on a terminal.
  func writeTable(to output: BufferedOutput) throws {
    if let progress { return try moment(at: progress).writeTable(to: output) }
    let tracks = animation.tracks
    try output.write("\(engine.id)\n")
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
    }.writeStart(to: output)
  }

  /// "20 tracks: 2 appear, 1 disappears".
  private var counts: String {
    let all = animation.tracks.count
    let appearing = animation.tracks.count { $0.before == nil }
    let disappearing = animation.tracks.count { $0.after == nil }
    let parts = [(appearing, "appear"), (disappearing, "disappear")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "s" : "")" }
    return counted(all, "track") + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }
}

extension ElementIdentity? {
  /// "section, item", or a dash for nil.
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
