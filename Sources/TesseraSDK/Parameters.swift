import CTessera

/// One value for the whole layout, which the user may set.
///
/// ```swift
/// @Parameter("Space between neighbours.", unit: "pt", in: 0...) var spacing = 10.0
/// ```
///
/// The property defines the name, type and initial value. In a call from the host it holds the
/// user's value, within the limits. Copy it into a local variable before a loop over items.
@propertyWrapper
public final class Parameter<Value: LayoutValue> {
  /// The value in the current or last call from the host; at first the initial value.
  public internal(set) var wrappedValue: Value
  /// The parameter itself, as the fallback of a value.
  public var projectedValue: Parameter { self }

  let help: String
  let unit: String?
  let initial: Value
  let limits: (lower: Value, upper: Value)?
  let isHint: Bool
  let isInAdjust: Bool

  init(
    initial: Value, help: String, unit: String?, limits: (Value, Value)?, isHint: Bool,
    isInAdjust: Bool
  ) {
    wrappedValue = initial
    self.isHint = isHint
    self.isInAdjust = isInAdjust
    self.initial = initial
    self.help = help
    self.unit = unit
    self.limits = limits
  }

  /// Creates a parameter without limits.
  ///
  /// - Parameters:
  ///   - help: One sentence for the user.
  ///   - unit: "pt", "rad", or nil for a bare number.
  ///   - isHint: Whether it is for programs or derived engines, and has no effect here.
  ///   - isInAdjust: Whether only `adjust` reads it: a change then needs no prepare.
  public convenience init(
    wrappedValue: Value, _ help: String, unit: String? = nil, isHint: Bool = false,
    isInAdjust: Bool = false
  ) {
    self.init(
      initial: wrappedValue, help: help, unit: unit, limits: nil, isHint: isHint,
      isInAdjust: isInAdjust)
  }
}

extension Parameter where Value: NumericLayoutValue {
  /// Creates a parameter that is limited to a range, for each component.
  public convenience init(
    wrappedValue: Value, _ help: String, unit: String? = nil,
    in range: ClosedRange<Value.Component>, isHint: Bool = false, isInAdjust: Bool = false
  ) {
    self.init(
      initial: wrappedValue, help: help, unit: unit,
      limits: (Value(each: range.lowerBound), Value(each: range.upperBound)), isHint: isHint,
      isInAdjust: isInAdjust)
  }

  /// Creates a parameter with a minimum for each component.
  public convenience init(
    wrappedValue: Value, _ help: String, unit: String? = nil,
    in range: PartialRangeFrom<Value.Component>, isHint: Bool = false, isInAdjust: Bool = false
  ) {
    self.init(
      initial: wrappedValue, help: help, unit: unit,
      limits: (Value(each: range.lowerBound), Value(each: Value.highest)), isHint: isHint,
      isInAdjust: isInAdjust)
  }

  /// Creates a parameter with a maximum for each component.
  public convenience init(
    wrappedValue: Value, _ help: String, unit: String? = nil,
    in range: PartialRangeThrough<Value.Component>, isHint: Bool = false, isInAdjust: Bool = false
  ) {
    self.init(
      initial: wrappedValue, help: help, unit: unit,
      limits: (Value(each: Value.lowest), Value(each: range.upperBound)), isHint: isHint,
      isInAdjust: isInAdjust)
  }
}

func contractFlags(isHint: Bool, isInAdjust: Bool) -> UInt32 {
  (isHint ? TESSERA_FLAG_HINT : 0) | (isInAdjust ? TESSERA_FLAG_IN_ADJUST : 0)
}

extension Parameter: DeclaredParameter {
  func contractParameter(named name: UnsafePointer<CChar>) -> tessera_parameter {
    let choices = permanentArray(Value.choiceNames)
    return tessera_parameter(
      name: name, help: permanentText(help), unit: unit.map(permanentText),
      choices: choices, choice_count: UInt32(Value.choiceNames.count),
      type: Value.contractType, flags: contractFlags(isHint: isHint, isInAdjust: isInAdjust),
      reserved: 0, initial: tessera_value(initial), minimum: tessera_value(limits?.lower),
      maximum: tessera_value(limits?.upper))
  }

  func load(from value: UnsafePointer<tessera_value>) {
    wrappedValue = Value(stored: UnsafeRawPointer(value).load(as: Value.Stored.self))
  }

  func declare(as name: String, in declarations: inout Declarations) {
    declarations.parameters.append((name, self))
  }
}

