import Glibc

/// An affine map of the plane as SVG can animate it: moved, turned, skewed, scaled.
struct PlaneTurn {
  var x = 0.0
  var y = 0.0
  /// Degrees, clockwise as y grows downward.
  var angle = 0.0
  /// Degrees.
  var skew = 0.0
  var scaleX = 0.0
  var scaleY = 0.0

  /// What shrinks all to a point, at a place.
  init(vanishedAt x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  init(_ map: PlaneTransform) {
    x = map.origin.x
    y = map.origin.y
    scaleX = (map.a * map.a + map.b * map.b).squareRoot()
    guard scaleX > 0 else { return }
    scaleY = (map.a * map.d - map.b * map.c) / scaleX
    angle = atan2(map.b, map.a) * 180 / .pi
    guard scaleY != 0 else { return }
    skew = atan((map.a * map.c + map.b * map.d) / scaleX / scaleY) * 180 / .pi
  }

  /// The same map with the angle that lies nearest to that of another, so that nothing spins.
  func following(_ other: PlaneTurn) -> PlaneTurn {
    var turn = self
    turn.angle += ((other.angle - angle) / 360).rounded() * 360
    return turn
  }
}
