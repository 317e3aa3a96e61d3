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
    for layer in chain.layers {
      guard let function = try layer.published(name) else { continue }
      return try asking(layout) { () throws(HostError) in
        let result = try function.call(context: layer.instance, arguments: arguments)
        if let error = values.takeDelegateError() { throw error }
        if let failure = layer.host.failure {
          throw HostError(.refused, "\(layer.record.description.id): \(failure)")
        }
        return result
      }
    }
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
    let start = mirrored(proposed)
    let speed = tessera_point(x: width == nil ? velocity.x : -velocity.x, y: velocity.y)
    var resting = tessera_point(x: start.x, y: start.y)
    try asking(layout) { () throws(HostError) in
      for layer in chain.layers.reversed() {
        guard let snapping = layer.snapping else { continue }
        let status = chain.traced("resting_offset(\(resting.x), \(resting.y))") {
          chain.withInput(layer) { snapping(layer.instance, $0, speed, &resting) }
        } result: { status in
          "status \(status), \(resting.x), \(resting.y)"
        }
        try chain.check(status, "resting_offset", in: chain.prepared)
      }
    }
    let result = mirrored(Point(x: resting.x, y: resting.y))
    guard result.isFinite else {
      throw chain.broken(
        "resting_offset gave a point that is not finite; the contract wants numbers")
    }
    return result
  }

  /// Lets engines ask for their own elements while one of their functions runs.
  func asking<Result>(
    _ layout: PreparedLayout, _ body: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    chain.given = given(layout)
    chain.begin(.function, in: chain.prepared)
    for layer in chain.layers {
      layer.host.query = { [unowned self, unowned layer] rect in self.answer(rect, for: layer) }
    }
    defer {
      for layer in chain.layers {
        layer.host.query = nil
        layer.output.callReturned()
      }
      chain.state.call = .none
      chain.state.store = chain.prepared
    }
    return try body()
  }

  /// What meets a rect, as an engine of the chain numbers it.
  private func answer(
    _ raw: tessera_rect, for layer: Layer
  ) -> Swift.Result<UnsafeMutablePointer<tessera_output>, QueryRefusal> {
    let rect = Rect(x: raw.x, y: raw.y, width: raw.width, height: raw.height)
    guard chain.state.call == .function, rect.isFinite else {
      return .failure(QueryRefusal(status: TESSERA_WRONG_STATE))
    }
    layer.output.callReturned()
    do throws(HostError) {
      let answer = try chain.answerStore(limit: rowLimit)
      chain.state.store = answer
      if chain.isLazy {
        chain.state.call = .query
        defer { chain.state.call = .function }
        try chain.check(chain.query(from: 0, raw), "elements_in_rect", in: answer)
      } else {
        try copy(try preparedRows(in: rect), to: answer)
      }
      return .success(layer.output.pointer)
    } catch {
      layer.host.note(TESSERA_FAILED, error.message)
      return .failure(QueryRefusal(status: TESSERA_FAILED))
    }
  }
}
