import Testing

@testable import TesseraHost

/// Every row of `ValueType.table`, through all users of the table.
@Suite struct ValueTypeTests {
  private static let choices = ["first", "second", "third"]

  private static func samples(of type: ValueType) -> [Value] {
    if type == .void { return [.void] }
    if type == .choice { return choices.map(Value.choice) }
    let numbers: [Double] = [0, 1, 2, -128, 255, 65535, 0.5, -1e300, 1e-300]
    return numbers.compactMap { number in
      Value(type: type, finite: (1...type.width).map { number / Double($0) })
    }
  }

  @Test(arguments: ValueType.allCases) func valuesAreTheirNumbersAndText(type: ValueType) {
    for value in Self.samples(of: type) {
      #expect(value.converted(to: type) == value)
      #expect(value.isFinite && value.isValid(for: type))
      guard type != .choice else { continue }
      #expect(Value(type: type, numbers: value.numbers) == value)
      #expect(Value(type: type, text: value.text(as: type)) == value)
      #expect(Value(type: type, text: "\(value)") == value)
    }
    #expect(Value(type: type, numbers: Array(repeating: 0, count: type.width + 1)) == nil)
    #expect(Value(type: type, text: "x") == nil)
  }

  @Test(arguments: ValueType.allCases) func memoryRoundTrips(type: ValueType) throws {
    for value in Self.samples(of: type) {
      let raw = try #require(value.raw(as: type, choices: Self.choices))
      #expect(Value(raw, type: type, choices: Self.choices) == value)
      withUnsafeBytes(of: raw) {
        #expect(
          type.firstInvalid($0.baseAddress!, count: 1, choiceCount: Self.choices.count) == nil)
        if type != .choice { #expect(Value.load(type, from: $0.baseAddress!) == value) }
      }
    }
    // All bits set: an invalid bool, index or number, but a valid integer.
    for place in 0..<3 {
      var numbers = [UInt64](repeating: 0, count: 12)
      let expected = type.isWhole || type == .void ? nil : place
      numbers.withUnsafeMutableBytes { bytes in
        for byte in place * type.stride..<(place + 1) * type.stride { bytes[byte] = 0xFF }
        #expect(type.firstInvalid(bytes.baseAddress!, count: 3, choiceCount: 3) == expected)
      }
    }
  }

  @Test(arguments: ValueType.allCases) func columnsRoundTrip(type: ValueType) throws {
    let values = Self.samples(of: type)
    guard type != .void else { return }
    let column = ValueColumn(values, type: type)
    #expect(column.type == type && column.count == values.count && column.each == values)
    #expect(column == ValueColumn(values, type: type))
    #expect(column.hashValue == ValueColumn(values, type: type).hashValue)
    #expect(column.isValid(for: type) && ValueColumn.constant(values[0]).isValid(for: type))
    #expect(!column.isValid(for: type == .bool ? .number : .bool))

    for column in [column, .constant(values[0])] {
      let memory = try ValueMemory.copy(
        column, as: type, choices: Self.choices, name: "it", memory: ProcessInput())
      let data = try #require(memory.column.data)
      for index in values.indices {
        let address = data + index * Int(memory.column.stride)
        #expect(Value(at: address, type: type, choices: Self.choices) == column[index])
      }
    }
    guard type != .choice else { return }
    let numbers = values.map(\.numbers)
    var builder = ColumnBuilder(type: type, count: values.count)
    #expect(builder.append(rows: values.count) { numbers[$0][$1] } == nil)
    #expect(builder.column == column)
  }
}
