import CTessera
import TesseraCatalog
import TesseraGeometry

/// Everything that a layout is given, as plain data in which every default is filled in.
///
/// A scenario resolves to it, a recording repeats it field by field, and the conformance suite
/// generates, shrinks and prints it. `LayoutField` is the table of its fields. The viewport settings are
/// its properties: `input.bounds`.
@dynamicMemberLookup
public struct LayoutInput: Hashable, Sendable {
  /// The viewport settings.
  public var viewport = Viewport()
  /// The values of parameters by name; the others keep their initial values.
  public var parameters: [String: Value] = [:]
  /// The records of lists by name; the others are empty.
  public var lists: [String: RecordList] = [:]
  /// The item count of each section.
  public var counts: [Int]
  /// Section values by name.
  public var sectionValues: [String: ValueColumn] = [:]
  /// Item values by name, for the items of all sections in order.
  public var itemValues: [String: ValueColumn] = [:]
  /// Answers of delegate functions by name, as a scenario has them.
  public var delegate: [String: JSONNode] = [:]
  /// The size of each item for engines that measure items, as a scenario has it.
  public var measure: JSONNode?

  /// The item count of the one section that a layout has by default.
  public static let defaultItemCount = 20

  /// The default input, of one section of 20 items or of sections with other item counts.
  public init(counts: [Int] = [Self.defaultItemCount]) { self.counts = counts }

  /// The number of items in all sections.
  public var itemCount: Int { counts.total }

  /// A viewport setting.
  public subscript<Setting>(dynamicMember path: WritableKeyPath<Viewport, Setting>) -> Setting {
    get { viewport[keyPath: path] }
    set { viewport[keyPath: path] = newValue }
  }
}

/// The viewport settings that a layout is given.
public struct Viewport: Hashable, Sendable {
  /// The viewport's size in points.
  public var bounds: Size
  /// The viewport's scroll offset, in points of the content.
  public var offset: Point
  /// Insets around the content, inside the bounds.
  public var contentInsets: Insets
  /// The safe area, measured from the edges of the bounds.
  public var safeAreaInsets: Insets
  /// The layout margins, measured from the edges of the bounds.
  public var layoutMargins: Insets
  /// Device pixels per point.
  public var scale: Double
  /// The direction in which the content reads.
  public var direction: LayoutDirection

  /// Creates viewport settings; those left out have these defaults everywhere.
  public init(
    bounds: Size = Size(width: 375, height: 667), offset: Point = .zero,
    contentInsets: Insets = .zero, safeAreaInsets: Insets = .zero, layoutMargins: Insets = .zero,
    scale: Double = 2, direction: LayoutDirection = .leftToRight
  ) {
    (self.bounds, self.offset, self.contentInsets) = (bounds, offset, contentInsets)
    (self.safeAreaInsets, self.layoutMargins) = (safeAreaInsets, layoutMargins)
    (self.scale, self.direction) = (scale, direction)
  }

  /// Checks that all numbers are finite and in range.
  ///
  /// - Throws: `.invalidInput`, naming the first invalid setting.
  package func check() throws(HostError) {
    guard !isValid else { return }
    for field in LayoutField.settings {
      let (value, range) = (field.value(in: self), field.range)
      func found(_ expected: String) -> HostError {
        let numbers = value.numbers.map(\.shortText).joined(separator: ",")
        return .invalidValue(field.name, is: numbers, expected: expected)
      }
      let isFinite = value.numbers.allSatisfy { $0.isFinite && $0.magnitude <= Self.limit }
      guard isFinite, value.numbers.allSatisfy({ $0 >= range.lowerBound }) else {
        throw found("\(field.expectation), at most 1e12 in magnitude")
      }
      guard value.numbers.allSatisfy(range.contains) else { throw found(field.expectation) }
    }
  }

  // Every query checks it, so the usual case reads no table.
  private var isValid: Bool {
    let lengths = SIMD2(bounds.width, bounds.height)
    func areValid(_ insets: Insets) -> Bool {
      let numbers = SIMD4(insets.top, insets.left, insets.bottom, insets.right)
      // False if one is not a number.
      return all(numbers .<= Self.limit) && all(numbers .>= 0)
    }
    return all(lengths .>= 0) && all(lengths .<= Self.limit) && Self.isValid(offset)
      && areValid(contentInsets) && areValid(safeAreaInsets) && areValid(layoutMargins)
      && scale >= 0.01 && scale <= 1000
  }

