import TesseraHost

extension EngineFacts {
  /// Writes the facts for a person, with nothing said of what the engine does not have.
  func write(to output: BufferedOutput) throws {
    let engine = engine.description
    try output.write("\(engine.name) \(engine.version)\n")
    if !engine.summary.isEmpty { try output.write("\(engine.summary)\n") }
    try output.write("\n")
    for (label, text) in identity where !text.isEmpty {
      try output.write(label.padded(to: 9) + text + "\n")
    }
    try writeTable(
      "Parameters", ["NAME", "TYPE", "INITIAL", "ALLOWED", "", "", "FROM"],
      parameters.map {
        [
          $0.declaration.name, $0.declaration.type.name, initialText(of: $0),
          $0.declaration.allowedText, derivedText(of: $0), $0.declaration.help, fromText($0.from),
        ]
      }, to: output)
    try writeValues("Section values", sectionValues, to: output)
    try writeValues("Item values", itemValues, to: output)
    try writeFunctions("Delegate functions", delegateFunctions, to: output)
    try writeFunctions("Functions", publishedFunctions, to: output)
    try writeTable(
      "Attributes", ["NAME", "TYPE", "INTERPOLATION", "WHEN", "", "FROM"],
      attributes.map {
        [
          $0.declaration.name, $0.declaration.typeText, $0.declaration.interpolation.name,
          $0.declaration.whenText, $0.declaration.help, fromText($0.from),
        ]
      }, to: output)
    try writeTable(
      "Element kinds", ["NAME", "CATEGORY", "FROM"],
      kinds.map { [$0.declaration.name, $0.declaration.category.name, fromText($0.from)] },
      to: output)
  }

  private var identity: [(label: String, text: String)] {
    let description = engine.description
    return [
      ("id", description.id), ("library", engine.library), ("ABI", "\(engine.abi)"),
      ("author", description.author), ("license", description.license),
      ("base", engine.chain.dropFirst().map { "\($0.id) \($0.version)" }.joined(separator: " → ")),
      ("traits", traits.names.joined(separator: ", ")),
      ("columns", columns.names.joined(separator: ", ")),
    ]
  }

  private func initialText(of parameter: Declared<ParameterDescription>) -> String {
    let value = initial(of: parameter).description
    return parameter.declaration.unit.map { "\(value) \($0)" } ?? value
  }

  /// What a derived engine does with a parameter of its base.
  private func derivedText(of parameter: Declared<ParameterDescription>) -> String {
    func by(_ id: String) -> String { id == engine.description.id ? "here" : "by \(id)" }
    if let owner = owner(of: parameter) { return "decided \(by(owner)), cannot be set" }
    return giver(of: parameter).map { "given \(by($0))" } ?? ""
  }

  /// The engine that declares something, where it is not the one that is described.
  private func fromText(_ id: String) -> String {
    id == engine.description.id ? "" : id
  }

  private func writeValues(
    _ title: String, _ values: [Declared<ValueDescription>], to output: BufferedOutput
  ) throws {
    try writeTable(
      title, ["NAME", "TYPE", "FALLS BACK ON", "", "FROM"],
      values.map {
        [
          $0.declaration.name, $0.declaration.type.name, $0.declaration.fallback ?? "",
          $0.declaration.help, fromText($0.from),
        ]
      }, to: output)
  }

  private func writeFunctions(
    _ title: String, _ functions: [Declared<FunctionDescription>], to output: BufferedOutput
  ) throws {
    try writeTable(
      title, ["NAME", "SIGNATURE", "", "FROM"],
      functions.map {
        [
          $0.declaration.name, $0.declaration.signature, $0.declaration.help, fromText($0.from),
        ]
      }, to: output)
  }

  /// Columns that are empty in every row are left out.
  private func writeTable(
    _ title: String, _ titles: [String], _ rows: [[String]], to output: BufferedOutput
  ) throws {
    guard !rows.isEmpty else { return }
    let used = titles.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    try output.write("\n\(title)\n")
    try TextTable(
      used.map { TextTable.Column(titles[$0]) }, rows: rows.map { row in used.map { row[$0] } }
    ).write(to: output, indent: "  ")
  }
}

extension ParameterDescription {
  /// The choices, or the limits, as a person reads them; empty where everything is allowed.
  fileprivate var allowedText: String {
    if !choices.isEmpty { return choices.joined(separator: "|") }
    let least = limitText(minimum)
    let greatest = limitText(maximum)
    return switch (least, greatest) {
    case (nil, nil): ""
    case (let least?, nil): "\(least) or more"
    case (nil, let greatest?): "up to \(greatest)"
    case (let least?, let greatest?): "\(least) to \(greatest)"
    }
  }

  private func limitText(_ limits: [Double]) -> String? {
    guard limits.contains(where: \.isFinite) else { return nil }
    let texts = limits.map { $0.isFinite ? $0.shortText : "any" }
    return Set(texts).count == 1 ? texts[0] : texts.joined(separator: ",")
  }
}

extension AttributeDescription {
  fileprivate var typeText: String {
    choices.isEmpty ? type.name : choices.joined(separator: "|")
  }

  /// Empty for what is there as soon as it is laid out.
  fileprivate var whenText: String { isAdjusted ? "in queries" : "" }
}

extension String {
  /// The text followed by spaces up to a width.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
