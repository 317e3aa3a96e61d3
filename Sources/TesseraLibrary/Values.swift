import CTesseraHost
import TesseraGeometry
import TesseraHost

@c @implementation package func tessera_session_set_values(
  _ pointer: OpaquePointer?, _ scope: UInt32, _ name: Text,
  _ numbers: In<Double>, _ components: UInt32, _ count: UInt64, _ stride: UInt64
) -> Int32 {
  session(pointer, supplies: true) { handle in
    try GivenColumn(handle, scope, name).set(numbers, components, count, stride)
  }
}

@c @implementation package func tessera_session_set_values_from(
  _ pointer: OpaquePointer?, _ scope: UInt32, _ name: Text, _ first: UInt64,
  _ numbers: In<Double>, _ components: UInt32, _ count: UInt64, _ stride: UInt64
) -> Int32 {
  session(pointer, supplies: true) { handle in
    var given = try GivenColumn(handle, scope, name)
    given.first = try boundedCount(first, "first index", size: 1)
    try given.set(numbers, components, count, stride)
  }
}

@c @implementation package func tessera_session_splice_values(
  _ pointer: OpaquePointer?, _ scope: UInt32, _ name: Text, _ place: UInt64, _ removed: UInt64,
  _ numbers: In<Double>, _ components: UInt32, _ added: UInt64, _ stride: UInt64
) -> Int32 {
  session(pointer, supplies: true) { handle in
    var given = try GivenColumn(handle, scope, name)
    given.replaced = try replacedRange(place, removed)
    try given.set(numbers, components, added, stride)
  }
}

@c @implementation package func tessera_session_splice_value_choices(
  _ pointer: OpaquePointer?, _ scope: UInt32, _ name: Text, _ place: UInt64, _ removed: UInt64,
  _ choices: In<Text>, _ added: UInt64, _ stride: UInt64
) -> Int32 {
  session(pointer, supplies: true) { handle in
    var given = try GivenColumn(handle, scope, name)
    given.replaced = try replacedRange(place, removed)
    try given.set(choices, added, stride)
  }
}

private func replacedRange(_ place: UInt64, _ removed: UInt64) throws -> Range<Int> {
  let start = try boundedCount(place, "place", size: 1)
  let count = try boundedCount(removed, "number of replaced values", size: 1)
  guard let range = start.upTo(count: count) else {
    throw Misuse("\(count) values from \(start) on are more than memory can hold")
  }
  return range
}

@c @implementation package func tessera_session_set_value_choices(
  _ pointer: OpaquePointer?, _ scope: UInt32, _ name: Text,
  _ choices: In<Text>, _ count: UInt64, _ stride: UInt64
) -> Int32 {
  session(pointer, supplies: true) { handle in
    try GivenColumn(handle, scope, name).set(choices, count, stride)
  }
}

@c @implementation package func tessera_session_set_list(
  _ pointer: OpaquePointer?, _ list: Text, _ count: UInt64
) -> Int32 {
  session(pointer) { handle in
    let name = try notNullText(list, "list's name")
    let count = Int(clamping: count)
    try handle.set(count > 0 ? RecordList(count: count) : nil, as: name)
  }
}

@c @implementation package func tessera_session_set_list_column(
  _ pointer: OpaquePointer?, _ list: Text, _ column: Text,
  _ numbers: In<Double>, _ components: UInt32, _ count: UInt64, _ stride: UInt64
) -> Int32 {
  session(pointer) { handle in
    try GivenColumn(handle, list: list, column).set(numbers, components, count, stride)
  }
}

@c @implementation package func tessera_session_set_list_choices(
  _ pointer: OpaquePointer?, _ list: Text, _ column: Text,
  _ choices: In<Text>, _ count: UInt64, _ stride: UInt64
) -> Int32 {
  session(pointer) { handle in
    try GivenColumn(handle, list: list, column).set(choices, count, stride)
  }
}

