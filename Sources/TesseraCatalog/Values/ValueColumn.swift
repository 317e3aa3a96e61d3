import CTesseraNumbers
import TesseraGeometry

/// A value for each section or item, or the same for all.
public enum ValueColumn: Hashable, Sendable {
  case constant(Value)
  case choices([String])
  case values(ValueArray)

  /// The maximum number of different item values.
  package static let limit = 100_000_000

  /// A bool for each.
  public static func bools(_ values: [Bool]) -> Self { .values(ValueArray(values)) }
  /// An integer for each.
  public static func integers(_ values: [Int64]) -> Self { .values(ValueArray(values)) }
  /// A number for each.
  public static func numbers(_ values: [Double]) -> Self { .values(ValueArray(values)) }
  /// A point for each.
  public static func points(_ values: [Point]) -> Self { .values(ValueArray(values)) }
  /// A size for each.
  public static func sizes(_ values: [Size]) -> Self { .values(ValueArray(values)) }
  /// A rectangle for each.
  public static func rects(_ values: [Rect]) -> Self { .values(ValueArray(values)) }
  /// Insets for each.
  public static func insets(_ values: [Insets]) -> Self { .values(ValueArray(values)) }

  /// Creates a column of values, all of the same `type`; O(*n*).
  public init(_ values: [Value], type: ValueType) {
    var builder = ColumnBuilder(type: type, count: values.count)
    for value in values { builder.append(value) }
    self = builder.column
  }

  /// The type.
  public var type: ValueType {
    switch self {
    case .constant(let value): value.type
    case .choices: .choice
    case .values(let values): values.type
    }
  }

  package func isValid(for type: ValueType) -> Bool {
    guard case .constant(let value) = self else { return self.type == type }
    return value.isValid(for: type)
  }

  package var owned: ValueColumn {
    guard case .values(let values) = self else { return self }
    return .values(
      ValueArray(type: values.type, count: values.count, bytes: values.withBytes { Array($0) }))
  }

  /// The number of values; nil for a constant, which has no length.
  public var count: Int? {
    switch self {
    case .constant: nil
    case .choices(let names): names.count
    case .values(let values): values.count
    }
  }

  /// The value at any index of a constant, or at an index.
  public subscript(index: Int) -> Value {
    switch self {
    case .constant(let value): value
    case .choices(let names): .choice(names[index])
    case .values(let values): values[index]
    }
  }

  /// The values; nil for a constant.
  public var each: [Value]? { count.map { (0..<$0).map { self[$0] } } }
}

/// The records of a list, by columns.
public struct RecordList: Hashable, Sendable {
  /// The number of records.
  public let count: Int
  /// The given columns by name; others have their initial values.
  public let columns: [String: ValueColumn]

  /// Creates a list of `count` records.
  public init(count: Int, columns: [String: ValueColumn] = [:]) {
    (self.count, self.columns) = (count, columns)
  }
}

/// Values of one type in the contract's memory layout, except choices, which are stored by name.
public struct ValueArray: Hashable, Sendable {
  /// The type.
  public let type: ValueType
  /// The number of values.
  public let count: Int
  private let access: @Sendable ((UnsafeRawBufferPointer) -> Void) -> Void

  /// Keeps an array of Swift values without copying it.
  public init<Native: NativeValue>(_ values: [Native]) {
    (type, count) = (Native.valueType, values.count)
    access = { values.withUnsafeBytes($0) }
  }

  /// Keeps bytes in the contract's memory layout, `type.stride` for each value.
  public init(type: ValueType, count: Int, bytes: [UInt8]) {
    (self.type, self.count) = (type, count)
    access = { bytes.withUnsafeBytes($0) }
  }

  /// The values must stay valid and unchanged.
  package init(borrowing bytes: UnsafeRawBufferPointer, type: ValueType) {
    (self.type, count) = (type, bytes.count / type.stride)
    nonisolated(unsafe) let bytes = bytes
    access = { $0(bytes) }
  }

  /// The value at an index.
  public subscript(index: Int) -> Value {
    precondition(index >= 0 && index < count, "index out of range")
    return withBytes { Value(at: $0.baseAddress! + index * type.stride, type: type) } ?? .void
  }

  /// Calls a closure with the memory of all values.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var result: Result?
    access { result = body($0) }
    return result!
  }

  /// Returns the index of the first value that is not finite.
  package func copy(from first: Int, to target: UnsafeMutableRawPointer) -> Int? {
    withBytes { bytes -> Int? in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[(first * type.stride)...])
      guard let base = bytes.baseAddress, !bytes.isEmpty else { return nil }
      guard type.component == .double else {
        target.copyMemory(from: base, byteCount: bytes.count)
        return nil
      }
      let numbers = bytes.count / MemoryLayout<Double>.stride
      let place = Int(tessera_copy_numbers(target, base, UInt64(numbers)))
      return place < numbers ? first + place * MemoryLayout<Double>.stride / type.stride : nil
    }
  }

  /// Whether types and values are equal.
  public static func == (one: Self, two: Self) -> Bool {
    one.type == two.type && one.count == two.count
      && (0..<one.count).allSatisfy { one[$0] == two[$0] }
  }

  /// Hashes the type and the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    for index in 0..<count { hasher.combine(self[index]) }
  }
}

package struct ColumnBuilder {
  @usableFromInline package let type: ValueType
  @usableFromInline package var bytes: [UInt8]
  @usableFromInline package var count = 0
  private var names: [String] = []

  package init(type: ValueType, count capacity: Int) {
    self.type = type
    bytes = Array(repeating: 0, count: type == .choice ? 0 : capacity * type.stride)
  }

  package var column: ValueColumn {
    guard type != .choice else { return .choices(names) }
    return .values(ValueArray(type: type, count: count, bytes: bytes))
  }

  package mutating func append(_ value: Value, count repetitions: Int = 1) {
    precondition(value.type == type.carrier, "all values of a column must have its type")
    if case .choice(let name) = value {
      names.append(contentsOf: repeatElement(name, count: repetitions))
      return
    }
    let stride = type.stride
    withUnsafeBytes(of: value.memory(as: type)) { memory in
      bytes.withUnsafeMutableBytes { bytes in
        for place in count..<count + repetitions {
          (bytes.baseAddress! + place * stride).copyMemory(
            from: memory.baseAddress!, byteCount: stride)
        }
      }
    }
    count += repetitions
  }

  /// Returns the first row that doesn't fit the type.
  @inlinable package mutating func append(
    rows: Int, _ number: (_ row: Int, _ component: Int) -> Double
  ) -> Int? {
    let (type, start) = (type, count)
    let (stride, width, isDouble) = (type.stride, type.width, type.component == .double)
    count += rows
    return bytes.withUnsafeMutableBytes { bytes in
      for row in 0..<rows {
        let address = bytes.baseAddress! + (start + row) * stride
        if isDouble {
          for component in 0..<width {
            address.storeBytes(
              of: number(row, component), toByteOffset: component * 8, as: Double.self)
          }
        } else if !type.store(number(row, 0), to: address) {
          return row
        }
      }
      return nil
    }
  }
}

extension ValueType {
  @usableFromInline package func store(
    _ number: Double, to address: UnsafeMutableRawPointer
  ) -> Bool {
    guard let value = Value.number(number).converted(to: self) else { return false }
    withUnsafeBytes(of: value.memory(as: self)) {
      address.copyMemory(from: $0.baseAddress!, byteCount: stride)
    }
    return true
  }
}
