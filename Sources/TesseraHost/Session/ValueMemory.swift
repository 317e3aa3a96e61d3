import CTessera
import TesseraGeometry

/// A column of section or item values as an engine reads it.
///
/// Owned by the session.
final class ValueMemory {
  private let bytes: UnsafeMutableRawPointer
  let column: tessera_column

  deinit { bytes.deallocate() }

  private init(bytes: UnsafeMutableRawPointer, stride: Int) {
    self.bytes = bytes
    column = tessera_column(data: bytes, stride: UInt64(stride))
  }

  /// The same values with one at another place; a constant is itself.
  func moving(_ from: Int, to: Int, of count: Int) -> ValueMemory {
    let stride = Int(column.stride)
    guard stride > 0 else { return self }
    let copy = UnsafeMutableRawPointer.allocate(
      byteCount: max(32, count * stride), alignment: 16)
    copy.copyMemory(from: bytes, byteCount: count * stride)
    let (first, last) = (min(from, to), max(from, to))
    // Those between the two places make room: a block moves by one.
    let (source, target) = from < to ? (first + 1, first) : (first, first + 1)
    copy.advanced(by: target * stride).copyMemory(
      from: bytes + source * stride, byteCount: (last - first) * stride)
    copy.advanced(by: to * stride).copyMemory(from: bytes + from * stride, byteCount: stride)
    return ValueMemory(bytes: copy, stride: stride)
  }

  /// Copies a column.
  ///
  /// - Parameter choices: The names of an enum's choices.
  /// - Throws: `.invalidInput` with the place of a choice that does not exist, or of a number that
  ///   is not a number a contract allows to pass.
  init(_ values: ValueColumn, choices: [String], name: String) throws(HostError) {
    switch values {
    case .constant(let value):
      guard let raw = value.raw(choices: choices) else {
        throw HostError(.invalidInput, Self.noChoice(name, "", value, choices))
      }
      guard value.numbers.allSatisfy(\.isFinite) else {
        throw HostError(.invalidInput, "\(name) is \(value); expected finite numbers")
      }
      bytes = .allocate(byteCount: 32, alignment: 16)
      bytes.storeBytes(of: raw, as: tessera_value.self)
      column = tessera_column(data: bytes, stride: 0)
    case .bools(let values): (bytes, column) = Self.copy(values.map { $0 ? UInt8(1) : 0 })
    case .integers(let values): (bytes, column) = Self.copy(values)
    case .numbers(let values): (bytes, column) = try Self.copyFinite(values, name)
    case .choices(let names):
      var indexes: [Int32] = []
      indexes.reserveCapacity(names.count)
      for (place, choice) in names.enumerated() {
        guard let index = choices.firstIndex(of: choice) else {
          throw HostError(
            .invalidInput, Self.noChoice(name, " at place \(place)", .choice(choice), choices))
        }
        indexes.append(Int32(truncatingIfNeeded: index))
      }
      (bytes, column) = Self.copy(indexes)
    case .points(let values): (bytes, column) = try Self.copyFinite(values, name)
    case .sizes(let values): (bytes, column) = try Self.copyFinite(values, name)
    case .rects(let values): (bytes, column) = try Self.copyFinite(values, name)
    case .insets(let values): (bytes, column) = try Self.copyFinite(values, name)
    }
  }

  private static func noChoice(
    _ name: String, _ place: String, _ value: Value, _ choices: [String]
  ) -> String {
    "\(name)\(place) is \"\(value)\"; expected \(choices.joined(separator: ", "))"
  }

  /// Copies values that consist of doubles.
  private static func copyFinite<Item: BitwiseCopyable>(
    _ values: [Item], _ name: String
  ) throws(HostError) -> (UnsafeMutableRawPointer, tessera_column) {
    let exponent = Double.infinity.bitPattern
    let bad = values.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: UInt64.self) { words in
        words.firstIndex { $0 & exponent == exponent }
      }
    }
    if let bad {
      let place = bad * MemoryLayout<Double>.stride / MemoryLayout<Item>.stride
      throw HostError(
        .invalidInput, "\(name) at place \(place) is not finite; expected finite numbers")
    }
    return copy(values)
  }

  private static func copy<Item: BitwiseCopyable>(
    _ values: [Item]
  ) -> (UnsafeMutableRawPointer, tessera_column) {
    let stride = MemoryLayout<Item>.stride
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: max(32, values.count * stride), alignment: 16)
    values.withUnsafeBytes { source in
      if let base = source.baseAddress { bytes.copyMemory(from: base, byteCount: source.count) }
    }
    return (bytes, tessera_column(data: bytes, stride: UInt64(stride)))
  }
}
