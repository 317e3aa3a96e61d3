import TesseraGeometry

/// Reads untrusted bytes in the format of `ByteWriter`.
///
/// The reader owns a copy of the bytes, so a process that shares the original memory cannot change
/// them between a check and a use. Each method throws `.brokenContract` if the bytes end too early
/// or do not have the requested form.
package struct ByteReader: Sendable {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Copies memory that another process may be changing, reading each byte once.
  package init(copying memory: UnsafeRawBufferPointer) { bytes = Array(memory) }

  /// The number of bytes that remain to be read.
  package var remaining: Int { bytes.count - position }

  /// The next byte, or nil at the end.
  package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Reads the next value.
  package mutating func read<Coded: ByteCodable>(
    _ type: Coded.Type = Coded.self
  ) throws(HostError) -> Coded {
    try Coded.read(from: &self)
  }

  /// Reads the number of entries that follow, each of at least `size` bytes; throws if there are
  /// more than `limit`, or if the remaining bytes are too few.
  package mutating func count(
    ofAtLeast size: Int, limit: Int = .max
  ) throws(HostError) -> Int {
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

  /// Reads the next `count` bytes unchanged.
  package mutating func raw(count: Int) throws(HostError) -> [UInt8] {
    try need(count)
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Throws unless all bytes have been read.
  package func finish() throws(HostError) {
    guard remaining == 0 else { throw Self.broken("has \(remaining) bytes after its end") }
  }

  /// The error for malformed bytes; `sentence` continues "its answer …".
  package static func broken(
    _ sentence: String, _ code: HostError.Code = .invalidAnswer
  ) -> HostError {
    HostError(code, "its answer \(sentence); it is not used")
  }

  private func need(_ count: Int) throws(HostError) {
    guard count >= 0, count <= remaining else {
      throw Self.broken(
        "is truncated: expected \(count) bytes at offset \(position), and it has \(bytes.count)")
    }
  }

  /// Reads the next values as they lie in memory.
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

  /// Reads the next bytes as they lie in memory.
  fileprivate mutating func memory<Plain: BitwiseCopyable>() throws(HostError) -> Plain {
    let size = MemoryLayout<Plain>.size
    try need(size)
    defer { position += size }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Plain.self) }
  }
}

/// Encodes a message between two processes, or a cache file.
///
/// Values follow each other without padding.
package struct ByteWriter: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  package mutating func put(_ value: some ByteCodable) { value.write(to: &self) }

  /// Writes the number of entries that follow, in 32 bits.
  package mutating func put(count: Int) { put(UInt32(clamping: count)) }

  /// Writes the bytes unchanged, without their count.
  package mutating func put(raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

  /// Writes the bytes unchanged, without their count.
  package mutating func put(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }
}

/// A type that messages and cache files can hold, with its encoding and decoding side by side.
package protocol ByteCodable: SendableMetatype {
  /// The size of the shortest encoding, in bytes.
  static var leastSize: Int { get }
  /// The most values of a list.
  static var listLimit: Int { get }
  /// Appends the value.
  func write(to writer: inout ByteWriter)
  /// Reads what `write` wrote; throws `.brokenContract` for bytes that do not encode such a value.
  static func read(from reader: inout ByteReader) throws(HostError) -> Self
  static func write(_ list: [Self], to writer: inout ByteWriter)
  /// Reads the values of a list, which `write` wrote.
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

/// A type without padding, encoded as it lies in memory: numbers are little endian, and infinities
/// and NaNs are preserved.
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
  ) throws(HostError) -> [Self] {
    try reader.memory(count)
  }
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

/// One byte, 0 or 1.
extension Bool: ByteCodable {
  package func write(to writer: inout ByteWriter) { writer.put(UInt8(self ? 1 : 0)) }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Bool {
    let byte = try reader.read(UInt8.self)
    guard byte <= 1 else { throw ByteReader.broken("holds \(byte) for a Boolean; expected 0 or 1") }
    return byte == 1
  }
}

/// The number of bytes in 32 bits, then the text as UTF-8.
///
/// A text of more than `UntrustedText.limit` bytes, which a reader would reject, is truncated to the
/// limit without splitting a character.
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

/// A Boolean, true if a value follows.
extension Optional: ByteCodable where Wrapped: ByteCodable {
  package func write(to writer: inout ByteWriter) {
    writer.put(self != nil)
    if let self { writer.put(self) }
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Self {
    try reader.read(Bool.self) ? try reader.read(Wrapped.self) : nil
  }
}

/// A Boolean, true if the call succeeded, then what it returned or threw.
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

/// The count in 32 bits, then the elements.
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

/// The raw value.
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

/// A type whose encoding is that of its fields.
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

/// The fields of a type in the order of its encoding, and how it is made of them.
package struct Fields<Whole>: Sendable {
  fileprivate let leastSize: Int
  fileprivate let encode: @Sendable (Whole, inout ByteWriter) -> Void
  package let decode: @Sendable (inout ByteReader) throws(HostError) -> Whole

  /// - Parameter make: The initializer, whose arguments are the fields.
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

  /// - Parameter make: Creates a value, whose fields are then set.
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
