import CTesseraSystem
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

  @Test func rowsAreDistinct() {
    let all = ValueType.allCases
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Set(all.map(\.description)).count == all.count)
    #expect(ValueType.declarable.map { Int($0.code) } == Array(1...ValueType.declarable.count))
    #expect(ValueType.declarable.allSatisfy { $0.carrier.code > 0 && $0.width > 0 })
    #expect(ValueType.declarable.allSatisfy { ValueType(code: $0.code) == $0 })
    #expect(ValueType.callable.count == all.count - 1)
    #expect(ValueType.callable.allSatisfy { $0.callNumber < TESSERA_CALL_TYPE_COUNT })
    for type in all {
      #expect(type.stride <= Value.memorySize && type.components.count <= 4, "\(type)")
      #expect(type.isVector == (type.stride > 8), "\(type)")
      #expect(Self.samples(of: type).allSatisfy { $0.type == type.carrier }, "\(type)")
      #expect(!Self.samples(of: type).isEmpty, "\(type)")
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

  @Test(arguments: ValueType.declarable.filter { $0.component == .double })
  func infiniteNumbersAreReportedByIndex(type: ValueType) {
    let last = Value(type: type, numbers: (1...type.width).map { $0 == type.width ? .nan : 1 })
    let values = [Self.samples(of: type)[0], last].compactMap(\.self)
    #expect(values.count == 2 && !values[1].isFinite)
    let error = #expect(throws: HostError.self) {
      try ValueMemory.copy(
        ValueColumn(values, type: type), as: type, choices: [], name: "it", memory: ProcessInput())
    }
    #expect(error?.message == "it at index 1 is \(values[1]); expected finite numbers")
  }

  @Test(arguments: ValueType.callable) func callsRoundTrip(type: ValueType) throws {
    let signature = try Signature(result: type, arguments: type == .void ? [] : [type, .u8, type])
    #expect(try Signature("\(signature)") == signature)
    for value in Self.samples(of: type) {
      var seen: [Value] = []
      let callee = try DelegateFunction("f", signature) { arguments in
        seen = (0..<arguments.count).map(arguments.value(at:))
        return value
      }
      let code = try #require(callee.function.call)
      let caller = try PublishedFunction("f", signature, code: code)
      let arguments = type == .void ? [] : [value, .unsigned(200), value]
      let result = try caller.call(
        context: OpaquePointer(callee.function.context), arguments: arguments)
      #expect(result == value && seen == arguments)
      #expect(try callee.answer(arguments) == value)
    }
  }

  @Test(arguments: ValueType.allCases) func bytesRoundTrip(type: ValueType) throws {
    for value in Self.samples(of: type) {
      var writer = ByteWriter()
      if type.code > 0 { writer.put(type) }
      writer.put(value)
      var reader = ByteReader(writer.bytes)
      if type.code > 0 { #expect(try reader.read(ValueType.self) == type) }
      #expect(try reader.read(Value.self) == value)
      try reader.finish()
    }
  }
}