extension SessionHandle {
  /// Keeps the records; columns are added later.
  fileprivate func set(_ records: RecordList?, as name: String) throws(HostError) {
    try session.setList(name, to: records)
    lists[name] = records
  }
}

struct GivenColumn {
  private enum Target {
    case values(ValueDescription.Scope)
    case records(RecordList, of: String)
  }

  let name: String
  var first = 0
  /// The range to splice; nil to set all.
  var replaced: Range<Int>?
  private let handle: SessionHandle
  private let target: Target
  /// Nil if undeclared, which the session reports.
  let type: ValueType?
  private(set) var choices: [String] = []

  init(_ handle: SessionHandle, _ scope: UInt32, _ name: Text) throws {
    let name = try notNullText(name, "value's name")
    let scope: ValueDescription.Scope =
      switch scope {
      case TESSERA_HOST_SCOPE_SECTION: .section
      case TESSERA_HOST_SCOPE_ITEM: .item
      default:
        throw Misuse(
          "the scope is \(scope); give TESSERA_HOST_SCOPE_SECTION or TESSERA_HOST_SCOPE_ITEM")
      }
    (self.handle, self.name, target) = (handle, name, .values(scope))
    let declared = handle.session.engine.chain.lazy.flatMap(\.values)
      .first { $0.name == name && $0.scope == scope }
    (type, choices) = (declared?.type, declared?.choices ?? [])
  }

  init(_ handle: SessionHandle, list: Text, _ column: Text) throws {
    let list = try notNullText(list, "list's name")
    let name = try notNullText(column, "column's name")
    (self.handle, self.name) = (handle, name)
    target = .records(handle.lists[list] ?? RecordList(count: 0), of: list)
    type =
      handle.session.engine.chain.lazy.flatMap(\.lists).first { $0.name == list }?
      .columns.first { $0.name == name }?.type
  }

  private var owners: (noun: String, count: Int) {
    switch target {
    case .values(.section): ("sections", handle.session.itemCounts.count)
    case .values(.item): ("items", handle.session.itemCounts.total)
    case .records(let records, of: let list): ("records of \(list)", records.count)
    }
  }

  func extent(_ count: UInt64, _ stride: UInt64, size: Int) throws -> (count: Int, stride: Int) {
    guard let count = Int(exactly: count) else {
      throw Misuse("the count is \(count), more than memory can hold; give how many there are")
    }
    if replaced != nil, count == 0 { return (0, size) }
    guard stride != 0 else {
      guard count == 1 else {
        throw Misuse("the stride is 0 and the count \(count); one value for all has the count 1")
      }
      return (1, 0)
    }
    guard stride >= UInt64(size), stride <= 1 << 32 else {
      throw Misuse("the stride is \(stride) bytes; a value takes \(size)")
    }
    let (noun, wanted) = owners
    // The session reports errors in later values and splices.
    guard count == wanted || first > 0 || replaced != nil else {
      throw HostError(
        .wrongCount,
        "\(name) has \(count) values for \(wanted) \(noun); give one with stride 0, or \(wanted)")
    }
    guard !count.multipliedReportingOverflow(by: Int(stride)).overflow else {
      throw Misuse("\(count) values \(stride) bytes apart are more than memory can hold")
    }
    return (count, Int(stride))
  }

  func set(_ numbers: In<Double>, _ components: UInt32, _ count: UInt64, _ stride: UInt64) throws {
    guard let type else { return try set(.constant(.number(0))) }
    let reader = try NumberReader(name: name, type: type, components: components)
    let (count, stride) = try extent(count, stride, size: reader.size)
    guard count > 0 else { return try set(reader.empty) }
    let base = UnsafeRawPointer(try notNull(numbers, "numbers"))
    try set(
      stride == 0
        ? .constant(try reader.value(at: base))
        : try reader.column(at: base, count: count, stride: stride))
  }

