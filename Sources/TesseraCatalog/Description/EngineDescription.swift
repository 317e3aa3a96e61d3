import CTessera

/// Everything that an engine declares about itself, copied from its library.
public struct EngineDescription: Equatable, Sendable {
  /// The reverse-DNS id that identifies the engine, such as "org.example.spiral".
  public let id: String
  /// The name for display.
  public let name: String
  /// The semantic version, such as "1.2.3".
  public let version: String
  /// The author of the engine.
  public let author: String
  /// The SPDX identifier of the licence.
  public let license: String
  /// One line that describes what the layout looks like.
  public let summary: String
  /// The id of the base engine, or nil for an engine that is not derived.
  public let base: String?
  /// The lowest compatible version of the base, with the same major version; nil if any version is
  /// compatible.
  public let baseVersion: String?
  /// The properties that the engine promises.
  public let traits: EngineTraits
  /// The laws that the engine's layouts follow.
  public let laws: EngineLaws
  /// The built-in columns that the engine writes in addition to the frame in prepare and queries.
  public let columns: BuiltInColumns
  /// The built-in columns that the engine writes only in adjust.
  public let adjustedColumns: BuiltInColumns
  /// The functions that the engine implements itself.
  public let abilities: EngineAbilities
  /// The parameters, in the order declared.
  public let parameters: [ParameterDescription]
  /// The section values and item values, in the order declared.
  public let values: [ValueDescription]
  /// The lists of records, in the order declared.
  public let lists: [ListDescription]
  /// The delegate functions and the published functions, in the order declared.
  public let functions: [FunctionDescription]
  /// The attributes, in the order declared.
  public let attributes: [AttributeDescription]
  /// The supplementary and decoration kinds, in the order declared.
  public let kinds: [KindDescription]
  /// The defaults and overrides for the base's parameters.
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

  /// The values that the engine reads for each section.
  public var sectionValues: [ValueDescription] { values.filter { $0.scope == .section } }
  /// The values that the engine reads for each item.
  public var itemValues: [ValueDescription] { values.filter { $0.scope == .item } }
  /// The functions that the engine calls and the host supplies.
  public var delegateFunctions: [FunctionDescription] { functions.filter { !$0.isPublished } }
  /// The functions that the engine implements and the host may call.
  public var publishedFunctions: [FunctionDescription] { functions.filter(\.isPublished) }
}

extension EngineDescription {
  /// Whether a text is a valid engine id: at most 255 bytes, in at least two parts of letters,
  /// digits and inner hyphens, separated by dots.
  public static func isID(_ text: String) -> Bool { isReverseDNS(text) }
}

/// The declaration of a parameter: a value for the whole layout.
public struct ParameterDescription: Equatable, Sendable {
  /// The name, lowerCamelCase.
  public let name: String
  /// One sentence of help.
  public let help: String
  /// The unit, such as "pt" or "rad", or nil for a number without a unit.
  public let unit: String?
  /// The type of the value.
  public let type: ValueType
  /// The names of an enum's choices; empty for other types.
  public let choices: [String]
  /// The default value.
  public let initial: Value
  /// The lowest valid value of each component, `-infinity` if there is no limit; empty for bools
  /// and enums.
  public let minimum: [Double]
  /// The highest valid value of each component, `infinity` if there is no limit; empty for bools
  /// and enums.
  public let maximum: [Double]
  /// Whether the parameter is for programs or derived engines, and has no effect on layouts.
  public let isHint: Bool
  /// Whether only adjust reads the parameter.
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
  /// What is wrong with a value for this parameter, or nil if it is valid; the text continues a
  /// sentence that starts with the parameter's name.
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

/// The declaration of a section value or an item value.
public struct ValueDescription: Equatable, Sendable {
  /// What the value belongs to.
  public enum Scope: UInt32, Sendable {
    case section = 0
    case item = 1
  }

