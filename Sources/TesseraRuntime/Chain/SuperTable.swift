import CTessera
import TesseraCatalog

final class SuperTable {
  private typealias Place = SessionValues.Place

  /// For the engine; valid as long as this object.
  private(set) var pointer: UnsafeMutablePointer<tessera_super>!
  /// The chain owns this table.
  unowned(unsafe) let chain: LayoutChain
  let layer: Int
  /// By name, in the nearest base that declares it.
  private var parameterPlaces: [String: Place] = [:]
  /// For sections, then items.
  private var valuePlaces: [[String: Place]] = [[:], [:]]
  private var listPlaces: [String: Place] = [:]

  init(chain: LayoutChain, layer: Int) {
    self.chain = chain
    self.layer = layer
    pointer = OwnedTable.allocate(
      tessera_super(
        struct_size: UInt32(MemoryLayout<tessera_super>.size), reserved: 0,
        get: { owner(of: $0).get($1, $2, $3) },
        get_values: { owner(of: $0).getValues($1, $2, $3, $4) },
        set: { owner(of: $0).set($1, $2, $3.pointee) },
        set_choice: { owner(of: $0).set($1, choice: $2) },
        set_values: { owner(of: $0).setValues($1, $2, $3, $4) },
        set_function: {
          owner(of: $0).setFunction(
            UntrustedText.repair($1), signature: UntrustedText.repair($2), $3)
        },
        prepare: { base, _ in owner(of: base).call { $0.prepareBase(of: $1) } },
        adjust: { base, rect, _ in owner(of: base).call { $0.adjustBase(of: $1, rect) } },
        elements_in_rect: { base, rect, _ in owner(of: base).call { $0.queryBase(of: $1, rect) } },
        element: { base, run, _ in owner(of: base).call { $0.lookUpInBase(of: $1, run) } },
        still_valid: {
          let base = owner(of: $0)
          return base.chain.isBaseStillValid(of: base.layer)
        },
        get_list: { owner(of: $0).getList($1, $2) },
        get_column: { owner(of: $0).getColumn($1, $2, $3, $4) },
        set_list: { owner(of: $0).setList($1, count: $2) },
        set_column: { owner(of: $0).setColumn($1, $2, $3, $4) }),
      of: .passUnretained(self))
    for (number, engine) in chain.values.chain.enumerated().dropFirst(layer + 1) {
      func add(_ name: String, _ index: Int, to places: inout [String: Place]) {
        if places[name] == nil { places[name] = Place(layer: number, index: index) }
      }
      for (index, parameter) in engine.parameters.enumerated() {
        add(parameter.name, index, to: &parameterPlaces)
      }
      for (index, value) in engine.values.enumerated() {
        add(value.name, index, to: &valuePlaces[Int(value.scope.rawValue)])
      }
      for (index, list) in engine.lists.enumerated() { add(list.name, index, to: &listPlaces) }
    }
  }

  deinit { pointer.deallocate() }

  private func call(_ body: (LayoutChain, _ layer: Int) -> tessera_status) -> tessera_status {
    guard chain.state.examiner?.failsBase() == true else { return body(chain, layer) }
    chain.layers[layer + 1].host.note(TESSERA_ERROR_FAILED, "the base fails in a test")
    return TESSERA_ERROR_FAILED
  }
}

private func owner(of table: UnsafeMutablePointer<tessera_super>) -> SuperTable {
  OwnedTable.owner(of: UnsafePointer(table))
}

