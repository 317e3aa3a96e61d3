import CTesseraHost
import TesseraGeometry
import TesseraHost

/// Sets the viewport's size.
@c @implementation
public func tessera_session_set_bounds(
  _ pointer: OpaquePointer?, _ width: Double, _ height: Double
) -> Int32 {
  session(pointer) { $0.session.bounds = Size(width: width, height: height) }
}

/// Scrolls.
@c @implementation
public func tessera_session_set_offset(
  _ pointer: OpaquePointer?, _ x: Double, _ y: Double
) -> Int32 {
  session(pointer) { $0.session.offset = Point(x: x, y: y) }
}

/// Sets what lies around the content inside the bounds.
@c @implementation
public func tessera_session_set_content_insets(
  _ pointer: OpaquePointer?, _ top: Double, _ left: Double, _ bottom: Double, _ right: Double
) -> Int32 {
  session(pointer) {
    $0.session.contentInsets = Insets(top: top, left: left, bottom: bottom, right: right)
  }
}

/// Sets how far unsafe edges reach into the bounds.
@c @implementation
public func tessera_session_set_safe_area(
  _ pointer: OpaquePointer?, _ top: Double, _ left: Double, _ bottom: Double, _ right: Double
) -> Int32 {
  session(pointer) {
    $0.session.safeAreaInsets = Insets(top: top, left: left, bottom: bottom, right: right)
  }
}

/// Sets how far content should keep from the edges.
@c @implementation
public func tessera_session_set_layout_margins(
  _ pointer: OpaquePointer?, _ top: Double, _ left: Double, _ bottom: Double, _ right: Double
) -> Int32 {
  session(pointer) {
    $0.session.layoutMargins = Insets(top: top, left: left, bottom: bottom, right: right)
  }
}

/// Sets device pixels a point.
@c @implementation
public func tessera_session_set_scale(_ pointer: OpaquePointer?, _ scale: Double) -> Int32 {
  session(pointer) { $0.session.scale = scale }
}

/// Sets which way the content reads.
@c @implementation
public func tessera_session_set_direction(
  _ pointer: OpaquePointer?, _ direction: tessera_direction
) -> Int32 {
  session(pointer) { handle in
    switch direction {
    case TESSERA_LEFT_TO_RIGHT: handle.session.direction = .leftToRight
    case TESSERA_RIGHT_TO_LEFT: handle.session.direction = .rightToLeft
    default:
      throw HostError(
        .invalidInput,
        "the direction is \(direction); give TESSERA_LEFT_TO_RIGHT or TESSERA_RIGHT_TO_LEFT")
    }
  }
}

/// Sets how many elements an answer may have.
@c @implementation
public func tessera_session_set_element_limit(_ pointer: OpaquePointer?, _ limit: UInt64) -> Int32 {
  session(pointer) { handle in
    guard limit >= 1, limit <= 1 << 26 else {
      throw HostError(.invalidInput, "the element limit is \(limit); give 1 to 67108864")
    }
    handle.session.rowLimit = Int(limit)
  }
}

/// Where the viewport is scrolled to.
@c @implementation
public func tessera_session_offset(
  _ pointer: OpaquePointer?, _ x: UnsafeMutablePointer<Double>?,
  _ y: UnsafeMutablePointer<Double>?
) -> Int32 {
  session(pointer) { handle in
    try Argument.present(x, "place for x").pointee = handle.session.offset.x
    try Argument.present(y, "place for y").pointee = handle.session.offset.y
  }
}
