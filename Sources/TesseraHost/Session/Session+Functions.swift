import CTessera
import TesseraGeometry

extension Session {
  /// Sets what answers a delegate function of the engine or of a base; nil takes it away, and the
  /// documented fallback holds.
  ///
  /// - Throws: `.invalidInput` for an unknown name or another signature than the declared one.
  public func setDelegate(_ name: String, _ function: DelegateFunction?) throws(HostError) {
    try values.setDelegate(name, function)
    changes |= UInt32(TESSERA_CHANGED_ALL)
  }

  /// Calls a function that the engine or a base publishes, for the layout as it is prepared now.
  ///
  /// - Throws: `.invalidInput` for an unknown name, or arguments that do not fit the signature;
  ///   what the engine refuses.
  public func call(_ name: String, _ arguments: [CallValue]) throws(HostError) -> CallValue {
    let layout = try prepareIfNeeded()
    if let result = try runner.call(name, arguments, given(layout)) { return result }
    let known = engine.chain.flatMap { $0.publishedFunctions.map(\.name) }
    throw HostError(
      .invalidInput,
      "\(engine.description.id) publishes no function \"\(name)\"; "
        + Suggestion.sentence(for: name, among: known))
  }

  /// Where a scroll rests that would come to rest at a proposed offset: as the engines of the chain
  /// say, bases first; the proposal itself where none of them snaps.
  ///
  /// - Parameters:
  ///   - proposed: The offset that scrolling would end at, in points; not clamped to the content.
  ///   - velocity: Points a second; zero where it is not known.
  /// - Throws: `.invalidInput` for numbers that are not finite; what the engine refuses.
  public func restingOffset(
    for proposed: Point, velocity: Point = .zero
  ) throws(HostError) -> Point {
    guard proposed.isFinite, velocity.isFinite else {
      throw HostError(
        .invalidInput,
        "the proposed offset is \(Value.point(proposed)) at \(Value.point(velocity)) a second; "
          + "expected finite numbers")
    }
    let layout = try prepareIfNeeded()
    let width = mirrorWidth(layout)
    func mirrored(_ point: Point) -> Point {
      width.map { Point(x: $0 - point.x - bounds.width, y: point.y) } ?? point
    }
    let speed = Point(x: width == nil ? velocity.x : -velocity.x, y: velocity.y)
    let result = mirrored(
      try runner.restingOffset(for: mirrored(proposed), velocity: speed, given(layout)))
    guard result.isFinite else {
      throw broken(
        "resting_offset gave a point that is not finite; the contract wants numbers")
    }
    return result
  }
}
