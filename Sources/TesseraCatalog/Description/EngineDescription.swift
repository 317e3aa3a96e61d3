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

  package init(
    id: String, name: String, version: String, author: String, license: String, summary: String,
    base: String?, baseVersion: String?, traits: EngineTraits, columns: BuiltInColumns,
    adjustedColumns: BuiltInColumns, abilities: EngineAbilities, parameters: [ParameterDescription],
    values: [ValueDescription], functions: [FunctionDescription],
    attributes: [AttributeDescription], kinds: [KindDescription], defaults: [DefaultDescription]
  ) {
    self.id = id
    self.name = name
    self.version = version
    self.author = author
    self.license = license
    self.summary = summary
    self.base = base
    self.baseVersion = baseVersion
    self.traits = traits
    self.columns = columns
    self.adjustedColumns = adjustedColumns
    self.abilities = abilities
    self.parameters = parameters
    self.values = values
    self.functions = functions
    self.attributes = attributes
    self.kinds = kinds
    self.defaults = defaults
  }

  /// The values that it takes for each section.
  public var sectionValues: [ValueDescription] { values.filter { $0.scope == .section } }
  /// The values that it takes for each item.
  public var itemValues: [ValueDescription] { values.filter { $0.scope == .item } }
  /// The functions that the host may make for it.
  public var delegateFunctions: [FunctionDescription] { functions.filter { !$0.isPublished } }
  /// The functions that the host may call.
  public var publishedFunctions: [FunctionDescription] { functions.filter(\.isPublished) }
}

extension EngineDescription {
  /// Whether a text may be an engine's id: at least two parts of letters, digits and inner hyphens
  /// between dots, in at most 255 bytes.
  public static func isID(_ text: String) -> Bool { DescriptionRules.isReverseDNS(text) }
}

/// A value that an engine takes for the whole layout.
public struct ParameterDescription: Equatable, Sendable {
  /// The name, lowerCamelCase.
  public let name: String
  /// One sentence for a person.
  public let help: String
  /// "pt", "rad", or nil for a bare number.
  public let unit: String?
  /// The type of the value.
  public let type: ValueType
  /// The names of an enum's choices; else empty.
  public let choices: [String]
  /// What holds where nobody sets it.
  public let initial: Value
  /// The least allowed value of each component, `-infinity` where there is no limit; empty for
  /// bools and enums.
  public let minimum: [Double]
  /// The greatest allowed value of each component, `infinity` where there is no limit.
  public let maximum: [Double]