  package static func isValid(_ offset: Point) -> Bool {
    offset.isFinite && max(offset.x.magnitude, offset.y.magnitude) <= limit
  }

  static let limit = 1e12

  /// Whether all settings but the scroll offset are equal.
  package func equalsApartFromOffset(_ other: Viewport) -> Bool {
    var moved = other
    moved.offset = offset
    return moved == self
  }

  /// The bounds and the offset, for a line of a trace.
  package var traceText: String { "bounds \(Value.size(bounds)), offset \(Value.point(offset))" }
}

/// The direction in which the content reads.
public enum LayoutDirection: String, CaseIterable, Sendable {
  /// From left to right.
  case leftToRight
  /// From right to left.
  case rightToLeft
}

/// A field of a layout's input.
///
/// A field is a case and its row in `table`. Scenario files, recordings, the command's options, the
/// conformance suite and the checks of the host all derive from the row.
public enum LayoutField: UInt8, CaseIterable, Sendable {
  // The viewport settings.
  case bounds, offset, contentInsets, safeAreaInsets, layoutMargins, scale, direction
  // The other fields.
  case parameters, lists, sections, sectionValues, itemValues, delegate, measure

  private static let table: [Row] = [
    Row(
      .bounds, \.bounds, option: "bounds", in: 0...Viewport.limit,
      "width and height 0 or more"),
    Row(.offset, \.offset, option: "offset", changes: 0),
    Row(
      .contentInsets, \.contentInsets, option: "content-insets", in: 0...Viewport.limit,
      "insets of 0 or more"),
    Row(
      .safeAreaInsets, \.safeAreaInsets, option: "safe-area", in: 0...Viewport.limit,
      "insets of 0 or more"),
    Row(
      .layoutMargins, \.layoutMargins, option: "layout-margins", in: 0...Viewport.limit,
      "insets of 0 or more"),
    Row(
      .scale, \.scale, .number, option: "scale", in: 0.01...1000, "0.01 to 1000",
      get: { .number($0.scale) }, set: { $0.scale = $1.double ?? $0.scale }),
    Row(
      .direction, \.direction, .choice, option: "direction",
      list(LayoutDirection.allCases.map(\.rawValue), "or"),
      get: { .choice($0.direction.rawValue) },
      set: { $0.direction = LayoutDirection(rawValue: $1.description) ?? $0.direction }),
    Row(.parameters, changes: TESSERA_CHANGED_PARAMETERS),
    Row(.lists, changes: TESSERA_CHANGED_LISTS),
    Row(.sections, changes: TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES),
    Row(.sectionValues, changes: TESSERA_CHANGED_VALUES),
    Row(.itemValues, changes: TESSERA_CHANGED_VALUES),
    Row(.delegate, changes: TESSERA_CHANGED_ALL),
    Row(.measure, changes: TESSERA_CHANGED_ALL),
  ]

  /// What is known about one field.
  private struct Row: Sendable {
    let field: LayoutField
    let name: String
    let type: ValueType
    let option: String
    let range: ClosedRange<Double>
    let expectation: String
    /// Whether the field is a property of the viewport.
    let isProperty: @Sendable (PartialKeyPath<Viewport>) -> Bool
    let get: @Sendable (Viewport) -> Value
    let set: @Sendable (inout Viewport, Value) -> Void
    let changes: UInt32

    init<Setting>(
      _ field: LayoutField, _ path: WritableKeyPath<Viewport, Setting> & Sendable,
      _ type: ValueType, option: String,
      in range: ClosedRange<Double> = -Viewport.limit...Viewport.limit, _ expectation: String,
      changes: UInt32 = TESSERA_CHANGED_BOUNDS, get: @escaping @Sendable (Viewport) -> Value,
      set: @escaping @Sendable (inout Viewport, Value) -> Void
    ) {
      (self.field, name, self.type, self.option) = (field, "\(field)", type, option)
      (self.range, self.expectation, self.get, self.set) = (range, expectation, get, set)
      (isProperty, self.changes) = ({ $0 == path }, changes)
    }

