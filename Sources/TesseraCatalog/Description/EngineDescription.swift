import CTessera

/// An engine's declarations, copied from its library.
public struct EngineDescription: Equatable, Sendable {
  /// The reverse-DNS id, such as "org.example.spiral".
  public let id: String
  /// The display name.
  public let name: String
  /// The semantic version, such as "1.2.3".
  public let version: String
  /// The author.
  public let author: String
  /// The SPDX licence identifier.
  public let license: String
  /// One line about the look of the layout.
  public let summary: String
  /// The id of the base engine; nil if not derived.
  public let base: String?
  /// The lowest compatible version of the base, with the same major version; nil for any.
  public let baseVersion: String?
  /// The promised properties.
  public let traits: EngineTraits
  /// The laws that the layouts follow.
  public let laws: EngineLaws
  /// The built-in columns that prepare and queries write besides the frame.
  public let columns: BuiltInColumns
  /// The built-in columns that only adjust writes.
  public let adjustedColumns: BuiltInColumns
  /// The functions that the engine implements itself.
  public let abilities: EngineAbilities
  /// The parameters, in declaration order.
  public let parameters: [ParameterDescription]
  /// The section and item values, in declaration order.
  public let values: [ValueDescription]
  /// The lists of records, in declaration order.
  public let lists: [ListDescription]
  /// The delegate and published functions, in declaration order.
  public let functions: [FunctionDescription]
  /// The attributes, in declaration order.
  public let attributes: [AttributeDescription]
  /// The supplementary and decoration kinds, in declaration order.
  public let kinds: [KindDescription]
  /// Defaults and overrides for the base's parameters.
  public let defaults: [DefaultDescription]
  /// The values that measuring supplies; empty without the sizing extension.
  public let measured: [MeasuredDescription]

  package init(
    id: String, name: String, version: String, author: String, license: String, summary: String,
    base: String?, baseVersion: String?, traits: EngineTraits, laws: EngineLaws = [],
    columns: BuiltInColumns, adjustedColumns: BuiltInColumns, abilities: EngineAbilities,
    parameters: [ParameterDescription], values: [ValueDescription], lists: [ListDescription] = [],
    functions: [FunctionDescription], attributes: [AttributeDescription],
    kinds: [KindDescription], defaults: [DefaultDescription], measured: [MeasuredDescription] = []
  ) {
    (self.id, self.name, self.version, self.author) = (id, name, version, author)
    (self.license, self.summary, self.base) = (license, summary, base)
    (self.baseVersion, self.traits, self.laws, self.columns) = (baseVersion, traits, laws, columns)
    (self.adjustedColumns, self.abilities) = (adjustedColumns, abilities)
    (self.parameters, self.values, self.lists) = (parameters, values, lists)
    (self.functions, self.attributes, self.kinds) = (functions, attributes, kinds)
    (self.defaults, self.measured) = (defaults, measured)
  }

  /// The values for each section.
  public var sectionValues: [ValueDescription] { values.filter { $0.scope == .section } }
  /// The values for each item.
  public var itemValues: [ValueDescription] { values.filter { $0.scope == .item } }
  /// The functions that the host supplies.
  public var delegateFunctions: [FunctionDescription] { functions.filter { !$0.isPublished } }
  /// The functions that the host may call.
  public var publishedFunctions: [FunctionDescription] { functions.filter(\.isPublished) }
}

extension EngineDescription {
  /// Whether a text is an engine id: two or more dotted parts of letters, digits and inner hyphens.
  public static func isID(_ text: String) -> Bool { isReverseDNS(text) }
}

/// A parameter: a value for the whole layout.
public struct ParameterDescription: Equatable, Sendable {
  /// The lowerCamelCase name.
  public let name: String
  /// One sentence of help.
  public let help: String
  /// The unit, such as "pt" or "rad"; nil if there is no unit.
  public let unit: String?
  /// The type.
  public let type: ValueType
  /// An enum's choices; empty for other types.
  public let choices: [String]
  /// The default.
  public let initial: Value
  /// The minimum of each component, `-infinity` if unlimited; empty for bools and enums.
  public let minimum: [Double]
  /// The maximum of each component, `infinity` if unlimited; empty for bools and enums.
  public let maximum: [Double]
  /// Whether it has no effect on layouts, and is for programs or derived engines.
  public let isHint: Bool
  /// Whether only adjust reads it.
  public let isInAdjust: Bool

