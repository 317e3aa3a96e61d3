import CTessera
import TesseraGeometry

/// The type of a value, an argument or a result; everything derives from its row in `table`.
public enum ValueType: UInt8, CaseIterable, Sendable, CustomStringConvertible {
  // Up to `number`, raw values are the scalar numbers of tessera_system.h.
  /// No value; only a result.
  case void
  /// A `uint8_t` of 0 or 1.
  case bool
  case u8, i8, u16, i16, u32, i32, u64
  case integer
  case f32
  case number
  /// Two doubles: x, y.
  case point
  /// Two doubles: width, height.
  case size
  /// Four doubles: x, y, width, height.
  case rect
  /// Four doubles: top, left, bottom, right.
  case insets
  /// A declared choice by name; in memory a 32-bit index.
  case choice

  private static let table: [Row] = [
    Row(.void, signature: "void", .nothing),
    Row(.bool, Bool.self, TESSERA_TYPE_BOOL, "bool", signature: "bool", .truth),
    Row(.u8, UInt8.self, signature: "u8", .unsigned),
    Row(.i8, Int8.self, signature: "i8", .signed),
    Row(.u16, UInt16.self, signature: "u16", .unsigned),
    Row(.i16, Int16.self, signature: "i16", .signed),
    Row(.u32, UInt32.self, signature: "u32", .unsigned),
    Row(.i32, Int32.self, signature: "i32", .signed),
    Row(.u64, UInt64.self, signature: "u64", .unsigned),
    Row(.integer, Int64.self, TESSERA_TYPE_INT, "integer", signature: "i64", .signed),
    Row(.f32, Float.self, signature: "f32", .float),
    Row(.number, Double.self, TESSERA_TYPE_NUMBER, "number", signature: "f64", .double),
    Row(.point, Point.self, TESSERA_TYPE_POINT, "point", of: ["x", "y"]),
    Row(.size, Size.self, TESSERA_TYPE_SIZE, "size", of: ["width", "height"], separator: "x"),
    Row(.rect, Rect.self, TESSERA_TYPE_RECT, "rect", of: ["x", "y", "width", "height"]),
    Row(
      .insets, Insets.self, TESSERA_TYPE_INSETS, "insets", of: ["top", "left", "bottom", "right"]),
    Row(.choice, nil, TESSERA_TYPE_ENUM, "enum", .choice, bytes: 4),
  ]

  private struct Row: Sendable {
    let type: ValueType
    let native: (any NativeValue.Type)?
    /// The number in tessera.h; 0 for a type that only signatures have.
    let code: tessera_type
    let name: String
    /// Nil for a type that no function takes.
    let signature: String?
    let component: ValueComponent
    let stride: Int
    let components: [String]
    let separator: Character

    init(
      _ type: ValueType, _ native: (any NativeValue.Type)? = nil, _ code: tessera_type = 0,
      _ name: String? = nil, signature: String? = nil, _ component: ValueComponent, bytes: Int = 0
    ) {
      (self.type, self.native, self.code, self.component) = (type, native, code, component)
      (self.name, self.signature) = (name ?? signature ?? "", signature)
      (stride, components, separator) = (native?.byteCount ?? bytes, [], ",")
    }

    init(
      _ type: ValueType, _ native: (any NativeValue.Type)?, _ code: tessera_type, _ name: String,
      of components: [String], separator: Character = ","
    ) {
      (self.type, self.native, self.code, component) = (type, native, code, .double)
      (self.name, signature, self.components, self.separator) = (name, name, components, separator)
      stride = components.count * MemoryLayout<Double>.stride
    }
  }

  private var row: Row {
    assert(Self.table[Int(rawValue)].type == self, "the rows are in the order of the cases")
    return Self.table[Int(rawValue)]
  }
}

@usableFromInline package enum ValueComponent: Sendable {
  case nothing
  case truth
  case unsigned, signed
  case float, double
  case choice
}

extension ValueType {
  /// The name in texts, such as "bool", "enum" or "size"; a type of signatures has its name there.
  public var name: String { row.name }

  /// The name in a signature.
  public var description: String { row.signature ?? row.name }

  /// The names of a vector's components, in order; empty for other types.
  public var components: [String] { row.components }

