import TesseraHost

/// What C passes, checked before it is used.
enum Argument {
  /// A text that may not be null.
  ///
  /// - Throws: `Misuse` for null, `.invalidInput` for bytes that are not UTF-8.
  static func text(_ pointer: UnsafePointer<CChar>?, _ name: StaticString) throws -> String {
    guard let pointer else { throw null(name) }
    guard let text = String(validatingCString: pointer) else {
      throw HostError(.invalidInput, "the \(name) is not UTF-8; give it as UTF-8")
    }
    return text
  }

  /// A text that may be null.
  static func optionalText(
    _ pointer: UnsafePointer<CChar>?, _ name: StaticString
  ) throws -> String? {
    try pointer.map { try text($0, name) }
  }

  /// A pointer that may not be null.
  static func present<Pointer>(_ pointer: Pointer?, _ name: StaticString) throws -> Pointer {
    guard let pointer else { throw null(name) }
    return pointer
  }

  /// A count of things that lie in memory.
  static func count(_ count: UInt64, _ name: StaticString) throws -> Int {
    guard count <= 1 << 48 else {
      throw Misuse("the \(name) is \(count), more than memory can hold; give how many there are")
    }
    return Int(count)
  }

  /// Item counts of sections; none where there are no sections.
  static func itemCounts(
    _ pointer: UnsafePointer<UInt64>?, _ sections: UInt64
  ) throws -> [Int] {
    let sections = try count(sections, "section count")
    guard sections > 0 else { return [] }
    let counts = UnsafeBufferPointer(start: try present(pointer, "item counts"), count: sections)
    var total: UInt64 = 0
    return try counts.map { count in
      let sum = total.addingReportingOverflow(count)
      guard !sum.overflow, sum.partialValue <= 1 << 62 else {
        throw HostError(.invalidInput, "the sections have more than 2^62 items; give fewer")
      }
      total = sum.partialValue
      return Int(count)
    }
  }

  private static func null(_ name: StaticString) -> Misuse {
    Misuse("the \(name) is null; give one")
  }
}
