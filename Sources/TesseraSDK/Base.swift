import CTessera
public import TesseraGeometry

/// The engine that a layout is derived from, in any library.
///
/// ```swift
/// static let base: BaseEngine? = BaseEngine("org.tessera.flow", from: "0.1.0")
/// ```
///
/// A derived layout inherits every ability that it does not implement. `@Inherited` properties read
/// and override the base's parameters, and `input.super` calls the base.
public struct BaseEngine: Sendable {
  /// The base's id.
  public let id: String
  /// The lowest compatible version, of the same major version; nil for any.
  public let version: String?

  /// Creates a reference to a base.
  public init(_ id: String, from version: String? = nil) {
    self.id = id
    self.version = version
  }
}

/// The base of a derived layout; valid during the call from the host.
///
/// Overrides apply until the next prepare. If two engines of a chain override the same parameter,
/// the engine nearer to its declaration wins.
public struct Super {
  let link: BaseLink

  /// Prepares the base; `output` then holds its elements, to change or add to.
  ///
  /// Only in prepare. A second call drops the rows of the first. Throws the base's failure, or an
  /// earlier error of an `@Inherited` property.
  public func prepare(into output: Output) throws(LayoutFailure) {
    try link.call { $0.pointee.prepare($0, output.pointer) }
  }

  /// Lets the base change the rows that a query is about to return; only in adjust.
  public func adjust(rect: Rect, into output: Output) throws(LayoutFailure) {
    try link.call { $0.pointee.adjust($0, tessera_rect(rect), output.pointer) }
  }

  /// Lets a lazy base add at least the elements that intersect `rect`; only in `elementsInRect`.
  public func elementsInRect(_ rect: Rect, into output: Output) throws(LayoutFailure) {
    try link.call { $0.pointee.elements_in_rect($0, tessera_rect(rect), output.pointer) }
  }

  /// Lets a lazy base add the one element of `run`, if it exists; only in `element`.
  public func element(_ run: Run, into output: Output) throws(LayoutFailure) {
    guard var contractRun = run.contractRun else { return }
    try link.call { $0.pointee.element($0, &contractRun, output.pointer) }
  }

  /// Whether the base's prepared layout is still valid; only in `stillValid`, after the overrides.
  public func stillValid() -> Bool {
    guard let base = try? link.reference() else { return false }
    return base.pointee.still_valid(base) == 1
  }
}

/// The base's parameters and values by name; a name refers to the nearest base that declares it. A
/// name or type that the base does not have throws.
extension Super {
  /// Returns the current value of a parameter of the base.
  public func get<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(LayoutFailure) -> Value {
    var value = tessera_value()
    try link.call(about: name, "\(Value.self)") {
      $0.pointee.get($0, $1, Value.contractType, &value)
    }
    return withUnsafeBytes(of: value) { Value(stored: $0.load(as: Value.Stored.self)) }
  }

  /// Overrides a parameter of the base, and every value that falls back to it.
  ///
  /// Only in prepare and stillValid.
  public func set<Value: InheritableValue>(
    _ name: String, to value: Value
  ) throws(LayoutFailure) {
    var raw = tessera_value(value)
    try link.call(about: name, "\(Value.self)", isReportedByHost: true) {
      $0.pointee.set($0, $1, Value.contractType, &raw)
    }
  }

  /// Overrides an enum parameter of the base by the name of a choice.
  ///
  /// Only in prepare and stillValid.
  public func set(_ name: String, to choice: some Choice) throws(LayoutFailure) {
    try link.call(about: name, "choice", isReportedByHost: true) { base, name in
      choice.rawValue.withCString { base.pointee.set_choice(base, name, $0) }
    }
  }

  /// Returns the base's values, one for each section.
  public func sectionValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(LayoutFailure) -> Column<Value> {
    try values(name, TESSERA_SCOPE_SECTION, count: link.sectionCount)
  }

  /// Returns the base's values, one for each item, all sections in order.
  public func itemValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(LayoutFailure) -> Column<Value> {
    try values(name, TESSERA_SCOPE_ITEM, count: link.itemCount)
  }

  /// Overrides the base's values for all sections; only in prepare and stillValid.
  ///
  /// - Parameter body: Changes the current values.
  public func setSectionValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self,
    _ body: (inout MutableSpan<Value.Stored>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    try setValues(name, Value.self, TESSERA_SCOPE_SECTION, count: link.sectionCount, body)
  }

  /// Overrides the base's values for all items; only in prepare and stillValid.
  ///
  /// - Parameter body: Changes the current values, all sections in order.
  public func setItemValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self,
    _ body: (inout MutableSpan<Value.Stored>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    try setValues(name, Value.self, TESSERA_SCOPE_ITEM, count: link.itemCount, body)
  }

  private func values<Value: InheritableValue>(
    _ name: String, _ scope: UInt32, count: Int
  ) throws(LayoutFailure) -> Column<Value> {
    var column = tessera_column(data: nil, stride: 0)
    try link.call(about: name, "column of \(Value.self)") {
      $0.pointee.get_values($0, $1, scope, Value.contractType, &column)
    }
    return Column(column, count: count)
  }

