import Glibc

/// A colour of the sRGB space, each part 0...255.
struct Colour: Equatable {
  let red, green, blue: UInt8

  /// A colour by how it is seen, in the OKLCH space; what sRGB cannot show is brought to its edge.
  ///
  /// - Parameters:
  ///   - lightness: 0 (black) ... 1 (white).
  ///   - chroma: 0 (grey) ... about 0.3.
  ///   - hue: degrees.
  init(lightness: Double, chroma: Double, hue: Double) {
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

  /// The colour with three fifths of white.
  var pale: Colour {
    Colour(red: Self.paled(red), green: Self.paled(green), blue: Self.paled(blue))
  }

  private init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  private static func paled(_ part: UInt8) -> UInt8 {
    UInt8((255 - 0.4 * Double(255 - part)).rounded())
  }

  /// "#rrggbb".
  var hex: String {
    "#"
      + [red, green, blue].map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }
      .joined()
  }
}

private func cubed(_ value: Double) -> Double { value * value * value }

/// A linear part as the eight bits of sRGB.
private func encoded(_ linear: Double) -> UInt8 {
  let bounded = min(max(linear, 0), 1)
  let curved = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * pow(bounded, 1 / 2.4) - 0.055
  return UInt8((curved * 255).rounded())
}
