public import CTessera
public import TesseraGeometry

/// A type that parameters, values and attributes can have: `Bool`, `Int`, `Double`, `Point`,
/// `Size`, `Rect`, `Insets`, and every `Choice`.
public protocol LayoutValue: RowValue {
  /// The type's number in the contract.
  static var contractType: tessera_type { get }
  /// The names of the choices; empty for all but a `Choice`.
  static var choiceNames: [String] { get }
}

extension LayoutValue {
  /// No choices.
  public static var choiceNames: [String] { [] }
}

/// A type that means the same in every library: all but choices, whose numbers are each engine's own.
public protocol InheritableValue: LayoutValue {}

extension Bool: InheritableValue {
  /// `TESSERA_BOOL`.
  public static var contractType: tessera_type { TESSERA_BOOL }
}

/// A value made of numbers, for which a parameter can have limits.
public protocol NumericLayoutValue: InheritableValue {
  /// What it is made of.
  associatedtype Component: Comparable
  /// The value with the same number for every component.
  init(each component: Component)
  /// Below every number.
  static var lowest: Component { get }
  /// Above every number.
  static var highest: Component { get }
}

extension NumericLayoutValue where Component == Double {
  /// Minus infinity.
  public static var lowest: Double { -.infinity }
  /// Infinity.
  public static var highest: Double { .infinity }
}

extension Int: NumericLayoutValue {
  /// `TESSERA_INT`.
  public static var contractType: tessera_type { TESSERA_INT }
  /// The integer itself.
  public init(each component: Int) { self = component }
  /// The lowest integer.
  public static var lowest: Int { .min }
  /// The highest integer.
  public static var highest: Int { .max }
}

extension Double: NumericLayoutValue {
  /// `TESSERA_NUMBER`.
  public static var contractType: tessera_type { TESSERA_NUMBER }
  /// The number itself.
  public init(each component: Double) { self = component }
}

extension Point: NumericLayoutValue {
  /// `TESSERA_POINT`.
  public static var contractType: tessera_type { TESSERA_POINT }
  /// The point with equal coordinates.
  public init(each component: Double) { self.init(x: component, y: component) }
}

extension Size: NumericLayoutValue {
  /// `TESSERA_SIZE`.
  public static var contractType: tessera_type { TESSERA_SIZE }
  /// The size of a square.
  public init(each component: Double) { self.init(width: component, height: component) }
}

extension Rect: NumericLayoutValue {
  /// `TESSERA_RECT`.
  public static var contractType: tessera_type { TESSERA_RECT }
  /// The rectangle of four equal numbers.
  public init(each component: Double) {
    self.init(x: component, y: component, width: component, height: component)
  }
}

extension Insets: NumericLayoutValue {
  /// `TESSERA_INSETS`.
  public static var contractType: tessera_type { TESSERA_INSETS }
  /// Insets that are the same on all sides.
  public init(each component: Double) {
    self.init(top: component, left: component, bottom: component, right: component)
  }
}