/// A value for every section, which the user can set; the property is the column of values.
///
/// ```swift
/// @SectionValue("The section's own line spacing.", overriding: \Flow.$lineSpacing) var
/// lineSpacings
/// ```
///
/// Empty outside of a call from the host.
@propertyWrapper
public struct SectionValue<Value: LayoutValue> {
  let slot: ColumnSlot

  /// The values, one for each section.
  public var wrappedValue: Column<Value> { slot.values() }

  /// Creates values with the property's name, which default to the type's zero.
  ///
  /// - Parameter isHint: Whether they are for programs or derived engines, and have no effect here.
  public init(_ help: String, isHint: Bool = false, isInAdjust: Bool = false) {
    slot = ColumnSlot(
      scope: TESSERA_SCOPE_SECTION, type: Value.contractType, help: help, isHint: isHint,
      isInAdjust: isInAdjust)
  }

  /// Creates values with the property's name, which default to the parameter.
  public init<Root: Layout>(
    _ help: String, fallback: KeyPath<Root, Parameter<Value>>, isHint: Bool = false,
    isInAdjust: Bool = false
  ) {
    slot = ColumnSlot(
      scope: TESSERA_SCOPE_SECTION, type: Value.contractType, help: help, fallback: fallback,
      isHint: isHint, isInAdjust: isInAdjust)
  }

  /// Creates values with the name of the parameter, which default to it.
  public init<Root: Layout>(
    _ help: String, overriding: KeyPath<Root, Parameter<Value>>, isHint: Bool = false,
    isInAdjust: Bool = false
  ) {
    slot = ColumnSlot(
      scope: TESSERA_SCOPE_SECTION, type: Value.contractType, help: help, fallback: overriding,
      isNamedLikeFallback: true, isHint: isHint, isInAdjust: isInAdjust)
  }
}

/// A value for every item, which the user can set; the property is the column of values.
///
/// ```swift
/// @ItemValue("The item's own size.", fallback: \Flow.$itemSize) var size
/// ```
///
/// All sections in order. Empty outside of a call from the host.
@propertyWrapper
public struct ItemValue<Value: LayoutValue> {
  let slot: ColumnSlot

  /// The values, by the item's position among all items.
  public var wrappedValue: Column<Value> { slot.values() }

  /// Creates values with the property's name, which default to the type's zero.
  ///
  /// - Parameter isHint: Whether they are for programs or derived engines, and have no effect here.
  public init(_ help: String, isHint: Bool = false, isInAdjust: Bool = false) {
    slot = ColumnSlot(
      scope: TESSERA_SCOPE_ITEM, type: Value.contractType, help: help, isHint: isHint,
      isInAdjust: isInAdjust)
  }

  /// Creates values with the property's name, which default to the parameter.
  public init<Root: Layout>(
    _ help: String, fallback: KeyPath<Root, Parameter<Value>>, isHint: Bool = false,
    isInAdjust: Bool = false
  ) {
    slot = ColumnSlot(
      scope: TESSERA_SCOPE_ITEM, type: Value.contractType, help: help, fallback: fallback,
      isHint: isHint, isInAdjust: isInAdjust)
  }

  /// Creates values with the name of the parameter, which default to it.
  public init<Root: Layout>(
    _ help: String, overriding: KeyPath<Root, Parameter<Value>>, isHint: Bool = false,
    isInAdjust: Bool = false
  ) {
    slot = ColumnSlot(
      scope: TESSERA_SCOPE_ITEM, type: Value.contractType, help: help, fallback: overriding,
      isNamedLikeFallback: true, isHint: isHint, isInAdjust: isInAdjust)
  }
}

extension SectionValue: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    declarations.columns.append((name, slot))
  }
}

extension ItemValue: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    declarations.columns.append((name, slot))
  }
}

final class ColumnSlot {
  let scope: UInt32
  let type: tessera_type
  let help: String
  let fallback: AnyKeyPath?
  let isNamedLikeFallback: Bool
  let isHint: Bool
  let isInAdjust: Bool
  private var column = tessera_column(data: nil, stride: 0)
  private var count = 0

  init(
    scope: UInt32, type: tessera_type, help: String, fallback: AnyKeyPath? = nil,
    isNamedLikeFallback: Bool = false, isHint: Bool, isInAdjust: Bool
  ) {
    self.scope = scope
    self.type = type
    self.help = help
    self.fallback = fallback
    self.isNamedLikeFallback = isNamedLikeFallback
    self.isHint = isHint
    self.isInAdjust = isInAdjust
  }

  func values<Value: LayoutValue>() -> Column<Value> { Column(column, count: count) }

  func load(from column: tessera_column, count: Int) {
    (self.column, self.count) = (column, count)
  }

  func unload() { load(from: tessera_column(data: nil, stride: 0), count: 0) }
}
