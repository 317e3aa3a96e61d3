import TesseraGeometry
import Testing

@Suite struct PixelGridTests {
  @Test(
    arguments: [
      (98.33, 2.0, 98.5), (98.25, 2.0, 98.5), (98.2, 2.0, 98.0), (-0.25, 2.0, 0.0),
      (-0.3, 2.0, -0.5), (1.0 / 3, 3.0, 1.0 / 3), (0.5, 1.0, 1.0),
    ] as [(Double, Double, Double)])
  func roundsHalfUp(length: Double, scale: Double, expected: Double) {
    #expect(roundedToPixel(length, scale: scale) == expected)
  }

  /// Oracle: libm.
  @Test(arguments: [1.0, 2, 3, 1.5]) func roundsAllLengthsOfFewerThan2To51Pixels(scale: Double) {
    let far = 0x1p51 / scale
    var lengths = [far.nextDown, -far.nextDown, far / 2 + 0.5, 0.5 / scale, -0.5 / scale, 0, -0.0]
    for _ in 0..<10_000 {
      lengths.append(.random(in: -1e3...1e3))
      lengths.append(.random(in: -far..<far))
    }
    for length in lengths {
      #expect(
        roundedToPixel(length, scale: scale) == (length * scale + 0.5).rounded(.down) / scale)
    }
  }

  @Test func mirroringATransformTwiceRestoresIt() {
    let numbers = (1...16).map(Double.init)
    let transform = Transform(elements: numbers)
    #expect(transform?.mirrored.mirrored == transform)
    #expect(transform?.mirrored.elements[12] == -13)
    #expect(Transform(elements: [1, 2]) == nil)
  }
}

@Suite struct WholeNumberTests {
  /// Oracle: libm.
  @Test func quickFloorAndCeilingAreThoseOfTheLibrary() {
    var random = SystemRandomNumberGenerator()
    let borders = [0, 0x1p51, 0x1p52, 0x1p53].flatMap { [$0.nextDown, $0, $0.nextUp, $0 - 0.5] }
    var numbers = borders + borders.map { -$0 } + [.infinity, -.infinity, .greatestFiniteMagnitude]
    for _ in 0..<20_000 {
      numbers.append(.random(in: -1e3...1e3, using: &random))
      numbers.append(Double(bitPattern: .random(in: 0...UInt64.max, using: &random)))
    }
    for number in numbers where !number.isNaN {
      #expect(number.quickFloor == number.rounded(.down))
      #expect(number.quickCeiling == number.rounded(.up))
    }
    #expect(Double.nan.quickFloor.isNaN && Double.nan.quickCeiling.isNaN)
    #expect((-0.0).quickFloor.sign == .plus && (-0.5).quickCeiling.sign == .plus)
  }
}
