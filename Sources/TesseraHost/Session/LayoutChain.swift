import CTessera
import TesseraGeometry

/// The engines of a session, the most derived first, and the rows that they write.
final class LayoutChain {
  let layers: [Layer]
  let numbering: Numbering
  let state: OutputState
  /// What prepare wrote.
  let prepared: RowStore
  /// Told a line about each call into the engine.
  var trace: (@Sendable (String) -> Void)?
  /// What a query of a lazy layout is answered with; made when there is one.
  private var answered: RowStore?
  private let preparedCapacity = 1 << 26

  init(records: [EngineRecord], starts: UnsafeBufferPointer<UInt64>) throws(HostError) {
    let numbering = try Numbering(chain: records.map(\.description))
    self.numbering = numbering
    prepared = try RowStore(numbering: numbering, adjusted: false, capacity: preparedCapacity)
    let state = OutputState(store: prepared, sectionStarts: starts)
    self.state = state
    layers = records.enumerated().map { index, record in
      Layer(
        record: record, output: OutputTable(state: state, numbering: numbering, layer: index))
    }
  }

  var top: Layer { layers[0] }

  /// What the engines reported with status OK since the last call.
  var warnings: [String] { layers.flatMap(\.host.warnings) }

  /// Whether the layout answers queries itself.
  var isLazy: Bool { top.record.description.traits.contains(.lazy) }

  /// Whether the host mirrors right-to-left layouts.
  var isMirrored: Bool { layers.allSatisfy { $0.record.description.traits.contains(.mirrors) } }

  /// Makes the instances of all engines, bases first.
  func create() throws(HostError) {
    for layer in layers.reversed() {
      layer.host.clear()
      try check(layer.create(), "create", in: prepared)
    }
  }

  /// Has every element placed; a lazy engine only says how large the content is.
  ///
  /// - Returns: The content size.
  func prepare(
    _ surroundings: Surroundings, change: tessera_change
  ) throws(HostError) -> Size {
    prepared.clear()
    state.store = prepared
    state.contentSize = nil
    let status = call(
      .prepare, surroundings, change, "prepare(\(surroundings.traceText), \(state.traceText))"
    ) { engine, instance, input, output in
      engine.prepare?(instance, input, output) ?? TESSERA_UNSUPPORTED
    }
    try check(status, "prepare", in: prepared)
    guard let size = state.contentSize else {
      throw broken("prepare returned without set_content_size; it must say how large the content is")
    }
    guard size.isFinite, size.width >= 0, size.height >= 0 else {
      throw broken(
        "prepare set the content size \(Value.size(size)); the contract wants finite numbers, "
          + "0 or more")
    }
    guard !isLazy || prepared.rowCount == 0 else {
      throw broken("it declares that it is lazy, but prepare added \(prepared.rowCount) rows")
    }
    return size
  }

  /// Whether the prepared layout still holds under surroundings that differ in bounds.
  func isStillValid(_ surroundings: Surroundings) -> Bool {
    guard let ask = top.record.table.still_valid else { return false }
    let change = tessera_change(what: TESSERA_CHANGED_BOUNDS, first_section: 0, first_item: 0)
    let answer = traced("still_valid(\(surroundings.traceText))") {
      top.withInput(surroundings, starts: state.sectionStarts, change: change) {
        ask(top.instance, $0)
      }
    } result: {
      "\($0)"
    }
    return answer == 1
  }

  /// What a lazy engine has in a rect, in a store of at most `limit` rows.
  func elements(
    in rect: Rect, _ surroundings: Surroundings, limit: Int
  ) throws(HostError) -> RowStore {
    let store = try answerStore(limit: limit)
    let status = call(
      .query, surroundings, tessera_change(), "elements_in_rect(\(Value.rect(rect)))"
    ) { engine, instance, input, output in
      engine.elements_in_rect?(instance, input, tessera_rect(rect), output) ?? TESSERA_UNSUPPORTED
    }
    try check(status, "elements_in_rect", in: store)
    return store
  }

  /// What a lazy engine says of one element.
  func element(_ run: tessera_run, _ surroundings: Surroundings) throws(HostError) -> RowStore {
    let store = try answerStore(limit: 1 << 16)
    let status = call(
      .query, surroundings, tessera_change(),
      "element(category \(run.category), kind \(run.kind), section \(run.section), item "
        + "\(run.first_item))"
    ) { engine, instance, input, output in
      withUnsafePointer(to: run) {
        engine.element?(instance, input, $0, output) ?? TESSERA_UNSUPPORTED
      }
    }
    try check(status, "element", in: store)
    return store
  }

  private func answerStore(limit: Int) throws(HostError) -> RowStore {
    if answered?.capacity != limit {
      answered = nil
      answered = try RowStore(numbering: numbering, adjusted: true, capacity: limit)
    }
    guard let store = answered else { throw broken("no store") }
    store.clear()
    state.store = store
    return store
  }

  private func call(
    _ kind: OutputState.Call, _ surroundings: Surroundings, _ change: tessera_change,
    _ text: @autoclosure () -> String,
    _ body: (
      tessera_engine, OpaquePointer?, UnsafePointer<tessera_input>,
      UnsafeMutablePointer<tessera_output>
    ) -> tessera_status
  ) -> tessera_status {
    for layer in layers { layer.host.clear() }
    state.call = kind
    defer { state.call = .none }
    return traced(text()) {
      top.withInput(surroundings, starts: state.sectionStarts, change: change) {
        body(top.record.table, top.instance, $0, top.output.pointer)
      }
    } result: { status in
      let store = state.store
      let size = kind == .prepare ? state.contentSize.map { ", content \(Value.size($0))" } : nil
      return "status \(status), \(store.runs.count) runs, \(store.rowCount) rows\(size ?? "")"
    }
  }

  /// Does a call into the engine, and tells about it where someone listens.
  private func traced<Result>(
    _ text: @autoclosure () -> String, _ call: () -> Result, result: (Result) -> String
  ) -> Result {
    guard let trace else { return call() }
    let start = ContinuousClock.now
    let value = call()
    let microseconds = (ContinuousClock.now - start) / .microseconds(1)
    trace("\(text()) -> \(result(value)), \((microseconds * 10).rounded() / 10) µs")
    return value
  }

  /// - Throws: What a status other than OK means to the caller.
  private func check(
    _ status: tessera_status, _ call: String, in store: RowStore
  ) throws(HostError) {
    let id = top.record.description.id
    switch status {
    case TESSERA_OK:
      guard !store.wasFull else {
        throw broken("\(call) went on and returned OK after it was refused rows")
      }
    case TESSERA_NO_SPACE where store.wasFull:
      throw HostError(
        .invalidInput,
        "\(id) has more than \(store.capacity) rows for this; ask for a smaller part of it, as "
          + "with --visible, or for fewer items")
    case TESSERA_CANCELLED where layers.contains { $0.host.isCancelled }:
      throw HostError(.cancelled, "\(call) of \(id) was cancelled")
    case TESSERA_INVALID_VALUE, TESSERA_UNSUPPORTED, TESSERA_NOT_FOUND, TESSERA_WRONG_STATE,
      TESSERA_FAILED:
      let reason = layers.lazy.compactMap(\.host.failure).first
      throw HostError(
        .refused, "\(id): \(reason ?? "\(call) failed with status \(status) and gave no reason")")
    default:
      throw broken("\(call) returned the status \(status), which it may not return here")
    }
  }

  func broken(_ sentence: String) -> HostError {
    HostError(.brokenContract, "\(top.record.description.id): \(sentence)")
  }
}