  /// The size in memory, in bytes.
  public var stride: Int { row.stride }

  /// The types of parameters, values and attributes, in the order of their numbers.
  public static let declarable = allCases.filter { $0.code > 0 }.sorted { $0.code < $1.code }

  /// The types of arguments and results.
  public static let callable = allCases.filter(\.isCallable)

  /// 0 for a type that only signatures have.
  package var code: tessera_type { row.code }

  package init?(code: tessera_type) {
    guard let type = Self.declarable.first(where: { $0.code == code }) else { return nil }
    self = type
  }

  init(native: any NativeValue.Type) {
    guard let row = Self.table.first(where: { $0.native == native }) else {
      preconditionFailure("\(native) is no type of the table")
    }
    self = row.type
  }

  package var isCallable: Bool { row.signature != nil }

  /// As in tessera_system.h; structures have the number of their doubles.
  package var callNumber: UInt8 {
    isVector ? Self.number.rawValue + UInt8(components.count - 1) : rawValue
  }

  @usableFromInline package var component: ValueComponent { row.component }

  @usableFromInline package var width: Int {
    isVector ? row.components.count : component == .nothing ? 0 : 1
  }

  package var isVector: Bool { !row.components.isEmpty }

  package var separator: Character { row.separator }

  package var isWhole: Bool { component == .signed || component == .unsigned }

  /// Whether parameters have a minimum and a maximum.
  package var isOrdered: Bool { component != .truth && component != .choice }

  /// The widest of its kind.
  package var carrier: ValueType {
    switch component {
    case .unsigned: .u64
    case .signed: .integer
    case .float: .number
    default: self
    }
  }

  package var unsignedMaximum: UInt64 { .max >> UInt64(64 - 8 * stride) }

  package var signedRange: ClosedRange<Int64> {
    let shift = Int64(64 - 8 * stride)
    return Int64.min >> shift...Int64.max >> shift
  }

  /// The valid values, continuing "expected …".
  public var expectation: String {
    switch component {
    case .nothing: "nothing"
    case .truth: "true or false, or 1 or 0"
    case .unsigned: "a whole number from 0 to \(unsignedMaximum)"
    case .signed: "a whole number from \(signedRange.lowerBound) to \(signedRange.upperBound)"
    case .float:
      "a finite number from \(-Float.greatestFiniteMagnitude) to \(Float.greatestFiniteMagnitude)"
    case .double where isVector:
      "\(components.count) finite numbers (\(components.joined(separator: ", ")))"
    case .double: "a finite number"
    case .choice: "a choice"
    }
  }

  /// The index of the first value that is not finite, no bool or no choice.
  package func firstInvalid(_ memory: UnsafeRawPointer, count: Int, choiceCount: Int) -> Int? {
    func first<Number>(_: Number.Type, where isInvalid: (Number) -> Bool) -> Int? {
      let size = MemoryLayout<Number>.stride
      let numbers = UnsafeBufferPointer(
        start: memory.assumingMemoryBound(to: Number.self), count: count * stride / size)
      return numbers.firstIndex(where: isInvalid).map { $0 * size / stride }
    }
    return switch component {
    case .nothing, .unsigned, .signed: nil
    case .truth: first(UInt8.self) { $0 > 1 }
    case .choice: first(Int32.self) { !(0..<choiceCount).contains(Int($0)) }
    case .float: first(Float.self) { !$0.isFinite }
    case .double: first(Double.self) { !$0.isFinite }
    }
  }
}

extension NativeValue {
  fileprivate static var byteCount: Int { MemoryLayout<Self>.stride }
}

extension ValueType {
  /// Points and rects are relative to the frame's origin, insets to its edges.
  package var isMirrored: Bool { self == .point || self == .rect || self == .insets }

  package func mirror(_ address: UnsafeMutableRawPointer, in width: Double) {
    let numbers = address.assumingMemoryBound(to: Double.self)
    switch self {
    case .point: numbers[0] = width - numbers[0]
    case .rect: numbers[0] = width - numbers[0] - numbers[2]
    case .insets: (numbers[1], numbers[3]) = (numbers[3], numbers[1])
    default: break
    }
  }
}
