import CTesseraHost
import TesseraGeometry

/// Where a scroll rests.
@c @implementation
public func tessera_session_resting_offset(
  _ pointer: OpaquePointer?, _ x: Double, _ y: Double, _ velocityX: Double, _ velocityY: Double,
  _ restingX: UnsafeMutablePointer<Double>?, _ restingY: UnsafeMutablePointer<Double>?
) -> Int32 {
  session(pointer) { handle in
    let restingX = try Argument.present(restingX, "place for x")
    let restingY = try Argument.present(restingY, "place for y")
    let resting = try handle.session.restingOffset(
      for: Point(x: x, y: y), velocity: Point(x: velocityX, y: velocityY))
    (restingX.pointee, restingY.pointee) = (resting.x, resting.y)
  }
}
