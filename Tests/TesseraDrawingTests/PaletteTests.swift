import Foundation
import Testing

@testable import TesseraDrawing

@Suite struct PaletteTests {
  @Test func coloursAreThoseOfOKLCH() {
    #expect(Colour(lightness: 0, chroma: 0, hue: 0).hex == "#000000")
    #expect(Colour(lightness: 1, chroma: 0, hue: 0).hex == "#ffffff")
    // Published primaries of sRGB.
    #expect(Colour(lightness: 0.627_96, chroma: 0.257_68, hue: 29.234).hex == "#ff0000")
    #expect(Colour(lightness: 0.866_44, chroma: 0.294_83, hue: 142.495).hex == "#00ff00")
    #expect(Colour(lightness: 0.452_01, chroma: 0.313_21, hue: 264.052).hex == "#0000ff")
  }

  @Test func textHasAccessibleContrast() {
    for palette in [Palette.light, Palette.dark] {
      for (fills, ink) in zip(palette.fills, palette.inks) {
        for fill in fills {
          #expect(contrast(fill, ink) >= 4.5, "\(fill.hex) under \(ink.hex)")
        }
      }
    }
  }

  @Test(arguments: [Int.min, -1, 0, Int.max])
  func everyIndexHasAColour(index: Int) {
    let palette = Palette.light
    #expect(palette.fills.indices.contains(Palette.hue(section: index)))
    #expect(palette.fills[0].indices.contains(Palette.shade(item: index)))
  }

  /// WCAG 2 contrast ratio.
  private func contrast(_ one: Colour, _ other: Colour) -> Double {
    let lights = [one, other].map(luminance).sorted()
    return (lights[1] + 0.05) / (lights[0] + 0.05)
  }

  private func luminance(_ colour: Colour) -> Double {
    let parts = [colour.red, colour.green, colour.blue].map { part -> Double in
      let value = Double(part) / 255
      return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
