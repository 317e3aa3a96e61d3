/// All that an engine declares about itself, copied out of its library.
public struct EngineDescription: Equatable, Sendable {
  /// The reverse-DNS name that the engine is found by: "org.example.spiral".
  public let id: String
  /// The name that people read.
  public let name: String
  /// The semantic version, "1.2.3".
  public let version: String
  /// Who wrote the engine.
  public let author: String
  /// The licence's SPDX identifier.
  public let license: String
  /// One line that says what the layout looks like.
  public let summary: String
  /// The id of the engine that this one is derived from.
  public let base: String?
  /// The lowest version of the base that suits, of the same major; nil where any does.
  public let baseVersion: String?
  /// What the engine promises about itself.
  public let traits: EngineTraits
  /// Built-in columns that the engine writes beside the frame in prepare and queries.
  public let columns: BuiltInColumns
  /// Built-in columns that the engine writes only when the viewport moves.
  public let adjustedColumns: BuiltInColumns
  /// Which functions of its own the engine has.
  public let abilities: EngineAbilities
  /// The values that it takes for the whole layout, in the order declared.
  public let parameters: [ParameterDescription]
  /// The values that it takes for each section or item, in the order declared.
  public let values: [ValueDescription]
  /// Delegate functions that it calls and functions that it publishes, in the order declared.
  public let functions: [FunctionDescription]
  /// Columns of its own beside the built-in ones, in the order declared.
  public let attributes: [AttributeDescription]
  /// Supplementary and decoration kinds, in the order declared.
  public let kinds: [KindDescription]
  /// What the base's parameters start as under this engine.
  public let defaults: [DefaultDescription]

  /// The values that it takes for each section.
  public var sectionValues: [ValueDescription] { values.filter { $0.scope == .section } }
  /// The values that it takes for each item.
  public var itemValues: [ValueDescription] { values.filter { $0.scope == .item } }
  /// The functions that the host may make for it.
  public var delegateFunctions: [FunctionDescription] { functions.filter { !$0.isPublished } }
  /// The functions that the host may call.
  public var publishedFunctions: [FunctionDescription] { functions.filter(\.isPublished) }
}
