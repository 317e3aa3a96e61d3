import CTessera
import TesseraGeometry

/// The calls into the most derived engine.
extension LayoutChain {
  /// Has every element placed; a lazy engine only says how large the content is.
  ///
  /// - Returns: The content size.
  func prepare(
    _ surroundings: Surroundings, change: tessera_change
  ) throws(HostError) -> Size {
    given = Given(surroundings: surroundings, change: change, mirrorWidth: nil)
    if change.what & TESSERA_CHANGED_ALL == 0, !state.areRowsEdited {
      prepared.restart()
    } else {
      prepared.clear()
    }
    state.areRowsEdited = false
    state.contentSize = nil
    values.clearOverrides(from: 0, layers)
    begin(.prepare, in: prepared)
    let status = traced("prepare(\(surroundings.traceText), \(state.traceText))") {
      prepare(from: 0)
    } result: { status in
      let size = state.contentSize.map { ", content \(Value.size($0))" } ?? ""
      return "\(outcome(status))\(size)"
    }
    state.call = .none
    try check(status, "prepare", in: prepared)
    guard let size = state.contentSize else {
      throw broken(
        "prepare returned without set_content_size; it must say how large the content is")
    }
    guard size.isFinite, size.width >= 0, size.height >= 0 else {
      throw broken(
        "prepare set the content size \(Value.size(size)); the contract wants finite numbers, "
          + "0 or more")
    }
    guard !isLazy || prepared.rowCount == 0 else {
      throw broken("it declares that it is lazy, but prepare added \(prepared.rowCount) rows")
    }
    for (number, layer) in layers.enumerated() {
      layer.keepParameters(values.overridden(number))
    }
    return size
  }

  /// Whether the prepared layout still holds under surroundings that differ in bounds.
  func isStillValid(_ surroundings: Surroundings) -> Bool {
    guard first(from: 0, with: \.prepare)?.record.table.still_valid != nil else { return false }
    given = Given(
      surroundings: surroundings,
      change: tessera_change(what: TESSERA_CHANGED_BOUNDS, first_section: 0, first_item: 0),
      mirrorWidth: nil)
    // The overrides of the last prepare hold again afterwards.
    let (overrides, columns) = (values.overrides, values.columnOverrides)
    values.clearOverrides(from: 0, layers)
    begin(.stillValid, in: prepared)
    let answer = traced("still_valid(\(surroundings.traceText))") {
      isStillValid(from: 0)
    } result: {
      "\($0)"
    }
    state.call = .none
    (values.overrides, values.columnOverrides) = (overrides, columns)
    if !overrides.isEmpty || !columns.isEmpty { values.fill(layers) }
    return answer == 1
  }

  /// What a lazy layout has in a rect, in a store of at most `limit` rows.
  func elements(
    in rect: Rect, _ given: Given, limit: Int
  ) throws(HostError) -> RowStore {
    self.given = given
    let store = try answerStore(limit: limit)
    begin(.query, in: store)
    let status = traced("elements_in_rect(\(Value.rect(rect)))") {
      query(from: 0, tessera_rect(rect))
    } result: {
      outcome($0)
    }
    state.call = .none
    try check(status, "elements_in_rect", in: store)
    return store
  }

  /// What a lazy layout says of one element.
  func element(_ run: tessera_run, _ given: Given) throws(HostError) -> RowStore {
    self.given = given
    let store = try answerStore(limit: Self.lookUpRows)
    begin(.query, in: store)
    let place = "section \(run.section), item \(run.first_item)"
    let status = traced("element(category \(run.category), kind \(run.kind), \(place))") {
      withUnsafePointer(to: run) { lookUp(from: 0, $0) }
    } result: {
      outcome($0)
    }
    state.call = .none
    try check(status, "element", in: store)
    return store
  }

  /// Has the rows of a store that a query is about to return re-shaped for the viewport.
  func adjust(
    _ store: RowStore, for rect: Rect, _ given: Given, preparedRows: PreparedRows?
  ) throws(HostError) {
    self.given = given
    begin(.adjust, in: store)
    state.preparedRows = preparedRows
    let status = traced("adjust(\(given.surroundings.traceText), rect \(Value.rect(rect)))") {
      adjust(from: 0, tessera_rect(rect))
    } result: {
      outcome($0)
    }
    state.call = .none
    state.preparedRows = nil
    try check(status, "adjust", in: store)
  }

  /// Rows for the lookup of one element, with room for what an engine adds around it.
  static let lookUpRows = 1 << 16

  private func outcome(_ status: tessera_status) -> String {
    "status \(status), \(state.store.runs.count) runs, \(state.store.rowCount) rows"
  }
}