extension SuperTable {
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
    guard let place = parameter(name) else { return TESSERA_ERROR_NOT_FOUND }
    guard declared(place).type.code == type else { return TESSERA_ERROR_INVALID_VALUE }
    value.pointee = chain.layers[place.layer].parameters[place.index]
    return TESSERA_OK
  }

  func getValues(
    _ name: UnsafePointer<CChar>, _ scope: UInt32, _ type: tessera_type,
    _ column: UnsafeMutablePointer<tessera_column>
  ) -> tessera_status {
    guard let place = value(name, scope) else { return TESSERA_ERROR_NOT_FOUND }
    guard type == valueType(place) else { return TESSERA_ERROR_INVALID_VALUE }
    column.pointee = chain.layers[place.layer].columns[place.index]
    return TESSERA_OK
  }

  func set(
    _ name: UnsafePointer<CChar>, _ type: tessera_type, _ value: tessera_value
  ) -> tessera_status {
    guard acceptsOverrides else { return refuseOverride("set") }
    guard let place = parameter(name) else { return TESSERA_ERROR_NOT_FOUND }
    return set(place, type, value)
  }

  private func set(_ place: Place, _ type: tessera_type, _ value: tessera_value) -> tessera_status {
    let parameter = declared(place)
    guard parameter.type.code == type,
      let read = Value(value, type: parameter.type, choices: parameter.choices)
    else { return refuse(parameter, "is not a valid \(parameter.type.name)") }
    if let problem = parameter.problem(with: read) { return refuse(parameter, problem) }
    values.override(place, by: layer, to: value, chain.layers)
    return TESSERA_OK
  }

  func set(_ name: UnsafePointer<CChar>, choice: UnsafePointer<CChar>) -> tessera_status {
    guard let place = parameter(name) else { return TESSERA_ERROR_NOT_FOUND }
    let choice = UntrustedText.repair(choice)
    guard let index = declared(place).choices.firstIndex(of: choice) else {
      return refuse(declared(place), "is \"\(choice)\", which is not one of its choices")
    }
    var raw = tessera_value()
    raw.choice = Int32(index)
    guard acceptsOverrides else { return refuseOverride("set") }
    return set(place, ValueType.choice.code, raw)
  }

  func setValues(
    _ name: UnsafePointer<CChar>, _ scope: UInt32, _ type: tessera_type,
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> tessera_status {
    guard acceptsOverrides else { return refuseOverride("set_values") }
    guard let place = value(name, scope) else { return TESSERA_ERROR_NOT_FOUND }
    guard type == valueType(place) else { return TESSERA_ERROR_INVALID_VALUE }
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
    guard let place = listPlaces[UntrustedText.repair(name)] else { return TESSERA_ERROR_NOT_FOUND }
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
    guard let place = listPlaces[UntrustedText.repair(name)] else { return TESSERA_ERROR_NOT_FOUND }
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

  private func column(
    _ name: UnsafePointer<CChar>, of list: UnsafePointer<CChar>
  ) -> (place: Place, index: Int)? {
    guard let place = listPlaces[UntrustedText.repair(list)] else { return nil }
    let columns = values.chain[place.layer].lists[place.index].columns
    let name = UntrustedText.repair(name)
    return columns.firstIndex { $0.name == name }.map { (place, $0) }
  }

  private func declared(_ place: Place, _ column: Int) -> ParameterDescription {
    values.chain[place.layer].lists[place.index].columns[column]
  }

  private func parameter(_ name: UnsafePointer<CChar>) -> Place? {
    parameterPlaces[UntrustedText.repair(name)]
  }

  private func value(_ name: UnsafePointer<CChar>, _ scope: UInt32) -> Place? {
    scope < valuePlaces.count ? valuePlaces[Int(scope)][UntrustedText.repair(name)] : nil
  }

  private func valueType(_ place: Place) -> tessera_type {
    values.chain[place.layer].values[place.index].type.code
  }

  private func declared(_ place: SessionValues.Place) -> ParameterDescription {
    values.chain[place.layer].parameters[place.index]
  }

  /// On behalf of the derived engine.
  private func refuse(_ parameter: ParameterDescription, _ problem: String) -> tessera_status {
    chain.layers[layer].host.note(
      TESSERA_ERROR_INVALID_VALUE,
      "the value that it gives its base for \(parameter.name) \(problem)")
    return TESSERA_ERROR_INVALID_VALUE
  }
}
