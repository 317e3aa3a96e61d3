import TesseraCatalog
import TesseraGeometry

/// A field of a layout's input with what it is set to: one line of a recording.
public struct InputChange: Hashable, Sendable {
  /// What a field is set to.
  public enum Content: Hashable, Sendable {
    /// The value of a viewport setting or of a parameter.
    case value(Value)
    /// The records of a list.
    case records(RecordList)
    /// The item count of each section; the values of sections and items are removed.
    case counts([Int])
    /// The values of all sections or items.
    case column(ValueColumn)
    /// The answer of a delegate function or the size of an item, as a scenario has it.
    case answer(JSONNode)
  }

  /// The field.
  public var field: LayoutField
  /// The name of the parameter, list, value or function; empty for a field without names.
  public var name: String
  /// What it is set to; nil resets it.
  public var content: Content?

  /// Sets a field, or what it holds by a name.
  public init(_ field: LayoutField, _ name: String, _ content: Content?) {
    (self.field, self.name, self.content) = (field, name, content)
  }

  /// Sets a field without names.
  public init(_ field: LayoutField, _ content: Content?) { self.init(field, "", content) }
}

extension LayoutInput {
  /// The changes that give a layout the input, in the order of the fields.
  public func changes(of fields: [LayoutField] = LayoutField.allCases) -> [InputChange] {
    fields.flatMap { field in
      switch field {
      case .parameters: named(field, parameters, InputChange.Content.value)
      case .lists: named(field, lists, InputChange.Content.records)
      case .sections: [InputChange(field, .counts(counts))]
      case .sectionValues: named(field, sectionValues, InputChange.Content.column)
      case .itemValues: named(field, itemValues, InputChange.Content.column)
      case .delegate: named(field, delegate, InputChange.Content.answer)
      case .measure: measure.map { [InputChange(field, .answer($0))] } ?? []
      default: [InputChange(field, .value(field.value(in: viewport)))]
      }
    }
  }

  private func named<Item>(
    _ field: LayoutField, _ items: [String: Item], _ content: (Item) -> InputChange.Content
  ) -> [InputChange] {
    items.sorted { $0.key < $1.key }.map { InputChange(field, $0.key, content($0.value)) }
  }
}

extension InputChange {
  /// The calls of a recording that set something.
  package static let calls = LayoutField.allCases.reduce(into: [String]()) { calls, field in
    calls += field.calls.filter { !calls.contains($0) }
  }

  /// The change as a line of a recording.
  package var members: [(name: String, value: JSON)] {
    func line(_ more: (name: String, value: JSON)?...) -> [(name: String, value: JSON)] {
      let call = field == .parameters && content == nil ? "reset" : field.calls[0]
      return [("call", .text(call))] + more.compactMap(\.self)
    }
    switch content {
    case .value(let value) where field == .parameters:
      return line(
        ("parameter", .text(name)), ("type", .text(value.type.name)),
        ("value", JSON(recorded: value)))
    case .value(let value): return line(("value", JSON(recorded: value)))
    case .records(let records):
      let columns = records.columns.sorted { $0.key < $1.key }.map { name, column in
        JSON.object([("name", .text(name)), ("type", .text(column.type.name)), column.recorded])
      }
      return line(
        ("name", .text(name)), ("count", .integer(records.count)), ("columns", .list(columns)))
    case .counts(let counts): return line(("counts", .list(counts.map(JSON.integer))))
    case .column(let column):
      return line(
        ("of", .text(field == .itemValues ? "item" : "section")), ("name", .text(name)),
        ("type", .text(column.type.name)), column.recorded)
    case .answer(let answer) where field == .measure: return line(("size", answer.value))
    case .answer(let answer): return line(("function", .text(name)), ("answers", answer.value))
    case nil:
      let key = field == .parameters ? "parameter" : "function"
      return line(field == .measure ? nil : (key, .text(name)))
    }
  }

  /// Reads the line of a call; nil if no call of this name sets anything.
  ///
  /// Throws `.invalidInput` that names the key, what was found and what was expected.
  package init?(_ node: JSONNode, call: String) throws(HostError) {
    func check(_ keys: String...) throws(HostError) {
      try node.checkKeys(["call", "error"] + keys, of: call)
    }
    func text(_ key: String) throws(HostError) -> String {
      try node.required(key, "a name").string()
    }
    switch call {
    case "set":
      try check("parameter", "type", "value")
      self.init(
        .parameters, try text("parameter"),
        .value(try node.required("value", "a value").recordedValue(try node.valueType())))
    case "reset":
      try check("parameter")
      self.init(.parameters, try text("parameter"), nil)
    case "list":
      try check("name", "count", "columns")
      let count = try node.required("count", "a number of records").count()
      self.init(
        .lists, try text("name"),
        .records(RecordList(count: count, columns: try node.recordedColumns())))
    case "sections":
      try check("counts")
      self.init(.sections, .counts(try node.recordedCounts()))
    case "values":
      try check("of", "name", "type", "value", "values", "runs")
      let of = try node.required("of", "section or item")
      let column = try node.recordedColumn(try node.valueType())
      let name = try text("name")
      let fields: [String: LayoutField] = ["section": .sectionValues, "item": .itemValues]
      guard let field = fields[try of.string()] else { throw of.expected("section or item") }
      self.init(field, name, .column(column))
    case "delegate":
      try check("function", "answers")
      let name = try text("function")
      self.init(
        .delegate, name,
        node["answers"].map { .answer(JSONNode($0.value, source: "the answer of \(name)")) })
    case "measure":
      try check("size")
      self.init(
        .measure, node["size"].map { .answer(JSONNode($0.value, source: "the measured size")) })
    default:
      guard let field = LayoutField.settings.first(where: { $0.name == call }) else { return nil }
      try check("value")
      self.init(field, .value(try node.required("value", "a value").setting(field)))
    }
  }
}

extension JSONNode {
  /// The value of a viewport setting.
  package func setting(_ field: LayoutField) throws(HostError) -> Value {
    guard field.type == .choice else { return try recordedValue(field.type) }
    let choice = Value.choice(try string(field.expectation))
    var viewport = Viewport()
    field.set(choice, in: &viewport)
    guard field.value(in: viewport) == choice else { throw expected(field.expectation) }
    return choice
  }
}
