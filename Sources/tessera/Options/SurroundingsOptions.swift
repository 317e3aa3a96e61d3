import ArgumentParser
import TesseraHost
import TesseraScenario

/// What lies around the content: the options that win over a scenario's keys of the same meaning.
struct SurroundingsOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The viewport's size in points (default: 375x667).", valueName: "WxH"))
  var bounds: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Where the viewport is scrolled to; it filters nothing (default: 0,0).", valueName: "x,y"))
  var offset: String?

  @Option(name: .long, parsing: .unconditional, help: "Device pixels a point (default: 2).")
  var scale: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: "Which way the content reads: leftToRight (default) or rightToLeft.",
    completion: .list(LayoutDirection.allCases.map(\.rawValue)))
  var direction: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Room around the content: top, left, bottom, right (default: 0,0,0,0).",
      valueName: "t,l,b,r"))
  var contentInsets: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "What covers the edges of the bounds (default: 0,0,0,0).", valueName: "t,l,b,r"))
  var safeArea: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Margins within the bounds (default: 0,0,0,0).", valueName: "t,l,b,r"))
  var layoutMargins: String?

  /// The keys of a scenario that the options give, as JSON.
  var keys: [String: JSONValue] {
    [
      "bounds": bounds.map(OptionText.vector),
      "offset": offset.map(OptionText.vector),
      "scale": scale.map(OptionText.number),
      "direction": direction.map(JSONValue.string),
      "contentInsets": contentInsets.map(OptionText.vector),
      "safeAreaInsets": safeArea.map(OptionText.vector),
      "layoutMargins": layoutMargins.map(OptionText.vector),
    ].compactMapValues { $0 }
  }
}
