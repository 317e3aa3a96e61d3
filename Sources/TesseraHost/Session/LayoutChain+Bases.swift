import CTessera
import TesseraGeometry

/// Who answers a call: the first engine from a place in the chain on that has the function.
extension LayoutChain {
  func prepare(from place: Int) -> tessera_status {
    guard let layer = first(from: place, with: \.prepare), let call = layer.record.table.prepare
    else { return TESSERA_UNSUPPORTED }
    return withInput(layer) { call(layer.instance, $0, layer.output.pointer) }
  }

  func adjust(from place: Int, _ rect: tessera_rect) -> tessera_status {
    guard let layer = first(from: place, with: \.adjust), let call = layer.record.table.adjust
    else { return TESSERA_OK }
    return withInput(layer) { call(layer.instance, $0, rect, layer.output.pointer) }
  }

  func query(from place: Int, _ rect: tessera_rect) -> tessera_status {
    guard let layer = first(from: place, with: \.elements_in_rect),
      let call = layer.record.table.elements_in_rect
    else { return TESSERA_UNSUPPORTED }
    return withInput(layer) { call(layer.instance, $0, rect, layer.output.pointer) }
  }

  func lookUp(from place: Int, _ run: UnsafePointer<tessera_run>) -> tessera_status {
    guard let layer = first(from: place, with: \.element), let call = layer.record.table.element
    else { return TESSERA_UNSUPPORTED }
    return withInput(layer) { call(layer.instance, $0, run, layer.output.pointer) }
  }

  func isStillValid(from place: Int) -> Int32 {
    guard let layer = first(from: place, with: \.prepare),
      let call = layer.record.table.still_valid
    else { return 0 }
    return withInput(layer) { call(layer.instance, $0) }
  }

  /// Calls a function of an engine with what it is given now.
  func withInput<Result>(
    _ layer: Layer, _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    var change = given.change
    if layer !== top, change.what & TESSERA_CHANGED_ALL == 0 {
      let number = place(of: layer)
      if layer.parametersDiffer { change.what |= TESSERA_CHANGED_PARAMETERS }
      if layer.mayDiffer(values.overridden(number)) {
        change.what |= TESSERA_CHANGED_VALUES
        (change.first_section, change.first_item) = (0, 0)
      }
    }
    return layer.withInput(
      given, isMirrored: traits.isMirrored, starts: state.sectionStarts, change: change, body)
  }
}

/// What a derived engine asks of its base through super.
extension LayoutChain {
  func prepareBase(of layer: Int) -> tessera_status {
    guard state.call == .prepare, let base = first(from: layer + 1, with: \.prepare) else {
      return TESSERA_WRONG_STATE
    }
    restart(layer)
    values.clearOverrides(from: layer + 1, layers)
    let status = prepare(from: layer + 1)
    guard status == TESSERA_OK, base.isLazy, !traits.isLazy else { return status }
    // A lazy base under an engine that is not is asked for everything at once.
    let far = 1e13
    return query(
      from: layer + 1, tessera_rect(x: -far, y: -far, width: 2 * far, height: 2 * far))
  }

  func adjustBase(of layer: Int, _ rect: tessera_rect) -> tessera_status {
    state.call == .adjust ? adjust(from: layer + 1, rect) : TESSERA_WRONG_STATE
  }

  func queryBase(of layer: Int, _ rect: tessera_rect) -> tessera_status {
    state.call == .query ? query(from: layer + 1, rect) : TESSERA_WRONG_STATE
  }

  func lookUpInBase(of layer: Int, _ run: UnsafePointer<tessera_run>) -> tessera_status {
    guard state.call == .query else { return TESSERA_WRONG_STATE }
    // The derived engine numbers kinds in its own way.
    guard
      let translated = layers[layer].output.translated(run.pointee, for: layers[layer + 1].output)
    else { return TESSERA_NOT_FOUND }
    return withUnsafePointer(to: translated) { lookUp(from: layer + 1, $0) }
  }

  func isBaseStillValid(of layer: Int) -> Int32 {
    state.call == .stillValid ? isStillValid(from: layer + 1) : 0
  }
}
