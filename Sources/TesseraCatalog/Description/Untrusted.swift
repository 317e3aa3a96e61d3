/// Unchecked data from another process or an engine.
///
/// It has no arithmetic, conversion or use as an index, so code that could trap doesn't compile.
package struct Untrusted<Content> {
  @usableFromInline let content: Content

  @inlinable package init(_ content: Content) { self.content = content }
}

extension Untrusted: Sendable where Content: Sendable {}
extension Untrusted: Equatable where Content: Equatable {}
extension Untrusted: Error where Content: Error {}

extension Untrusted: CustomStringConvertible where Content: FixedWidthInteger {
  package var description: String { "\(content)" }
}

extension Untrusted: ByteCodable where Content: ByteCodable {
  package static var leastSize: Int { Content.leastSize }

  package func write(to writer: inout ByteWriter) { writer.put(content) }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Untrusted {
    Untrusted(try reader.read(Content.self))
  }
}

extension Untrusted where Content: FixedWidthInteger {
  @inlinable package func exactly(in range: Range<Int>) -> Int? {
    guard let number = Int(exactly: content), range.contains(number) else { return nil }
    return number
  }

  /// Throws `.brokenContract`; `what` continues "its answer has the ".
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

  @inlinable package func clamped(to range: ClosedRange<Int>) -> Int {
    min(max(Int(clamping: content), range.lowerBound), range.upperBound)
  }

  /// Throws `.brokenContract` on overflow.
  @inlinable package func plus(_ other: Content) throws(HostError) -> Untrusted {
    try checked(content.addingReportingOverflow(other))
  }

  /// Throws `.brokenContract` on overflow.
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

// Not generic: generic code is 50 times slower across modules.
extension Untrusted where Content == Int {
  package func exactly(in range: Range<Int>) -> Int? { range.contains(content) ? content : nil }
}

extension Untrusted where Content == UInt64 {
  package func exactly(in range: Range<Int>) -> Int? {
    let number = Int(bitPattern: UInt(content))
    return number >= 0 && range.contains(number) ? number : nil
  }
}

extension Untrusted where Content: StringProtocol {
  /// Accepts decimal digits only.
  package func exactly(in range: Range<Int>) -> Int? {
    guard content.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(content),
      range.contains(number)
    else { return nil }
    return number
  }
}

extension Untrusted where Content == Value {
  /// Throws `.brokenContract`.
  package func converted(
    to type: ValueType, _ subject: @autoclosure () -> String
  ) throws(HostError) -> Value {
    try content.converted(to: type, .invalidAnswer, subject())
  }
}

extension Untrusted where Content == [Value] {
  /// Throws `.brokenContract`.
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
  /// The error without a remedy; nil for a kind that only the host reports.
  ///
  /// - Parameter engines: Most derived first; an error of another engine counts as the first one's.
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

  /// For a process in which no engine code has run.
  package var ofHost: HostError { content }

  package var sentence: String { content.fact }
}
