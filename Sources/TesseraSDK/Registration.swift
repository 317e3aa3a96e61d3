public import CTessera
import CTesseraNote
import Glibc

/// The host that a library registers with.
public typealias HostReference = UnsafePointer<tessera_host>

/// Where a library registers its engines.
public typealias RegistryReference = UnsafeMutablePointer<tessera_registry>

extension UnsafeMutablePointer<tessera_registry> {
  /// Registers layouts as engines: all that a library's exported function has to do.
  ///
  /// ```swift
  /// @c(tessera_register)
  /// public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  ///   registry.add(Spiral.self, host: host)
  /// }
  /// ```
  ///
  /// Returns OK if the host accepted any engine; else the reason of the first rejection.
  public func add(_ types: any Layout.Type..., host: HostReference) -> Status {
    let (major, minor) = (tessera_note_abi_major(), tessera_note_abi_minor())
    guard host.pointee.abi_major == major, host.pointee.abi_minor >= minor else {
      report(
        .unsupported(
          "the host speaks ABI \(host.pointee.abi_major).\(host.pointee.abi_minor), "
            + "this library needs \(major).\(minor) or a later \(major).x; update the host"),
        to: host)
      return TESSERA_ERROR_UNSUPPORTED
    }
    var refusal = TESSERA_OK
    var isAnyTaken = false
    for type in types {
      let status = add(type, host: host)
      if status == TESSERA_OK {
        isAnyTaken = true
      } else if refusal == TESSERA_OK {
        refusal = status
      }
    }
    return isAnyTaken ? TESSERA_OK : refusal
  }

  private func add(_ type: any Layout.Type, host: HostReference) -> Status {
    do {
      return pointee.add_engine(self, try RegisteredEngine.permanent(for: type))
    } catch {
      report(error, to: host)
      return error.status
    }
  }
}

func report(_ failure: LayoutFailure, to host: HostReference) {
  failure.message?.withCString { host.pointee.report(host, failure.status, $0) }
}

/// The description is the first field: the host's pointer to it is a pointer to this struct,
/// because a C function cannot capture the layout's type.
struct RegisteredEngine {
  let engine: tessera_engine
  let type: any Layout.Type
  let sizing: UnsafePointer<tessera_sizing>?

  /// Returns the same address for the same type.
  static func permanent(
    for type: any Layout.Type
  ) throws(LayoutFailure) -> UnsafePointer<tessera_engine> {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    let key = ObjectIdentifier(type)
    let record: UnsafePointer<RegisteredEngine>
    if let known = records[key] {
      record = known
    } else {
      let engine = try describeEngine(type)
      let place = UnsafeMutablePointer<RegisteredEngine>.allocate(capacity: 1)
      place.initialize(
        to: RegisteredEngine(engine: engine, type: type, sizing: try describeSizing(type, engine)))
      record = UnsafePointer(place)
      records[key] = record
    }
    return UnsafeRawPointer(record).assumingMemoryBound(to: tessera_engine.self)
  }

  static func registered(_ engine: UnsafePointer<tessera_engine>) -> RegisteredEngine {
    UnsafeRawPointer(engine).assumingMemoryBound(to: RegisteredEngine.self).pointee
  }

  static func type(of engine: UnsafePointer<tessera_engine>) -> any Layout.Type {
    registered(engine).type
  }

  // Used under the C library's lock, because Swift's would need another library. Never freed.
  nonisolated(unsafe) private static var records:
    [ObjectIdentifier: UnsafePointer<RegisteredEngine>] =
      [:]
  nonisolated(unsafe) private static let lock = {
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    return lock
  }()
}

