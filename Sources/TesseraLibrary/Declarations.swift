import CTesseraHost
import TesseraHost

@c @implementation package func tessera_session_declaration_count(
  _ pointer: OpaquePointer?, _ declared: tessera_host_declared
) -> UInt32 {
  session(pointer, else: 0) { handle in
    UInt32(try Declaration.all(declared, of: handle.known(declared)).count)
  }
}

@c @implementation package func tessera_session_get_declaration(
  _ pointer: OpaquePointer?, _ declared: tessera_host_declared, _ index: UInt32,
  _ declaration: Out<tessera_declaration>, _ declarationSize: UInt64
) -> Int32 {
  session(pointer) { handle in
    let room = try ProgramStruct(declaration, size: declarationSize, "declaration")
    let all = try Declaration.all(declared, of: handle.known(declared))
    guard index < UInt32(all.count) else {
      throw Misuse("there is no declaration \(index); the engine has \(all.count)")
    }
    room.write(tessera_declaration(all[Int(index)], &handle.texts))
  }
}

@c @implementation package func tessera_session_declared_choice(
  _ pointer: OpaquePointer?, _ declared: tessera_host_declared, _ index: UInt32, _ choice: UInt32
) -> Text {
  session(pointer, else: nil) { handle in
    let all = try Declaration.all(declared, of: handle.known(declared))
    guard index < UInt32(all.count), choice < UInt32(all[Int(index)].choices.count) else {
      return nil
    }
    return handle.texts.pointer(to: all[Int(index)].choices[Int(choice)])
  }
}

extension SessionHandle {
  /// Engines for the declarations; numbers of attributes then become known.
  fileprivate func known(_ declared: tessera_host_declared) -> [EngineDescription] {
    if declared == TESSERA_HOST_DECLARED_ATTRIBUTES { knownAttributes = session.attributes }
    return session.engine.chain
  }
}

private struct Declaration {
  var name: String
  let engine: String
  var help: String?
  var type: String
  var unit: String?
  var fallback: String?
  var components = 0
  var choices: [String] = []
  var initial: Value?
  var minimum: [Double] = []
  var maximum: [Double] = []
  var role: String?
  var shows: String?

  /// Most derived engine first; it wins when names collide.
  static func all(
    _ declared: tessera_host_declared, of chain: [EngineDescription]
  ) throws -> [Declaration] {
    var seen: Set<String> = []
    return try chain.enumerated().flatMap { depth, engine in
      try list(declared, of: engine, below: chain.prefix(depth)).filter {
        seen.insert($0.name).inserted
      }
    }
  }

  private static func list(
    _ declared: tessera_host_declared, of engine: EngineDescription,
    below derived: ArraySlice<EngineDescription>
  ) throws -> [Declaration] {
    let id = engine.id
    switch declared {
    case TESSERA_HOST_DECLARED_PARAMETERS:
      return engine.parameters.compactMap { parameter in
        let given = derived.flatMap(\.defaults).filter { $0.name == parameter.name }
        guard !given.contains(where: \.isOwned) else { return nil }
        return Declaration(parameter, initial: given.first?.value ?? parameter.initial, of: id)
      }
    case TESSERA_HOST_DECLARED_LISTS:
      return engine.lists.map {
        Declaration(name: $0.name, engine: id, help: $0.help, type: "list")
      }
    case TESSERA_HOST_DECLARED_LIST_COLUMNS:
      return engine.lists.flatMap { list in
        list.columns.map { column in
          var declaration = Declaration(column, initial: column.initial, of: id)
          declaration.name = "\(list.name).\(column.name)"
          return declaration
        }
      }
    case TESSERA_HOST_DECLARED_SECTION_VALUES, TESSERA_HOST_DECLARED_ITEM_VALUES:
      let values =
        declared == TESSERA_HOST_DECLARED_ITEM_VALUES ? engine.itemValues : engine.sectionValues
      return values.map { value in
        Declaration(
          name: value.name, engine: id, help: value.help, type: value.type.name,
          fallback: value.fallback, components: value.type.width, choices: value.choices)
      }
    case TESSERA_HOST_DECLARED_ATTRIBUTES:
      return engine.attributes.map { attribute in
        Declaration(
          name: attribute.name, engine: id, help: attribute.help, type: attribute.type.name,
          unit: attribute.unit, components: attribute.type.width, choices: attribute.choices,
          initial: attribute.initial)
      }
    case TESSERA_HOST_DECLARED_KINDS:
      return engine.kinds.map {
        Declaration(
          name: $0.name, engine: id, type: $0.category.name, role: $0.role.name, shows: $0.shows)
      }
    case TESSERA_HOST_DECLARED_DELEGATE_FUNCTIONS, TESSERA_HOST_DECLARED_PUBLISHED_FUNCTIONS:
      let functions =
        declared == TESSERA_HOST_DECLARED_PUBLISHED_FUNCTIONS
        ? engine.publishedFunctions : engine.delegateFunctions
      return functions.map {
        Declaration(name: $0.name, engine: id, help: $0.help, type: $0.signature)
      }
    default:
      throw Misuse(
        "the declarations are \(declared); give TESSERA_HOST_DECLARED_PARAMETERS to "
          + "TESSERA_HOST_DECLARED_LIST_COLUMNS, 0 to 8")
    }
  }

  /// A choice is its index.
  var initialNumbers: [Double] {
    guard case .choice(let name)? = initial else { return initial?.numbers ?? [] }
    return [choices.firstIndex(of: name).map(Double.init) ?? 0]
  }
}

extension Declaration {
  fileprivate init(_ parameter: ParameterDescription, initial: Value, of engine: String) {
    self.init(
      name: parameter.name, engine: engine, help: parameter.help, type: parameter.type.name,
      unit: parameter.unit, components: parameter.type.width, choices: parameter.choices,
      initial: initial, minimum: parameter.minimum, maximum: parameter.maximum)
  }
}

extension tessera_declaration {
  fileprivate init(_ declaration: Declaration, _ texts: inout TextStore) {
    func four(_ numbers: [Double], else missing: Double) -> (Double, Double, Double, Double) {
      func number(_ index: Int) -> Double { index < numbers.count ? numbers[index] : missing }
      return (number(0), number(1), number(2), number(3))
    }
    self.init(
      name: texts.pointer(to: declaration.name), help: texts.pointer(to: declaration.help),
      type: texts.pointer(to: declaration.type), unit: texts.pointer(to: declaration.unit),
      engine: texts.pointer(to: declaration.engine),
      fallback: texts.pointer(to: declaration.fallback),
      components: UInt32(declaration.components), choice_count: UInt32(declaration.choices.count),
      initial: four(declaration.initialNumbers, else: 0),
      minimum: four(declaration.minimum, else: -.infinity),
      maximum: four(declaration.maximum, else: .infinity),
      role: texts.pointer(to: declaration.role), shows: texts.pointer(to: declaration.shows))
  }
}
