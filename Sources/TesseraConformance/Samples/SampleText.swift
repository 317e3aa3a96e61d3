import TesseraHost
import TesseraScenario

extension LayoutInput {
  var summary: String {
    var parts = ["sections of \(Self.list(counts.map(String.init))) items"]
    if counts == [itemCount] { parts = ["\(itemCount) item\(itemCount == 1 ? "" : "s")"] }
    parts.append("bounds \(Value.size(self.bounds))")
    let plain = LayoutInput()
    for field in LayoutField.settings where field != .bounds {
      let value = field.value(in: viewport)
      guard value != field.value(in: plain.viewport) else { continue }
      parts.append(field.type == .choice ? "\(value)" : "\(field.name) \(value)")
    }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      parts.append("\(name) \(value)")
    }
    for (name, records) in lists.sorted(by: { $0.key < $1.key }) {
      parts.append(
        records.count > 16 ? "\(name) of \(records.count) records" : "\(name) \(JSON(records).line)"
      )
    }
    for (scope, columns) in [("section", sectionValues), ("item", itemValues)] {
      for (name, column) in columns.sorted(by: { $0.key < $1.key }) {
        let values = column.each.map { Self.list($0.map(\.description)) }
        parts.append("\(scope) \(name) \(values ?? column[0].description)")
      }
    }
    for (name, node) in delegate.sorted(by: { $0.key < $1.key }) {
      parts.append("\(name) returns \(Self.text(node))")
    }
    if let measure { parts.append("items measure \(Self.text(measure))") }
    return parts.joined(separator: ", ")
  }

  private static func text(_ node: JSONNode) -> String {
    if case .text(let text) = node.value { text } else { node.value.line }
  }

  private static func list(_ texts: [String]) -> String {
    if texts.isEmpty { return "no" }
    guard texts.count > 8 else { return texts.joined(separator: " ") }
    return texts.prefix(6).joined(separator: " ") + " … (\(texts.count) in all)"
  }

  func layoutCommand(engine: String, options: [String] = []) -> String {
    let text = json.line
    let words = ["tessera", "layout", engine] + options
    let command = words.map(\.shellWord).joined(separator: " ")
    return text == "{}" ? command : "printf %s \(text.shellWord) | \(command) --scenario -"
  }
}

extension String {
  var shellWord: String {
    let plain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./,:=+@%".utf8.contains(byte)
      }
    }
    if plain, !isEmpty { return self }
    let quoted = split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    return "'\(quoted)'"
  }
}

extension LayoutInput {
  /// The sample as a scenario, without default values.
  public var json: JSON { Scenario(self).json }

  /// Reads a sample from a report's scenario without a rect; the engine comes before its bases.
  ///
  /// - Throws: `.invalidInput` if the scenario doesn't fit the engine.
  public init(json text: String, for engines: [EngineDescription]) throws(HostError) {
    try self.init(Scenario(parsing: Array(text.utf8), name: "the sample"), for: engines)
  }

  init(json: JSON, for engines: [EngineDescription]) throws(HostError) {
    try self.init(Scenario(json), for: engines)
  }

  private init(_ scenario: Scenario, for engines: [EngineDescription]) throws(HostError) {
    self = try scenario.resolved(for: engines).input
  }
}
