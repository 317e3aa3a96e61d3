import TesseraGeometry

/// The SVG style of a drawing.
public struct DrawingStyle: Sendable {
  /// The colours of a picture.
  public enum Theme: String, CaseIterable, Sendable {
    case light, dark
    /// Light, or dark if the viewer prefers it and supports style sheets.
    case auto
  }

  /// The colours.
  public var theme = Theme.light
  /// The width in pixels, above 0; nil to suit the content, with a proportional height.
  public var width: Double?
  /// The number of strips of about equal length, 1 or more; cuts are between rows if possible.
  public var columns = 1

  /// Creates a light style without cuts.
  public init() {}
}

/// The colours of everything but cells.
public struct SVGColours: Sendable {
  /// The ground of the whole picture.
  public let sheet: Colour
  let edge: Colour
  /// Titles and other primary text.
  public let text: Colour
  /// Secondary text.
  public let soft: Colour
  let insets, insetsEdge: Colour
  /// The ground of the content.
  public let ground: Colour
  let accent, halo: Colour
  let bar, barInk, badge, hatch, hatchLine, hatchEdge, note, line: Colour
  /// Dims elements.
  public let mask: Colour
  /// Where a cell's own ink is not legible; light in any theme.
  let dimmedInk = Colour(0xF4F6F9)
  /// Not 0xFFFFFF, which the dark style replaces on bars.
  let whiteInk = Colour(0xFFFFFE)
  let darkInk = Colour(0x0B0D10)

  /// Dark text on light ground.
  public static let light = SVGColours(
    sheet: Colour(0xF5F6F8), edge: Colour(0xD8DCE3), text: Colour(0x1F2733), soft: Colour(0x5D6878),
    insets: Colour(0xE9ECF1), insetsEdge: Colour(0xCFD5DE), ground: Colour(0xFFFFFF),
    accent: Colour(0xC92A60), halo: Colour(0xFFFFFF), bar: Colour(0x3B4758),
    barInk: Colour(0xFFFFFF), badge: Colour(0x5D6878), hatch: Colour(0xE7EAEF),
    hatchLine: Colour(0xD3D9E2), hatchEdge: Colour(0xAAB3C0), note: Colour(0x566173),
    line: Colour(0x7B8797), mask: Colour(0x3D4552))
  /// Light text on dark ground.
  public static let dark = SVGColours(
    sheet: Colour(0x15181D), edge: Colour(0x343B45), text: Colour(0xE8EBF0), soft: Colour(0x9AA5B5),
    insets: Colour(0x191D22), insetsEdge: Colour(0x2B313A), ground: Colour(0x1E2329),
    accent: Colour(0xF06595), halo: Colour(0x15181D), bar: Colour(0xC5CEDB),
    barInk: Colour(0x15181D), badge: Colour(0x9AA5B5), hatch: Colour(0x272D35),
    hatchLine: Colour(0x353D48), hatchEdge: Colour(0x56616F), note: Colour(0xAAB3C0),
    line: Colour(0x8B97A7), mask: Colour(0x0B0D10))
}

extension DrawingStyle.Theme {
  var colours: SVGColours { self == .dark ? .dark : .light }

  var palette: Palette { self == .dark ? .dark : .light }

  /// - Parameter hues: Of the cells.
  func rules(hues: Set<Int>, isPaled: Bool, isDimmed: Bool) -> Markup {
    guard self == .auto else { return "" }
    let (light, dark) = (SVGColours.light, SVGColours.dark)
    var rules: Markup = ""
    func replace(_ element: Markup, _ attribute: Markup, _ colours: [(Colour, Colour)]) {
      for (old, new) in colours {
        rules += "\(element)[\(attribute)=\"\(old.hex)\"]{\(attribute):\(new.hex)}"
      }
    }
    let inks = hues.sorted().map { (Palette.light.inks[$0], Palette.dark.inks[$0]) }
    var cells = inks
    for hue in hues.sorted() {
      for (old, new) in zip(Palette.light.fills[hue], Palette.dark.fills[hue]) {
        cells.append((old, new))
        if isPaled { cells.append((old.paled(on: light.ground), new.paled(on: dark.ground))) }
      }
    }
    let shapes: [KeyPath<SVGColours, Colour>] = [
      \.sheet, \.insets, \.ground, \.accent, \.bar, \.badge, \.hatch, \.hatchLine, \.line, \.mask,
    ]
    let texts: [KeyPath<SVGColours, Colour>] = [\.text, \.soft, \.accent, \.bar, \.barInk, \.note]
    let strokes: [KeyPath<SVGColours, Colour>] = [
      \.edge, \.insetsEdge, \.halo, \.accent, \.bar, \.hatchEdge,
    ]
    func pairs(_ paths: [KeyPath<SVGColours, Colour>]) -> [(Colour, Colour)] {
      paths.map { (light[keyPath: $0], dark[keyPath: $0]) }
    }
    replace("", "fill", cells + pairs(shapes))
    // Later than shapes, which share some colours.
    replace("text", "fill", pairs(texts))
    // As on cells that are not dimmed.
    if isDimmed { replace("text", "fill", [(light.darkInk, light.dimmedInk)]) }
    replace("", "stroke", inks + pairs(strokes))
    return "<style>@media (prefers-color-scheme:dark){\(rules)}</style>\n"
  }
}
