import CTessera
import TesseraGeometry

/// A column of section or item values as an engine reads it.
///
/// Owned by the session.
final class ValueMemory {
  let column: tessera_column
  private let bytes: UnsafeMutableRawPointer
  private let byteCount: Int
  /// Nil where the values are somebody else's.
  private let memory: (any InputMemory)?

  deinit { memory?.deallocate(bytes, byteCount: byteCount) }

  /// Values that lie elsewhere and stay there as long as this is used.
  init(borrowing column: tessera_column) {
    self.column = column
    bytes = UnsafeMutableRawPointer(mutating: column.data!)
    byteCount = 0
    memory = nil
  }

  private init(
    bytes: UnsafeMutableRawPointer, byteCount: Int, stride: Int, memory: any InputMemory
  ) {
    self.bytes = bytes
    self.byteCount = byteCount
    self.memory = memory
    column = tessera_column(data: bytes, stride: UInt64(stride))
  }

  /// The same values with one at another place; a constant is itself.
  func moving(_ from: Int, to: Int, of count: Int) throws(HostError) -> ValueMemory {
    let stride = Int(column.stride)
    guard stride > 0, let memory else { return self }
    let copy = try memory.allocate(byteCount: count * stride)
    copy.copyMemory(from: bytes, byteCount: count * stride)
    let (first, last) = (min(from, to), max(from, to))
    // Those between the two places make room: a block moves by one.
    let (source, target) = from < to ? (first + 1, first) : (first, first + 1)
    copy.advanced(by: target * stride).copyMemory(
      from: bytes + source * stride, byteCount: (last - first) * stride)
    copy.advanced(by: to * stride).copyMemory(from: bytes + from * stride, byteCount: stride)
    return ValueMemory(bytes: copy, byteCount: count * stride, stride: stride, memory: memory)
  }

  /// The same values in other memory.
  func copied(count: Int, to memory: any InputMemory) throws(HostError) -> ValueMemory {
    let stride = Int(column.stride)
    let byteCount = max(32, count * stride)
    let copy = try memory.allocate(byteCount: byteCount)
    copy.copyMemory(from: bytes, byteCount: stride == 0 ? 32 : count * stride)
    return ValueMemory(bytes: copy, byteCount: byteCount, stride: stride, memory: memory)
  }

  private convenience init<Item: BitwiseCopyable>(
    copying values: [Item], _ memory: any InputMemory
  ) throws(HostError) {
    let stride = MemoryLayout<Item>.stride
    let byteCount = max(32, values.count * stride)
    let bytes = try memory.allocate(byteCount: byteCount)
    values.withUnsafeBytes { source in
      if let base = source.baseAddress { bytes.copyMemory(from: base, byteCount: source.count) }
    }
    self.init(bytes: bytes, byteCount: byteCount, stride: stride, memory: memory)
  }

  /// Copies a column.
  ///
  /// - Parameter choices: The names of an enum's choices.
  /// - Throws: `.invalidInput` with the place of a choice that does not exist, or of a number that
  ///   is not a number a contract allows to pass.
  convenience init(
    _ values: ValueColumn, choices: [String], name: String, memory: any InputMemory
  ) throws(HostError) {
    switch values {
    case .constant(let value):
      guard let raw = value.raw(choices: choices) else {
        throw HostError(.invalidInput, Self.noChoice(name, "", value, choices))
      }
      guard value.numbers.allSatisfy(\.isFinite) else {
        throw HostError(.invalidInput, "\(name) is \(value); expected finite numbers")
      }
      let bytes = try memory.allocate(byteCount: 32)
      bytes.storeBytes(of: raw, as: tessera_value.self)
      self.init(bytes: bytes, byteCount: 32, stride: 0, memory: memory)
    case .bools(let values): try self.init(copying: values.map { $0 ? UInt8(1) : 0 }, memory)
    case .integers(let values): try self.init(copying: values, memory)
    case .numbers(let values): try self.init(copying: Self.finite(values, name), memory)
    case .choices(let names):
      try self.init(copying: Self.indexes(of: names, in: choices, name), memory)
    case .points(let values): try self.init(copying: Self.finite(values, name), memory)
    case .sizes(let values): try self.init(copying: Self.finite(values, name), memory)
    case .rects(let values): try self.init(copying: Self.finite(values, name), memory)
    case .insets(let values): try self.init(copying: Self.finite(values, name), memory)
    }
  }

  private static func indexes(
    of names: [String], in choices: [String], _ name: String
  ) throws(HostError) -> [Int32] {
    var indexes: [Int32] = []
    indexes.reserveCapacity(names.count)
    for (place, choice) in names.enumerated() {
      guard let index = choices.firstIndex(of: choice) else {
        throw HostError(
          .invalidInput, noChoice(name, " at place \(place)", .choice(choice), choices))
      }
      indexes.append(Int32(truncatingIfNeeded: index))
    }
    return indexes
  }

  private static func noChoice(
    _ name: String, _ place: String, _ value: Value, _ choices: [String]
  ) -> String {
    "\(name)\(place) is \"\(value)\"; expected \(choices.joined(separator: ", "))"
  }

  /// Values that consist of doubles, all of which are finite.
  private static func finite<Item: BitwiseCopyable>(
    _ values: [Item], _ name: String
  ) throws(HostError) -> [Item] {
    let exponent = Double.infinity.bitPattern
    let bad = values.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: UInt64.self) { words in
        words.firstIndex { $0 & exponent == exponent }
      }
    }
    guard let bad else { return values }
    let place = bad * MemoryLayout<Double>.stride / MemoryLayout<Item>.stride
    throw HostError(
      .invalidInput, "\(name) at place \(place) is not finite; expected finite numbers")
  }
}
