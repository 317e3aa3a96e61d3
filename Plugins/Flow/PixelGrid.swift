/// Rounds positions.
protocol Grid {
  /// Rounds both positions.
  func round(_ origin: AxisVector) -> AxisVector
  /// Rounds a position along the scroll axis.
  func round(_ main: Double) -> Double
}

/// The pixel grid of the display; rounds to the nearest pixel, half up.
struct PixelGrid {
  /// A way to round.
  enum Method {
    case multiplying(MultiplyingGrid)
    case dividing(DividingGrid)
  }

  /// The fastest way to round lengths below `end`, chosen once for all of them.
  let method: Method
  /// From here on doubles are too coarse for half pixels, and nothing is rounded.
  let end: Double

  init(scale: Double) {
    let inverse = 1 / scale
    method =
      scale.significand == 1 && inverse.isNormal
      ? .multiplying(MultiplyingGrid(scale: scale, inverse: inverse))
      : .dividing(DividingGrid(scale: scale))
    end = 0x1p51 / scale
  }
}

/// Rounds where 1 / scale is exact, which spares a division.
struct MultiplyingGrid: Grid {
  let scale, inverse: Double

  @inline(__always)
  func round(_ origin: AxisVector) -> AxisVector { floorOf(origin * scale + 0.5) * inverse }

  @inline(__always)
  func round(_ main: Double) -> Double { floorOf(main * scale + 0.5) * inverse }
}

/// Rounds for any scale.
struct DividingGrid: Grid {
  let scale: Double

  @inline(__always)
  func round(_ origin: AxisVector) -> AxisVector { floorOf(origin * scale + 0.5) / scale }

  @inline(__always)
  func round(_ main: Double) -> Double { floorOf(main * scale + 0.5) / scale }
}

/// Does not round.
struct NoGrid: Grid {
  @inline(__always)
  func round(_ origin: AxisVector) -> AxisVector { origin }

  @inline(__always)
  func round(_ main: Double) -> Double { main }
}

/// The whole numbers below numbers of less than 2^51: as `quickFloor`, without its care for others.
@inline(__always)
private func floorOf(_ numbers: AxisVector) -> AxisVector {
  let nearest = (numbers + 0x1.8p52) - 0x1.8p52
  return nearest - SIMD2(repeating: 0).replacing(with: 1, where: nearest .> numbers)
}

@inline(__always)
private func floorOf(_ number: Double) -> Double {
  let nearest = (number + 0x1.8p52) - 0x1.8p52
  return nearest - (nearest > number ? 1 : 0)
}