func describeEngine(_ type: any Layout.Type) throws(LayoutFailure) -> tessera_engine {
  let prototype = type.init()
  let declarations = Declarations(of: prototype)
  let parameters = declarations.parameters.map {
    $0.slot.contractParameter(named: permanentText($0.name))
  }
  let values = declarations.columns.map {
    describeColumn($0.slot, named: $0.name, of: prototype, among: declarations)
  }
  let attributes = declarations.attributes.map {
    $0.describe(permanentText($0.name))
  }
  let lists = declarations.lists.map(describeList)
  let kinds = declarations.kinds.map {
    tessera_kind(
      name: permanentText($0.name), shows: $0.kind.shows.map(permanentText),
      category: $0.kind.category.contractCategory, role: $0.kind.role.rawValue)
  }
  let functions = try describeFunctions(declarations)
  let defaults = declarations.inherited.compactMap(\.contractSetting)
  let identity = type.identity
  let traits: UInt32 =
    (type is any LazyLayout.Type ? TESSERA_TRAIT_LAZY : 0)
    | (type is any AdjustingLayout.Type ? TESSERA_TRAIT_VIEWPORT : 0)
  let hasExtensions =
    type is any SnappingLayout.Type || type is any UpdatingLayout.Type
    || type is any SizingLayout.Type || type is any ReorderingLayout.Type
  return tessera_engine(
    struct_size: stride(of: tessera_engine.self),
    traits: type.traits.rawValue | traits,
    laws: type.laws.rawValue,
    columns: type.columns.rawValue,
    adjusted_columns: type.adjustedColumns.rawValue,
    reserved: 0,
    id: permanentText(identity.id),
    name: permanentText(identity.name),
    version: permanentText(identity.version),
    author: permanentText(identity.author),
    license: permanentText(identity.license),
    summary: permanentText(identity.summary),
    base: (type.base?.id).map(permanentText),
    base_version: (type.base?.version).map(permanentText),
    parameter_count: UInt32(parameters.count), parameter_size: stride(of: tessera_parameter.self),
    value_count: UInt32(values.count), value_size: stride(of: tessera_value_declaration.self),
    list_count: UInt32(lists.count), list_size: stride(of: tessera_list_declaration.self),
    function_count: UInt32(functions.count),
    function_size: stride(of: tessera_function_declaration.self),
    attribute_count: UInt32(attributes.count), attribute_size: stride(of: tessera_attribute.self),
    kind_count: UInt32(kinds.count), kind_size: stride(of: tessera_kind.self),
    default_count: UInt32(defaults.count), default_size: stride(of: tessera_setting.self),
    parameters: permanentArray(parameters),
    values: permanentArray(values),
    lists: permanentArray(lists),
    functions: permanentArray(functions),
    attributes: permanentArray(attributes),
    kinds: permanentArray(kinds),
    defaults: permanentArray(defaults),
    create: createLayout,
    destroy: destroyLayout,
    prepare: type is any PreparingLayout.Type ? prepareLayout : nil,
    adjust: type is any AdjustingLayout.Type ? adjustLayout : nil,
    elements_in_rect: type is any LazyLayout.Type ? layoutElementsInRect : nil,
    element: type is any LazyLayout.Type ? layoutElement : nil,
    still_valid: type is any ReusableLayout.Type ? layoutStillValid : nil,
    extension: hasExtensions ? layoutExtension : nil)
}

private func describeFunctions(
  _ declarations: Declarations
) throws(LayoutFailure) -> [tessera_function_declaration] {
  var functions = declarations.delegates.map {
    $0.slot.contractFunction(named: permanentText($0.name))
  }
  for (name, function) in declarations.published {
    guard let entry = function.entry else {
      throw .unsupported(
        "\(name) is the fifth published function of the signature \(function.signature); "
          + "publish four at most")
    }
    functions.append(
      tessera_function_declaration(
        name: permanentText(name), signature: permanentText(function.signature),
        help: permanentText(function.help), published: entry))
  }
  return functions
}

private func describeColumn(
  _ column: ColumnSlot, named name: String, of prototype: any Layout,
  among declarations: Declarations
) -> tessera_value_declaration {
  let fallback = declarations.fallbackName(of: column, in: prototype)
  return tessera_value_declaration(
    name: permanentText(column.isNamedLikeFallback ? fallback ?? name : name),
    help: permanentText(column.help), fallback: fallback.map(permanentText), type: column.type,
    scope: column.scope,
    flags: contractFlags(isHint: column.isHint, isInAdjust: column.isInAdjust), reserved: 0)
}

private func describeList(
  _ declared: (name: String, slot: ListSlot)
) -> tessera_list_declaration {
  let columns = declared.slot.declarations.recordValues.map {
    $0.parameter.contractParameter(named: permanentText($0.name))
  }
  guard let permanent = permanentArray(columns) else {
    preconditionFailure("the records of the list \(declared.name) have no @RecordValue")
  }
  return tessera_list_declaration(
    name: permanentText(declared.name), help: permanentText(declared.slot.help),
    column_count: UInt32(columns.count), column_size: stride(of: tessera_parameter.self),
    columns: permanent)
}

private func stride<Value>(of type: Value.Type) -> UInt32 { UInt32(MemoryLayout<Value>.stride) }

// Never freed: an engine's description lives as long as the process.

func permanentText(_ text: String) -> UnsafePointer<CChar> {
  text.withCString { source in
    let size = strlen(source) + 1
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    copy.initialize(from: source, count: size)
    return UnsafePointer(copy)
  }
}

func permanentArray<Element>(_ elements: [Element]) -> UnsafePointer<Element>? {
  guard !elements.isEmpty else { return nil }
  let copy = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
  for (index, element) in elements.enumerated() {
    (copy + index).initialize(to: element)
  }
  return UnsafePointer(copy)
}

func permanentArray(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>>? {
  permanentArray(texts.map(permanentText))
}
