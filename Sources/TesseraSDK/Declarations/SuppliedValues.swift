/// A value for every section, which the user may set: the property is the column of them.
///
/// ```swift
/// @SectionValue("The section's own line spacing.", overriding: \Flow.$lineSpacing) var lineSpacings
/// ```
///
/// The column has one element a section during a call from the host, and none outside of one.
@propertyWrapper
public struct SectionValue<Value: LayoutValue> {
  let slot: ColumnSlot<Value>

  /// The values, one a section.
  public var wrappedValue: Column<Value> { slot.column }

  /// Values under the property's name; where the user gives none, the type's zero stands in.
  public init(_ help: String) {
    slot = ColumnSlot(scope: .section, help: help)
  }

  /// Values under the property's name; where the user gives none, the parameter stands in.
  public init<Root: Layout>(_ help: String, fallback: KeyPath<Root, Parameter<Value>>) {
    slot = ColumnSlot(scope: .section, help: help, fallback: fallback)
  }

  /// Values under the name of the parameter, which stands in where the user gives none.
  public init<Root: Layout>(_ help: String, overriding: KeyPath<Root, Parameter<Value>>) {
    slot = ColumnSlot(scope: .section, help: help, fallback: overriding, isNamedLikeFallback: true)
  }
}

/// A value for every item, which the user may set: the property is the column of them.
///
/// ```swift
/// @ItemValue("The item's own size.", fallback: \Flow.$itemSize) var size
/// ```
///
/// The column has one element an item, all sections in order, during a call from the host, and none
/// outside of one.
@propertyWrapper
public struct ItemValue<Value: LayoutValue> {
  let slot: ColumnSlot<Value>

  /// The values, one an item, by the item's place among all.
  public var wrappedValue: Column<Value> { slot.column }

  /// Values under the property's name; where the user gives none, the type's zero stands in.
  public init(_ help: String) {
    slot = ColumnSlot(scope: .item, help: help)
  }

  /// Values under the property's name; where the user gives none, the parameter stands in.
  public init<Root: Layout>(_ help: String, fallback: KeyPath<Root, Parameter<Value>>) {
    slot = ColumnSlot(scope: .item, help: help, fallback: fallback)
  }

  /// Values under the name of the parameter, which stands in where the user gives none.
  public init<Root: Layout>(_ help: String, overriding: KeyPath<Root, Parameter<Value>>) {
    slot = ColumnSlot(scope: .item, help: help, fallback: overriding, isNamedLikeFallback: true)
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
