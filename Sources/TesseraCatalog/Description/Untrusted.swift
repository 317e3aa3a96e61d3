/// What another process sent or an engine returned, before it is checked.
///
/// It has no arithmetic, no conversion and no use as an index, so that code which would trap on some
/// number does not compile. Its content comes out through a check: of a number through
/// `int(in:_:)` or `exactly(in:)`, of other content through methods of its type.
package struct Untrusted<Content> {
  @usableFromInline let content: Content

  @inlinable package init(_ content: Content) { self.content = content }
}

extension Untrusted: Sendable where Content: Sendable {}
extension Untrusted: Equatable where Content: Equatable {}
extension Untrusted: Error where Content: Error {}

/// The number, for an error.
extension Untrusted: CustomStringConvertible where Content: FixedWidthInteger {
  package var description: String { "\(content)" }
}

/// The encoding of the content.
extension Untrusted: ByteCodable where Content: ByteCodable {
  package static var leastSize: Int { Content.leastSize }

  package func write(to writer: inout ByteWriter) { writer.put(content) }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Untrusted {
    Untrusted(try reader.read(Content.self))
  }
}

extension Untrusted where Content: FixedWidthInteger {
  /// The number, or nil if it lies outside the range.
  @inlinable package func exactly(in range: Range<Int>) -> Int? {
    guard let number = Int(exactly: content), range.contains(number) else { return nil }
    return number
  }

  /// The number; throws `.brokenContract` if it lies outside the range; `what` continues "its
  /// answer has the ".
  package func int(in range: Range<Int>, _ what: @autoclosure () -> String) throws(HostError) -> Int
  {
    guard let number = exactly(in: range) else {
      throw ByteReader.broken(
        range.isEmpty
          ? "has the \(what()) \(content), and there is none"
          : "has the \(what()) \(content); expected \(range.lowerBound) to \(range.upperBound - 1)")
    }
    return number
  }

  /// The number, or the nearest end of a range that is not empty.
  @inlinable package func clamped(to range: ClosedRange<Int>) -> Int {
    min(max(Int(clamping: content), range.lowerBound), range.upperBound)
  }

  /// The sum; throws `.brokenContract` if no number of the type is that large.
  @inlinable package func plus(_ other: Content) throws(HostError) -> Untrusted {
    try checked(content.addingReportingOverflow(other))
  }

  /// The product; throws `.brokenContract` if no number of the type is that large.
  @inlinable package func times(_ other: Content) throws(HostError) -> Untrusted {
    try checked(content.multipliedReportingOverflow(by: other))
  }

  @inlinable func checked(_ result: (partialValue: Content, overflow: Bool)) throws(HostError)
    -> Untrusted
  {
    guard !result.overflow else { throw ByteReader.broken("counts beyond \(Content.max)") }
    return Untrusted(result.partialValue)
  }
}

// Each run of a batch has several numbers, and other modules call generic code fifty times as slowly.
extension Untrusted where Content == Int {
  /// The number, or nil if it lies outside the range.
  package func exactly(in range: Range<Int>) -> Int? { range.contains(content) ? content : nil }
}

extension Untrusted where Content == UInt64 {
  /// The number, or nil if it lies outside the range.
  package func exactly(in range: Range<Int>) -> Int? {
    let number = Int(bitPattern: UInt(content))
    return number >= 0 && range.contains(number) ? number : nil
  }
}

extension Untrusted where Content: StringProtocol {
  /// The number that the text is in decimal digits alone; nil for any other text, and outside the range.
  package func exactly(in range: Range<Int>) -> Int? {
    guard content.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(content),
      range.contains(number)
    else { return nil }
    return number
  }
}

extension Untrusted where Content == Value {
  /// The value converted to a type; throws `.brokenContract` if the type cannot hold it.
  package func converted(
    to type: ValueType, _ subject: @autoclosure () -> String
  ) throws(HostError) -> Value {
    try content.converted(to: type, .invalidAnswer, subject())
  }
}

extension Untrusted where Content == [Value] {
  /// The arguments of a function; throws `.brokenContract` if they do not fit the signature.
  package func arguments(of name: String, _ signature: Signature) throws(HostError) -> [Value] {
    guard content.count == signature.arguments.count else {
      throw ByteReader.broken(
        "has \(content.count) arguments for \(name); expected \(signature.arguments.count)")
    }
    for (place, (value, type)) in zip(content, signature.arguments).enumerated()
    where !value.isValid(for: type) {
      throw ByteReader.broken(
        "has \(value) as argument \(place + 1) of \(name); expected \(type.expectation)")
    }
    return content
  }
}

extension Untrusted where Content == HostError {
  /// An error as another process may report it: about its engines, and without a remedy, because
  /// advice is the host's.
  ///
  /// - Parameters:
  ///   - engines: The ids of the engines, the most derived first. An error that none of them caused
  ///     counts as the first one's.
  ///   - isLoading: Whether the process loads its libraries, which can fail.
  ///   - isCancelled: Whether the program has cancelled the call.
  /// - Returns: The error; nil for a kind that only the host reports.
  package func reported(by engines: [String], isLoading: Bool = false, isCancelled: Bool = false)
    -> HostError?
  {
    switch content.kind {
    case .refused, .brokenContract, .unavailable: break
    case .cancelled where isCancelled: break
    case .cannotLoad where isLoading: break
    case .cancelled, .cannotLoad, .invalidInput, .notFound, .notAllowed, .died, .cannotWrite:
      return nil
    }
    let engine = engines.first { $0 == content.engine } ?? engines.first ?? content.engine
    return HostError(
      content.code, content.sentence, nil, engine: engine, death: nil, subject: content.subject)
  }

  /// The error of a process in which no code of an engine has run.
  package var ofHost: HostError { content }

  /// The sentence of an error that the process may not report.
  package var sentence: String { content.fact }
}
