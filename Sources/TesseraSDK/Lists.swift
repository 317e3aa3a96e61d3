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
/// List and columns are named after the properties. Empty outside of a call from the host.
@propertyWrapper
public struct List<Element: Record> {
  private let element: Element
  private let slot: ListSlot

  /// The records of the current call from the host.
  public var wrappedValue: Records<Element> { Records(element, count: slot.count) }

  /// Creates a list with the property's name.
  public init(_ help: String) {
    element = Element()
    slot = ListSlot(of: element, help: help)
  }
}

/// A record of a list: a type with `@RecordValue` properties.
///
/// A record refers to another one, such as its parent in a tree, by index. With an `Int` property
/// `parent`, users can write the records as nested children.
public protocol Record {
  /// Creates the declarations of the record's values.
  init()
}

/// The records of a list, in the host's memory; valid during the call from the host.
///
/// `stops[3].width` is the width of one record. For many records take the column first: `let widths
/// = stops.width`.
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

  /// The indices of the records.
  public var indices: Range<Int> { 0..<count }

  /// One value of every record.
  public subscript<Value>(dynamicMember path: KeyPath<Element, Column<Value>>) -> Column<Value> {
    element[keyPath: path]
  }

  /// One value of every record, even under the name of a property here: `stops[\.count]`.
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

extension Records {
  /// The children of each record of a tree, in order.
  ///
  /// Throws for a parent that does not exist, and for a cycle. O(*n*) for *n* records.
  ///
  /// - Parameter parents: Each record's parent; negative for a root.
  public func children(
    _ parents: Column<Int>, in list: String
  ) throws(LayoutFailure) -> [[Int]] {
    var children = Array(repeating: [Int](), count: count)
    for place in indices where parents[place] >= 0 {
      guard parents[place] < count else {
        throw .invalidValue(
          "parent of \(list) record \(place) is \(parents[place]); it must be -1 or the place of a "
            + "record, at most \(count - 1)")
      }
      children[parents[place]].append(place)
    }
    var reached = indices.filter { parents[$0] < 0 }
    var next = 0
    while next < reached.count {
      reached += children[reached[next]]
      next += 1
    }
    guard reached.count < count else { return children }
    // A path that is longer than the list is a cycle.
    let lost = Set(indices).subtracting(reached).min() ?? 0
    let start = indices.reduce(lost) { place, _ in parents[place] }
    var (first, place) = (start, parents[start])
    while place != start { (first, place) = (min(first, place), parents[place]) }
    throw .invalidValue(
      "\(list) record \(first) is its own ancestor; its parents must lead to a record whose parent is -1"
    )
  }
}

/// A value of every record of a list; the property is the column of values.
///
/// ```swift
/// @RecordValue("How wide the stop is.", initial: 20.0, unit: "pt", in: 0...) var width
/// ```
@propertyWrapper
public final class RecordValue<Value: LayoutValue> {
  /// The values, one for each record.
  public var wrappedValue: Column<Value> { list?.values(place) ?? Column() }

  private let parameter: Parameter<Value>
  /// Lives as long as the record; nil for a record without a list.
  private unowned(unsafe) var list: ListSlot?
  private var place = 0

  private init(_ parameter: Parameter<Value>) { self.parameter = parameter }

  /// Creates values without limits, with the property's name.
  ///
  /// - Parameters:
  ///   - help: One sentence for the user.
  ///   - initial: The value of a record that does not give it.
  ///   - unit: "pt", "rad", or nil for a bare number.
  public convenience init(_ help: String, initial: Value, unit: String? = nil) {
    self.init(Parameter(wrappedValue: initial, help, unit: unit))
  }
}

extension RecordValue where Value: NumericLayoutValue {
  /// Creates values that are limited to a range, for each component.
  public convenience init(
    _ help: String, initial: Value, unit: String? = nil, in range: ClosedRange<Value.Component>
  ) {
    self.init(Parameter(wrappedValue: initial, help, unit: unit, in: range))
  }

  /// Creates values with a minimum for each component.
  public convenience init(
    _ help: String, initial: Value, unit: String? = nil, in range: PartialRangeFrom<Value.Component>
  ) {
    self.init(Parameter(wrappedValue: initial, help, unit: unit, in: range))
  }

  /// Creates values with a maximum for each component.
  public convenience init(
    _ help: String, initial: Value, unit: String? = nil,
    in range: PartialRangeThrough<Value.Component>
  ) {
    self.init(Parameter(wrappedValue: initial, help, unit: unit, in: range))
  }
}

extension List: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    declarations.lists.append((name, slot))
  }
}

extension RecordValue: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    declarations.recordValues.append(
      (name, parameter, { (self.list, self.place) = ($0, $1) }))
  }
}

final class ListSlot {
  let help: String
  let declarations: Declarations
  private(set) var count = 0
  private var columns: UnsafePointer<tessera_column>?

  init(of record: some Record, help: String) {
    self.help = help
    declarations = Declarations(of: record)
    for (place, value) in declarations.recordValues.enumerated() { value.bind(self, place) }
  }

  func values<Value: LayoutValue>(_ place: Int) -> Column<Value> {
    columns.map { Column($0[place], count: count) } ?? Column()
  }

  func load(from list: tessera_list) {
    (count, columns) = (Int(clamping: list.count), list.columns)
  }

  func unload() { (count, columns) = (0, nil) }
}
