// What holds between the parts of one declaration. The rest of the host relies on it and asks no
// more, so nothing that came as bytes gets past these.
extension DescriptionRules {
  func checkChoices(_ choices: [String], type: ValueType, of name: String) throws(HostError) {
    guard (type == .choice) == !choices.isEmpty else {
      throw fail(
        "\(name) is of type \(type.name) and has \(choices.count) choices; "
          + "an enum has at least one, and nothing else has any")
    }
  }

  /// One range for each number that has an order.
  func checkLimits(of parameter: ParameterDescription) throws(HostError) {
    let type = parameter.type
    let expected = type == .bool || type == .choice ? 0 : max(1, type.components.count)
    guard parameter.minimum.count == expected, parameter.maximum.count == expected,
      zip(parameter.minimum, parameter.maximum).allSatisfy({ $0 < $1 })
    else {
      throw fail(
        "the limits of \(parameter.name) are \(parameter.minimum) to \(parameter.maximum); "
          + "expected \(expected) ranges, from a lower number to a higher one")
    }
  }

  func checkValues() throws(HostError) {
    for value in description.values {
      let parameter = value.fallback.flatMap { fallback in
        description.parameters.first { $0.name == fallback }
      }
      guard value.fallback == nil || parameter?.type == value.type else {
        throw fail(
          "the value \(value.name) falls back on \(value.fallback ?? ""), which is no parameter of "
            + "type \(value.type.name); name one that is")
      }
      guard value.type != .choice || parameter != nil else {
        throw fail("the enum value \(value.name) needs a fallback that names its choices")
      }
      guard value.choices == parameter?.choices ?? [] else {
        throw fail("the choices of \(value.name) are not those of its fallback; they must be")
      }
    }
  }

  func checkAttributes() throws(HostError) {
    for attribute in description.attributes {
      try checkChoices(attribute.choices, type: attribute.type, of: attribute.name)
      var isOfType = attribute.initial.type == attribute.type
      if case .choice(let name) = attribute.initial, !attribute.choices.contains(name) {
        isOfType = false
      }
      guard isOfType else {
        throw fail(
          "the initial value of \(attribute.name) is no \(attribute.type.name); declare one that is"
        )
      }
    }
  }

  func checkKinds() throws(HostError) {
    for kind in description.kinds where kind.category == .cell {
      throw fail("the kind \(kind.name) is one of cells; expected supplementary or decoration")
    }
  }
}