  func set(_ choices: In<Text>, _ count: UInt64, _ stride: UInt64) throws {
    let size = MemoryLayout<UnsafePointer<CChar>>.stride
    let (count, stride) = try extent(count, stride, size: size)
    guard count > 0 else { return try set(.choices([])) }
    try CountedMemory.require(count, of: String.self)
    let base = UnsafeRawPointer(try notNull(choices, "choices"))
    let names = try (0..<count).map { place in
      try notNullText(
        (base + place * stride).loadUnaligned(as: UnsafePointer<CChar>?.self), "choice's name")
    }
    try set(stride == 0 ? .constant(.choice(names[0])) : .choices(names))
  }

  func set(_ column: ValueColumn) throws(HostError) {
    if let replaced, case .values(let scope) = target {
      return try handle.session.spliceValues(
        name, scope, at: replaced.lowerBound, removing: replaced.count, inserting: column)
    }
    switch target {
    case .values(.section): try handle.session.setSectionValues(name, column, from: first)
    case .values(.item): try handle.session.setItemValues(name, column, from: first)
    case .records(let records, of: let list):
      if case .values(let values) = column {
        try CountedMemory.require(values.count, size: values.type.stride)
      }
      let columns = records.columns.merging([name: column.owned]) { $1 }
      try handle.set(RecordList(count: records.count, columns: columns), as: list)
    }
  }
}

extension NumberReader {
  fileprivate var empty: ValueColumn {
    get throws {
      // An empty column never reads its address.
      try column(at: UnsafeRawPointer(bitPattern: 8)!, count: 0, stride: 0)
    }
  }
}

struct NumberReader {
  let name: String
  let type: ValueType

  /// - Throws: `.invalidInput` if the type needs another number of components, or isn't numeric.
  init(name: String, type: ValueType, components: UInt32) throws(HostError) {
    guard type != .choice else {
      throw HostError(.invalidValue, "\(name) is an enum; give the name of a choice, not a number")
    }
    let names = type.components
    let wanted = type.width
    guard components == UInt32(wanted) else {
      let what = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
      throw HostError(
        .wrongCount,
        "\(name) is given by \(components) numbers; it is of type \(type.name), give "
          + "\(wanted)\(what)")
    }
    self.name = name
    self.type = type
  }

  var size: Int { type.width * MemoryLayout<Double>.stride }

  func value(at address: UnsafeRawPointer) throws(HostError) -> Value {
    let numbers = (0..<type.width).map {
      (address + $0 * MemoryLayout<Double>.stride).loadUnaligned(as: Double.self)
    }
    guard let value = Value(type: type, numbers: numbers) else { throw wrong(numbers[0], nil) }
    return value
  }

  /// Valid as long as the memory.
  func column(at base: UnsafeRawPointer, count: Int, stride: Int) throws -> ValueColumn {
    let isAligned = Int(bitPattern: base) % MemoryLayout<Double>.alignment == 0
    if type.component == .double, isAligned && stride == size || count == 0 {
      let bytes = UnsafeRawBufferPointer(start: base, count: count * size)
      return .values(ValueArray(borrowing: bytes, type: type))
    }
    return try column(count: count) { place, component in
      (base + place * stride + component * 8).loadUnaligned(as: Double.self)
    }
  }

  func column(
    count: Int, _ number: (_ row: Int, _ component: Int) -> Double
  ) throws -> ValueColumn {
    try CountedMemory.require(count, size: type.stride)
    var builder = ColumnBuilder(type: type, count: count)
    if let invalid = builder.append(rows: count, number) {
      throw wrong(number(invalid, 0), invalid)
    }
    return builder.column
  }

  private func wrong(_ number: Double, _ place: Int?) -> HostError {
    let at = place.map { " at index \($0)" } ?? ""
    let expected = type == .bool ? "0 or 1" : "a whole number"
    return HostError(.invalidValue, "\(name)\(at) is \(number.shortText); give \(expected)")
  }
}
