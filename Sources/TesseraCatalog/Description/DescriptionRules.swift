extension EngineDescription {
  package static let entryLimit: UInt32 = 4096
  /// Bytes of all texts of an engine.
  package static let textLimit = 1 << 20

  package func check() throws(HostError) {
    try checkIdentity()
    try checkBits()
    try checkTexts()
    try checkNames()
    for parameter in parameters { try check(parameter) }
    try checkValues()
    try checkLists()
    try checkAttributes()
    try checkKinds()
    try checkMeasured()
    try checkSignatures()
    try checkAbilities()
  }

  private func fail(_ code: HostError.Code, _ sentence: String) -> HostError {
    HostError(code, UntrustedText.onOneLine(sentence), engine: UntrustedText.onOneLine(id))
  }

  private func checkIdentity() throws(HostError) {
    guard Self.isReverseDNS(id) else {
      let id = UntrustedText.onOneLine("\(self.id.prefix(100))")
      throw HostError(
        .invalidID,
        "the engine id \"\(id)\" is not reverse-DNS; expected something like "
          + "\"org.example.spiral\"")
    }
    guard SemanticVersion(version) != nil else {
      throw fail(
        .invalidVersion, "the version \"\(version)\" is not semantic; expected one like \"1.2.3\"")
    }
    if let base, !Self.isReverseDNS(base) {
      throw fail(
        .invalidID,
        "the base \"\(base)\" is not an engine id; expected one like \"org.example.spiral\"")
    }
    if let version = baseVersion, base == nil || SemanticVersion(version) == nil {
      throw fail(
        .invalidVersion,
        "base_version is \"\(version)\"; expected a version like \"1.2.3\", and a base")
    }
    guard base != nil || defaults.isEmpty else {
      throw fail(
        .unfitBase, "it declares defaults for a base but names no base; name it, or leave them out")
    }
  }

  private func checkBits() throws(HostError) {
    let unknown = [
      ("traits", traits.subtracting(.all).rawValue), ("laws", laws.subtracting(.all).rawValue),
      ("columns", columns.subtracting(.all).rawValue),
      ("adjusted_columns", adjustedColumns.subtracting(.all).rawValue),
    ]
    for (member, bits) in unknown where bits != 0 {
      throw fail(.unknownBits, HostError.unknownBits(member, bits).fact)
    }
  }

  private func checkTexts() throws(HostError) {
    var texts = [("name", name), ("author", author), ("license", license), ("summary", summary)]
    func add(_ name: String, _ help: String, unit: String? = nil, choices: [String] = []) {
      texts += [("help of \(name)", help), ("unit of \(name)", unit ?? "")]
      texts += choices.map { ("choice \($0) of \(name)", $0) }
    }
    for list in lists { add(list.name, list.help) }
    for parameter in parameters + lists.flatMap(\.columns) {
      add(parameter.name, parameter.help, unit: parameter.unit, choices: parameter.choices)
    }
    for value in values { add(value.name, value.help, choices: value.choices) }
    for function in functions { add(function.name, function.help) }
    for attribute in attributes {
      add(attribute.name, attribute.help, unit: attribute.unit, choices: attribute.choices)
    }
    let total = texts.reduce(0) { $0 + $1.1.utf8.count }
    guard total <= Self.textLimit else {
      throw fail(
        .oversizedDescription,
        "its texts take \(total) bytes; expected at most \(Self.textLimit); shorten them")
    }
    for (what, text) in texts where UntrustedText.holdsControls(text) {
      throw fail(.unprintableText, "the \(what) holds control characters; leave them out")
    }
  }

  private func checkNames() throws(HostError) {
    try checkUnique(parameters.map(\.name), "parameter")
    try checkUnique(values.map(\.name), "value")
    try checkUnique(lists.map(\.name), "list")
    for list in lists { try checkUnique(list.columns.map(\.name), "column of \(list.name)") }
    try checkUnique(functions.map(\.name), "function")
    try checkUnique(attributes.map(\.name), "attribute")
    try checkUnique(kinds.map { "\($0.name)" }, "kind")
    try checkUnique(defaults.map(\.name), "default")
    let declared =
      (parameters + lists.flatMap(\.columns)).map { ($0.name, $0.type, $0.choices) }
      + attributes.map { ($0.name, $0.type, $0.choices) }
    for (name, type, choices) in declared where type == .choice {
      try checkDistinct(choices, "choice of \(name)", .invalidChoices)
    }
  }

  private func checkUnique(_ names: [String], _ what: String) throws(HostError) {
    for name in names where !Self.isLowerCamelCase(name) {
      throw fail(
        .invalidName, "the \(what) \"\(name.prefix(100))\" is not lowerCamelCase; rename it")
    }
    try checkDistinct(names, what, .duplicateName)
  }

  private func checkDistinct(
    _ names: [String], _ what: String, _ code: HostError.Code
  ) throws(HostError) {
    var seen = Set<String>()
    for name in names where !seen.insert(name).inserted {
      throw fail(code, "the \(what) \"\(name.prefix(100))\" is declared twice; declare it once")
    }
  }

  private func check(_ parameter: ParameterDescription) throws(HostError) {
    try checkChoices(parameter.choices, type: parameter.type, of: parameter.name)
    try checkLimits(of: parameter)
    if let problem = parameter.problem(with: parameter.initial) {
      throw fail(.invalidDefault, "the initial value of \(parameter.name) \(problem)")
    }
  }

  private func checkLists() throws(HostError) {
    let count = lists.reduce(0) { $0 + $1.columns.count }
    guard count <= Self.entryLimit else {
      throw fail(
        .invalidArray,
        "its lists have \(count) columns; expected at most \(Self.entryLimit) together")
    }
    for list in lists {
      guard !list.columns.isEmpty else {
        throw fail(.invalidArray, "the list \(list.name) has no columns; declare at least one")
      }
      for column in list.columns { try check(column) }
    }
  }

  private func checkSignatures() throws(HostError) {
    for function in functions {
      do { _ = try function.parsedSignature } catch {
        throw fail(.invalidFunction, "the function \(function.name): \(error.message)")
      }
    }
  }

  private func checkAbilities() throws(HostError) {
    let derived = base != nil
    guard derived || abilities.contains(.prepare) else {
      throw fail(.unfitTraits, "it has neither a base nor a prepare function; give it one of them")
    }
    if traits.contains(.lazy), !derived, !abilities.isSuperset(of: [.elementsInRect, .element]) {
      throw fail(
        .unfitTraits,
        "it declares that it is lazy, but has no elements_in_rect or no element function")
    }
    guard traits.contains(.viewport) == abilities.contains(.adjust) else {
      throw fail(
        .unfitTraits, "it must declare the viewport trait if and only if it has an adjust function")
    }
  }

  package static func isReverseDNS(_ id: String) -> Bool {
    let parts = id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 2, id.utf8.count <= 255 else { return false }
    return parts.allSatisfy { part in
      guard let first = part.first, let last = part.last else { return false }
      return first != UInt8(ascii: "-") && last != UInt8(ascii: "-")
        && part.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }
  }

  package static func isLowerCamelCase(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 255 else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
      && name.utf8.allSatisfy { isLetter($0) || isDigit($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

// The host relies on these rules, so they also apply to descriptions read from bytes.
extension EngineDescription {
  package func checkChoices(_ choices: [String], type: ValueType, of name: String) throws(HostError)
  {
    guard (type == .choice) == !choices.isEmpty else {
      throw fail(
        .invalidChoices,
        "\(name) is of type \(type.name) and has \(choices.count) choices; "
          + "an enum needs at least one, and other types have none")
    }
  }

  package func checkLimits(of parameter: ParameterDescription) throws(HostError) {
    let type = parameter.type
    let expected = type.isOrdered ? type.width : 0
    guard parameter.minimum.count == expected, parameter.maximum.count == expected,
      zip(parameter.minimum, parameter.maximum).allSatisfy({ $0 < $1 })
    else {
      throw fail(
        .invalidDefault,
        "the limits of \(parameter.name) are \(parameter.minimum) to \(parameter.maximum); "
          + "expected \(expected) ranges, from a lower number to a higher one; for no upper limit "
          + "write INFINITY or INT64_MAX, and for none at all give both the same value")
    }
  }

  package func checkValues() throws(HostError) {
    for value in values {
      let parameter = value.fallback.flatMap { fallback in
        parameters.first { $0.name == fallback }
      }
      guard value.fallback == nil || parameter?.type == value.type else {
        throw fail(
          .invalidFallback,
          "the value \(value.name) falls back on \(value.fallback ?? ""), which is not a parameter of "
            + "type \(value.type.name); name one of that type")
      }
      guard value.type != .choice || parameter != nil else {
        throw fail(
          .invalidFallback, "the enum value \(value.name) needs a fallback that names its choices")
      }
      guard value.choices == parameter?.choices ?? [] else {
        throw fail(
          .invalidFallback,
          "the choices of \(value.name) are not those of its fallback; declare the same")
      }
    }
  }

  package func checkAttributes() throws(HostError) {
    for attribute in attributes {
      try checkChoices(attribute.choices, type: attribute.type, of: attribute.name)
      var isOfType = attribute.initial.isValid(for: attribute.type)
      if case .choice(let name) = attribute.initial, !attribute.choices.contains(name) {
        isOfType = false
      }
      guard isOfType else {
        throw fail(
          .invalidDefault,
          "the initial value of \(attribute.name) is not a valid \(attribute.type.name); "
            + "declare a valid one"
        )
      }
    }
  }

  private func checkMeasured() throws(HostError) {
    guard measured.isEmpty != abilities.contains(.sizing) else {
      throw fail(
        .invalidExtension,
        "its table for tessera.sizing/1 measures nothing; name at least one value")
    }
    for (place, entry) in measured.enumerated() {
      let scope: ValueDescription.Scope = entry.kind == nil ? .item : .section
      let isSound = values.contains {
        $0.name == entry.value && $0.scope == scope && [.size, .number].contains($0.type)
      }
      guard isSound else {
        throw fail(
          .invalidExtension,
          "it measures \"\(entry.value.prefix(100))\", which is not one of its "
            + "\(scope == .item ? "item" : "section") values of type size or number; declare it")
      }
      if let kind = entry.kind,
        !kinds.contains(where: { $0.name == kind && $0.category == .supplementary })
      {
        throw fail(
          .invalidExtension,
          "it measures the kind \"\(kind.prefix(100))\", which is not one of its supplementary kinds; "
            + "declare it")
      }
      guard !measured[..<place].contains(where: { $0.kind == entry.kind }) else {
        throw fail(
          .invalidExtension, "it measures \(entry.kind ?? "cells") twice; name each kind once")
      }
    }
  }

  package func checkKinds() throws(HostError) {
    for kind in kinds where kind.category == .cell {
      throw fail(
        .unknownType,
        "the kind \(kind.name) has the category cell; expected supplementary or decoration")
    }
    for kind in kinds {
      guard let shows = kind.shows, !attributes.contains(where: { $0.name == shows }) else {
        continue
      }
      throw fail(
        .unknownType,
        "the kind \(kind.name) shows \(shows.prefix(100)), which is no attribute of the engine; "
          + "declare that attribute")
    }
  }
}
