import TesseraGeometry

/// Reads untrusted bytes; throws `.brokenContract` if they are malformed.
///
/// It owns a copy, so another process can't change the bytes after a check.
package struct ByteReader: Sendable {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package init(copying memory: UnsafeRawBufferPointer) { bytes = Array(memory) }

  package var remaining: Int { bytes.count - position }

  package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  package mutating func read<Coded: ByteCodable>(
    _ type: Coded.Type = Coded.self
  ) throws(HostError) -> Coded { try Coded.read(from: &self) }

  /// Entries have at least `size` bytes.
  package mutating func count(ofAtLeast size: Int, limit: Int = .max) throws(HostError) -> Int {
    let count = Int(try read(UInt32.self))
    guard count <= limit else {
      throw Self.broken("holds a list of \(count) entries; expected at most \(limit)")
    }
    guard count <= remaining / max(1, size) else {
      throw Self.broken(
        "is truncated: it declares \(count) entries of at least \(max(1, size)) bytes, and "
          + "\(remaining) bytes follow")
    }
    return count
  }

  package mutating func raw(count: Int) throws(HostError) -> [UInt8] {
    try need(count)
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  package func finish() throws(HostError) {
    guard remaining == 0 else { throw Self.broken("has \(remaining) bytes after its end") }
  }

  /// `sentence` continues "its answer …".
  package static func broken(
    _ sentence: String, _ code: HostError.Code = .invalidAnswer
  ) -> HostError { HostError(code, "its answer \(sentence); it is not used") }

  private func need(_ count: Int) throws(HostError) {
    guard count >= 0, count <= remaining else {
      throw Self.broken(
        "is truncated: expected \(count) bytes at offset \(position), and it has \(bytes.count)")
    }
  }

  fileprivate mutating func memory<Plain: BitwiseCopyable>(
    _ count: Int
  ) throws(HostError) -> [Plain] {
    let size = count * MemoryLayout<Plain>.stride
    try need(size)
    defer { position += size }
    return [Plain](unsafeUninitializedCapacity: count) { values, initialized in
      bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(values).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[position..<position + size]))
      }
      initialized = count
    }
  }

  fileprivate mutating func memory<Plain: BitwiseCopyable>() throws(HostError) -> Plain {
    let size = MemoryLayout<Plain>.size
    try need(size)
    defer { position += size }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Plain.self) }
  }
}

package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  package mutating func put(_ value: some ByteCodable) { value.write(to: &self) }

  package mutating func put(count: Int) { put(UInt32(clamping: count)) }

  package mutating func put(raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

  package mutating func put(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }
}

package protocol ByteCodable: SendableMetatype {
  /// Bytes.
  static var leastSize: Int { get }
  static var listLimit: Int { get }
  func write(to writer: inout ByteWriter)
  static func read(from reader: inout ByteReader) throws(HostError) -> Self
  static func write(_ list: [Self], to writer: inout ByteWriter)
  static func readList(_ count: Int, from reader: inout ByteReader) throws(HostError) -> [Self]
}

extension ByteCodable {
  package static var leastSize: Int { 1 }
  package static var listLimit: Int { .max }

  package static func write(_ list: [Self], to writer: inout ByteWriter) {
    for value in list { writer.put(value) }
  }

  package static func readList(
    _ count: Int, from reader: inout ByteReader
  ) throws(HostError) -> [Self] {
    var values: [Self] = []
    for _ in 0..<count { values.append(try reader.read()) }
    return values
  }
}

/// Encoded as in memory: little endian, infinities and NaNs preserved.
package protocol PlainCodable: ByteCodable, BitwiseCopyable {}

extension PlainCodable {
  package static var leastSize: Int { MemoryLayout<Self>.size }

  package func write(to writer: inout ByteWriter) {
    withUnsafeBytes(of: self) { writer.put(raw: $0) }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Self {
    try reader.memory()
  }

  package static func write(_ list: [Self], to writer: inout ByteWriter) {
    list.withUnsafeBytes { writer.put(raw: $0) }
  }

  package static func readList(
    _ count: Int, from reader: inout ByteReader
  ) throws(HostError) -> [Self] { try reader.memory(count) }
}

extension UInt8: PlainCodable {}
extension UInt32: PlainCodable {}
extension UInt64: PlainCodable {}
extension Int32: PlainCodable {}
extension Int64: PlainCodable {}
extension Int: PlainCodable {}
extension Double: PlainCodable {}
extension Point: PlainCodable {}
extension Size: PlainCodable {}
extension Rect: PlainCodable {}
extension Insets: PlainCodable {}

extension Bool: ByteCodable {
  package func write(to writer: inout ByteWriter) { writer.put(UInt8(self ? 1 : 0)) }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Bool {
    let byte = try reader.read(UInt8.self)
    guard byte <= 1 else { throw ByteReader.broken("holds \(byte) for a Boolean; expected 0 or 1") }
    return byte == 1
  }
}

/// A 32-bit byte count, then UTF-8, truncated at `UntrustedText.limit`.
extension String: ByteCodable {
  package static var leastSize: Int { 4 }

