import Glibc
import TesseraSDK

/// The transforms of covers for one scroll offset.
struct Shelf {
  /// The centre of the visible area.
  private let middle: Double
  private let activeDistance, translateDistance, zoomFactor, flowOffset, inactiveGrey: Double
  /// m34 of every cover.
  private let perspective: Double
  private let turn = (sine: sin(Double.pi / 4), cosine: cos(Double.pi / 4))

  /// The transform of one cover.
  struct Cover {
    let transform: Transform
    let zIndex: Int32
    let grey: Double
  }

  init(_ layout: CoverFlow, middle: Double) {
    self.middle = middle
    activeDistance = layout.activeDistance
    translateDistance = layout.translateDistance
    zoomFactor = layout.zoomFactor
    flowOffset = layout.flowOffset
    inactiveGrey = layout.inactiveGrey
    // Items without a width are invisible at any distance.
    let width = layout.itemSize.width
    perspective = width > 0 ? -1 / (4.6777 * width) : 0
  }

  /// Whether the largest numbers of any cover, and so all numbers, are finite.
  var isFinite: Bool {
    let aside = flowOffset * (activeDistance / translateDistance)
    let zoomed = (1 + abs(zoomFactor)) * max(1, abs(perspective))
    return aside.isFinite && zoomed.isFinite
  }

  /// The transform of a cover whose centre is at `x`.
  func cover(at x: Double) -> Cover {
    let distance = middle - x
    let isLeft = distance > 0
    let away = abs(distance)
    guard away < activeDistance else {
      return Cover(
        transform: transform(
          sine: isLeft ? turn.sine : -turn.sine, cosine: turn.cosine, zoom: 1,
          x: isLeft ? -flowOffset : flowOffset, z: 0),
        zIndex: 0, grey: inactiveGrey)
    }
    let share = away / activeDistance
    let angle = (isLeft ? share : -share) * (.pi / 4)
    let aside = flowOffset * abs(distance / translateDistance)
    return Cover(
      transform: transform(
        sine: sin(angle), cosine: cos(angle), zoom: 1 + zoomFactor * (1 - share),
        x: isLeft ? -aside : aside, z: (1 - share) * 40000 + (isLeft ? 200 : 0)),
      zIndex: 1, grey: inactiveGrey * (1 - (activeDistance - away) / activeDistance))
  }

  /// Scaled by `zoom` in its plane, then turned about the vertical axis, then moved to x and z with
  /// the perspective: the product of the three, written out.
  private func transform(
    sine: Double, cosine: Double, zoom: Double, x: Double, z: Double
  ) -> Transform {
    var result = Transform.identity
    result.m11 = zoom * cosine
    result.m13 = -zoom * sine
    result.m14 = -zoom * sine * perspective
    result.m22 = zoom
    result.m31 = sine
    result.m33 = cosine
    result.m34 = cosine * perspective
    result.m41 = x
    result.m43 = z
    return result
  }
}
