import CTessera

/// The `tessera_super` of a derived engine: its base, to configure and to call.
final class SuperTable {
  private struct Box {
    var table: tessera_super
    var owner: Unmanaged<SuperTable>
  }
  private let box: UnsafeMutablePointer<Box>
  /// The chain owns this table.
  unowned let chain: LayoutChain
  /// The derived engine's place in the chain.
  let layer: Int

  init(chain: LayoutChain, layer: Int) {
    self.chain = chain
    self.layer = layer
    box = .allocate(capacity: 1)
    box.initialize(
      to: Box(
        table: tessera_super(
          struct_size: UInt32(MemoryLayout<tessera_super>.size), reserved: 0,
          get: superGet, get_values: superGetValues, set: superSet, set_choice: superSetChoice,
          set_values: superSetValues, set_function: superSetFunction, prepare: superPrepare,
          adjust: superAdjust, elements_in_rect: superElementsInRect, element: superElement,
          still_valid: superStillValid),
        owner: .passUnretained(self)))
  }

  deinit { box.deallocate() }

  /// What the engine is handed; valid as long as this object.
  var pointer: UnsafeMutablePointer<tessera_super> {
    UnsafeMutableRawPointer(box).assumingMemoryBound(to: tessera_super.self)
  }

  fileprivate static func owner(of table: UnsafeMutablePointer<tessera_super>) -> SuperTable {
    UnsafeRawPointer(table).assumingMemoryBound(to: Box.self).pointee.owner.takeUnretainedValue()
  }
}

private func superGet(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>, _ type: tessera_type,
  _ value: UnsafeMutablePointer<tessera_value>
) -> tessera_status {
  SuperTable.owner(of: base).get(ForeignText.repair(name), type, value)
}

private func superGetValues(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>, _ scope: UInt32,
  _ type: tessera_type, _ column: UnsafeMutablePointer<tessera_column>
) -> tessera_status {
  SuperTable.owner(of: base).getValues(ForeignText.repair(name), scope, type, column)
}

private func superSet(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>, _ type: tessera_type,
  _ value: tessera_value
) -> tessera_status {
  SuperTable.owner(of: base).set(ForeignText.repair(name), type, value)
}

private func superSetChoice(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>,
  _ choice: UnsafePointer<CChar>
) -> tessera_status {
  SuperTable.owner(of: base).set(ForeignText.repair(name), choice: ForeignText.repair(choice))
}

private func superSetValues(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>, _ scope: UInt32,
  _ type: tessera_type, _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> tessera_status {
  SuperTable.owner(of: base).setValues(ForeignText.repair(name), scope, type, data)
}

private func superSetFunction(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>,
  _ signature: UnsafePointer<CChar>, _ function: tessera_function
) -> tessera_status {
  SuperTable.owner(of: base).setFunction(
    ForeignText.repair(name), signature: ForeignText.repair(signature), function)
}

private func superPrepare(
  _ base: UnsafeMutablePointer<tessera_super>, _ output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  let owner = SuperTable.owner(of: base)
  return owner.chain.prepareBase(of: owner.layer)
}

private func superAdjust(
  _ base: UnsafeMutablePointer<tessera_super>, _ rect: tessera_rect,
  _ output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  let owner = SuperTable.owner(of: base)
  return owner.chain.adjustBase(of: owner.layer, rect)
}

private func superElementsInRect(
  _ base: UnsafeMutablePointer<tessera_super>, _ rect: tessera_rect,
  _ output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  let owner = SuperTable.owner(of: base)
  return owner.chain.queryBase(of: owner.layer, rect)
}

private func superElement(
  _ base: UnsafeMutablePointer<tessera_super>, _ run: UnsafePointer<tessera_run>,
  _ output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  let owner = SuperTable.owner(of: base)
  return owner.chain.lookUpInBase(of: owner.layer, run)
}

private func superStillValid(_ base: UnsafeMutablePointer<tessera_super>) -> Int32 {
  let owner = SuperTable.owner(of: base)
  return owner.chain.isBaseStillValid(of: owner.layer)
}
