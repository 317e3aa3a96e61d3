import CTessera
import TesseraGeometry

/// Functions of engines beside the layout itself: published ones, and those of extensions.
extension LayoutChain {
  func call(
    _ name: String, _ arguments: [CallValue], _ given: Given
  ) throws(HostError) -> CallValue? {
    for layer in layers {
      guard let function = try layer.published(name) else { continue }
      return try answering(given) { () throws(HostError) in
        let result = try function.call(context: layer.instance, arguments: arguments)
        if let error = takeDelegateError() { throw error }
        if let failure = layer.host.failure {
          throw HostError(.refused, "\(layer.record.description.id): \(failure)")
        }
        return result
      }
    }
    return nil
  }

  func restingOffset(
    for proposed: Point, velocity: Point, _ given: Given
  ) throws(HostError) -> Point {
    var resting = tessera_point(x: proposed.x, y: proposed.y)
    let speed = tessera_point(x: velocity.x, y: velocity.y)
    try answering(given) { () throws(HostError) in
      for layer in layers.reversed() {
        guard let snapping = layer.snapping else { continue }
        let status = traced("resting_offset(\(resting.x), \(resting.y))") {
          withInput(layer) { snapping(layer.instance, $0, speed, &resting) }
        } result: { status in
          "status \(status), \(resting.x), \(resting.y)"
        }
        try check(status, "resting_offset", in: prepared)
      }
    }
    return Point(x: resting.x, y: resting.y)
  }

  func reorderingTarget(
    for item: ItemPath, at point: Point, nearest: ItemPath, _ given: Given
  ) throws(HostError) -> (section: UInt32, item: UInt64) {
    var section = UInt32(nearest.section)
    var place = UInt64(nearest.item)
    let raw = tessera_point(x: point.x, y: point.y)
    try answering(given) { () throws(HostError) in
      for layer in layers.reversed() {
        guard let target = layer.reorderingTarget else { continue }
        let status = traced("reordering.target(\(item), \(point.x), \(point.y))") {
          withInput(layer) {
            target(
              layer.instance, $0, UInt32(item.section), UInt64(item.item), raw, &section, &place)
          }
        } result: { status in
          "status \(status), section \(section), item \(place)"
        }
        try check(status, "reordering.target", in: prepared)
      }
    }
    return (section, place)
  }

  /// Lets engines ask for their own elements while one of their functions runs.
  private func answering<Result>(
    _ given: Given, _ body: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    self.given = given
    begin(.function, in: prepared)
    for layer in layers {
      layer.host.query = { [unowned self, unowned layer] rect in self.answer(rect, for: layer) }
    }
    defer {
      for layer in layers {
        layer.host.query = nil
        layer.output.callReturned()
      }
      state.call = .none
      state.store = prepared
    }
    return try body()
  }

  /// What meets a rect, as an engine of the chain numbers it.
  private func answer(
    _ raw: tessera_rect, for layer: Layer
  ) -> Swift.Result<UnsafeMutablePointer<tessera_output>, QueryRefusal> {
    let rect = Rect(x: raw.x, y: raw.y, width: raw.width, height: raw.height)
    guard state.call == .function, rect.isFinite else {
      return .failure(QueryRefusal(status: TESSERA_WRONG_STATE))
    }
    layer.output.callReturned()
    do throws(HostError) {
      let answer = try answerStore(limit: given.rowLimit)
      state.store = answer
      if traits.isLazy {
        state.call = .query
        defer { state.call = .function }
        try check(query(from: 0, raw), "elements_in_rect", in: answer)
      } else if !index.copy(index.rows(in: rect), to: answer) {
        throw HostError(
          .invalidInput, "it asked for more than \(given.rowLimit) elements at once; ask for fewer")
      }
      return .success(layer.output.pointer)
    } catch {
      layer.host.note(TESSERA_FAILED, error.message)
      return .failure(QueryRefusal(status: TESSERA_FAILED))
    }
  }
}
