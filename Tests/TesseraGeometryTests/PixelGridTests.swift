import TesseraGeometry
import Testing

/// Half up: floor(v × scale + 0.5) / scale, worked out by hand.
@Suite struct PixelGridTests {
  @Test(
    arguments: [
      (98.33, 2.0, 98.5), (98.25, 2.0, 98.5), (98.2, 2.0, 98.0), (-0.25, 2.0, 0.0),
      (-0.3, 2.0, -0.5), (1.0 / 3, 3.0, 1.0 / 3), (0.5, 1.0, 1.0),
    ] as [(Double, Double, Double)])
  func roundsHalfUp(length: Double, scale: Double, expected: Double) {
    #expect(roundedToPixel(length, scale: scale) == expected)
  }

  @Test func mirroringATransformTwiceRestoresIt() {
    let numbers = (1...16).map(Double.init)
    let transform = Transform(elements: numbers)
    #expect(transform?.mirrored.mirrored == transform)
    #expect(transform?.mirrored.elements[12] == -13)
    #expect(Transform(elements: [1, 2]) == nil)
  }
}
