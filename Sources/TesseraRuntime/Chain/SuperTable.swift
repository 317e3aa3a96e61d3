import CTessera
import Glibc
import TesseraCatalog

/// The `tessera_super` of a derived engine, with which it configures and calls its base.
final class SuperTable {
  /// The pointer to pass to the engine; valid as long as this object.
  @exclusivity(unchecked) private(set) var pointer: UnsafeMutablePointer<tessera_super>!
  /// The chain owns this table.
  unowned(unsafe) let chain: LayoutChain
  /// The derived engine's index in the chain.
  let layer: Int
  @exclusivity(unchecked) private var parameterNames = NameTable()
  /// Those of sections, and those of items.
  @exclusivity(unchecked) private var valueNames = [NameTable(), NameTable()]
  @exclusivity(unchecked) private var listNames = NameTable()

  init(chain: LayoutChain, layer: Int) {
    self.chain = chain
    self.layer = layer
    pointer = OwnedTable.allocate(
      tessera_super(
        struct_size: UInt32(MemoryLayout<tessera_super>.size), reserved: 0,
        get: superGet, get_values: superGetValues, set: superSet, set_choice: superSetChoice,
        set_values: superSetValues, set_function: superSetFunction, prepare: superPrepare,
        adjust: superAdjust, elements_in_rect: superElementsInRect, element: superElement,
        still_valid: superStillValid, get_list: superGetList, get_column: superGetColumn,
        set_list: superSetList, set_column: superSetColumn),
      of: .passUnretained(self))
    for (number, engine) in chain.values.chain.enumerated().dropFirst(layer + 1) {
      for (index, parameter) in engine.parameters.enumerated() {
        parameterNames.add(
          parameter.name, parameter.type, .init(layer: number, index: index),
          choices: parameter.choices)
      }
      for (index, value) in engine.values.enumerated() {
        valueNames[Int(value.scope.rawValue)].add(
          value.name, value.type, .init(layer: number, index: index))
      }
      for (index, list) in engine.lists.enumerated() {
        listNames.add(list.name, .void, .init(layer: number, index: index))
      }
    }
  }

  deinit {
    pointer.deallocate()
    parameterNames.deallocate()
    listNames.deallocate()
    for names in valueNames { names.deallocate() }
  }

  fileprivate static func owner(of table: UnsafeMutablePointer<tessera_super>) -> SuperTable {
    OwnedTable.owner(of: UnsafePointer(table))
  }
}

/// The parameters or values of base engines by name, in a form that a name from an engine is compared
/// with as it is.
private struct NameTable {
  typealias Found = (entry: Int, type: tessera_type, place: SessionValues.Place)

  private var entries:
    [(name: UnsafeMutablePointer<CChar>, type: tessera_type, place: SessionValues.Place)] = []
  /// The names of the choices of each entry.
  private var choices: [[UnsafeMutablePointer<CChar>]] = []
  /// The value of each entry that was last found to be valid: most prepares give the same again.
  private var valid: [tessera_value?] = []

  /// Adds a name, unless an engine nearer to the derived one has it.
  mutating func add(
    _ name: String, _ type: ValueType, _ place: SessionValues.Place, choices: [String] = []
  ) {
    guard find(name) == nil else { return }
    entries.append((strdup(name), type.code, place))
    self.choices.append(choices.map { strdup($0) })
    valid.append(nil)
  }

  func find(_ name: UnsafePointer<CChar>) -> Found? {
    for index in entries.indices where strcmp(entries[index].name, name) == 0 {
      return (index, entries[index].type, entries[index].place)
    }
    return nil
  }

  /// The index of a choice of an entry.
  func choice(_ name: UnsafePointer<CChar>, of found: Found) -> Int? {
    choices[found.entry].firstIndex { strcmp($0, name) == 0 }
  }

  func isKnown(_ value: tessera_value, of found: Found) -> Bool {
    guard var known = valid[found.entry] else { return false }
    var value = value
    return memcmp(&known, &value, MemoryLayout<tessera_value>.size) == 0
  }

  mutating func know(_ value: tessera_value, of found: Found) { valid[found.entry] = value }

  func deallocate() {
    for entry in entries { free(entry.name) }
    for choice in choices.joined() { free(choice) }
  }
}

private func superGet(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>, _ type: tessera_type,
  _ value: UnsafeMutablePointer<tessera_value>
) -> tessera_status {
  SuperTable.owner(of: base).get(name, type, value)
}

private func superGetValues(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>, _ scope: UInt32,
  _ type: tessera_type, _ column: UnsafeMutablePointer<tessera_column>
) -> tessera_status {
  SuperTable.owner(of: base).getValues(name, scope, type, column)
}

private func superSet(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>, _ type: tessera_type,
  _ value: UnsafePointer<tessera_value>
) -> tessera_status {
  SuperTable.owner(of: base).set(name, type, value.pointee)
}

