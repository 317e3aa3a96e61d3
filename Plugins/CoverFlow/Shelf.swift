import Glibc
import TesseraSDK

struct Shelf {
  private let middle: Double
  private let activeDistance, translateDistance, zoomFactor, flowOffset, inactiveGrey: Double
  /// m34 of every cover.
  private let perspective: Double
  /// For covers aside on the right.
  private let right: Transform

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
    right = Transform(
      sine: -sin(.pi / 4), cosine: cos(.pi / 4), zoom: 1, x: flowOffset, z: 0,
      perspective: perspective)
  }

  /// Checks the numbers that are largest for any cover.
  var isFinite: Bool {
    let aside = flowOffset * (activeDistance / translateDistance)
    let zoomed = (1 + abs(zoomFactor)) * max(1, abs(perspective))
    return aside.isFinite && zoomed.isFinite
  }

  func cover(at x: Double) -> Cover {
    let distance = middle - x
    let isLeft = distance > 0
    let away = abs(distance)
    guard away < activeDistance else {
      return Cover(
        transform: isLeft ? right.turned : right, zIndex: 0, grey: inactiveGrey)
    }
    let share = away / activeDistance
    let angle = (isLeft ? share : -share) * (.pi / 4)
    let aside = flowOffset * abs(distance / translateDistance)
    return Cover(
      transform: Transform(
        sine: sin(angle), cosine: cos(angle), zoom: 1 + zoomFactor * (1 - share),
        x: isLeft ? -aside : aside, z: (1 - share) * 40000 + (isLeft ? 200 : 0),
        perspective: perspective),
      zIndex: 1, grey: inactiveGrey * (1 - (activeDistance - away) / activeDistance))
  }
}

extension Transform {
  /// Zoom in the plane, turn about the vertical axis, then move to x and z with perspective: the
  /// product, written out.
  fileprivate init(
    sine: Double, cosine: Double, zoom: Double, x: Double, z: Double, perspective: Double
  ) {
    self.init()
    m11 = zoom * cosine
    m13 = -zoom * sine
    m14 = -zoom * sine * perspective
    m22 = zoom
    m31 = sine
    m33 = cosine
    m34 = cosine * perspective
    m41 = x
    m43 = z
  }

  /// Turned and moved the other way.
  fileprivate var turned: Transform {
    var result = self
    (result.m13, result.m14, result.m31, result.m41) = (-m13, -m14, -m31, -m41)
    return result
  }
}