  package init(
    name: String, help: String, unit: String?, type: ValueType, choices: [String], initial: Value,
    minimum: [Double], maximum: [Double], isHint: Bool = false, isInAdjust: Bool = false
  ) {
    (self.name, self.help, self.unit, self.type) = (name, help, unit, type)
    (self.choices, self.initial, self.minimum, self.maximum) = (choices, initial, minimum, maximum)
    (self.isHint, self.isInAdjust) = (isHint, isInAdjust)
  }
}

extension ParameterDescription {
  /// Continues a sentence that starts with the name; nil if valid.
  package func problem(with value: Value) -> String? {
    guard value.isValid(for: type) else {
      return "is a \(value.type.name); expected a value of type \(type.name)"
    }
    if case .choice(let name) = value {
      return choices.contains(name)
        ? nil : "is \"\(name)\"; expected \(choices.joined(separator: ", "))"
    }
    let numbers = value.numbers
    guard numbers.allSatisfy(\.isFinite) else { return "is \(value); expected finite numbers" }
    for (index, number) in numbers.enumerated() where index < minimum.count {
      guard number >= minimum[index], number <= maximum[index] else {
        return "is \(value); expected \(expectation(component: index))"
      }
    }
    return nil
  }

  private func expectation(component index: Int) -> String {
    let subject = type.components.isEmpty ? "" : "\(type.components[index]) "
    let low = minimum[index].shortText
    let high = maximum[index].shortText
    return switch (minimum[index].isFinite, maximum[index].isFinite) {
    case (true, true): "\(subject)\(low) to \(high)"
    case (true, false): "\(subject)\(low) or more"
    default: "\(subject)\(high) or less"
    }
  }
}

/// A section or item value.
public struct ValueDescription: Equatable, Sendable {
  /// The owner of a value.
  public enum Scope: UInt32, Sendable {
    case section = 0
    case item = 1
  }

  /// The lowerCamelCase name.
  public let name: String
  /// One sentence of help.
  public let help: String
  /// The type.
  public let type: ValueType
  /// Section or item.
  public let scope: Scope
  /// The parameter that supplies missing values; if nil, they are zero.
  public let fallback: String?
  /// An enum's choices, equal to the fallback's; empty for other types.
  public let choices: [String]
  /// Whether it has no effect on layouts, and is for programs or derived engines.
  public let isHint: Bool
  /// Whether only adjust reads it.
  public let isInAdjust: Bool

  package init(
    name: String, help: String, type: ValueType, scope: Scope, fallback: String?,
    choices: [String], isHint: Bool = false, isInAdjust: Bool = false
  ) {
    (self.name, self.help, self.type, self.scope) = (name, help, type, scope)
    (self.fallback, self.choices, self.isHint) = (fallback, choices, isHint)
    self.isInAdjust = isInAdjust
  }
}

/// A list of records.
public struct ListDescription: Equatable, Sendable {
  /// The lowerCamelCase name.
  public let name: String
  /// One sentence of help.
  public let help: String
  /// The columns, in declaration order; a column's initial value stands in for missing ones.
  public let columns: [ParameterDescription]

  package init(name: String, help: String, columns: [ParameterDescription]) {
    (self.name, self.help, self.columns) = (name, help, columns)
  }

  /// The column with the index of each record's parent; nil if the list is no tree.
  public var parent: ParameterDescription? {
    columns.first { $0.name == "parent" && $0.type == .integer }
  }
}

/// A delegate or published function.
public struct FunctionDescription: Equatable, Sendable {
  /// The lowerCamelCase name.
  public let name: String
  /// The C signature, such as "u8(u32,u32)".
  public let signature: String
  /// One sentence of help.
  public let help: String
  /// True if published, false for a delegate function.
  public let isPublished: Bool

  package init(name: String, signature: String, help: String, isPublished: Bool) {
    (self.name, self.signature, self.help, self.isPublished) = (name, signature, help, isPublished)
  }
}

