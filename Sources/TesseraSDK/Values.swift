public import CTessera
public import TesseraGeometry

/// A type of parameters, values and attributes.
///
/// `Bool`, `Int`, `Double`, `Point`, `Size`, `Rect`, `Insets`, and every `Choice`.
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

/// A type with the same meaning in every library: any type but a choice.
public protocol InheritableValue: LayoutValue {}

extension Bool: InheritableValue {
  /// `TESSERA_TYPE_BOOL`.
  public static var contractType: tessera_type { TESSERA_TYPE_BOOL }
}

/// A value with numeric components, for which a parameter can have limits.
public protocol NumericLayoutValue: InheritableValue {
  /// The type of its components.
  associatedtype Component: Comparable
  /// Creates a value with the same number for every component.
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
  /// `TESSERA_TYPE_INT`.
  public static var contractType: tessera_type { TESSERA_TYPE_INT }
  /// The integer itself.
  public init(each component: Int) { self = component }
  /// The lowest integer.
  public static var lowest: Int { .min }
  /// The highest integer.
  public static var highest: Int { .max }
}

extension Double: NumericLayoutValue {
  /// `TESSERA_TYPE_NUMBER`.
  public static var contractType: tessera_type { TESSERA_TYPE_NUMBER }
  /// The number itself.
  public init(each component: Double) { self = component }
}

extension Point: NumericLayoutValue {
  /// `TESSERA_TYPE_POINT`.
  public static var contractType: tessera_type { TESSERA_TYPE_POINT }
  /// The point with equal coordinates.
  public init(each component: Double) { self.init(x: component, y: component) }
}

extension Size: NumericLayoutValue {
  /// `TESSERA_TYPE_SIZE`.
  public static var contractType: tessera_type { TESSERA_TYPE_SIZE }
  /// The size of a square.
  public init(each component: Double) { self.init(width: component, height: component) }
}

extension Rect: NumericLayoutValue {
  /// `TESSERA_TYPE_RECT`.
  public static var contractType: tessera_type { TESSERA_TYPE_RECT }
  /// The rectangle of four equal numbers.
  public init(each component: Double) {
    self.init(x: component, y: component, width: component, height: component)
  }
}

extension Insets: NumericLayoutValue {
  /// `TESSERA_TYPE_INSETS`.
  public static var contractType: tessera_type { TESSERA_TYPE_INSETS }
  /// Insets that are the same on all sides.
  public init(each component: Double) {
    self.init(top: component, left: component, bottom: component, right: component)
  }
}

/// An enum for parameters and attributes.
///
/// ```swift
/// enum Alignment: String, Choice { case top, center }
/// ```
public protocol Choice: LayoutValue, CaseIterable, RawRepresentable, Equatable
where RawValue == String, Stored == Int32, AllCases == [Self] {}

extension Choice {
  /// `TESSERA_TYPE_ENUM`.
  public static var contractType: tessera_type { TESSERA_TYPE_ENUM }

  /// The raw values, in the order of the cases.
  public static var choiceNames: [String] { allCases.map(\.rawValue) }

  /// Creates the case at an index; the first case if the index is out of range.
  @inlinable public init(stored: Int32) {
    let cases = Self.allCases
    self = cases.indices.contains(Int(stored)) ? cases[Int(stored)] : cases[0]
  }

  /// The index of the case.
  @inlinable public var stored: Int32 {
    Int32(truncatingIfNeeded: Self.allCases.firstIndex(of: self) ?? 0)
  }
}

/// A type that can be stored in a column.
public protocol RowValue: Sendable {
  /// The type that the contract stores.
  associatedtype Stored: BitwiseCopyable & Sendable
  /// Creates a value from its stored form.
  init(stored: Stored)
  /// The stored form.
  var stored: Stored { get }
}

/// A type that is its own stored form.
public protocol PlainRowValue: RowValue, BitwiseCopyable where Stored == Self {}

extension PlainRowValue {
  /// The value itself.
  @inlinable public init(stored: Self) { self = stored }
  /// The value itself.
  @inlinable public var stored: Self { self }
}

extension Int32: PlainRowValue {}
extension Double: PlainRowValue {}
extension Point: PlainRowValue {}
extension Size: PlainRowValue {}
extension Rect: PlainRowValue {}
extension Insets: PlainRowValue {}
extension Transform: PlainRowValue {}

extension Bool: RowValue {
  /// True for anything but 0.
  @inlinable public init(stored: UInt8) { self = stored != 0 }
  /// 1 or 0.
  @inlinable public var stored: UInt8 { self ? 1 : 0 }
}

extension Int: RowValue {
  /// The same integer.
  @inlinable public init(stored: Int64) { self.init(stored) }
  /// The same integer.
  @inlinable public var stored: Int64 { Int64(self) }
}

extension tessera_value {
  /// Zeroes the bytes of other members.
  init<Value: LayoutValue>(_ value: Value) {
    self.init()
    withUnsafeMutableBytes(of: &self) { $0.storeBytes(of: value.stored, as: Value.Stored.self) }
  }

  init<Value: LayoutValue>(_ value: Value?) {
    if let value { self.init(value) } else { self.init() }
  }
}

extension Rect {
  init(_ rect: tessera_rect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}

extension tessera_rect {
  init(_ rect: Rect) { self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height) }
}

extension Point {
  init(_ point: tessera_point) { self.init(x: point.x, y: point.y) }
}

extension tessera_point {
  init(_ point: Point) { self.init(x: point.x, y: point.y) }
}

extension Insets {
  init(_ insets: tessera_insets) {
    self.init(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
  }
}

extension Size {
  init(_ size: tessera_size) { self.init(width: size.width, height: size.height) }
}

extension tessera_size {
  init(_ size: Size) { self.init(width: size.width, height: size.height) }
}