  package func write(to writer: inout ByteWriter) {
    guard utf8.count > UntrustedText.limit else {
      writer.put(count: utf8.count)
      return writer.put(raw: utf8)
    }
    var cut = Array(utf8.prefix(UntrustedText.limit + 1))
    while let last = cut.popLast(), last & 0xC0 == 0x80 {}
    writer.put(count: cut.count)
    writer.put(raw: cut)
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> String {
    let count = Int(try reader.read(UInt32.self))
    guard count <= UntrustedText.limit else {
      throw ByteReader.broken(
        "holds a text of \(count) bytes; expected at most \(UntrustedText.limit)")
    }
    guard let text = String(validating: try reader.raw(count: count), as: UTF8.self) else {
      throw ByteReader.broken("holds a text that is not UTF-8")
    }
    return text
  }
}

extension Optional: ByteCodable where Wrapped: ByteCodable {
  package func write(to writer: inout ByteWriter) {
    writer.put(self != nil)
    if let self { writer.put(self) }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Self {
    try reader.read(Bool.self) ? try reader.read(Wrapped.self) : nil
  }
}

/// True for success, then the value or the error.
extension Result: ByteCodable where Success: ByteCodable, Failure == HostError {
  package func write(to writer: inout ByteWriter) {
    switch self {
    case .success(let value):
      writer.put(true)
      writer.put(value)
    case .failure(let error):
      writer.put(false)
      writer.put(error)
    }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Self {
    try reader.read(Bool.self) ? .success(try reader.read()) : .failure(try reader.read())
  }
}

/// A 32-bit count, then the elements.
extension Array: ByteCodable where Element: ByteCodable {
  package static var leastSize: Int { 4 }

  package func write(to writer: inout ByteWriter) {
    writer.put(count: count)
    Element.write(self, to: &writer)
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Self {
    let count = try reader.count(ofAtLeast: Element.leastSize, limit: Element.listLimit)
    return try Element.readList(count, from: &reader)
  }
}

extension ByteCodable where Self: RawRepresentable, RawValue: ByteCodable {
  package static var leastSize: Int { RawValue.leastSize }

  package func write(to writer: inout ByteWriter) { writer.put(rawValue) }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Self {
    let raw = try reader.read(RawValue.self)
    guard let value = Self(rawValue: raw) else {
      throw ByteReader.broken("holds an unknown \(Self.self) (\(raw))")
    }
    return value
  }
}

package protocol FieldCodable: ByteCodable {
  static var fields: Fields<Self> { get }
}

extension FieldCodable {
  package static var leastSize: Int { fields.leastSize }

  package func write(to writer: inout ByteWriter) { Self.fields.encode(self, &writer) }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Self {
    try fields.decode(&reader)
  }
}

/// The fields of a type in encoding order, and its initializer.
package struct Fields<Whole>: Sendable {
  fileprivate let leastSize: Int
  fileprivate let encode: @Sendable (Whole, inout ByteWriter) -> Void
  package let decode: @Sendable (inout ByteReader) throws(HostError) -> Whole

  package init<each Field: ByteCodable>(
    _ make: @escaping @Sendable (repeat each Field) -> Whole,
    _ paths: repeat KeyPath<Whole, each Field> & Sendable
  ) {
    var size = 0
    for type in repeat (each Field).self { size += type.leastSize }
    leastSize = size
    encode = { whole, writer in
      for path in repeat each paths { writer.put(whole[keyPath: path]) }
    }
    decode = { reader throws(HostError) in make(repeat try (each Field).read(from: &reader)) }
  }

  package init<each Field: ByteCodable>(
    setting make: @escaping @Sendable () -> Whole,
    _ paths: repeat WritableKeyPath<Whole, each Field> & Sendable
  ) {
    var size = 0
    for type in repeat (each Field).self { size += type.leastSize }
    leastSize = size
    encode = { whole, writer in
      for path in repeat each paths { writer.put(whole[keyPath: path]) }
    }
    decode = { reader throws(HostError) in
      var whole = make()
      for path in repeat each paths { whole[keyPath: path] = try reader.read() }
      return whole
    }
  }
}
