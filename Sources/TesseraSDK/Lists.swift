import CTessera

/// A list of records that the user gives, such as the nodes of a tree; empty by default.
///
/// ```swift
/// struct Stop: Record {
///   @RecordValue("Where the stop is.", initial: 0.0, unit: "pt", in: 0...) var position
///   @RecordValue("How wide the stop is.", initial: 20.0, unit: "pt", in: 0...) var width
/// }
///
/// @List("The stops along the line.") var stops: Records<Stop>
/// ```
///
/// The list has the name of the property, and its columns have those of the record's properties. It
/// holds the user's records during a call from the host, and is empty otherwise.
@propertyWrapper
public struct List<Element: Record> {
  let slot: ListSlot<Element>

  /// The records of the current call from the host.
  public var wrappedValue: Records<Element> { slot.records }

  /// Creates a list with the property's name.
  ///
  /// - Parameter help: One sentence for the user.
  public init(_ help: String) {
    slot = ListSlot(help: help)
  }
}

/// What a record of a list consists of: a type with `@RecordValue` properties.
///
/// A record that names others of its list, such as its parent in a tree, does so by their places,
/// which count from 0. Users can write the records of a list that has an `Int` property `parent` as
/// nested children.
public protocol Record {
  /// Creates the declarations of the record's values.
  init()
}

/// The records of a list, in the host's memory; valid during the call from the host.
///
/// `stops[3].width` is the width of one record. For many records take the column first:
/// `let widths = stops.width`.
@dynamicMemberLookup
public struct Records<Element: Record> {
  /// The number of records.
  public let count: Int
  private let element: Element

  init(_ element: Element, count: Int) {
    self.element = element
    self.count = count
  }

  /// Whether there are no records.
  public var isEmpty: Bool { count == 0 }

  /// The places of the records.
  public var indices: Range<Int> { 0..<count }

  /// One value of every record.
  public subscript<Value>(dynamicMember path: KeyPath<Element, Column<Value>>) -> Column<Value> {
    element[keyPath: path]
  }

  /// One value of every record, also if it has the name of a property of this type: `stops[\.count]`.
  public subscript<Value>(_ path: KeyPath<Element, Column<Value>>) -> Column<Value> {
    element[keyPath: path]
  }

  /// The values of one record.
  ///
  /// - Parameter index: Below `count`.
  public subscript(index: Int) -> One {
    precondition(indices.contains(index), "no such record")
    return One(element: element, index: index)
  }

  /// One record of a list.
  @dynamicMemberLookup
  public struct One {
    fileprivate let element: Element
    fileprivate let index: Int

    /// A value of the record.
    public subscript<Value>(dynamicMember path: KeyPath<Element, Column<Value>>) -> Value {
      element[keyPath: path][index]
    }
  }
}

/// A value of every record of a list, declared as a parameter is; the property is the column of
/// values.
///
/// ```swift
/// @RecordValue("How wide the stop is.", initial: 20.0, unit: "pt", in: 0...) var width
/// ```
@propertyWrapper
public struct RecordValue<Value: LayoutValue> {
  private let parameter: Parameter<Value>
  private let slot = RecordSlot<Value>()

  /// The values, one for each record.
  public var wrappedValue: Column<Value> { slot.column }

  /// Creates values without limits, with the property's name.
  ///
  /// - Parameters:
  ///   - help: One sentence for the user.
  ///   - initial: The value of a record that does not give it.
  ///   - unit: "pt", "rad", or nil for a bare number.
  public init(_ help: String, initial: Value, unit: String? = nil) {
    parameter = Parameter(wrappedValue: initial, help, unit: unit)
  }
}

extension RecordValue where Value: NumericLayoutValue {
  /// Creates values that are limited to a range, for each component.
  public init(
    _ help: String, initial: Value, unit: String? = nil, in range: ClosedRange<Value.Component>
  ) {
    parameter = Parameter(wrappedValue: initial, help, unit: unit, in: range)
  }

  /// Creates values with a minimum for each component.
  public init(
    _ help: String, initial: Value, unit: String? = nil, in range: PartialRangeFrom<Value.Component>
  ) {
    parameter = Parameter(wrappedValue: initial, help, unit: unit, in: range)
  }

  /// Creates values with a maximum for each component.
  public init(
    _ help: String, initial: Value, unit: String? = nil,
    in range: PartialRangeThrough<Value.Component>
  ) {
    parameter = Parameter(wrappedValue: initial, help, unit: unit, in: range)
  }
}

extension List: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    declarations.lists.append((name, slot))
  }
}

/// Holds a list of the host for the duration of a call.
final class ListSlot<Element: Record>: DeclaredList {
  let help: String
  let columns: [(name: String, value: any DeclaredRecordValue)]
  private let element = Element()
  @exclusivity(unchecked) private var count = 0

  init(help: String) {
    self.help = help
    columns = Mirror(reflecting: element).children.compactMap { child in
      guard let value = child.value as? any DeclaredRecordValue, let label = child.label else {
        return nil
      }
      return (propertyName(label), value)
    }
  }

  var records: Records<Element> { Records(element, count: count) }

  func load(from list: tessera_list) {
    count = Int(clamping: list.count)
    for index in columns.indices {
      columns[index].value.load(from: list.columns[index], count: count)
    }
  }

  func unload() {
    count = 0
    for column in columns { column.value.unload() }
  }
}

extension RecordValue: DeclaredRecordValue {
  func contractParameter(named name: UnsafePointer<CChar>) -> tessera_parameter {
    parameter.contractParameter(named: name)
  }

  func load(from column: tessera_column, count: Int) {
    slot.column = Column(column, count: count)
  }

  func unload() {
    slot.column = Column()
  }
}

/// Holds a column of a list for the duration of a call.
final class RecordSlot<Value: LayoutValue> {
  @exclusivity(unchecked) fileprivate(set) var column = Column<Value>()
}
