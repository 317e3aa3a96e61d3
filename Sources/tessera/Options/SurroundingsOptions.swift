import ArgumentParser
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

  /// Adds what the options say to a scenario.
  func fill(_ scenario: inout Scenario) throws {
    scenario.bounds = try bounds.map { try OptionText($0, option: "--bounds").bounds() }
    scenario.offset = try offset.map { try OptionText($0, option: "--offset").point() }
    scenario.scale = try scale.map { try OptionText($0, option: "--scale").scale() }
    scenario.direction = try direction.map {
      try OptionText($0, option: "--direction").direction()
    }
    scenario.contentInsets = try contentInsets.map {
      try OptionText($0, option: "--content-insets").insets()
    }
    scenario.safeAreaInsets = try safeArea.map {
      try OptionText($0, option: "--safe-area").insets()
    }
    scenario.layoutMargins = try layoutMargins.map {
      try OptionText($0, option: "--layout-margins").insets()
    }
  }
}