  private func setValues<Value: InheritableValue>(
    _ name: String, _ type: Value.Type, _ scope: UInt32, count: Int,
    _ body: (inout MutableSpan<Value.Stored>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    var data: UnsafeMutableRawPointer?
    try link.call(about: name, "column of \(Value.self)") {
      $0.pointee.set_values($0, $1, scope, Value.contractType, &data)
    }
    try change(data, count: count, as: Value.self, body)
  }

  private func change<Value: RowValue>(
    _ data: UnsafeMutableRawPointer?, count: Int, as type: Value.Type,
    _ body: (inout MutableSpan<Value.Stored>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    let values = UnsafeMutableBufferPointer(
      start: data?.assumingMemoryBound(to: Value.Stored.self), count: data == nil ? 0 : count)
    var span = values.mutableSpan
    try body(&span)
  }
}

/// The base's lists by name; a name refers to the nearest base that declares it.
///
/// The declaring engine numbers the choices in a list: use a `Choice` with the same cases in the
/// same order.
extension Super {
  /// Returns the number of records in a list of the base.
  public func recordCount(of list: String) throws(LayoutFailure) -> Int {
    var count: UInt64 = 0
    try link.call(about: list, "list") { $0.pointee.get_list($0, $1, &count) }
    return Int(clamping: count)
  }

  /// Returns one value of every record in a list of the base.
  public func recordValues<Value: LayoutValue>(
    _ column: String, of list: String, as type: Value.Type = Value.self
  ) throws(LayoutFailure) -> Column<Value> {
    let count = try recordCount(of: list)
    var values = tessera_column(data: nil, stride: 0)
    try link.call(about: column, "column of \(Value.self)") { base, column in
      list.withCString {
        base.pointee.get_column(base, $0, column, Value.contractType, &values)
      }
    }
    return Column(values, count: count)
  }

  /// Resizes a list of the base; new records get the initial values of the columns.
  ///
  /// Only in prepare and stillValid.
  public func setRecordCount(of list: String, to count: Int) throws(LayoutFailure) {
    try link.call(about: list, "list", isReportedByHost: true) {
      $0.pointee.set_list($0, $1, UInt64(clamping: count))
    }
  }

  /// Overrides one value of every record in a list, after `setRecordCount` in the same call.
  public func setRecordValues<Value: LayoutValue>(
    _ column: String, of list: String, as type: Value.Type = Value.self,
    _ body: (inout MutableSpan<Value.Stored>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    let count = try recordCount(of: list)
    var data: UnsafeMutableRawPointer?
    try link.call(about: column, "column of \(Value.self)") { base, column in
      list.withCString {
        base.pointee.set_column(base, $0, column, Value.contractType, &data)
      }
    }
    try change(data, count: count, as: Value.self, body)
  }
}

final class BaseLink {
  let engine: BaseEngine?
  private(set) var sectionCount = 0
  private(set) var itemCount = 0
  private(set) var isInCall = false
  private var pointer: UnsafeMutablePointer<tessera_super>?
  /// The first error that an assignment or a property could not throw.
  private var failure: LayoutFailure?

  init(_ engine: BaseEngine?) { self.engine = engine }

  func begin(_ input: UnsafePointer<tessera_input>) {
    isInCall = true
    pointer = input.pointee.super
    failure = nil
    sectionCount = Int(input.pointee.section_count)
    itemCount = Int(clamping: input.pointee.section_starts[sectionCount])
  }

  func end() {
    isInCall = false
    pointer = nil
  }

  func record(_ failure: LayoutFailure) {
    if self.failure == nil { self.failure = failure }
  }

  func throwRecorded() throws(LayoutFailure) {
    if let failure { throw failure }
  }

  /// Throws if the layout has no base.
  func reference() throws(LayoutFailure) -> UnsafeMutablePointer<tessera_super> {
    guard let pointer else {
      throw .failed(
        engine == nil
          ? "the layout names no base; give its type a static `base`"
          : "the base can be reached only during a call from the host that has an input")
    }
    return pointer
  }

  /// Throws a recorded error instead of calling.
  func call(
    _ body: (UnsafeMutablePointer<tessera_super>) -> tessera_status
  ) throws(LayoutFailure) {
    let base = try reference()
    try throwRecorded()
    let status = body(base)
    // The base or the host has reported why.
    guard status == TESSERA_OK else { throw LayoutFailure(status: status, message: nil) }
  }

  func call(
    about name: String, _ type: @autoclosure () -> String, isReportedByHost: Bool = false,
    _ body: (UnsafeMutablePointer<tessera_super>, UnsafePointer<CChar>) -> tessera_status
  ) throws(LayoutFailure) {
    let base = try reference()
    let status = name.withCString { body(base, $0) }
    guard status != TESSERA_OK else { return }
    let isReported = isReportedByHost && status == TESSERA_ERROR_INVALID_VALUE
    throw LayoutFailure(status: status, message: isReported ? nil : message(status, name, type()))
  }

  private func message(_ status: tessera_status, _ name: String, _ type: String) -> String? {
    let base = engine?.id ?? "the base"
    switch status {
    case TESSERA_ERROR_NOT_FOUND:
      return "\(base) has nothing called \(name) to give or to take; use a name that it declares"
    case TESSERA_ERROR_INVALID_VALUE:
      return "\(base) has a \(name) that does not take this \(type); give what it declares"
    case TESSERA_ERROR_WRONG_STATE:
      return "\(name) of \(base) was set outside of prepare and stillValid; set it in one of them"
    default:
      return nil
    }
  }
}