  /// The name, lowerCamelCase.
  public let name: String
  /// One sentence of help.
  public let help: String
  /// The type of each value.
  public let type: ValueType
  /// Whether each section or each item has a value.
  public let scope: Scope
  /// The parameter that supplies values which are not set; if nil, they are zero.
  public let fallback: String?
  /// The names of an enum's choices, which are those of the fallback; empty for other types.
  public let choices: [String]
  /// Whether the value is for programs or derived engines, and has no effect on layouts.
  public let isHint: Bool
  /// Whether only adjust reads the value.
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

/// The declaration of a list of records.
public struct ListDescription: Equatable, Sendable {
  /// The name, lowerCamelCase.
  public let name: String
  /// One sentence of help.
  public let help: String
  /// The columns, in the order declared.
  ///
  /// The initial value of a column stands in for records that do not give it.
  public let columns: [ParameterDescription]

  package init(name: String, help: String, columns: [ParameterDescription]) {
    (self.name, self.help, self.columns) = (name, help, columns)
  }

  /// The column that holds the place of each record's parent, or nil if the list is no tree.
  public var parent: ParameterDescription? {
    columns.first { $0.name == "parent" && $0.type == .integer }
  }
}

/// The declaration of a delegate function or a published function.
public struct FunctionDescription: Equatable, Sendable {
  /// The name, lowerCamelCase.
  public let name: String
  /// The C signature, such as "u8(u32,u32)".
  public let signature: String
  /// One sentence of help.
  public let help: String
  /// True for a published function, false for a delegate function.
  public let isPublished: Bool

  package init(name: String, signature: String, help: String, isPublished: Bool) {
    (self.name, self.signature, self.help, self.isPublished) = (name, signature, help, isPublished)
  }
}

/// The declaration of an attribute.
public struct AttributeDescription: Equatable, Sendable {
  /// How an animation interpolates between the old and the new value.
  public enum Interpolation: Int32, Sendable {
    case linear = 0
    /// The animation shows the new value from its start.
    case step = 1
    /// The animation shows the old value until its end.
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

  /// The name, lowerCamelCase.
  public let name: String
  /// One sentence of help.
  public let help: String
  /// The unit, such as "pt", or "h", "d" and "mo" for hours since midnight, days since the first day
  /// and months since the first month; nil for a number without a unit.
  public let unit: String?
  /// The type of each value.
  public let type: ValueType
  /// The names of an enum's choices; empty for other types.
  public let choices: [String]
  /// How an animation interpolates between two values.
  public let interpolation: Interpolation
  /// Whether the column exists only for the rows that a query returns.
  public let isAdjusted: Bool
  /// The value of rows to which the engine does not write.
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
  /// A value of the attribute as a program can show it that does not know the engine: 9.5 hours as
  /// "9:30", and the first day and month as "day 1" and "month 1".
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

/// The declaration of a kind of supplementary or decoration.
public struct KindDescription: Equatable, Sendable {
  /// The name, lowerCamelCase.
  public let name: String
  /// The category of its elements, supplementary or decoration.
  public let category: ElementCategory
  /// What its elements are for.
  public let role: Role
  /// The attribute that says what an element stands for, such as its hour; nil if an element stands
  /// for its section or, as a badge, for its item.
  public let shows: String?

  /// What the elements of a kind are for, so that a program can show a kind that it does not know.
  public enum Role: Int32, CaseIterable, Sendable {
    /// Nothing of the following.
    case other = 0
    /// The elements precede a section, a group or the content, and show its name.
    case header = 1
    /// The elements follow a section, a group or the content.
    case footer = 2
    /// The elements lie on items.
    case badge = 3
    /// The elements lie behind cells.
    case background = 4
    /// The elements are lines between others.
    case separator = 5
    /// The elements form a scale: hours, days, months.
    case label = 6

    /// The name of the role, such as "header".
    public var name: String { "\(self)" }
  }

  /// A kind.
  ///
  /// - Parameter shows: The attribute that stands for the text of its elements; nil for none.
  public init(
    name: String, category: ElementCategory, role: Role = .other, shows: String? = nil
  ) {
    (self.name, self.category, self.role, self.shows) = (name, category, role, shows)
  }
}

/// Whether an element is a cell, a supplementary or a decoration.
public enum ElementCategory: Int32, CaseIterable, Comparable, Sendable {
  /// The element of one item.
  case cell = 0
  /// An element of a section, such as a header or footer.
  case supplementary = 1
  /// An element that shows no data, such as a separator.
  case decoration = 2

