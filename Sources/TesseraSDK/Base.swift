import CTessera
public import TesseraGeometry

/// The engine that a layout is derived from, wherever it lies and whoever wrote it.
///
/// ```swift
/// static let base: BaseEngine? = BaseEngine("org.tessera.flow", from: "0.1.0")
/// ```
///
/// A derived layout is the base with a twist: what it does not do itself, such as preparing, the
/// base does. It reads and overrides the base's parameters through properties that are `@Inherited`,
/// calls the base through `input.super`, and finds the base's rows in the output.
public struct BaseEngine: Sendable {
  /// The base's id.
  public let id: String
  /// The lowest version of the base that suits, of the same major; nil for any.
  public let version: String?

  /// A base by its id, and the lowest version that suits.
  public init(_ id: String, from version: String? = nil) {
    self.id = id
    self.version = version
  }
}

/// The base of a derived layout, to configure and to call; valid for the call from the host.
///
/// What is overridden holds until the next prepare. Each of two engines of a chain may override the
/// same thing: the one nearer to the engine that declares it has the last word.
public struct Super {
  let link: BaseLink

  /// Has the base place its elements; they are in `output` afterwards, to be edited and added to.
  ///
  /// Only in prepare. A second call drops the rows of the first.
  ///
  /// - Throws: The base's failure, and what went wrong with an `@Inherited` property before.
  public func prepare(into output: Output) throws(LayoutFailure) {
    try link.call { $0.pointee.prepare($0, output.pointer) }
  }

  /// Has the base re-shape what a query is about to return; only in adjust.
  ///
  /// - Throws: The base's failure.
  public func adjust(rect: Rect, into output: Output) throws(LayoutFailure) {
    try link.call { $0.pointee.adjust($0, tessera_rect(rect), output.pointer) }
  }

  /// Has a lazy base add at least the elements that meet `rect`; only in `elementsInRect`.
  ///
  /// - Throws: The base's failure.
  public func elementsInRect(_ rect: Rect, into output: Output) throws(LayoutFailure) {
    try link.call { $0.pointee.elements_in_rect($0, tessera_rect(rect), output.pointer) }
  }

  /// Has a lazy base add the one element of `run`, if there is one; only in `element`.
  ///
  /// - Throws: The base's failure.
  public func element(_ run: Run, into output: Output) throws(LayoutFailure) {
    guard var contractRun = run.contractRun else { return }
    try link.call { $0.pointee.element($0, &contractRun, output.pointer) }
  }

  /// Whether what the base prepared still holds; only in `stillValid`, after what the layout
  /// overrides.
  public func stillValid() -> Bool {
    guard let base = try? link.reference() else { return false }
    return base.pointee.still_valid(base) == 1
  }
}

/// What the base is given, by name; the nearest engine that declares the name counts.
extension Super {
  /// What a parameter of the base is now.
  ///
  /// - Throws: A name or a type that the base does not have.
  public func get<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(LayoutFailure) -> Value {
    var value = tessera_value()
    try link.call(about: name, "\(Value.self)") {
      $0.pointee.get($0, $1, Value.contractType, &value)
    }
    return withUnsafeBytes(of: value) { Value(stored: $0.load(as: Value.Stored.self)) }
  }

  /// Overrides a parameter of the base, and with it every value that falls back on it.
  ///
  /// - Throws: A name, a type or a value that the base does not take; any call but prepare and
  ///   stillValid.
  public func set<Value: InheritableValue>(
    _ name: String, to value: Value
  ) throws(LayoutFailure) {
    try link.call(about: name, "\(Value.self)", isRefusalTold: true) {
      $0.pointee.set($0, $1, Value.contractType, tessera_value(value))
    }
  }

  /// Overrides a parameter of the base that is a choice, by the choice's name.
  ///
  /// - Throws: As for other values.
  public func set(_ name: String, to choice: some Choice) throws(LayoutFailure) {
    try link.call(about: name, "choice", isRefusalTold: true) { base, name in
      choice.rawValue.withCString { base.pointee.set_choice(base, name, $0) }
    }
  }

  /// What the base is given for every section, one value a section.
  ///
  /// - Throws: A name or a type that the base does not have.
  public func sectionValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(LayoutFailure) -> Column<Value> {
    try values(name, TESSERA_SECTION, count: link.sectionCount)
  }