/// An attribute.
public struct AttributeDescription: Equatable, Sendable {
  /// How an animation interpolates the attribute.
  public enum Interpolation: Int32, Sendable {
    case linear = 0
    /// Shows the new value from the start.
    case step = 1
    /// Shows the old value until the end.
    case none = 2

    /// "linear", "step" or "none".
    public var name: String {
      switch self {
      case .linear: "linear"
      case .step: "step"
      case .none: "none"
      }
    }
  }

  /// The lowerCamelCase name.
  public let name: String
  /// One sentence of help.
  public let help: String
  /// The unit: "pt", or "h" since midnight, "d" or "mo" since the first day or month; nil without.
  public let unit: String?
  /// The type.
  public let type: ValueType
  /// An enum's choices; empty for other types.
  public let choices: [String]
  /// How an animation interpolates it.
  public let interpolation: Interpolation
  /// Whether only rows returned by a query have the column.
  public let isAdjusted: Bool
  /// The value of rows that the engine leaves unwritten.
  public let initial: Value

  package init(
    name: String, help: String, unit: String? = nil, type: ValueType, choices: [String],
    interpolation: Interpolation, isAdjusted: Bool, initial: Value
  ) {
    (self.name, self.help, self.unit, self.type) = (name, help, unit, type)
    (self.choices, self.interpolation, self.isAdjusted) = (choices, interpolation, isAdjusted)
    self.initial = initial
  }
}

extension AttributeDescription {
  /// The value for display: 9.5 hours is "9:30", the first day "day 1", the first month "month 1".
  public func text(of value: Value) -> String {
    guard let number = value.numbers.first, number.magnitude < 1e9,
      let whole = Int(exactly: number.rounded(.down)),
      let minutes = Int(exactly: (number * 60).rounded(.down))
    else { return "\(value)" }
    switch unit {
    case "h":
      let (hour, minute) = (minutes / 60 % 24, minutes % 60)
      guard minutes >= 0 else { return "\(value)" }
      return "\(hour):\(minute < 10 ? "0" : "")\(minute)"
    case "d": return "day \(whole + 1)"
    case "mo": return "month \(whole + 1)"
    default: return "\(value)"
    }
  }
}

/// A kind of supplementary or decoration.
public struct KindDescription: Equatable, Sendable {
  /// The lowerCamelCase name.
  public let name: String
  /// Supplementary or decoration.
  public let category: ElementCategory
  /// The purpose of its elements.
  public let role: Role
  /// The attribute that elements show, such as the hour; if nil, they show their section or item.
  public let shows: String?

  /// The purpose of a kind, for programs that don't know the engine.
  public enum Role: Int32, CaseIterable, Sendable {
    case other = 0
    /// Precedes a section, a group or the content, and shows its name.
    case header = 1
    /// Follows a section, a group or the content.
    case footer = 2
    /// Lies on items.
    case badge = 3
    /// Lies behind cells.
    case background = 4
    /// Lines between others.
    case separator = 5
    /// A scale: hours, days, months.
    case label = 6

    /// The name, such as "header".
    public var name: String { "\(self)" }
  }

  /// Creates a kind.
  public init(name: String, category: ElementCategory, role: Role = .other, shows: String? = nil) {
    (self.name, self.category, self.role, self.shows) = (name, category, role, shows)
  }
}

/// The category of an element.
public enum ElementCategory: Int32, CaseIterable, Comparable, Sendable {
  /// Shows one item.
  case cell = 0
  /// Belongs to a section, such as a header or footer.
  case supplementary = 1
  /// Shows no data, such as a separator.
  case decoration = 2

  /// "cell", "supplementary" or "decoration".
  public var name: String {
    switch self {
    case .cell: "cell"
    case .supplementary: "supplementary"
    case .decoration: "decoration"
    }
  }

  /// Orders by name.
  public static func < (left: ElementCategory, right: ElementCategory) -> Bool {
    left.name < right.name
  }
}

/// A derived engine's default or override for a base parameter.
public struct DefaultDescription: Equatable, Sendable {
  /// The base's parameter.
  public let name: String
  /// The new default.
  public let value: Value
  /// Whether it is an override, which the user can't change.
  public let isOwned: Bool

