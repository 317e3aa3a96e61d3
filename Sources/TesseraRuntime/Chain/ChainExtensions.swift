import CTessera
import TesseraCatalog
import TesseraGeometry

/// Published functions, and the snapping and reordering extensions.
extension LayoutChain {
  package func call(
    _ name: String, _ arguments: [Value], _ context: CallContext
  ) throws(HostError) -> Value? {
    for layer in layers {
      guard let function = try layer.published(name) else { continue }
      return try withQueries(context) { () throws(HostError) in
        let result = try function.call(context: layer.instance, arguments: arguments)
        if let error = takeDelegateError() { throw error }
        if let failure = layer.host.failure {
          throw .refused(failure, by: layer.engine.description.id)
        }
        return result
      }
    }
    return nil
  }

  package func restingOffset(
    for proposed: Point, velocity: Point, _ context: CallContext
  ) throws(HostError) -> Point {
    var resting = tessera_point(x: proposed.x, y: proposed.y)
    let speed = tessera_point(x: velocity.x, y: velocity.y)
    try withQueries(context) { () throws(HostError) in
      for layer in layers.reversed() {
        guard let call = layer.snapping?.resting_offset else { continue }
        let status = traced("resting_offset(\(resting.x), \(resting.y))") {
          withInput(layer) { call(layer.instance, $0, speed, &resting) }
        } result: { status in
          "status \(status), \(resting.x), \(resting.y)"
        }
        try check(status, "resting_offset", in: prepared)
      }
    }
    return Point(x: resting.x, y: resting.y)
  }

  package func reorderingTarget(
    for item: ItemPath, at point: Point, nearest: ItemPath, _ context: CallContext
  ) throws(HostError) -> (section: Untrusted<UInt32>, item: Untrusted<UInt64>) {
    var section = UInt32(nearest.section)
    var place = UInt64(nearest.item)
    let raw = tessera_point(x: point.x, y: point.y)
    try withQueries(context) { () throws(HostError) in
      for layer in layers.reversed() {
        guard let target = layer.reordering?.target else { continue }
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
    return (Untrusted(section), Untrusted(place))
  }

  /// Runs a function of the engines, during which they can query their own layout.
  private func withQueries<Result>(
    _ context: CallContext, _ body: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    self.context = context
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

  /// Answers an engine's query of its own layout: the elements that intersect a rect.
  private func answer(
    _ raw: tessera_rect, for layer: ChainedEngine
  ) -> Swift.Result<UnsafeMutablePointer<tessera_output>, QueryRefusal> {
    let rect = Rect(x: raw.x, y: raw.y, width: raw.width, height: raw.height)
    guard state.call == .function, rect.isFinite else {
      return .failure(QueryRefusal(status: TESSERA_WRONG_STATE))
    }
    layer.output.callReturned()
    do throws(HostError) {
      let answer = try answerStore(limit: context.rowLimit)
      state.store = answer
      if traits.isLazy {
        state.call = .query
        defer { state.call = .function }
        try check(query(from: 0, raw), "elements_in_rect", in: answer)
      } else if !index.copy(index.rows(in: rect), to: answer) {
        throw .tooManyQueried(limit: context.rowLimit)
      }
      return .success(layer.output.pointer)
    } catch {
      layer.host.note(TESSERA_FAILED, error.message)
      return .failure(QueryRefusal(status: TESSERA_FAILED))
    }
  }
}

/// The updates extension.
extension LayoutChain {
  package func beginUpdate(_ operations: [tessera_update], _ context: CallContext) throws(HostError)
  {
    self.context = context
    begin(.function, in: prepared)
    defer { state.call = .none }
    for layer in layers.reversed() {
      guard let begin = layer.updates?.begin else { continue }
      let status = operations.withUnsafeBufferPointer { buffer in
        traced("updates.begin(\(operations.count) operations)") {
          withInput(layer) {
            // An empty array has no address, but the contract's pointer is never null.
            begin(layer.instance, $0, buffer.baseAddress ?? emptyOperations, UInt64(buffer.count))
          }
        } result: {
          "status \($0)"
        }
      }
      layer.isInUpdate = true
      do throws(HostError) {
        try check(status, "updates.begin", in: prepared)
      } catch {
        endUpdate()
        throw error
      }
    }
  }

  package func endUpdate() {
    for layer in layers.reversed() where layer.isInUpdate {
      layer.isInUpdate = false
      traced("updates.end()") {
        layer.updates?.end?(layer.instance)
      } result: { _ in
        "done"
      }
    }
  }

  package func shape(_ store: RowStore, as ends: UpdateEnds, _ context: CallContext)
    throws(HostError)
  {
    let name = ends == .initial ? "updates.initial_attributes" : "updates.final_attributes"
    self.context = context
    begin(.function, in: store)
    defer {
      state.call = .none
      state.store = prepared
    }
    for layer in layers.reversed() {
      let table = layer.updates
      guard let function = ends == .initial ? table?.initial_attributes : table?.final_attributes
      else { continue }
      let status = traced("\(name)(\(store.rowCount) elements)") {
        withInput(layer) { function(layer.instance, $0, layer.output.pointer) }
      } result: {
        "status \($0)"
      }
      try check(status, name, in: store)
    }
  }
}

/// The address that an engine receives for a batch without operations.
private nonisolated(unsafe) let emptyOperations: UnsafePointer<tessera_update> = {
  let empty = UnsafeMutablePointer<tessera_update>.allocate(capacity: 1)
  empty.initialize(to: tessera_update())
  return UnsafePointer(empty)
}()

/// The sizing extension.
extension LayoutChain {
  package func sizing(_ context: CallContext) throws(HostError) -> SizingRule? {
    guard let (layer, table) = sizingLayer else { return nil }
    self.context = context
    values.fill(layers)
    var raw = tessera_size()
    let isOn = withInput(layer) { table.estimate(layer.instance, $0, &raw) } != 0
    guard isOn else { return nil }
    let name = UntrustedText.repair(table.value)
    let number = place(of: layer)
    guard let index = layer.engine.description.valueIndex(name, .item) else {
      throw broken(.measuresUndeclared(name))
    }
    return SizingRule(
      place: SessionValues.Place(layer: number, index: index),
      estimate: Size(width: raw.width, height: raw.height))
  }

  package func proposals(_ context: CallContext, sections: Range<Int>) throws(HostError) -> [Size] {
    guard let (layer, table) = sizingLayer else { return [] }
    self.context = context
    return sections.map { section in
      let offer = withInput(layer) { table.proposal(layer.instance, $0, UInt32(section)) }
      return Size(width: offer.width, height: offer.height)
    }
  }

  /// The most derived engine with the sizing extension, and its table.
  private var sizingLayer: (ChainedEngine, tessera_sizing)? {
    for layer in layers {
      if let table = layer.sizing { return (layer, table) }
    }
    return nil
  }
}