  /// "cell", "supplementary" or "decoration".
  public var name: String {
    switch self {
    case .cell: "cell"
    case .supplementary: "supplementary"
    case .decoration: "decoration"
    }
  }

  /// Orders by name: cells, decorations, supplementaries.
  public static func < (left: ElementCategory, right: ElementCategory) -> Bool {
    left.name < right.name
  }
}

/// A derived engine's default or override for a parameter of its base.
public struct DefaultDescription: Equatable, Sendable {
  /// The name of the base's parameter.
  public let name: String
  /// The value that replaces the base's default.
  public let value: Value
  /// Whether it is an override, which the user cannot change.
  public let isOwned: Bool

  package init(name: String, value: Value, isOwned: Bool) {
    (self.name, self.value, self.isOwned) = (name, value, isOwned)
  }
}

/// A value that measuring supplies, and the elements that are measured for it.
public struct MeasuredDescription: Equatable, Sendable {
  /// The name of an item value for cells, or of a section value for a supplementary kind.
  public let value: String
  /// The supplementary kind of which item 0 is measured; nil for cells.
  public let kind: String?

  package init(value: String, kind: String?) { (self.value, self.kind) = (value, kind) }
}

/// The properties that an engine promises.
public struct EngineTraits: OptionSet, Hashable, Sendable {
  /// The bits of the contract's TESSERA_TRAIT constants.
  public let rawValue: UInt32

  /// Creates traits from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The engine computes the elements of each query, and does not write all rows in prepare.
  public static let lazy = EngineTraits(rawValue: 1)
  /// The result of a query depends on the scroll offset.
  public static let viewport = EngineTraits(rawValue: 2)
  /// The right-to-left layout is the exact mirror image, which the host computes.
  public static let mirrors = EngineTraits(rawValue: 4)
  /// The origins of frames lie on the display's pixel grid.
  public static let pixelAligned = EngineTraits(rawValue: 8)

  /// The engine recomputes only what a change affects.
  public static let incremental = EngineTraits(rawValue: 16)
  /// All traits.
  public static let all = EngineTraits(rawValue: 31)

  /// The names of the traits in the set, in the order of the contract.
  public var names: [String] {
    chosen(["lazy", "viewport", "mirrors", "pixelAligned", "incremental"])
  }
}

/// The laws that an engine's layouts follow, which the conformance suite tests.
public struct EngineLaws: OptionSet, Hashable, Sendable {
  /// The bits of the contract's TESSERA_LAW constants.
  public let rawValue: UInt32

  /// Creates laws from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The items at the end do not affect the frames of the cells before them.
  public static let flows = EngineLaws(rawValue: 1)
  /// Appending an empty section does not move any element.
  public static let appends = EngineLaws(rawValue: 2)
  /// The display's scale only affects rounding: every edge is less than a pixel from its position
  /// at a finer scale.
  public static let scales = EngineLaws(rawValue: 4)
  /// All laws.
  public static let all: EngineLaws = [.flows, .appends, .scales]

  /// The names of the laws in the set, in the order of the contract.
  public var names: [String] { chosen(["flows", "appends", "scales"]) }
}

/// The columns that the contract defines in addition to the frame.
public struct BuiltInColumns: OptionSet, Hashable, Sendable {
  /// The bits of the contract's TESSERA_COLUMN constants.
  public let rawValue: UInt32

  /// Creates a set of columns from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A 3D transform around the centre of the frame.
  public static let transform = BuiltInColumns(rawValue: 1)
  /// The opacity, 0...1.
  public static let alpha = BuiltInColumns(rawValue: 2)
  /// The drawing order: elements with higher values are drawn in front.
  public static let zIndex = BuiltInColumns(rawValue: 4)
  /// Whether the element is hidden.
  public static let hidden = BuiltInColumns(rawValue: 8)
  /// All columns.
  public static let all: BuiltInColumns = [.transform, .alpha, .zIndex, .hidden]

