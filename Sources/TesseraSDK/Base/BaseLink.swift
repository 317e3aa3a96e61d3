import CTessera

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