    /// A viewport setting that is a structure of numbers.
    init<Setting: NativeValue>(
      _ field: LayoutField, _ path: WritableKeyPath<Viewport, Setting> & Sendable, option: String,
      in range: ClosedRange<Double> = -Viewport.limit...Viewport.limit,
      _ expectation: String = "finite numbers", changes: UInt32 = TESSERA_CHANGED_BOUNDS
    ) {
      self.init(
        field, path, Setting.valueType, option: option, in: range, expectation, changes: changes,
        get: { Value($0[keyPath: path]) },
        set: { viewport, value in
          if let setting = Setting(value) { viewport[keyPath: path] = setting }
        })
    }

    init(_ field: LayoutField, changes: UInt32) {
      (self.field, name, type, option) = (field, "\(field)", .void, "")
      (range, expectation, isProperty) = (0...0, "", { _ in false })
      (get, set, self.changes) = ({ _ in .void }, { _, _ in }, changes)
    }
  }

  private var row: Row {
    assert(Self.table[Int(rawValue)].field == self, "the rows are in the order of the cases")
    return Self.table[Int(rawValue)]
  }
}

extension LayoutField {
  /// The viewport settings, in the order of the cases.
  public static let settings = allCases.filter { $0.type != .void }

  /// The field of a property of the viewport.
  public init(_ path: PartialKeyPath<Viewport>) {
    guard let field = Self.settings.first(where: { $0.row.isProperty(path) }) else {
      preconditionFailure("\(path) is no setting of the table")
    }
    self = field
  }

  /// The name of the field, which is its key in scenario files.
  public var name: String { row.name }

  /// The type of a viewport setting; void for the other fields.
  public var type: ValueType { row.type }

  /// The name of the command's option that sets a viewport setting.
  public var option: String { row.option }

  package var changes: UInt32 { row.changes }

  var range: ClosedRange<Double> { row.range }

  package var expectation: String { row.expectation }

  /// The value of a viewport setting.
  public func value(in viewport: Viewport) -> Value { row.get(viewport) }

  /// Sets a viewport setting to a value of its type.
  public func set(_ value: Value, in viewport: inout Viewport) { row.set(&viewport, value) }

  /// The viewport settings that are insets.
  public static let insets: [WritableKeyPath<Viewport, Insets> & Sendable] = [
    \.contentInsets, \.safeAreaInsets, \.layoutMargins,
  ]
}

/// A field of a layout's input with what it is set to: one line of a recording.
public enum InputChange: Hashable, Sendable {
  /// A viewport setting.
  case setting(LayoutField, Value)
  /// A parameter; nil resets it.
  case parameter(String, Value?)
  /// The records of a list.
  case list(String, RecordList)
  /// The item count of each section; the values of sections and items are removed.
  case sections([Int])
  /// The values of all sections.
  case sectionValues(String, ValueColumn)
  /// The values of the items of all sections, in order.
  case itemValues(String, ValueColumn)
  /// The answer of a delegate function, as a scenario has it; nil removes it.
  case delegate(String, JSONNode?)
  /// The size of each item, as a scenario has it; nil removes it.
  case measure(JSONNode?)
}

extension LayoutInput {
  /// The changes that give a layout the input, in the order of the fields.
  public func changes(of fields: [LayoutField] = LayoutField.allCases) -> [InputChange] {
    func named<Item>(_ items: [String: Item], _ change: (String, Item) -> InputChange)
      -> [InputChange]
    {
      items.sorted { $0.key < $1.key }.map { change($0.key, $0.value) }
    }
    return fields.flatMap { field -> [InputChange] in
      switch field {
      case .parameters: named(parameters) { .parameter($0, $1) }
      case .lists: named(lists) { .list($0, $1) }
      case .sections: [.sections(counts)]
      case .sectionValues: named(sectionValues) { .sectionValues($0, $1) }
      case .itemValues: named(itemValues) { .itemValues($0, $1) }
      case .delegate: named(delegate) { .delegate($0, $1) }
      case .measure: measure.map { [.measure($0)] } ?? []
      default: [.setting(field, field.value(in: viewport))]
      }
    }
  }
}