  package init(
    name: String, help: String, unit: String?, type: ValueType, choices: [String], initial: Value,
    minimum: [Double], maximum: [Double]
  ) {
    self.name = name
    self.help = help
    self.unit = unit
    self.type = type
    self.choices = choices
    self.initial = initial
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// A value that an engine takes for every section or every item.
public struct ValueDescription: Equatable, Sendable {
  /// Whether there is one for every section or for every item.
  public enum Scope: UInt32, Sendable {
    /// One for every section.
    case section = 0
    /// One for every item.
    case item = 1
  }

  /// The name, lowerCamelCase.
  public let name: String
  /// One sentence for a person.
  public let help: String
  /// The type of each value.
  public let type: ValueType
  /// Whether there is one for every section or for every item.
  public let scope: Scope
  /// The parameter that stands in where no value is given; nil: the type's zero.
  public let fallback: String?
  /// The names of an enum's choices, those of the fallback; else empty.
  public let choices: [String]

  package init(
    name: String, help: String, type: ValueType, scope: Scope, fallback: String?, choices: [String]
  ) {
    self.name = name
    self.help = help
    self.type = type
    self.scope = scope
    self.fallback = fallback
    self.choices = choices
  }
}

/// A function with a C signature that crosses the boundary.
public struct FunctionDescription: Equatable, Sendable {
  /// The name, lowerCamelCase.
  public let name: String
  /// The C signature, "u8(u32,u32)".
  public let signature: String
  /// One sentence for a person.
  public let help: String
  /// True for a function that the engine publishes, false for one that the host makes for it.
  public let isPublished: Bool

  package init(name: String, signature: String, help: String, isPublished: Bool) {
    self.name = name
    self.signature = signature
    self.help = help
    self.isPublished = isPublished
  }
}

/// A column of an engine's own.
public struct AttributeDescription: Equatable, Sendable {
  /// How values between two layouts are made.
  public enum Interpolation: Int32, Sendable {
    /// In proportion.
    case linear = 0
    /// The new value from the start.
    case step = 1
    /// Not at all: the old value until the end.
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
  /// One sentence for a person.
  public let help: String
  /// The type of each value.
  public let type: ValueType
  /// The names of an enum's choices; else empty.
  public let choices: [String]
  /// How values between two layouts are made.
  public let interpolation: Interpolation
  /// Whether the column exists only for the rows that a query returns.
  public let isAdjusted: Bool
  /// What every row starts as.
  public let initial: Value

  package init(
    name: String, help: String, type: ValueType, choices: [String], interpolation: Interpolation,
    isAdjusted: Bool, initial: Value
  ) {
    self.name = name
    self.help = help
    self.type = type
    self.choices = choices
    self.interpolation = interpolation
    self.isAdjusted = isAdjusted
    self.initial = initial
  }
}

/// A kind of supplementary or decoration element.
public struct KindDescription: Equatable, Sendable {
  /// The name, lowerCamelCase.
  public let name: String
  /// Supplementary or decoration.
  public let category: ElementCategory

  package init(name: String, category: ElementCategory) {
    self.name = name
    self.category = category
  }
}

/// What a base's parameter starts as under a derived engine.
public struct DefaultDescription: Equatable, Sendable {
  /// The parameter of the base.
  public let name: String
  /// The value that holds where the user sets none.
  public let value: Value
  /// Whether the user cannot set it through this engine.
  public let isOwned: Bool

  package init(name: String, value: Value, isOwned: Bool) {
    self.name = name
    self.value = value
    self.isOwned = isOwned
  }
}

/// What an engine promises about itself.
public struct EngineTraits: OptionSet, Hashable, Sendable {
  /// The bits of the contract's TESSERA_TRAIT constants.
  public let rawValue: UInt32

  /// Traits by the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It answers queries itself and is never asked for all rows.
  public static let lazy = EngineTraits(rawValue: 1)
  /// What it answers depends on where the viewport is scrolled to.
  public static let viewport = EngineTraits(rawValue: 2)
  /// Its right-to-left layout is the exact mirror, made by the host.
  public static let mirrors = EngineTraits(rawValue: 4)
  /// Its origins lie on the display's pixel grid.
  public static let pixelAligned = EngineTraits(rawValue: 8)

  /// It redoes only what follows from what changed.
  public static let incremental = EngineTraits(rawValue: 16)
  /// The cells of the first items lie where they would without the items after them.
  public static let flows = EngineTraits(rawValue: 32)
  /// An empty section more at the end moves nothing that is there without it.
  public static let appends = EngineTraits(rawValue: 64)
  /// The display's scale only rounds: every edge lies less than a pixel from where it lies at a finer
  /// scale.
  public static let scales = EngineTraits(rawValue: 128)

  /// The names of the traits that are set, in the order of the contract.
  public var names: [String] {
    [
      (EngineTraits.lazy, "lazy"), (.viewport, "viewport"), (.mirrors, "mirrors"),
      (.pixelAligned, "pixelAligned"), (.incremental, "incremental"), (.flows, "flows"),
      (.appends, "appends"), (.scales, "scales"),
    ].filter { contains($0.0) }.map(\.1)
  }
}

/// Columns that the contract knows beside the frame.
public struct BuiltInColumns: OptionSet, Hashable, Sendable {
  /// The bits of the contract's TESSERA_COLUMN constants.
  public let rawValue: UInt32

  /// Columns by the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A 3D transform about the frame's centre.
  public static let transform = BuiltInColumns(rawValue: 1)
  /// Opacity, 0...1.
  public static let alpha = BuiltInColumns(rawValue: 2)
  /// The order of drawing: higher lies in front.
  public static let zIndex = BuiltInColumns(rawValue: 4)
  /// Whether the element is not shown.
  public static let hidden = BuiltInColumns(rawValue: 8)
  /// All of them.
  public static let all: BuiltInColumns = [.transform, .alpha, .zIndex, .hidden]

  /// The names of the columns that are set, in the order of the contract.
  public var names: [String] {
    [
      (BuiltInColumns.transform, "transform3D"), (.alpha, "alpha"), (.zIndex, "zIndex"),
      (.hidden, "hidden"),
    ].filter { contains($0.0) }.map(\.1)
  }
}

/// Which functions of its own an engine has; what it has not, its bases do for it.
public struct EngineAbilities: OptionSet, Hashable, Sendable {
  /// One bit for each ability; the contract has no constants for them.
  public let rawValue: UInt32

  /// Abilities by their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It makes a layout object of its own.
  public static let create = EngineAbilities(rawValue: 1)
  /// It places elements.
  public static let prepare = EngineAbilities(rawValue: 2)
  /// It re-shapes what a query is about to return.
  public static let adjust = EngineAbilities(rawValue: 4)
  /// It answers itself which elements meet a rect.
  public static let elementsInRect = EngineAbilities(rawValue: 8)
  /// It answers itself for one element.
  public static let element = EngineAbilities(rawValue: 16)
  /// It says whether its layout still holds under other bounds.
  public static let stillValid = EngineAbilities(rawValue: 32)
  /// It is told of batches of changes (`tessera.updates/1`).
  public static let updates = EngineAbilities(rawValue: 64)
  /// It says where a scroll comes to rest (`tessera.snapping/1`).
  public static let snapping = EngineAbilities(rawValue: 128)
  /// It asks for measured sizes (`tessera.sizing/1`).
  public static let sizing = EngineAbilities(rawValue: 256)
  /// It says where a dragged item goes (`tessera.reordering/1`).
  public static let reordering = EngineAbilities(rawValue: 512)
  /// All of them.
  public static let all = EngineAbilities(rawValue: 1023)
}

/// The three numbers of a semantic version; what follows a hyphen or a plus sign is not compared.
package struct SemanticVersion: Comparable {
  package let numbers: [UInt32]

  /// Reads "1.2.3", "1.2.3-beta.1" or "1.2.3+build"; nil for anything else.
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

extension ParameterDescription {
  /// What is wrong with a value for this parameter, as the end of a sentence that starts with the
  /// parameter's name; nil if nothing is.
  package func problem(with value: Value) -> String? {
    guard value.type == type else {
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

/// What sort of element a row is.
public enum ElementCategory: Int32, CaseIterable, Comparable, Sendable {
  /// An item of the data.
  case cell = 0
  /// A header, footer or other view that goes with a section.
  case supplementary = 1
  /// An ornament that the data do not know of.
  case decoration = 2

  /// "cell", "supplementary" or "decoration".
  public var name: String {
    switch self {
    case .cell: "cell"
    case .supplementary: "supplementary"
    case .decoration: "decoration"
    }
  }

  /// The order of listings: cells, decorations, supplementary elements.
  public static func < (left: ElementCategory, right: ElementCategory) -> Bool {
    left.name < right.name
  }
}
