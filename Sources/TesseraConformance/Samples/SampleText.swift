import TesseraHost
import TesseraScenario

extension Sample {
  /// The sample in a few words: its counts, its bounds, and what differs from the default sample.
  public var summary: String {
    var parts = ["sections of \(Self.list(counts.map(String.init))) items"]
    if counts == [itemCount] { parts = ["\(itemCount) item\(itemCount == 1 ? "" : "s")"] }
    parts.append("bounds \(Value.size(bounds))")
    let plain = Sample()
    if offset != plain.offset { parts.append("offset \(Value.point(offset))") }
    for (name, insets) in [
      ("contentInsets", contentInsets), ("safeAreaInsets", safeAreaInsets),
      ("layoutMargins", layoutMargins),
    ] where insets != .zero { parts.append("\(name) \(Value.insets(insets))") }
    if scale != plain.scale { parts.append("scale \(scale.shortText)") }
    if direction != plain.direction { parts.append(direction.rawValue) }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      parts.append("\(name) \(value)")
    }
    for (scope, columns) in [("section", sectionValues), ("item", itemValues)] {
      for (name, column) in columns.sorted(by: { $0.key < $1.key }) {
        switch column {
        case .constant(let value): parts.append("\(scope) \(name) \(value)")
        case .each(let values):
          parts.append("\(scope) \(name) \(Self.list(values.map(\.description)))")
        }
      }
    }
    for (name, text) in delegate.sorted(by: { $0.key < $1.key }) {
      parts.append("\(name) returns \(text)")
    }
    if let measure { parts.append("items measure \(measure)") }
    return parts.joined(separator: ", ")
  }

  private static func list(_ texts: [String]) -> String {
    if texts.isEmpty { return "no" }
    guard texts.count > 8 else { return texts.joined(separator: " ") }
    return texts.prefix(6).joined(separator: " ") + " … (\(texts.count) in all)"
  }

  /// A `tessera layout` command that lays out the sample, quoted for a shell.
  ///
  /// - Parameter engine: The engine as a command-line argument.
  public func layoutCommand(engine: String) -> String {
    let text = json.line
    guard text != "{}" else { return "tessera layout \(engine.shellWord)" }
    return "printf %s \(text.shellWord) | tessera layout \(engine.shellWord) --scenario -"
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

extension Sample {
  /// The sample as a scenario, without default values.
  public var json: JSON {
    let plain = Sample()
    var members: [(name: String, value: JSON)] = []
    func add(_ name: String, _ value: Value, unless initial: Value) {
      if value != initial { members.append((name, JSON(value))) }
    }
    add("bounds", .size(bounds), unless: .size(plain.bounds))
    add("offset", .point(offset), unless: .point(plain.offset))
    add("contentInsets", .insets(contentInsets), unless: .insets(plain.contentInsets))
    add("safeAreaInsets", .insets(safeAreaInsets), unless: .insets(plain.safeAreaInsets))
    add("layoutMargins", .insets(layoutMargins), unless: .insets(plain.layoutMargins))
    add("scale", .number(scale), unless: .number(plain.scale))
    add("direction", .choice(direction.rawValue), unless: .choice(plain.direction.rawValue))
    if !parameters.isEmpty { members.append(("parameters", Self.object(parameters) { JSON($0) })) }
    if counts != plain.counts || !sectionValues.isEmpty || !itemValues.isEmpty {
      members.append(("sections", .list(sections)))
    }
    if !delegate.isEmpty { members.append(("delegate", Self.object(delegate) { .text($0) })) }
    if let measure { members.append(("measure", .text(measure))) }
    return .object(members)
  }

  private var sections: [JSON] {
    var first = 0
    return counts.enumerated().map { section, count in
      defer { first += count }
      var members: [(name: String, value: JSON)] = [("items", .integer(count))]
      let values = sectionValues.compactMapValues { column in
        switch column {
        case .constant(let value): JSON(value)
        case .each(let values): values.indices.contains(section) ? JSON(values[section]) : nil
        }
      }
      let ofItems = itemValues.compactMapValues { column -> JSON? in
        switch column {
        case .constant(let value): return JSON(value)
        case .each(let values):
          let range = min(first, values.count)..<min(first + count, values.count)
          return .list(values[range].map { JSON($0) })
        }
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
  init(json: JSONValue, for engines: [EngineDescription]) throws(HostError) {
    try self.init(Scenario(json), for: engines)
  }

  private init(_ scenario: Scenario, for engines: [EngineDescription]) throws(HostError) {
    let resolved = try scenario.resolved(for: engines)
    let full = scenario.over(.defaults)
    self.init()
    bounds = full.bounds ?? bounds
    offset = full.offset ?? offset
    contentInsets = full.contentInsets ?? contentInsets
    safeAreaInsets = full.safeAreaInsets ?? safeAreaInsets
    layoutMargins = full.layoutMargins ?? layoutMargins
    scale = full.scale ?? scale
    direction = full.direction ?? direction
    parameters = resolved.parameters
    counts = resolved.itemCounts
    sectionValues = resolved.sectionColumns.mapValues { SampleColumn($0) }
    itemValues = resolved.itemColumns.mapValues { SampleColumn($0) }
    delegate = full.delegate.mapValues(Self.expression)
    measure = full.measure.map(Self.expression)
  }

  private static func expression(_ setting: Setting) -> String {
    switch setting.value {
    case .string(let text): text
    case .number(let number): number.shortText
    case .bool(let bool): "\(bool)"
    case .array(let parts): parts.map { expression(Setting($0, source: "")) }.joined(separator: ",")
    case .null, .object: ""
    }
  }
}

extension SampleColumn {
  /// The column with the same values as a session's.
  init(_ column: ValueColumn) {
    self =
      switch column {
      case .constant(let value): .constant(value)
      case .bools(let values): .each(values.map { .bool($0) })
      case .integers(let values): .each(values.map { .integer($0) })
      case .numbers(let values): .each(values.map { .number($0) })
      case .choices(let values): .each(values.map { .choice($0) })
      case .points(let values): .each(values.map { .point($0) })
      case .sizes(let values): .each(values.map { .size($0) })
      case .rects(let values): .each(values.map { .rect($0) })
      case .insets(let values): .each(values.map { .insets($0) })
      }
  }
}

extension JSON {
  /// A value as in scenarios and layouts: a vector is a list, and a choice is its name.
  public init(_ value: Value) {
    switch value {
    case .bool(let bool): self = .bool(bool)
    case .integer(let integer): self = .integer(Int(integer))
    case .number(let number): self = .number(number)
    case .choice(let name): self = .text(name)
    case .point, .size, .rect, .insets: self = .list(value.numbers.map { .number($0) })
    }
  }
}
