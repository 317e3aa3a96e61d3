import CTessera

/// Writes down what a layout's type declares, in memory that lives as long as the process.
///
/// - Throws: A declaration that no engine can have.
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
    $0.slot.contractAttribute(named: permanentText($0.name))
  }
  let kinds = declarations.kinds.map {
    tessera_kind(
      name: permanentText($0.name), category: $0.kind.category.contractCategory, reserved: 0)
  }
  let functions = try describeFunctions(declarations)
  let defaults = declarations.inherited.compactMap(\.contractSetting)
  let identity = type.identity
  let abilities = Abilities(of: prototype)
  return tessera_engine(
    struct_size: stride(of: tessera_engine.self),
    traits: type.traits.rawValue | abilities.traits,
    columns: type.columns.rawValue,
    adjusted_columns: type.adjustedColumns.rawValue,
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
    function_count: UInt32(functions.count),
    function_size: stride(of: tessera_function_declaration.self),
    attribute_count: UInt32(attributes.count), attribute_size: stride(of: tessera_attribute.self),
    kind_count: UInt32(kinds.count), kind_size: stride(of: tessera_kind.self),
    default_count: UInt32(defaults.count), default_size: stride(of: tessera_setting.self),
    parameters: permanentArray(parameters),
    values: permanentArray(values),
    functions: permanentArray(functions),
    attributes: permanentArray(attributes),
    kinds: permanentArray(kinds),
    defaults: permanentArray(defaults),
    create: createLayout,
    destroy: destroyLayout,
    prepare: abilities.preparing == nil ? nil : prepareLayout,
    adjust: abilities.adjusting == nil ? nil : adjustLayout,
    elements_in_rect: abilities.lazy == nil ? nil : layoutElementsInRect,
    element: abilities.lazy == nil ? nil : layoutElement,
    still_valid: abilities.reusable == nil ? nil : layoutStillValid,
    extension: abilities.hasExtensions ? layoutExtension : nil)
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
        "\(name) is the fifth published function of the signature \(function.body.signature); "
          + "publish four at most")
    }
    functions.append(
      tessera_function_declaration(
        name: permanentText(name), signature: permanentText(function.body.signature),
        help: permanentText(function.help), published: entry))
  }
  return functions
}

private func describeColumn(
  _ column: any DeclaredColumn, named name: String, of prototype: any Layout,
  among declarations: Declarations
) -> tessera_value_declaration {
  let fallback = declarations.fallbackName(of: column, in: prototype)
  return tessera_value_declaration(
    name: permanentText(column.isNamedLikeFallback ? fallback ?? name : name),
    help: permanentText(column.help), fallback: fallback.map(permanentText),
    type: column.contractType, scope: column.scope.contractScope)
}

private func stride<Value>(of type: Value.Type) -> UInt32 {
  UInt32(MemoryLayout<Value>.stride)
}