  /// What the base is given for every item, one value an item, all sections in order.
  ///
  /// - Throws: A name or a type that the base does not have.
  public func itemValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(LayoutFailure) -> Column<Value> {
    try values(name, TESSERA_ITEM, count: link.itemCount)
  }

  /// Overrides what the base is given for every section.
  ///
  /// - Parameter body: Gets one value a section, holding what the base is given now.
  /// - Throws: A name or a type that the base does not have; any call but prepare and stillValid.
  public func setSectionValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self,
    _ body: (inout MutableSpan<Value.Stored>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    try setValues(name, Value.self, TESSERA_SECTION, count: link.sectionCount, body)
  }

  /// Overrides what the base is given for every item.
  ///
  /// - Parameter body: Gets one value an item, all sections in order, holding what the base is given
  ///   now.
  /// - Throws: A name or a type that the base does not have; any call but prepare and stillValid.
  public func setItemValues<Value: InheritableValue>(
    _ name: String, as type: Value.Type = Value.self,
    _ body: (inout MutableSpan<Value.Stored>) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    try setValues(name, Value.self, TESSERA_ITEM, count: link.itemCount, body)
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
    let values = UnsafeMutableBufferPointer(
      start: data?.assumingMemoryBound(to: Value.Stored.self), count: data == nil ? 0 : count)
    var span = values.mutableSpan
    try body(&span)
  }
}

/// The base of a layout, present during a call from the host.
final class BaseLink {
  let engine: BaseEngine?
  private(set) var sectionCount = 0
  private(set) var itemCount = 0
  /// Whether a call from the host is going on.
  private(set) var isInCall = false
  private var pointer: UnsafeMutablePointer<tessera_super>?
  /// The first thing that went wrong where nothing can be thrown.
  private var failure: LayoutFailure?

  init(_ engine: BaseEngine?) {
    self.engine = engine
  }

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

  /// Keeps what an assignment or a property cannot throw.
  func record(_ failure: LayoutFailure) {
    if self.failure == nil { self.failure = failure }
  }

  /// - Throws: What was recorded.
  func throwRecorded() throws(LayoutFailure) {
    if let failure { throw failure }
  }

  /// - Throws: That there is no base to call.
  func reference() throws(LayoutFailure) -> UnsafeMutablePointer<tessera_super> {
    guard let pointer else {
      throw .failed(
        engine == nil
          ? "the layout names no base; give its type a static `base`"
          : "the base can be reached only during a call from the host that has an input")
    }
    return pointer
  }

  /// Calls a function that answers with a status, after what was recorded.
  func call(
    _ body: (UnsafeMutablePointer<tessera_super>) -> tessera_status
  ) throws(LayoutFailure) {
    let base = try reference()
    try throwRecorded()
    let status = body(base)
    // The base, or the host, has said why.
    guard status == TESSERA_OK else { throw LayoutFailure(status: status, message: nil) }
  }

  /// Calls a function about something that the base declares under a name.
  ///
  /// - Parameter isRefusalTold: Whether the host itself says what is wrong with a value.
  func call(
    about name: String, _ type: String, isRefusalTold: Bool = false,
    _ body: (UnsafeMutablePointer<tessera_super>, UnsafePointer<CChar>) -> tessera_status
  ) throws(LayoutFailure) {
    let base = try reference()
    let status = name.withCString { body(base, $0) }
    guard status != TESSERA_OK else { return }
    let isTold = isRefusalTold && status == TESSERA_INVALID_VALUE
    throw LayoutFailure(status: status, message: isTold ? nil : message(status, name, type))
  }

  private func message(_ status: tessera_status, _ name: String, _ type: String) -> String? {
    let base = engine?.id ?? "the base"
    switch status {
    case TESSERA_NOT_FOUND:
      return "\(base) has nothing called \(name) to give or to take; use a name that it declares"
    case TESSERA_INVALID_VALUE:
      return "\(base) has a \(name) that does not take this \(type); give what it declares"
    case TESSERA_WRONG_STATE:
      return "\(name) of \(base) was set outside of prepare and stillValid; set it in one of them"
    default:
      return nil
    }
  }
}
