import CTessera
import TesseraGeometry

/// A column of section or item values as an engine reads it.
///
/// Owned by the session.
final class ValueMemory {
  private let bytes: UnsafeMutableRawPointer
  let column: tessera_column

  deinit { bytes.deallocate() }

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
      bytes = .allocate(byteCount: 32, alignment: 16)
      bytes.storeBytes(of: raw, as: tessera_value.self)
      column = tessera_column(data: bytes, stride: 0)
    case .bools(let values): (bytes, column) = Self.copy(values.map { $0 ? UInt8(1) : 0 })
    case .integers(let values): (bytes, column) = Self.copy(values)
    case .numbers(let values): (bytes, column) = Self.copy(values)
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
    case .points(let values): (bytes, column) = Self.copy(values)
    case .sizes(let values): (bytes, column) = Self.copy(values)
    case .rects(let values): (bytes, column) = Self.copy(values)
    case .insets(let values): (bytes, column) = Self.copy(values)
    }
  }

  private static func noChoice(
    _ name: String, _ place: String, _ value: Value, _ choices: [String]
  ) -> String {
    "\(name)\(place) is \"\(value)\"; expected \(choices.joined(separator: ", "))"
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