  /// The names of the columns in the set, in the order of the contract.
  public var names: [String] { chosen(["transform3D", "alpha", "zIndex", "hidden"]) }

  /// Their names as the header and tables of Arrow write them.
  package var headerNames: [String] { chosen(Self.inHeader) }

  /// Those whose name in the header is one of some.
  package func named(_ names: Set<String>) -> BuiltInColumns {
    let bits = Self.inHeader.indices.filter { names.contains(Self.inHeader[$0]) }
    return intersection(BuiltInColumns(bits.map { BuiltInColumns(rawValue: 1 << UInt32($0)) }))
  }

  private static let inHeader = ["transform", "alpha", "z_index", "hidden"]
}

extension OptionSet where RawValue == UInt32 {
  /// The names of the members in the set, of the names of all by their bits.
  fileprivate func chosen(_ names: [String]) -> [String] {
    names.indices.filter { rawValue >> UInt32($0) & 1 == 1 }.map { names[$0] }
  }
}

/// The functions that an engine implements; its bases supply the others.
public struct EngineAbilities: OptionSet, Hashable, Sendable {
  /// One bit for each ability.
  ///
  /// The contract has no constants for these bits.
  public let rawValue: UInt32

  /// Creates a set of abilities from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The engine creates its own layout object.
  public static let create = EngineAbilities(rawValue: 1)
  /// The engine prepares layouts.
  public static let prepare = EngineAbilities(rawValue: 2)
  /// The engine adjusts the rows that a query is about to return.
  public static let adjust = EngineAbilities(rawValue: 4)
  /// The engine finds the elements in a rect.
  public static let elementsInRect = EngineAbilities(rawValue: 8)
  /// The engine computes single elements.
  public static let element = EngineAbilities(rawValue: 16)
  /// The engine decides whether its layout is still valid for other bounds.
  public static let stillValid = EngineAbilities(rawValue: 32)
  /// The engine takes part in batch updates (`tessera.updates/1`).
  public static let updates = EngineAbilities(rawValue: 64)
  /// The engine snaps scroll offsets (`tessera.snapping/1`).
  public static let snapping = EngineAbilities(rawValue: 128)
  /// The engine uses measured sizes (`tessera.sizing/1`).
  public static let sizing = EngineAbilities(rawValue: 256)
  /// The engine decides where a dragged item is inserted (`tessera.reordering/1`).
  public static let reordering = EngineAbilities(rawValue: 512)
  /// All abilities.
  public static let all = EngineAbilities(rawValue: 1023)
}

extension EngineAbilities {
  /// The functions and the extensions that an engine implements.
  ///
  /// Calls the engine's `extension` once for each known id.
  ///
  /// - Throws: `.cannotLoad` for a table of another size than the contract's.
  package init(
    of engine: UnsafePointer<tessera_engine>, table: tessera_engine
  ) throws(HostError) {
    let functions: [(isSet: Bool, ability: EngineAbilities)] = [
      (table.create != nil, .create), (table.prepare != nil, .prepare),
      (table.adjust != nil, .adjust), (table.elements_in_rect != nil, .elementsInRect),
      (table.element != nil, .element), (table.still_valid != nil, .stillValid),
    ]
    self = EngineAbilities(functions.filter(\.isSet).map(\.ability))
    // For each extension the offsets of what must not be null.
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
  /// The engine's table of an extension; nil if it has none.
  ///
  /// A table never grows: one of another size than when the engine was registered is ignored.
  package func extensionTable<Table>(
    _ id: String, of engine: UnsafePointer<tessera_engine>
  ) -> Table? {
    guard let found = self.extension?(engine, id),
      found.load(as: UInt32.self) == MemoryLayout<Table>.size
    else { return nil }
    return found.load(as: Table.self)
  }
}

/// The three numbers of a semantic version.
///
/// Pre-release and build identifiers are not compared.
package struct SemanticVersion: Comparable {
  package let numbers: [UInt32]

  /// Parses "1.2.3", "1.2.3-beta.1" or "1.2.3+build"; returns nil for an invalid version.
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
