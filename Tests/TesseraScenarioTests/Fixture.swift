import Foundation

@testable import TesseraScenario

enum Fixture {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  static let base = engine(
    "org.example.base",
    parameters: [
      parameter("itemSize", .size(Size(width: 50, height: 40))), parameter("spacing", .number(10)),
      parameter("columns", .integer(3)), parameter("isStacked", .bool(false)),
      parameter("scrollDirection", .choice("vertical"), choices: ["vertical", "horizontal"]),
      parameter("sectionInset", .insets(.zero)), parameter("anchor", .point(.zero)),
      parameter("area", .rect(.zero)),
    ],
    values: [
      value("sectionInset", .insets, .section, fallback: "sectionInset"),
      value("spacing", .number, .section, fallback: "spacing"),
      value("size", .size, .item, fallback: "itemSize"), value("weight", .number, .item),
      value("span", .integer, .item, fallback: "columns"), value("isBig", .bool, .item),
      value("mode", .choice, .item, choices: ["fit", "fill"]), value("anchor", .point, .item),
    ],
    lists: [
      ListDescription(
        name: "nodes", help: "",
        columns: [
          parameter("kind", .choice("leaf"), choices: ["leaf", "branch"]),
          parameter("parent", .integer(-1)), parameter("width", .number(1)),
          parameter("inset", .insets(.zero)),
        ]),
      ListDescription(
        name: "stops", help: "", columns: [parameter("at", .number(0))]),
    ])

  static let derived = engine(
    "org.example.derived", parameters: [parameter("zoom", .number(1))], values: [],
    defaults: [
      DefaultDescription(
        name: "itemSize", value: .size(Size(width: 180, height: 170)), isOwned: false)
    ])

  static func engine(
    _ id: String, parameters: [ParameterDescription], values: [ValueDescription],
    lists: [ListDescription] = [],
    defaults: [DefaultDescription] = [], functions: [FunctionDescription] = []
  ) -> EngineDescription {
    EngineDescription(
      id: id, name: id, version: "1.0.0", author: "", license: "MIT", summary: "", base: nil,
      baseVersion: nil, traits: [], columns: [], adjustedColumns: [], abilities: .prepare,
      parameters: parameters, values: values, lists: lists, functions: functions, attributes: [],
      kinds: [],
      defaults: defaults)
  }

  static func parameter(
    _ name: String, _ initial: Value, choices: [String] = []
  ) -> ParameterDescription {
    ParameterDescription(
      name: name, help: "", unit: nil, type: initial.type, choices: choices, initial: initial,
      minimum: [], maximum: [])
  }

  static func value(
    _ name: String, _ type: ValueType, _ scope: ValueDescription.Scope, fallback: String? = nil,
    choices: [String] = []
  ) -> ValueDescription {
    ValueDescription(
      name: name, help: "", type: type, scope: scope, fallback: fallback, choices: choices)
  }

  static func attribute(
    _ name: String, _ initial: Value, choices: [String] = []
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, help: "", type: initial.type, choices: choices, interpolation: .linear,
      isAdjusted: false, initial: initial)
  }
}

/// The thrown sentence, or "".
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch {
    return "\(error)"
  }
}

/// Alternating lines: a text and its refusal.
func refusals(_ lines: String) -> [(text: String, sentence: String)] {
  let lines = lines.split(separator: "\n").map(String.init)
  return stride(from: 0, to: lines.count, by: 2).map { (lines[$0], lines[$0 + 1]) }
}