  package init(name: String, value: Value, isOwned: Bool) {
    (self.name, self.value, self.isOwned) = (name, value, isOwned)
  }
}

/// A value that measuring supplies, and what is measured.
public struct MeasuredDescription: Equatable, Sendable {
  /// An item value for cells, or a section value for a supplementary kind.
  public let value: String
  /// The supplementary kind whose item 0 is measured; nil for cells.
  public let kind: String?

  package init(value: String, kind: String?) { (self.value, self.kind) = (value, kind) }
}

/// The promised properties of an engine.
public struct EngineTraits: OptionSet, Hashable, Sendable {
  /// The TESSERA_TRAIT bits.
  public let rawValue: UInt32

  /// Creates traits from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Computes the elements of each query, and doesn't write all rows in prepare.
  public static let lazy = EngineTraits(rawValue: 1)
  /// Query results depend on the scroll offset.
  public static let viewport = EngineTraits(rawValue: 2)
  /// The host may mirror the layout exactly for right-to-left.
  public static let mirrors = EngineTraits(rawValue: 4)
  /// Frame origins lie on the display's pixel grid.
  public static let pixelAligned = EngineTraits(rawValue: 8)

  /// Recomputes only what a change affects.
  public static let incremental = EngineTraits(rawValue: 16)
  /// All traits.
  public static let all = EngineTraits(rawValue: 31)

  /// The names in the set, in contract order.
  public var names: [String] {
    chosen(["lazy", "viewport", "mirrors", "pixelAligned", "incremental"])
  }
}

/// The laws of an engine's layouts, tested by the conformance suite.
public struct EngineLaws: OptionSet, Hashable, Sendable {
  /// The TESSERA_LAW bits.
  public let rawValue: UInt32

  /// Creates laws from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Items at the end don't affect earlier cells' frames.
  public static let flows = EngineLaws(rawValue: 1)
  /// Appending an empty section moves no element.
  public static let appends = EngineLaws(rawValue: 2)
  /// The display's scale only affects rounding: edges move less than a pixel.
  public static let scales = EngineLaws(rawValue: 4)
  /// All laws.
  public static let all: EngineLaws = [.flows, .appends, .scales]

  /// The names in the set, in contract order.
  public var names: [String] { chosen(["flows", "appends", "scales"]) }
}

/// The contract's columns besides the frame.
public struct BuiltInColumns: OptionSet, Hashable, Sendable {
  /// The TESSERA_COLUMN bits.
  public let rawValue: UInt32

  /// Creates columns from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A 3D transform around the frame's centre.
  public static let transform = BuiltInColumns(rawValue: 1)
  /// Opacity, 0...1.
  public static let alpha = BuiltInColumns(rawValue: 2)
  /// The drawing order; higher values are in front.
  public static let zIndex = BuiltInColumns(rawValue: 4)
  /// Whether the element is hidden.
  public static let hidden = BuiltInColumns(rawValue: 8)
  /// All columns.
  public static let all: BuiltInColumns = [.transform, .alpha, .zIndex, .hidden]

  /// The names in the set, in contract order.
  public var names: [String] { chosen(["transform3D", "alpha", "zIndex", "hidden"]) }

  package var headerNames: [String] { chosen(Self.inHeader) }

  package func named(_ names: Set<String>) -> BuiltInColumns {
    let bits = Self.inHeader.indices.filter { names.contains(Self.inHeader[$0]) }
    return intersection(BuiltInColumns(bits.map { BuiltInColumns(rawValue: 1 << UInt32($0)) }))
  }

  private static let inHeader = ["transform", "alpha", "z_index", "hidden"]
}

extension OptionSet where RawValue == UInt32 {
  fileprivate func chosen(_ names: [String]) -> [String] {
    names.indices.filter { rawValue >> UInt32($0) & 1 == 1 }.map { names[$0] }
  }
}

/// The functions that an engine implements itself.
public struct EngineAbilities: OptionSet, Hashable, Sendable {
  /// One bit for each ability; the contract has no constants for them.
  public let rawValue: UInt32

