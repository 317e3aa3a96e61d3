import CTesseraNumbers
import TesseraGeometry

/// Values for all sections or all items: either one for each, or the same for all.
public enum ValueColumn: Hashable, Sendable {
  /// The same value for every section or item, stored once.
  case constant(Value)
  case choices([String])
  case values(ValueArray)

  /// The most items for which a value can differ from item to item in a scenario or a recording.
  package static let limit = 100_000_000

  /// One bool for each.
  public static func bools(_ values: [Bool]) -> Self { .values(ValueArray(values)) }
  /// One integer for each.
  public static func integers(_ values: [Int64]) -> Self { .values(ValueArray(values)) }
  /// One number for each.
  public static func numbers(_ values: [Double]) -> Self { .values(ValueArray(values)) }
  /// One point for each.
  public static func points(_ values: [Point]) -> Self { .values(ValueArray(values)) }
  /// One size for each.
  public static func sizes(_ values: [Size]) -> Self { .values(ValueArray(values)) }
  /// One rectangle for each.
  public static func rects(_ values: [Rect]) -> Self { .values(ValueArray(values)) }
  /// One set of insets for each.
  public static func insets(_ values: [Insets]) -> Self { .values(ValueArray(values)) }

  /// Creates a column with one value for each section or item, all of which must be of `type`.
  ///
  /// - Complexity: O(*n*) in the number of values.
  public init(_ values: [Value], type: ValueType) {
    var builder = ColumnBuilder(type: type, count: values.count)
    for value in values { builder.append(value) }
    self = builder.column
  }

  /// The type of the values.
  public var type: ValueType {
    switch self {
    case .constant(let value): value.type
    case .choices: .choice
    case .values(let values): values.type
    }
  }

  /// Whether the column may be set for a declaration of a type.
  package func isValid(for type: ValueType) -> Bool {
    guard case .constant(let value) = self else { return self.type == type }
    return value.isValid(for: type)
  }

  package var owned: ValueColumn {
    guard case .values(let values) = self else { return self }
    return .values(
      ValueArray(type: values.type, count: values.count, bytes: values.withBytes { Array($0) }))
  }

  /// The number of values, or nil for a constant, which applies to any number.
  public var count: Int? {
    switch self {
    case .constant: nil
    case .choices(let names): names.count
    case .values(let values): values.count
    }
  }

  /// The value at an index.
  ///
  /// A constant has the same value at every index.
  public subscript(index: Int) -> Value {
    switch self {
    case .constant(let value): value
    case .choices(let names): .choice(names[index])
    case .values(let values): values[index]
    }
  }

  /// The values, one for each section or item; nil for a constant.
  public var each: [Value]? { count.map { (0..<$0).map { self[$0] } } }
}

/// The records of a list, by columns.
public struct RecordList: Hashable, Sendable {
  /// The number of records.
  public let count: Int
  /// The values of each column that the records give, by name: one for each record, or one for all.
  ///
  /// The other columns have their initial values.
  public let columns: [String: ValueColumn]

  /// Creates a list of `count` records.
  public init(count: Int, columns: [String: ValueColumn] = [:]) {
    (self.count, self.columns) = (count, columns)
  }
}

/// Values of one type in the memory layout of the contract; not choices, which are stored by name.
public struct ValueArray: Hashable, Sendable {
  /// The type of the values.
  public let type: ValueType
  /// The number of values.
  public let count: Int
  /// Calls a closure with the memory of all values.
  private let access: @Sendable ((UnsafeRawBufferPointer) -> Void) -> Void

  /// Keeps an array of Swift values without copying it.
  public init<Native: NativeValue>(_ values: [Native]) {
    (type, count) = (Native.valueType, values.count)
    access = { values.withUnsafeBytes($0) }
  }

  /// Keeps bytes in the memory layout of the contract, `type.stride` for each value.
  public init(type: ValueType, count: Int, bytes: [UInt8]) {
    (self.type, self.count) = (type, count)
    access = { bytes.withUnsafeBytes($0) }
  }

  /// Borrows values in the memory layout of the contract, which must stay valid and must not change
  /// as long as this array.
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

  /// Copies the values from an index on to memory that has space for them, in one pass; returns the
  /// index of the first value with a number that is not finite; nil if there is none.
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

  /// Whether both have equal values of one type.
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

/// Collects the values of a column, one for each section or item.
package struct ColumnBuilder {
  @usableFromInline package let type: ValueType
  @usableFromInline package var bytes: [UInt8]
  @usableFromInline package var count = 0
  private var names: [String] = []

  /// - Parameter capacity: The number of values that will be appended.
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

  /// Appends values by their numbers; returns the first row that does not fit the type; nil if all
  /// do.
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
  /// Writes a number into the memory of a type with one component, unless the type cannot hold it.
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
