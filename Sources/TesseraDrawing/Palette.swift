import Glibc

/// A hue for each section, a shade for each item, and a legible ink.
///
/// Neighbouring hues differ in lightness too, for people with a colour vision deficiency.
struct Palette {
  let fills: [[Colour]]
  let inks: [Colour]

  /// Dark text on pastel.
  static let light = Palette(lightness: 0.87, chroma: 0.068, inkLightness: 0.34, inkChroma: 0.09)
  static let dark = Palette(lightness: 0.41, chroma: 0.075, inkLightness: 0.94, inkChroma: 0.04)

  private static let hues: [Double] = [250, 155, 65, 310, 205, 20, 110, 340]
  private static let lifts: [Double] = [0, 0.012, 0.02, 0, 0.012, -0.01, 0.03, 0.005]
  /// Neighbouring shades differ clearly.
  private static let shades: [(lightness: Double, hue: Double)] = [
    (0, 0), (0.035, 8), (-0.035, -8), (0.02, -14), (-0.02, 12), (0.045, -4), (-0.005, 16),
  ]

  private init(lightness: Double, chroma: Double, inkLightness: Double, inkChroma: Double) {
    fills = zip(Self.hues, Self.lifts).map { hue, lift in
      Self.shades.map { shade in
        Colour(lightness: lightness + lift + shade.lightness, chroma: chroma, hue: hue + shade.hue)
      }
    }
    inks = Self.hues.map { Colour(lightness: inkLightness, chroma: inkChroma, hue: $0) }
  }

  /// Hues repeat.
  static func hue(section: Int) -> Int { wrapped(section, hues.count) }

  /// Differs between neighbours in a line and, usually, in a column.
  static func shade(item: Int) -> Int {
    wrapped(
      wrapped(item, shades.count) + 3 * wrapped(item / shades.count, shades.count), shades.count)
  }

  private static func wrapped(_ value: Int, _ count: Int) -> Int {
    let rest = value % count
    return rest < 0 ? rest + count : rest
  }
}

/// An sRGB colour.
public struct Colour: Equatable, Sendable {
  let red, green, blue: UInt8

  /// Creates an OKLCH colour, clamped to sRGB, with the hue in degrees.
  public init(lightness: Double, chroma: Double, hue: Double) {
    let angle = hue * .pi / 180
    let a = chroma * cos(angle)
    let b = chroma * sin(angle)
    let long = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let medium = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let short = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b)
    red = encoded(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short)
    green = encoded(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short)
    blue = encoded(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short)
  }

  /// Creates a colour from a number such as 0x3B4758.
  public init(_ number: UInt32) {
    self.init(
      red: UInt8(number >> 16 & 0xFF), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
  }

  private init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  func paled(on ground: Colour) -> Colour { ground.covered(by: self, opacity: 0.4) }

  /// This colour under a translucent one.
  public func covered(by colour: Colour, opacity: Double) -> Colour {
    func mixed(_ below: UInt8, _ above: UInt8) -> UInt8 {
      UInt8((Double(above) * opacity + Double(below) * (1 - opacity)).rounded())
    }
    return Colour(
      red: mixed(red, colour.red), green: mixed(green, colour.green),
      blue: mixed(blue, colour.blue))
  }

  /// The WCAG 2 contrast ratio, 1 to 21.
  public func contrast(to other: Colour) -> Double {
    let (one, two) = (luminance + 0.05, other.luminance + 0.05)
    return max(one, two) / min(one, two)
  }

  private var luminance: Double {
    func linear(_ component: UInt8) -> Double {
      let part = Double(component) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// "#rrggbb".
  public var hex: String {
    "#"
      + [red, green, blue].map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }
      .joined()
  }
}

private func cubed(_ value: Double) -> Double { value * value * value }

private func encoded(_ linear: Double) -> UInt8 {
  let bounded = min(max(linear, 0), 1)
  let curved = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * pow(bounded, 1 / 2.4) - 0.055
  return UInt8((curved * 255).rounded())
}
