import CTessera
import TesseraCatalog
import TesseraGeometry

/// A layout's whole input, with every default filled in.
///
/// `LayoutField` is the table of its fields. Viewport settings are properties: `input.bounds`.
@dynamicMemberLookup
public struct LayoutInput: Hashable, Sendable {
  /// The viewport settings.
  public var viewport = Viewport()
  /// Parameters by name; others keep their initial values.
  public var parameters: [String: Value] = [:]
  /// Lists by name; others are empty.
  public var lists: [String: RecordList] = [:]
  /// Item counts by section.
  public var counts: [Int]
  /// Section values by name.
  public var sectionValues: [String: ValueColumn] = [:]
  /// Item values by name, for the items of all sections.
  public var itemValues: [String: ValueColumn] = [:]
  /// Answers of delegate functions by name, as in a scenario.
  public var delegate: [String: JSONNode] = [:]
  /// Item sizes for engines that measure, as in a scenario.
  public var measure: JSONNode?

  /// The item count of the default section.
  public static let defaultItemCount = 20

  /// Creates the default input: one section of 20 items.
  public init(counts: [Int] = [Self.defaultItemCount]) { self.counts = counts }

  /// The number of all items.
  public var itemCount: Int { counts.total }

  /// A viewport setting.
  public subscript<Setting>(dynamicMember path: WritableKeyPath<Viewport, Setting>) -> Setting {
    get { viewport[keyPath: path] }
    set { viewport[keyPath: path] = newValue }
  }
}

/// The viewport settings of a layout.
public struct Viewport: Hashable, Sendable {
  /// The size in points.
  public var bounds: Size
  /// The scroll offset, in points.
  public var offset: Point
  /// Insets around the content, inside the bounds.
  public var contentInsets: Insets
  /// The safe area, as insets of the bounds.
  public var safeAreaInsets: Insets
  /// The layout margins, as insets of the bounds.
  public var layoutMargins: Insets
  /// Device pixels per point.
  public var scale: Double
  /// The reading direction.
  public var direction: LayoutDirection

  /// Creates viewport settings with the usual defaults.
  public init(
    bounds: Size = Size(width: 375, height: 667), offset: Point = .zero,
    contentInsets: Insets = .zero, safeAreaInsets: Insets = .zero, layoutMargins: Insets = .zero,
    scale: Double = 2, direction: LayoutDirection = .leftToRight
  ) {
    (self.bounds, self.offset, self.contentInsets) = (bounds, offset, contentInsets)
    (self.safeAreaInsets, self.layoutMargins) = (safeAreaInsets, layoutMargins)
    (self.scale, self.direction) = (scale, direction)
  }

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

  // Every query checks it: read no table in the usual case.
  private var isValid: Bool {
    let lengths = SIMD2(bounds.width, bounds.height)
    func areValid(_ insets: Insets) -> Bool {
      let numbers = SIMD4(insets.top, insets.left, insets.bottom, insets.right)
      // False for NaN.
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

  package func equalsApartFromOffset(_ other: Viewport) -> Bool {
    var moved = other
    moved.offset = offset
    return moved == self
  }

  package var traceText: String { "bounds \(Value.size(bounds)), offset \(Value.point(offset))" }
}

/// The reading direction.
public enum LayoutDirection: String, CaseIterable, Sendable {
  case leftToRight
  case rightToLeft
}

/// A field of a layout's input: a case, and a row in `table` that everything else derives from.
public enum LayoutField: UInt8, CaseIterable, Sendable {
  case bounds, offset, contentInsets, safeAreaInsets, layoutMargins, scale, direction
  case parameters, lists, sections, sectionValues, itemValues, delegate, measure

  private static let table: [Row] = [
    Row(.bounds, \.bounds, option: "bounds", in: 0...Viewport.limit, "width and height 0 or more"),
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

  private struct Row: Sendable {
    let field: LayoutField
    let name: String
    let type: ValueType
    let option: String
    let range: ClosedRange<Double>
    let expectation: String
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
  /// The viewport settings, in order.
  public static let settings = allCases.filter { $0.type != .void }

  /// Finds the field of a viewport property.
  public init(_ path: PartialKeyPath<Viewport>) {
    guard let field = Self.settings.first(where: { $0.row.isProperty(path) }) else {
      preconditionFailure("\(path) is no setting of the table")
    }
    self = field
  }

  /// The name, which is the key in scenarios.
  public var name: String { row.name }

  /// The type of a viewport setting; void for other fields.
  public var type: ValueType { row.type }

  /// The command's option for a viewport setting.
  public var option: String { row.option }

  package var changes: UInt32 { row.changes }

  var range: ClosedRange<Double> { row.range }

  package var expectation: String { row.expectation }

  /// The value of a viewport setting.
  public func value(in viewport: Viewport) -> Value { row.get(viewport) }

  /// Sets a viewport setting.
  public func set(_ value: Value, in viewport: inout Viewport) { row.set(&viewport, value) }

  /// The viewport settings that are insets.
  public static let insets: [WritableKeyPath<Viewport, Insets> & Sendable] = [
    \.contentInsets, \.safeAreaInsets, \.layoutMargins,
  ]
}

/// A change of one field: a line of a recording.
public enum InputChange: Hashable, Sendable {
  case setting(LayoutField, Value)
  /// Nil resets it.
  case parameter(String, Value?)
  case list(String, RecordList)
  /// Removes section and item values.
  case sections([Int])
  case sectionValues(String, ValueColumn)
  case itemValues(String, ValueColumn)
  /// Nil removes it.
  case delegate(String, JSONNode?)
  case measure(JSONNode?)
}

extension LayoutInput {
  /// The changes that produce the input, in field order.
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