private func superSetChoice(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>,
  _ choice: UnsafePointer<CChar>
) -> tessera_status {
  SuperTable.owner(of: base).set(name, choice: choice)
}

private func superSetValues(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>, _ scope: UInt32,
  _ type: tessera_type, _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> tessera_status {
  SuperTable.owner(of: base).setValues(name, scope, type, data)
}

private func superSetFunction(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>,
  _ signature: UnsafePointer<CChar>, _ function: tessera_function
) -> tessera_status {
  SuperTable.owner(of: base).setFunction(
    UntrustedText.repair(name), signature: UntrustedText.repair(signature), function)
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

private func superGetList(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>,
  _ count: UnsafeMutablePointer<UInt64>
) -> tessera_status {
  SuperTable.owner(of: base).getList(name, count)
}

private func superGetColumn(
  _ base: UnsafeMutablePointer<tessera_super>, _ list: UnsafePointer<CChar>,
  _ column: UnsafePointer<CChar>, _ type: tessera_type,
  _ values: UnsafeMutablePointer<tessera_column>
) -> tessera_status {
  SuperTable.owner(of: base).getColumn(list, column, type, values)
}

private func superSetList(
  _ base: UnsafeMutablePointer<tessera_super>, _ name: UnsafePointer<CChar>, _ count: UInt64
) -> tessera_status {
  SuperTable.owner(of: base).setList(name, count: count)
}

private func superSetColumn(
  _ base: UnsafeMutablePointer<tessera_super>, _ list: UnsafePointer<CChar>,
  _ column: UnsafePointer<CChar>, _ type: tessera_type,
  _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> tessera_status {
  SuperTable.owner(of: base).setColumn(list, column, type, data)
}

/// Reading and overriding the parameters, values, lists and functions of the base.
extension SuperTable {
  private typealias Place = SessionValues.Place
  private var values: SessionValues { chain.values }
  private var acceptsOverrides: Bool {
    chain.state.call == .prepare || chain.state.call == .stillValid
  }

  private func refuseOverride(_ function: String) -> tessera_status {
    chain.state.refuse(function, onlyIn: "prepare and still_valid")
  }

  func get(
    _ name: UnsafePointer<CChar>, _ type: tessera_type, _ value: UnsafeMutablePointer<tessera_value>
  ) -> tessera_status {
    guard let found = parameterNames.find(name) else { return TESSERA_ERROR_NOT_FOUND }
    guard found.type == type else { return TESSERA_ERROR_INVALID_VALUE }
    value.pointee = chain.layers[found.place.layer].parameters[found.place.index]
    return TESSERA_OK
  }

  func getValues(
    _ name: UnsafePointer<CChar>, _ scope: UInt32, _ type: tessera_type,
    _ column: UnsafeMutablePointer<tessera_column>
  ) -> tessera_status {
    guard let found = value(name, scope) else { return TESSERA_ERROR_NOT_FOUND }
    guard found.type == type else { return TESSERA_ERROR_INVALID_VALUE }
    column.pointee = chain.layers[found.place.layer].columns[found.place.index]
    return TESSERA_OK
  }

  func set(
    _ name: UnsafePointer<CChar>, _ type: tessera_type, _ value: tessera_value
  ) -> tessera_status {
    guard acceptsOverrides else { return refuseOverride("set") }
    guard let found = parameterNames.find(name) else { return TESSERA_ERROR_NOT_FOUND }
    return set(found, type, value)
  }

  private func set(
    _ found: NameTable.Found, _ type: tessera_type, _ value: tessera_value
  ) -> tessera_status {
    if found.type != type || !parameterNames.isKnown(value, of: found) {
      let parameter = declared(found.place)
      guard found.type == type,
        let read = Value(value, type: parameter.type, choices: parameter.choices)
      else { return refuse(parameter, "is not a valid \(parameter.type.name)") }
      if let problem = parameter.problem(with: read) { return refuse(parameter, problem) }
      parameterNames.know(value, of: found)
    }
    values.override(found.place, by: layer, to: value, chain.layers)
    return TESSERA_OK
  }

  func set(_ name: UnsafePointer<CChar>, choice: UnsafePointer<CChar>) -> tessera_status {
    guard let found = parameterNames.find(name) else { return TESSERA_ERROR_NOT_FOUND }
    guard let index = parameterNames.choice(choice, of: found) else {
      let choice = UntrustedText.repair(choice)
      return refuse(
        declared(found.place), "is \"\(choice)\", which is not one of its choices")
    }
    var raw = tessera_value()
    raw.choice = Int32(index)
    guard acceptsOverrides else { return refuseOverride("set") }
    return set(found, ValueType.choice.code, raw)
  }

  func setValues(
    _ name: UnsafePointer<CChar>, _ scope: UInt32, _ type: tessera_type,
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> tessera_status {
    guard acceptsOverrides else { return refuseOverride("set_values") }
    guard let found = value(name, scope) else { return TESSERA_ERROR_NOT_FOUND }
    guard found.type == type else { return TESSERA_ERROR_INVALID_VALUE }
    let place = found.place
    let starts = chain.state.sectionStarts
    let count = scope == TESSERA_SCOPE_SECTION ? UInt64(starts.count - 1) : starts.last ?? 0
    guard count <= 1 << 28 else { return TESSERA_ERROR_NO_SPACE }
    data.pointee = values.overrideColumn(place, by: layer, count: Int(count), chain.layers)
    return TESSERA_OK
  }

  func setFunction(
    _ name: String, signature: String, _ function: tessera_function
  ) -> tessera_status {
    guard chain.state.call == .prepare else {
      return chain.state.refuse("set_function", onlyIn: "prepare")
    }
    for base in chain.layers.indices.dropFirst(layer + 1) {
      let declared = chain.layers[base].engine.description.delegateFunctions
      guard let index = declared.firstIndex(where: { $0.name == name }) else { continue }
      guard declared[index].signature == signature else { return TESSERA_ERROR_INVALID_VALUE }
      values.overrideFunction(
        Place(layer: base, index: index), by: layer, with: function, chain.layers)
      return TESSERA_OK
    }
    return TESSERA_ERROR_NOT_FOUND
  }

  func getList(
    _ name: UnsafePointer<CChar>, _ count: UnsafeMutablePointer<UInt64>
  ) -> tessera_status {
    guard let place = listNames.find(name)?.place else { return TESSERA_ERROR_NOT_FOUND }
    count.pointee = chain.layers[place.layer].lists[place.index].count
    return TESSERA_OK
  }

  func getColumn(
    _ list: UnsafePointer<CChar>, _ column: UnsafePointer<CChar>, _ type: tessera_type,
    _ values: UnsafeMutablePointer<tessera_column>
  ) -> tessera_status {
    guard let (place, index) = self.column(column, of: list) else { return TESSERA_ERROR_NOT_FOUND }
    guard declared(place, index).type.code == type else { return TESSERA_ERROR_INVALID_VALUE }
    values.pointee = chain.layers[place.layer].lists[place.index].columns[index]
    return TESSERA_OK
  }

  func setList(_ name: UnsafePointer<CChar>, count: UInt64) -> tessera_status {
    guard acceptsOverrides else { return refuseOverride("set_list") }
    guard let place = listNames.find(name)?.place else { return TESSERA_ERROR_NOT_FOUND }
    guard OverrideList.hasRoom(for: count, values.chain[place.layer].lists[place.index]) else {
      return TESSERA_ERROR_NO_SPACE
    }
    values.overrideList(place, by: layer, count: Int(count), chain.layers)
    return TESSERA_OK
  }

  func setColumn(
    _ list: UnsafePointer<CChar>, _ column: UnsafePointer<CChar>, _ type: tessera_type,
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> tessera_status {
    guard let (place, index) = self.column(column, of: list) else { return TESSERA_ERROR_NOT_FOUND }
    guard declared(place, index).type.code == type else { return TESSERA_ERROR_INVALID_VALUE }
    guard acceptsOverrides, let override = values.overriddenList(place, by: layer)
    else { return TESSERA_ERROR_WRONG_STATE }
    data.pointee = override.columns[index].bytes
    return TESSERA_OK
  }

  /// The place of a list, and the index of one of its columns.
  private func column(
    _ name: UnsafePointer<CChar>, of list: UnsafePointer<CChar>
  ) -> (place: Place, index: Int)? {
    guard let place = listNames.find(list)?.place else { return nil }
    let columns = values.chain[place.layer].lists[place.index].columns
    let name = UntrustedText.repair(name)
    return columns.firstIndex { $0.name == name }.map { (place, $0) }
  }

  private func declared(_ place: Place, _ column: Int) -> ParameterDescription {
    values.chain[place.layer].lists[place.index].columns[column]
  }

  private func value(
    _ name: UnsafePointer<CChar>, _ scope: UInt32
  ) -> NameTable.Found? {
    scope < valueNames.count ? valueNames[Int(scope)].find(name) : nil
  }

  private func declared(_ place: SessionValues.Place) -> ParameterDescription {
    values.chain[place.layer].parameters[place.index]
  }

  /// Reports, on behalf of the derived engine, why an override is rejected.
  private func refuse(_ parameter: ParameterDescription, _ problem: String) -> tessera_status {
    chain.layers[layer].host.note(
      TESSERA_ERROR_INVALID_VALUE,
      "the value that it gives its base for \(parameter.name) \(problem)")
    return TESSERA_ERROR_INVALID_VALUE
  }
}
