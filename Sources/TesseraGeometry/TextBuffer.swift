// Growable UTF-8 text. An array would check uniqueness at every byte.
package struct TextBuffer: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  package internal(set) var count = 0

  package init(capacity: Int) {
    self.capacity = max(capacity, 64)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  package func withBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(UnsafeRawBufferPointer(start: start, count: count)) }

  package mutating func removeLast(_ length: Int = 1) { count = max(0, count - length) }

  package mutating func removeAll() { count = 0 }

  @inlinable @inline(__always)
  package mutating func reserve(_ more: Int) { if capacity - count < more { grow(more) } }

  @usableFromInline mutating func grow(_ more: Int) {
    capacity = max(2 * capacity, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }
}

extension TextBuffer {
  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count += 1
  }

  @inlinable @inline(__always)
  package mutating func append(_ text: StaticString) {
    precondition(text.hasPointerRepresentation, "a literal of one scalar is a byte")
    let length = text.utf8CodeUnitCount
    reserve(length)
    (start + count).update(from: text.utf8Start, count: length)
    count += length
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    UnsafeMutableRawBufferPointer(start: start + count, count: bytes.count).copyMemory(from: bytes)
    count += bytes.count
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  package mutating func append(number: Double) {
    reserve(longestNumber)
    count += writeNumber(number, to: start + count)
  }

  package mutating func append(number: Int64) {
    reserve(longestNumber)
    count += writeNumber(number, to: start + count)
  }

  package mutating func append(rounded number: Double) {
    reserve(longestNumber)
    count += writeNumber(rounded: number, to: start + count)
  }
}
