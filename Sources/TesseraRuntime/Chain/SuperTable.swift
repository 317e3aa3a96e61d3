import CTessera
import TesseraCatalog

/// The `tessera_super` of a derived engine, with which it configures and calls its base.
final class SuperTable {
  private struct Box {
    var table: tessera_super
    var owner: Unmanaged<SuperTable>
  }
  private let box: UnsafeMutablePointer<Box>
  /// The chain owns this table.
  unowned let chain: LayoutChain
  /// The derived engine's index in the chain.
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

  /// The pointer to pass to the engine; valid as long as this object.
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

/// Reading and overriding the parameters, values and functions of the base.
extension SuperTable {
  private typealias Place = SessionValues.Place
  private var values: SessionValues { chain.values }

  func get(
    _ name: String, _ type: tessera_type, _ value: UnsafeMutablePointer<tessera_value>
  ) -> tessera_status {
    guard let place = parameter(name) else { return TESSERA_NOT_FOUND }
    guard declared(place).type.code == type else { return TESSERA_INVALID_VALUE }
    value.pointee = chain.layers[place.layer].parameters[place.index]
    return TESSERA_OK
  }

  func getValues(
    _ name: String, _ scope: UInt32, _ type: tessera_type,
    _ column: UnsafeMutablePointer<tessera_column>
  ) -> tessera_status {
    guard let place = value(name, scope) else { return TESSERA_NOT_FOUND }
    guard values.chain[place.layer].values[place.index].type.code == type else {
      return TESSERA_INVALID_VALUE
    }
    column.pointee = chain.layers[place.layer].columns[place.index]
    return TESSERA_OK
  }

  func set(_ name: String, _ type: tessera_type, _ value: tessera_value) -> tessera_status {
    guard chain.state.call == .prepare || chain.state.call == .stillValid else {
      return TESSERA_WRONG_STATE
    }
    guard let place = parameter(name) else { return TESSERA_NOT_FOUND }
    let parameter = declared(place)
    guard parameter.type.code == type,
      let read = Value(value, type: parameter.type, choices: parameter.choices)
    else { return refuse(parameter, "is not a valid \(parameter.type.name)") }
    if let problem = parameter.problem(with: read) { return refuse(parameter, problem) }
    values.override(place, by: layer, to: value, chain.layers)
    return TESSERA_OK
  }

  func set(_ name: String, choice: String) -> tessera_status {
    guard let place = parameter(name) else { return TESSERA_NOT_FOUND }
    let parameter = declared(place)
    guard let raw = Value.choice(choice).raw(as: parameter.type, choices: parameter.choices) else {
      return refuse(parameter, "is \"\(choice)\", which is not one of its choices")
    }
    return set(name, ValueType.choice.code, raw)
  }

  func setValues(
    _ name: String, _ scope: UInt32, _ type: tessera_type,
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> tessera_status {
    guard chain.state.call == .prepare || chain.state.call == .stillValid else {
      return TESSERA_WRONG_STATE
    }
    guard let place = value(name, scope) else { return TESSERA_NOT_FOUND }
    let declared = values.chain[place.layer].values[place.index]
    guard declared.type.code == type else { return TESSERA_INVALID_VALUE }
    let starts = chain.state.sectionStarts
    let count = declared.scope == .section ? UInt64(starts.count - 1) : starts.last ?? 0
    guard count <= 1 << 28 else { return TESSERA_NO_SPACE }
    data.pointee = values.overrideColumn(place, by: layer, count: Int(count), chain.layers)
    return TESSERA_OK
  }

  func setFunction(
    _ name: String, signature: String, _ function: tessera_function
  ) -> tessera_status {
    guard chain.state.call == .prepare else { return TESSERA_WRONG_STATE }
    for base in chain.layers.dropFirst(layer + 1) {
      let declared = base.engine.description.delegateFunctions
      guard let index = declared.firstIndex(where: { $0.name == name }) else { continue }
      guard declared[index].signature == signature else { return TESSERA_INVALID_VALUE }
      base.functions[index] = function
      return TESSERA_OK
    }
    return TESSERA_NOT_FOUND
  }

  private func parameter(_ name: String) -> SessionValues.Place? {
    SessionValues.parameter(name, in: values.chain, from: layer + 1)
  }

  private func value(_ name: String, _ scope: UInt32) -> SessionValues.Place? {
    guard let scope = ValueDescription.Scope(rawValue: scope) else { return nil }
    for number in values.chain.indices.dropFirst(layer + 1) {
      if let index = values.chain[number].valueIndex(name, scope) {
        return SessionValues.Place(layer: number, index: index)
      }
    }
    return nil
  }

  private func declared(_ place: SessionValues.Place) -> ParameterDescription {
    values.chain[place.layer].parameters[place.index]
  }

  /// Reports, on behalf of the derived engine, why an override is rejected.
  private func refuse(_ parameter: ParameterDescription, _ problem: String) -> tessera_status {
    chain.layers[layer].host.note(
      TESSERA_INVALID_VALUE, "the value that it gives its base for \(parameter.name) \(problem)")
    return TESSERA_INVALID_VALUE
  }
}
