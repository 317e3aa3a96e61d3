/// Rounds positions.
protocol Grid {
  func round(_ origin: AxisVector) -> AxisVector
}

/// The pixel grid of the display; rounds to the nearest pixel, half up.
struct PixelGrid {
  /// A way to round.
  enum Method {
    case multiplying(MultiplyingGrid)
    case dividing(DividingGrid)
    case none

    /// Rounds a position along the scroll axis; nil if nothing is rounded.
    func round(_ main: Double) -> Double? {
      switch self {
      case .multiplying(let grid): grid.round(AxisVector(main: main, cross: 0)).main
      case .dividing(let grid): grid.round(AxisVector(main: main, cross: 0)).main
      case .none: nil
      }
    }
  }

  private let method: Method
  /// From here on doubles are too coarse for half pixels.
  private let end: Double

  init(scale: Double) {
    let inverse = 1 / scale
    method =
      scale.significand == 1 && inverse.isNormal
      ? .multiplying(MultiplyingGrid(scale: scale, inverse: inverse))
      : .dividing(DividingGrid(scale: scale))
    end = 0x1p51 / scale
  }

  /// The fastest way to round lengths below `limit`, chosen once for all of them.
  func method(below limit: Double) -> Method {
    limit < end ? method : .none
  }
}

/// Rounds where 1 / scale is exact, which spares a division.
struct MultiplyingGrid: Grid {
  let scale, inverse: Double

  @inline(__always)
  func round(_ origin: AxisVector) -> AxisVector { floorOf(origin * scale + 0.5) * inverse }
}

/// Rounds for any scale.
struct DividingGrid: Grid {
  let scale: Double

  @inline(__always)
  func round(_ origin: AxisVector) -> AxisVector { floorOf(origin * scale + 0.5) / scale }
}

/// Does not round.
struct NoGrid: Grid {
  @inline(__always)
  func round(_ origin: AxisVector) -> AxisVector { origin }
}

/// The whole numbers below numbers of less than 2^51.
///
/// Adding and taking away 1.5·2^52 rounds to the nearest one; the processor's own floor is a
/// function call on the machines that the compiler must assume.
@inline(__always)
private func floorOf(_ numbers: AxisVector) -> AxisVector {
  let nearest = (numbers + 0x1.8p52) - 0x1.8p52
  return nearest - SIMD2(repeating: 0).replacing(with: 1, where: nearest .> numbers)
}
