/// The colours of cells: a hue a section, gently varied from item to item, with an ink that can be
/// read on all of them.
///
/// Neighbouring hues also differ in lightness, so that most people with a colour vision deficiency
/// tell them apart.
struct Palette {
  /// Fills by section and shade.
  let fills: [[Colour]]
  /// The colour of text on a fill, by section.
  let inks: [Colour]

  /// Dark text on pastel.
  static let light = Palette(lightness: 0.87, chroma: 0.068, inkLightness: 0.34, inkChroma: 0.09)
  /// Light text on deep colours.
  static let dark = Palette(lightness: 0.41, chroma: 0.075, inkLightness: 0.94, inkChroma: 0.04)

  private static let hues: [Double] = [250, 155, 65, 310, 205, 20, 110, 340]
  private static let lifts: [Double] = [0, 0.012, 0.02, 0, 0.012, -0.01, 0.03, 0.005]
  /// A step in lightness and one in hue for each shade, so ordered that neighbours differ.
  private static let shades: [(lightness: Double, hue: Double)] = [
    (0, 0), (0.035, 8), (-0.035, -8), (0.02, -14), (-0.02, 12), (0.045, -4), (-0.005, 16),
  ]

  private init(lightness: Double, chroma: Double, inkLightness: Double, inkChroma: Double) {
    fills = zip(Self.hues, Self.lifts).map { hue, lift in
      Self.shades.map { shade in
        Colour(
          lightness: lightness + lift + shade.lightness, chroma: chroma, hue: hue + shade.hue)
      }
    }
    inks = Self.hues.map { Colour(lightness: inkLightness, chroma: inkChroma, hue: $0) }
  }

  /// Which of `fills` a section takes; sections share hues where there are more.
  static func hue(section: Int) -> Int { wrapped(section, hues.count) }

  /// Which shade of its section an item takes.
  ///
  /// Items one apart and items a common line length apart take different ones.
  static func shade(item: Int) -> Int {
    wrapped(
      wrapped(item, shades.count) + 3 * wrapped(item / shades.count, shades.count), shades.count)
  }

  private static func wrapped(_ value: Int, _ count: Int) -> Int {
    let rest = value % count
    return rest < 0 ? rest + count : rest
  }
}