  /// Creates a set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates its own layout object.
  public static let create = EngineAbilities(rawValue: 1)
  /// Prepares layouts.
  public static let prepare = EngineAbilities(rawValue: 2)
  /// Adjusts the rows of a query before they are returned.
  public static let adjust = EngineAbilities(rawValue: 4)
  /// Finds the elements in a rect.
  public static let elementsInRect = EngineAbilities(rawValue: 8)
  /// Computes single elements.
  public static let element = EngineAbilities(rawValue: 16)
  /// Decides whether a layout is still valid for other bounds.
  public static let stillValid = EngineAbilities(rawValue: 32)
  /// Takes part in batch updates (`tessera.updates/1`).
  public static let updates = EngineAbilities(rawValue: 64)
  /// Snaps scroll offsets (`tessera.snapping/1`).
  public static let snapping = EngineAbilities(rawValue: 128)
  /// Uses measured sizes (`tessera.sizing/1`).
  public static let sizing = EngineAbilities(rawValue: 256)
  /// Decides where a dragged item is inserted (`tessera.reordering/1`).
  public static let reordering = EngineAbilities(rawValue: 512)
  /// All abilities.
  public static let all = EngineAbilities(rawValue: 1023)
}

extension EngineAbilities {
  /// Throws `.cannotLoad` for an extension table of the wrong size.
  package init(of engine: UnsafePointer<tessera_engine>, table: tessera_engine) throws(HostError) {
    let functions: [(isSet: Bool, ability: EngineAbilities)] = [
      (table.create != nil, .create), (table.prepare != nil, .prepare),
      (table.adjust != nil, .adjust), (table.elements_in_rect != nil, .elementsInRect),
      (table.element != nil, .element), (table.still_valid != nil, .stillValid),
    ]
    self = EngineAbilities(functions.filter(\.isSet).map(\.ability))
    let extensions: [(id: String, ability: EngineAbilities, size: Int, needed: [Int])] = [
      (TESSERA_EXT_UPDATES, .updates, MemoryLayout<tessera_updates>.size, []),
      (TESSERA_EXT_SNAPPING, .snapping, MemoryLayout<tessera_snapping>.size, [8]),
      (TESSERA_EXT_SIZING, .sizing, MemoryLayout<tessera_sizing>.size, [8, 16, 24]),
      (TESSERA_EXT_REORDERING, .reordering, MemoryLayout<tessera_reordering>.size, [8]),
    ]
    for (id, ability, size, needed) in extensions {
      guard let found = table.extension?(engine, id) else { continue }
      let (stated, reserved) = (
        found.load(as: UInt32.self), found.load(fromByteOffset: 4, as: UInt32.self)
      )
      guard stated == size else {
        throw HostError(
          .invalidExtension,
          "its table for \(id) has the struct_size \(stated); expected exactly \(size), because a "
            + "table never grows; set it to the sizeof of the table's type")
      }
      guard ability == .sizing || reserved == 0 else {
        throw .unknownBits("reserved of its table for \(id)", reserved)
      }
      for offset in needed where found.load(fromByteOffset: offset, as: UInt.self) == 0 {
        throw HostError(
          .invalidExtension,
          "its table for \(id) has null at the offset \(offset), where the contract has no "
            + "nullable member; set every member")
      }
      insert(ability)
    }
  }
}

extension tessera_engine {
  package func extensionTable<Table>(
    _ id: String, of engine: UnsafePointer<tessera_engine>
  ) -> Table? {
    guard let found = self.extension?(engine, id),
      found.load(as: UInt32.self) == MemoryLayout<Table>.size
    else { return nil }
    return found.load(as: Table.self)
  }
}

package struct SemanticVersion: Comparable {
  package let numbers: [UInt32]

  /// Accepts "1.2.3", "1.2.3-beta.1" and "1.2.3+build", and ignores the suffix.
  package init?(_ text: String) {
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let parts = core.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        && (part.count == 1 || part.first != "0") ? UInt32(part) : nil
    }
    guard parts.count == 3, numbers.count == 3, text.utf8.count <= 255 else { return nil }
    self.numbers = numbers
  }

  package var major: UInt32 { numbers[0] }

  package static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}
