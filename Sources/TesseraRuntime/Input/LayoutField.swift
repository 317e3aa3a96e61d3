import CTessera
import TesseraCatalog
import TesseraGeometry

/// A field of a layout's input.
///
/// A field is a case and its row in `table`. Scenario files, recordings, the command's options, the
/// playground, the conformance suite and the checks of the host all derive from the row.
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
    Row(.contentInsets, \.contentInsets, option: "content-insets"),
    Row(.safeAreaInsets, \.safeAreaInsets, option: "safe-area"),
    Row(.layoutMargins, \.layoutMargins, option: "layout-margins"),
    Row(
      .scale, \.scale, .number, option: "scale", in: 0.01...1000, "0.01 to 1000",
      get: { .number($0.scale) }, set: { $0.scale = $1.double ?? $0.scale }),
    Row(
      .direction, \.direction, .choice, option: "direction",
      list(LayoutDirection.allCases.map(\.rawValue), "or"),
      get: { .choice($0.direction.rawValue) },
      set: { $0.direction = LayoutDirection(rawValue: $1.description) ?? $0.direction }),
    Row(.parameters, calls: ["set", "reset"], changes: TESSERA_CHANGED_PARAMETERS),
    Row(.lists, calls: ["list"], changes: TESSERA_CHANGED_LISTS),
    Row(.sections, calls: ["sections"], changes: TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES),
    Row(.sectionValues, calls: ["values"], changes: TESSERA_CHANGED_VALUES),
    Row(.itemValues, calls: ["values"], changes: TESSERA_CHANGED_VALUES),
    Row(.delegate, calls: ["delegate"], changes: TESSERA_CHANGED_ALL),
    Row(.measure, calls: ["measure"], changes: TESSERA_CHANGED_ALL),
  ]

  /// What is known about one field.
  private struct Row: Sendable {
    let field: LayoutField
    let name: String
    /// The type of a viewport setting; void for the other fields.
    let type: ValueType
    /// The command's option that sets a viewport setting.
    let option: String
    /// The valid numbers of a viewport setting.
    let range: ClosedRange<Double>
    /// Describes the valid values of a viewport setting, as a continuation of "expected …".
    let expectation: String
    /// Whether the field is a property of the viewport.
    let isProperty: @Sendable (PartialKeyPath<Viewport>) -> Bool
    let get: @Sendable (Viewport) -> Value
    let set: @Sendable (inout Viewport, Value) -> Void
    /// The calls of a recording that set the field.
    let calls: [String]
    /// What engines are told to have changed, as the contract's TESSERA_CHANGED bits.
    let changes: UInt32

    /// A viewport setting.
    init<Setting>(
      _ field: LayoutField, _ path: WritableKeyPath<Viewport, Setting> & Sendable,
      _ type: ValueType, option: String,
      in range: ClosedRange<Double> = -Viewport.limit...Viewport.limit, _ expectation: String,
      changes: UInt32 = TESSERA_CHANGED_BOUNDS, get: @escaping @Sendable (Viewport) -> Value,
      set: @escaping @Sendable (inout Viewport, Value) -> Void
    ) {
      (self.field, name, self.type, self.option) = (field, "\(field)", type, option)
      (self.range, self.expectation, self.get, self.set) = (range, expectation, get, set)
      (isProperty, calls, self.changes) = ({ $0 == path }, [name], changes)
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

    /// A field outside the viewport.
    init(_ field: LayoutField, calls: [String], changes: UInt32) {
      (self.field, name, type, option) = (field, "\(field)", .void, "")
      (range, expectation, isProperty) = (0...0, "", { _ in false })
      (get, set) = ({ _ in .void }, { _, _ in })
      (self.calls, self.changes) = (calls, changes)
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

  /// The calls of a recording that set the field.
  package var calls: [String] { row.calls }

  /// What engines are told to have changed if the field changes, as the contract's TESSERA_CHANGED
  /// bits.
  package var changes: UInt32 { row.changes }

  /// The valid numbers of a viewport setting.
  var range: ClosedRange<Double> { row.range }

  /// Describes the valid values of a viewport setting, as a continuation of "expected …".
  var expectation: String { row.expectation }

  /// The value of a viewport setting.
  public func value(in viewport: Viewport) -> Value { row.get(viewport) }

  /// Sets a viewport setting to a value of its type.
  public func set(_ value: Value, in viewport: inout Viewport) { row.set(&viewport, value) }

  /// The viewport settings that are insets.
  public static let insets: [WritableKeyPath<Viewport, Insets> & Sendable] = [
    \.contentInsets, \.safeAreaInsets, \.layoutMargins,
  ]
}
