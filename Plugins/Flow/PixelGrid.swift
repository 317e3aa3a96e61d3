/// The places that fall on whole pixels of the display.
struct PixelGrid {
  private let scale: Double
  /// 1 / scale where that is exact, which spares a division; else 0.
  private let inverse: Double

  init(scale: Double) {
    self.scale = scale
    inverse = scale.significand == 1 && (1 / scale).isNormal ? 1 / scale : 0
  }

  /// The nearest place on the grid, half up.
  @inline(__always)
  func round(_ length: Double) -> Double {
    let pixels = length * scale
    // From here on a double has no half pixels left to round, and the trick below fails.
    guard abs(pixels) < 0x1p51 else { return length }
    // Adding and taking away 1.5·2^52 rounds to the nearest whole number; the processor's own floor
    // is a function call on machines that the compiler must assume.
    let half = pixels + 0.5
    let nearest = (half + 0x1.8p52) - 0x1.8p52
    let floor = nearest > half ? nearest - 1 : nearest
    return inverse != 0 ? floor * inverse : floor / scale
  }
}
