import ArgumentParser
import TesseraCommand
import TesseraHost
import TesseraScenario

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describes an engine: its parameters, values, functions and attributes.",
    discussion: """
      The library is loaded in a sandboxed process, unless its description is cached.

      EXAMPLES
        tessera info flow
        tessera info org.example.spiral --format json
        tessera info ./libspiral.so
      """)

  @Argument(help: .engine, completion: .engine)
  var engine: String
  @OptionGroup var engineOptions: EngineOptions
  @Option("The output format.")
  var format = DescriptionFormat.table

  func run() throws {
    let facts = EngineFacts(try engineOptions.engine(engine))
    try BufferedOutput.print(asJSON: format == .json, facts.json) { try facts.write(to: $0) }
  }
}

extension EngineFacts {
  /// Omits empty sections.
  func write(to output: BufferedOutput) throws {
    let engine = engine.description
    try output.write("\("\(engine.name) \(engine.version)".visible)\n")
    if !engine.summary.isEmpty { try output.write("\(engine.summary.visible)\n") }
    try output.write("\n")
    for (label, text) in identity where !text.isEmpty {
      try output.write(label.padded(to: 9) + text.visible + "\n")
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
    for list in lists { try write(list, to: output) }
    try writeFunctions("Delegate functions", delegateFunctions, to: output)
    try writeFunctions("Functions", publishedFunctions, to: output)
    try writeTable(
      "Attributes", ["NAME", "TYPE", "INTERPOLATION", "WHEN", "", "FROM"],
      attributes.map {
        [$0.name, $0.typeText, $0.interpolation.name, $0.whenText, $0.help, fromText($1)]
      }, to: output)
    try writeTable(
      "Element kinds", ["NAME", "CATEGORY", "ROLE", "SHOWS", "FROM"],
      kinds.map { kind, from in
        [
          kind.name, kind.category.name, kind.role == .other ? "" : kind.role.name,
          kind.shows ?? "", fromText(from),
        ]
      }, to: output)
  }

  private var identity: [(label: String, text: String)] {
    let description = engine.description
    return [
      ("id", description.id), ("library", engine.library), ("ABI", "\(engine.abi)"),
      ("author", description.author), ("license", description.license),
      ("base", engine.chain.dropFirst().map { "\($0.id) \($0.version)" }.joined(separator: " → ")),
      ("traits", traits.names.joined(separator: ", ")),
      ("laws", engine.laws.names.joined(separator: ", ")),
      ("columns", columns.names.joined(separator: ", ")),
    ]
  }

  private func initialText(of parameter: Declared<ParameterDescription>) -> String {
    let value = initial(of: parameter).description
    return parameter.declaration.unit.map { "\(value) \($0)" } ?? value
  }

  private func derivedText(of parameter: Declared<ParameterDescription>) -> String {
    func by(_ id: String) -> String { id == engine.description.id ? "here" : "by \(id)" }
    if let owner = owner(of: parameter) { return "fixed \(by(owner)), cannot be set" }
    return giver(of: parameter).map { "set \(by($0))" } ?? ""
  }

  private func fromText(_ id: String) -> String { id == engine.description.id ? "" : id }

  private func write(_ list: Declared<ListDescription>, to output: BufferedOutput) throws {
    let from = fromText(list.from)
    try writeTable(
      "List \(list.declaration.name)\(from.isEmpty ? "" : " from \(from)"): "
        + list.declaration.help.visible,
      ["COLUMN", "TYPE", "INITIAL", "ALLOWED", ""],
      list.declaration.columns.map { column in
        let initial = column.initial.description
        return [
          column.name, column.type.name, column.unit.map { "\(initial) \($0)" } ?? initial,
          column.allowedText, column.help,
        ]
      }, to: output)
  }

  private func writeValues(
    _ title: String, _ values: [Declared<ValueDescription>], to output: BufferedOutput
  ) throws {
    try writeTable(
      title, ["NAME", "TYPE", "FALLBACK", "", "FROM"],
      values.map { [$0.name, $0.type.name, $0.fallback ?? "", $0.help, fromText($1)] }, to: output)
  }

  private func writeFunctions(
    _ title: String, _ functions: [Declared<FunctionDescription>], to output: BufferedOutput
  ) throws {
    try writeTable(
      title, ["NAME", "SIGNATURE", "", "FROM"],
      functions.map { [$0.name, $0.signature, $0.help, fromText($1)] }, to: output)
  }

  private func writeTable(
    _ title: String, _ titles: [String], _ rows: [[String]], to output: BufferedOutput
  ) throws {
    guard !rows.isEmpty else { return }
    let used = titles.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    try output.write("\n\(title)\n")
    try TextTable(used.map { titles[$0] }, rows: rows.map { row in used.map { row[$0] } })
      .write(to: output, indent: "  ")
  }
}

extension ParameterDescription {
  /// Empty if every value is allowed.
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
  fileprivate var typeText: String { choices.isEmpty ? type.name : choices.joined(separator: "|") }

  /// Empty for attributes written in prepare.
  fileprivate var whenText: String { isAdjusted ? "in queries" : "" }
}
