import CTessera
import TesseraGeometry

/// The calls into the most derived engine.
extension LayoutChain {
  func prepare(_ given: Given) throws(HostError) -> Size {
    if isLost { try create() }
    self.given = given
    let (surroundings, change) = (given.surroundings, given.change)
    index.forget()
    values.fill(layers)
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
    guard !traits.isLazy || prepared.rowCount == 0 else {
      throw broken("it declares that it is lazy, but prepare added \(prepared.rowCount) rows")
    }
    for (number, layer) in layers.enumerated() {
      layer.keepParameters(values.overridden(number))
    }
    return size
  }

  func isStillValid(_ given: Given) throws(HostError) -> Bool {
    guard first(from: 0, with: \.prepare)?.record.table.still_valid != nil else { return false }
    self.given = given
    let surroundings = given.surroundings
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

  func adjust(_ store: RowStore, for rect: Rect, _ given: Given) throws(HostError) {
    self.given = given
    begin(.adjust, in: store)
    state.preparedRows = traits.isLazy ? nil : index
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
