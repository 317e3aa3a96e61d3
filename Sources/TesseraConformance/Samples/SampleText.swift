import TesseraHost
import TesseraScenario

extension LayoutInput {
  /// The sample in a few words: its counts, its bounds, and what differs from the default sample.
  public var summary: String {
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
      parts.append("\(name) \(JSON(records).line)")
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

  /// A `tessera layout` command that lays out the sample, quoted for a shell.
  ///
  /// - Parameters:
  ///   - engine: The engine as a command-line argument.
  ///   - options: Options that choose engines and how they run.
  public func layoutCommand(engine: String, options: [String] = []) -> String {
    let text = json.line
    let words = ["tessera", "layout", engine] + options
    let command = words.map(\.shellWord).joined(separator: " ")
    return text == "{}" ? command : "printf %s \(text.shellWord) | \(command) --scenario -"
  }
}

extension String {
  /// The text as one word of a shell command, quoted if necessary.
  public var shellWord: String {
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
  public var json: JSON {
    let plain = LayoutInput()
    var members: [(name: String, value: JSON)] = []
    for field in LayoutField.settings {
      let value = field.value(in: viewport)
      if value != field.value(in: plain.viewport) { members.append((field.name, JSON(value))) }
    }
    if !parameters.isEmpty { members.append(("parameters", Self.object(parameters) { JSON($0) })) }
    if !lists.isEmpty { members.append(("lists", Self.object(lists) { JSON($0) })) }
    if counts != plain.counts || !sectionValues.isEmpty || !itemValues.isEmpty {
      members.append(("sections", .list(sections)))
    }
    if !delegate.isEmpty { members.append(("delegate", Self.object(delegate) { $0.value })) }
    if let measure { members.append(("measure", measure.value)) }
    return .object(members)
  }

  private var sections: [JSON] {
    var first = 0
    return counts.enumerated().map { section, count in
      defer { first += count }
      var members: [(name: String, value: JSON)] = [("items", .integer(count))]
      let values = sectionValues.compactMapValues { column in
        section < column.count ?? .max ? JSON(column[section]) : nil
      }
      let ofItems = itemValues.mapValues { column in
        guard let total = column.count else { return JSON(column[0]) }
        return .list((min(first, total)..<min(first + count, total)).map { JSON(column[$0]) })
      }
      if !values.isEmpty { members.append(("values", Self.object(values) { $0 })) }
      if count > 0, !ofItems.isEmpty { members.append(("itemValues", Self.object(ofItems) { $0 })) }
      return .object(members)
    }
  }

  private static func object<Item>(_ items: [String: Item], _ value: (Item) -> JSON) -> JSON {
    .object(items.sorted { $0.key < $1.key }.map { ($0.key, value($0.value)) })
  }

  /// Reads a sample from the text in a report, which is a scenario without a rect.
  ///
  /// - Parameter engines: The engine and its bases, the engine first.
  /// - Throws: `.invalidInput` if the text is not a scenario for this engine.
  public init(json text: String, for engines: [EngineDescription]) throws(HostError) {
    try self.init(Scenario(parsing: Array(text.utf8), name: "the sample"), for: engines)
  }

  /// Reads a sample from parsed JSON.
  ///
  /// - Throws: The same errors as `init(json:for:)` with a text.
  init(json: JSON, for engines: [EngineDescription]) throws(HostError) {
    try self.init(Scenario(json), for: engines)
  }

  private init(_ scenario: Scenario, for engines: [EngineDescription]) throws(HostError) {
    self = try scenario.resolved(for: engines).input
  }
}
