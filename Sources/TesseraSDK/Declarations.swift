import CTessera

protocol Declared {
  func declare(as name: String, in declarations: inout Declarations)
}

protocol DeclaredParameter: AnyObject, Declared {
  func contractParameter(named name: UnsafePointer<CChar>) -> tessera_parameter
  func load(from value: UnsafePointer<tessera_value>)
}

protocol DeclaredDelegate: AnyObject, Declared {
  func contractFunction(named name: UnsafePointer<CChar>) -> tessera_function_declaration
  func load(from function: tessera_function)
  func unload()
}

protocol DeclaredInheritance: AnyObject, Declared {
  /// Nil keeps the base's default.
  var contractSetting: tessera_setting? { get }
  var name: String { get set }
  var link: BaseLink? { get set }
}

extension DeclaredInheritance {
  func declare(as name: String, in declarations: inout Declarations) {
    self.name = name
    declarations.inherited.append(self)
  }
}

/// Each list is in source order.
struct Declarations {
  var parameters: [(name: String, slot: any DeclaredParameter)] = []
  var columns: [(name: String, slot: ColumnSlot)] = []
  var lists: [(name: String, slot: ListSlot)] = []
  var recordValues:
    [(name: String, parameter: any DeclaredParameter, bind: (ListSlot, Int) -> Void)] = []
  var attributes: [(name: String, describe: (UnsafePointer<CChar>) -> tessera_attribute)] = []
  var kinds: [(name: String, kind: Kind)] = []
  var delegates: [(name: String, slot: any DeclaredDelegate)] = []
  var published: [(name: String, function: PublishedFunction)] = []
  var inherited: [any DeclaredInheritance] = []
  var placed: [PlacedElements] = []

  /// Reflects once for each layout, and numbers kinds and attributes.
  init(of owner: Any) { collect(Mirror(reflecting: owner)) }

  private mutating func collect(_ mirror: Mirror) {
    if let superclass = mirror.superclassMirror { collect(superclass) }
    for child in mirror.children {
      guard let declared = child.value as? any Declared, let label = child.label else { continue }
      declared.declare(as: propertyName(label), in: &self)
    }
  }

  func fallbackName(of column: ColumnSlot, in layout: any Layout) -> String? {
    guard let path = column.fallback, let target = layout[keyPath: path] as AnyObject? else {
      return nil
    }
    return parameters.first { $0.slot === target }?.name
  }
}

/// A wrapped property `spacing` is stored as `_spacing`.
func propertyName(_ label: String) -> String {
  label.hasPrefix("_") ? String(label.dropFirst()) : label
}

/// A kind of supplementary or decoration element that the layout places.
///
/// ```swift
/// let header = Kind(.supplementary, role: .header)
/// ```
public final class Kind {
  /// The category of a kind; cells have no kind.
  public enum Category: Sendable {
    /// Belongs to the data, such as a header.
    case supplementary
    /// Belongs to the layout, such as a separator.
    case decoration
  }

  /// The purpose of a kind, for programs that have never seen it.
  public enum Role: Int32, Sendable {
    /// None of the following.
    case other
    /// Before a section, a group or the content; shows its name.
    case header
    /// After a section, a group or the content.
    case footer
    /// On an item.
    case badge
    /// Behind cells.
    case background
    /// A line between elements.
    case separator
    /// A scale, such as hours, days or months; shows the attribute that `shows` names.
    case label
  }

  /// Whether the elements belong to the data or to the layout.
  public let category: Category
  /// The purpose of the elements.
  public let role: Role
  let shows: String?
  let name: String?
  /// Set when the declarations are collected.
  var number: UInt32 = 0

  /// Creates a kind with the name of its property, or with `name`.
  ///
  /// - Parameter shows: The name of the attribute with an element's meaning, such as its hour; nil
  ///   if it stands for its section or, as a badge, for its item.
  public init(
    _ category: Category, role: Role = .other, shows: String? = nil, named name: String? = nil
  ) {
    self.category = category
    self.role = role
    self.shows = shows
    self.name = name
  }
}

extension Kind: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    number = UInt32(declarations.kinds.count)
    declarations.kinds.append((self.name ?? name, self))
  }
}

extension Kind.Category {
  var contractCategory: tessera_category {
    switch self {
    case .supplementary: TESSERA_CATEGORY_SUPPLEMENTARY
    case .decoration: TESSERA_CATEGORY_DECORATION
    }
  }
}

/// How an attribute changes in a transition between layouts.
public enum Interpolation: Sendable {
  /// In proportion.
  case linear
  /// At once, halfway.
  case step
  /// Not at all.
  case none
}

/// A column that the layout declares in addition to the built-in ones.
///
/// ```swift
/// let maskingValue = Attribute("How grey the cell is.", initial: 0.0, when: .adjusted)
/// ```
///
/// `rows[maskingValue]` is the column of a run. Points and rects are relative to the frame's
/// origin, insets to its edges: the host mirrors them with the frame.
public final class Attribute<Value: LayoutValue> {
  /// When the column exists; adjusted columns cost nothing for rows off screen.
  public enum When: Sendable {
    /// In prepare, queries and adjust.
    case prepared
    /// In queries of lazy layouts and in adjust only.
    case adjusted
  }

  let help: String
  let unit: String?
  let initial: Value
  let interpolation: Interpolation
  let when: When
  private let name: String?
  /// Set when the declarations are collected.
  var number = 0

  /// Creates an attribute with the name of its property, or with `name`.
  ///
  /// - Parameters:
  ///   - help: One sentence for the user.
  ///   - unit: "pt", "rad", "h" since midnight, "d" or "mo" since the first; nil for a bare number.
  public init(
    _ help: String, unit: String? = nil, named name: String? = nil, initial: Value,
    interpolation: Interpolation = .linear, when: When = .prepared
  ) {
    self.name = name
    self.help = help
    self.unit = unit
    self.initial = initial
    self.interpolation = interpolation
    self.when = when
  }
}

extension Attribute: Declared {
  private func contractAttribute(named name: UnsafePointer<CChar>) -> tessera_attribute {
    tessera_attribute(
      name: name, help: permanentText(help), unit: unit.map(permanentText),
      choices: permanentArray(Value.choiceNames),
      choice_count: UInt32(Value.choiceNames.count), type: Value.contractType,
      interpolation: interpolation.contractInterpolation,
      when: when == .prepared ? TESSERA_WHEN_PREPARED : TESSERA_WHEN_ADJUSTED,
      initial: tessera_value(initial))
  }

  func declare(as name: String, in declarations: inout Declarations) {
    number = declarations.attributes.count
    declarations.attributes.append((self.name ?? name, contractAttribute))
  }
}

extension Interpolation {
  var contractInterpolation: tessera_interpolation {
    switch self {
    case .linear: TESSERA_INTERPOLATION_LINEAR
    case .step: TESSERA_INTERPOLATION_STEP
    case .none: TESSERA_INTERPOLATION_NONE
    }
  }
}
