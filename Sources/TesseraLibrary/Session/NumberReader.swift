import TesseraGeometry
import TesseraHost

/// Reads values of a type out of doubles.
struct NumberReader {
  let name: String
  let type: ValueType

  /// - Throws: `.invalidInput` where the type takes another count of numbers, or none.
  init(name: String, type: ValueType, components: UInt32) throws(HostError) {
    guard type != .choice else {
      throw HostError(
        .invalidInput, "\(name) is an enum; give the name of a choice, not a number")
    }
    let names = type.components
    let wanted = max(1, names.count)
    guard components == UInt32(wanted) else {
      let what = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
      throw HostError(
        .invalidInput,
        "\(name) is given by \(components) numbers; it is of type \(type.name), give "
          + "\(wanted)\(what)")
    }
    self.name = name
    self.type = type
  }

  /// The bytes that one value takes.
  var size: Int { max(1, type.components.count) * MemoryLayout<Double>.stride }

  /// The value at an address.
  ///
  /// - Parameter place: Its place in a column; nil for a single one.
  func value(at address: UnsafeRawPointer, place: Int?) throws(HostError) -> Value {
    let number = address.loadUnaligned(as: Double.self)
    switch type {
    case .bool: return .bool(try bool(number, place))
    case .integer: return .integer(try integer(number, place))
    case .number, .choice: return .number(number)
    case .point: return .point(address.loadUnaligned(as: Point.self))
    case .size: return .size(address.loadUnaligned(as: Size.self))
    case .rect: return .rect(address.loadUnaligned(as: Rect.self))
    case .insets: return .insets(address.loadUnaligned(as: Insets.self))
    }
  }

  /// A column of values that lie a stride apart.
  func column(
    at base: UnsafeRawPointer, count: Int, stride: Int
  ) throws(HostError) -> ValueColumn {
    switch type {
    case .bool:
      var values: [Bool] = []
      values.reserveCapacity(count)
      for place in 0..<count {
        values.append(
          try bool((base + place * stride).loadUnaligned(as: Double.self), place))
      }
      return .bools(values)
    case .integer:
      var values: [Int64] = []
      values.reserveCapacity(count)
      for place in 0..<count {
        values.append(
          try integer((base + place * stride).loadUnaligned(as: Double.self), place))
      }
      return .integers(values)
    case .number, .choice: return .numbers(Self.copy(base, count, stride))
    case .point: return .points(Self.copy(base, count, stride))
    case .size: return .sizes(Self.copy(base, count, stride))
    case .rect: return .rects(Self.copy(base, count, stride))
    case .insets: return .insets(Self.copy(base, count, stride))
    }
  }

  /// Values whose memory is doubles, one after the other.
  private static func copy<Item: BitwiseCopyable>(
    _ base: UnsafeRawPointer, _ count: Int, _ stride: Int
  ) -> [Item] {
    [Item](unsafeUninitializedCapacity: count) { values, filled in
      for place in 0..<count {
        values.initializeElement(
          at: place, to: (base + place * stride).loadUnaligned(as: Item.self))
      }
      filled = count
    }
  }

  private func bool(_ number: Double, _ place: Int?) throws(HostError) -> Bool {
    guard number == 0 || number == 1 else { throw wrong(number, place, "0 or 1") }
    return number == 1
  }

  private func integer(_ number: Double, _ place: Int?) throws(HostError) -> Int64 {
    guard let integer = Int64(exactly: number) else {
      throw wrong(number, place, "a whole number")
    }
    return integer
  }

  private func wrong(_ number: Double, _ place: Int?, _ expected: String) -> HostError {
    let at = place.map { " at place \($0)" } ?? ""
    return HostError(.invalidInput, "\(name)\(at) is \(number.shortText); give \(expected)")
  }
}
