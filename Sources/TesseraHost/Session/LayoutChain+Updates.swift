import CTessera

/// A batch of changes, as the engines of a chain are told of it.
extension LayoutChain {
  func beginUpdate(_ operations: [tessera_update], _ given: Given) throws(HostError) {
    self.given = given
    begin(.function, in: prepared)
    defer { state.call = .none }
    for layer in layers.reversed() {
      guard let begin = layer.updates?.begin else { continue }
      let status = operations.withUnsafeBufferPointer { buffer in
        traced("updates.begin(\(operations.count) operations)") {
          withInput(layer) {
            // A batch without operations has no address; the count says that it is empty.
            begin(layer.instance, $0, buffer.baseAddress ?? noUpdate, UInt64(buffer.count))
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

  func endUpdate() {
    for layer in layers.reversed() where layer.isInUpdate {
      layer.isInUpdate = false
      traced("updates.end()") {
        layer.updates?.end?(layer.instance)
      } result: { _ in
        "done"
      }
    }
  }

  func shape(_ store: RowStore, as ends: UpdateEnds, _ given: Given) throws(HostError) {
    let name = ends == .initial ? "updates.initial_attributes" : "updates.final_attributes"
    self.given = given
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

/// What an engine is handed where there are no operations.
private nonisolated(unsafe) let noUpdate: UnsafePointer<tessera_update> = {
  let empty = UnsafeMutablePointer<tessera_update>.allocate(capacity: 1)
  empty.initialize(to: tessera_update())
  return UnsafePointer(empty)
}()
