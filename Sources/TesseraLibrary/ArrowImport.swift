import CTesseraHost
import Glibc
import TesseraHost

@c @implementation package func tessera_session_set_values_arrow(
  _ pointer: OpaquePointer?, _ scope: UInt32, _ name: Text,
  _ schema: In<ArrowSchema>, _ array: In<ArrowArray>
) -> Int32 {
  session(pointer, supplies: true) { handle in
    let isBatch = scope == TESSERA_HOST_SCOPE_BATCH
    let given = try GivenColumn(handle, isBatch ? TESSERA_HOST_SCOPE_ITEM : scope, name)
    let array = try GivenArray(
      try notNull(schema, "schema"), try notNull(array, "array"), given.name)
    // The session reports undeclared names.
    guard let type = given.type else { return try given.set(.constant(.number(0))) }
    let (count, _) = try given.extent(UInt64(array.count), 1, size: 1)
    var faults = ArrowFaults(name: given.name, areKept: isBatch)
    let column: ValueColumn
    // Owned until the session has copied them.
    var interleaved: UnsafeMutablePointer<Double>?
    defer { if let interleaved { CountedMemory.deallocate(interleaved) } }
    if type == .choice {
      column = .choices(try array.choices(given.choices, &faults))
    } else {
      let reader = try NumberReader(name: given.name, type: type, components: UInt32(type.width))
      let numbers = try ArrowNumbers(array, type)
      try numbers.find(&faults, type)
      if faults.found.isEmpty, let base = numbers.doubles {
        column = try reader.column(at: base, count: count, stride: reader.size)
      } else if type.component == .double {
        let copy: UnsafeMutablePointer<Double> = try CountedMemory.allocate(
          count.times(type.width) ?? .max)
        interleaved = copy
        numbers.copy(to: copy)
        for fault in faults.found { memset(copy + fault.item * type.width, 0, reader.size) }
        column = try reader.column(at: copy, count: count, stride: reader.size)
      } else {
        let bad = Set(faults.found.map(\.item))
        column = try reader.column(count: count) { row, component in
          bad.contains(row) ? 0 : numbers.number(row, component)
        }
      }
    }
    try given.set(column)
    if !faults.found.isEmpty { handle.session.values.note(faults.found, of: given.name) }
  }
}

@c @implementation package func tessera_session_set_batch_parameter_arrow(
  _ pointer: OpaquePointer?, _ name: Text, _ schema: In<ArrowSchema>, _ array: In<ArrowArray>
) -> Int32 {
  session(pointer) { handle in
    let name = try notNullText(name, "parameter's name")
    // Undeclared parameters can still be removed.
    if schema == nil, array == nil, handle.batchParameters.removeValue(forKey: name) != nil {
      return
    }
    let declared = try handle.session.values.settable(name).declared
    guard schema != nil || array != nil else { return }
    let array = try GivenArray(try notNull(schema, "schema"), try notNull(array, "array"), name)
    let type = declared.type
    var faults = ArrowFaults(name: name, areKept: true)
    let values: [Value]
    if type == .choice {
      values = try array.choices(nil, &faults).map { .choice($0) }
    } else {
      // Integers are checked where they are used.
      let type = type.isVector ? type : .number
      try CountedMemory.require(array.count, of: Value.self)
      let numbers = try ArrowNumbers(array, type)
      try numbers.find(&faults, type)
      let bad = Set(faults.found.map(\.item))
      values = (0..<array.count).map { row in
        guard !bad.contains(row) else { return declared.initial }
        return Value(type: type, numbers: (0..<type.width).map { numbers.number(row, $0) })
          ?? declared.initial
      }
    }
    handle.batchParameters[name] = BatchParameter(
      values: values,
      faults: Dictionary(faults.found.map { ($0.item, $0.problem) }) { first, _ in first })
  }
}

private struct ArrowFaults {
  let name: String
  /// Whether to collect faults for a batch's layouts instead of throwing the first.
  let areKept: Bool
  private(set) var found: [ValueMemory.Fault] = []

  /// Throws `.invalidInput` unless faults are collected.
  mutating func add(_ item: Int, _ problem: String) throws(HostError) {
    guard areKept else { throw .invalidValue("\(name) at index \(item)", problem) }
    if found.last?.item != item { found.append((item, problem)) }
  }
}

/// All checks a consumer can make; the interface has no buffer sizes.
private struct GivenArray {
  let name: String
  let format: String
  let schema: ArrowSchema
  let array: ArrowArray
  /// The number of values, and the offset of the first.
  let count: Int
  let offset: Int

  /// - Throws: `Misuse` for inconsistent structs.
  init(
    _ schema: UnsafePointer<ArrowSchema>, _ array: UnsafePointer<ArrowArray>, _ name: String
  ) throws {
    (self.schema, self.array, self.name) = (schema.pointee, array.pointee, name)
    guard self.schema.release != nil, self.array.release != nil else {
      throw Misuse("the array was released; give one that was not")
    }
    // Swift assumes that the format is never null.
    let text = UnsafeRawPointer(schema).loadUnaligned(as: UnsafePointer<CChar>?.self)
    format = try notNullText(text, "array's format")
    count = try boundedCount(self.array.length, "length of an Arrow array")
    offset = try boundedCount(self.array.offset, "offset of an Arrow array")
    let nulls = self.array.null_count
    guard nulls >= -1, nulls <= self.array.length else {
      throw Misuse(
        "an Arrow array of \(count) values has the null_count \(nulls); give how many are null")
    }
    guard (self.schema.dictionary == nil) == (self.array.dictionary == nil) else {
      throw Misuse(
        "an Arrow array and its schema do not both have a dictionary; give both, or none")
    }
    guard self.schema.n_children == self.array.n_children else {
      throw Misuse(
        "an Arrow array has \(self.array.n_children) children, and its schema "
          + "\(self.schema.n_children); give as many")
    }
    guard format.hasPrefix("+") || self.schema.n_children == 0 else {
      throw Misuse(
        "an Arrow array of the format \"\(format.prefix(40))\" has \(self.schema.n_children) children; "
          + "give none")
    }
    guard
      self.schema.dictionary == nil || ArrowNumbers.integers.contains(where: { format == "\($0)" })
    else {
      throw Misuse(
        "an Arrow array of the format \"\(format.prefix(40))\" has a dictionary; give indexes in it, "
          + "which are integers")
    }
  }

  /// Nil if null, which is valid without values.
  func buffer(_ number: Int) throws -> UnsafeRawPointer? {
    guard let buffers = array.buffers, let buffer = buffers[number] else {
      guard count == 0 else {
        throw Misuse("buffer \(number) of an Arrow array is null; give its \(count) values")
      }
      return nil
    }
    return buffer
  }

  /// - Throws: `Misuse` unless the count fits the format.
  func checkBuffers(_ expected: ClosedRange<Int64>) throws {
    guard expected.contains(array.n_buffers) else {
      throw Misuse(
        "an Arrow array of the format \"\(format)\" has \(array.n_buffers) buffers; give "
          + "\(expected.lowerBound)")
    }
  }

  /// Nil without nulls; throws `Misuse` for nulls without a buffer.
  func validity() throws -> UnsafeRawPointer? {
    guard array.null_count != 0, array.n_buffers > 0, let bits = array.buffers?[0] else {
      guard array.null_count <= 0 else {
        throw Misuse("an Arrow array has nulls, but no buffer that says which; give one")
      }
      return nil
    }
    return bits
  }

  func field(_ number: Int) throws -> GivenArray {
    guard let schema = schema.children?[number], let items = array.children?[number] else {
      throw Misuse("a struct of an Arrow array lacks a field; give all")
    }
    let field = try GivenArray(schema, items, name)
    guard field.count >= offset + count else {
      throw Misuse(
        "a field of an Arrow array has \(field.count) values for \(offset + count) structs; give as many"
      )
    }
    return field
  }

  func fieldNames(_ expected: [String]) throws -> [String] {
    guard schema.n_children == expected.count else {
      throw HostError(
        .invalidValue,
        "\(name) is a struct of \(schema.n_children) fields; give the fields "
          + expected.joined(separator: ", "))
    }
    return try expected.indices.map { number in
      try notNullText(
        schema.children?[number].flatMap {
          UnsafeRawPointer($0).loadUnaligned(
            fromByteOffset: MemoryLayout<UnsafePointer<CChar>?>.stride,
            as: UnsafePointer<CChar>?.self)
        }, "name of a field")
    }
  }

  /// The only child, with `width` values for each of this array's.
  func child(width: Int) throws -> GivenArray {
    guard schema.n_children == 1, let schema = schema.children?[0], let items = array.children?[0]
    else { throw Misuse("an Arrow array of the format \"\(format)\" has no child; give one") }
    let child = try GivenArray(schema, items, name)
    guard child.count >= (offset + count) * width else {
      throw Misuse(
        "the child of an Arrow array has \(child.count) numbers for \(offset + count) values; give "
          + "\((offset + count) * width)")
    }
    return child
  }

  func wrongFormat(_ expected: String) -> HostError {
    HostError(
      .invalidValue,
      "\(name) is an Arrow array of the format \"\(format.prefix(40))\"; give \(expected)")
  }
}

private func isSet(_ bits: UnsafeRawPointer, _ place: Int) -> Bool {
  bits.load(fromByteOffset: place / 8, as: UInt8.self) >> UInt8(place & 7) & 1 == 1
}

private struct ArrowNumbers {
  /// Numbers of one format, contiguous or interleaved.
  struct Column {
    let format: UInt8
    let base: UnsafeRawPointer
    let start: Int
    let step: Int
    let validity: UnsafeRawPointer?
    let firstBit: Int

    func number(_ row: Int) -> Double {
      let place = start + row * step
      func load<Number>(_: Number.Type) -> Number {
        base.loadUnaligned(fromByteOffset: place * MemoryLayout<Number>.stride, as: Number.self)
      }
      return switch format {
      case UInt8(ascii: "g"): load(Double.self)
      case UInt8(ascii: "c"): Double(load(Int8.self))
      case UInt8(ascii: "C"): Double(load(UInt8.self))
      case UInt8(ascii: "s"): Double(load(Int16.self))
      case UInt8(ascii: "S"): Double(load(UInt16.self))
      case UInt8(ascii: "i"): Double(load(Int32.self))
      case UInt8(ascii: "I"): Double(load(UInt32.self))
      case UInt8(ascii: "l"): Double(load(Int64.self))
      case UInt8(ascii: "L"): Double(load(UInt64.self))
      case UInt8(ascii: "f"): Double(load(Float.self))
      default: isSet(base, place) ? 1 : 0
      }
    }

    /// Whether a double cannot hold the integer exactly.
    func isTooLarge(_ row: Int) -> String? {
      let byte = (start + row * step) * 8
      if format == UInt8(ascii: "l") {
        let number = base.loadUnaligned(fromByteOffset: byte, as: Int64.self)
        return number.magnitude > 1 << 53 ? "\(number)" : nil
      }
      let number = base.loadUnaligned(fromByteOffset: byte, as: UInt64.self)
      return number > 1 << 53 ? "\(number)" : nil
    }
  }

  private let columns: [Column]
  private let count: Int
  private let validity: UnsafeRawPointer?
  private let firstBit: Int
  /// Formats of numbers; dictionary indexes allow fewer.
  private static let all = "\(integers)fgb"
  static let integers = "cCsSiIlL"

  /// - Throws: `.invalidInput` for a type that values cannot have.
  init(_ array: GivenArray, _ type: ValueType, formats: String = Self.all) throws {
    (count, validity, firstBit) = (array.count, try array.validity(), array.offset)
    func column(_ numbers: GivenArray, start: Int, step: Int) throws -> Column {
      guard numbers.array.dictionary == nil || formats != Self.all, numbers.format.utf8.count == 1,
        let character = numbers.format.first, formats.contains(character)
      else { throw numbers.wrongFormat("integers, floating-point numbers or bools") }
      try numbers.checkBuffers(2...2)
      // An empty array may have no memory and isn't read.
      return Column(
        format: numbers.format.utf8.first!,
        base: try numbers.buffer(1) ?? UnsafeRawPointer(bitPattern: 8)!,
        start: numbers.offset + start, step: step, validity: try numbers.validity(),
        firstBit: numbers.offset + start)
    }
    guard type.isVector else {
      columns = [try column(array, start: 0, step: 1)]
      return
    }
    let width = type.width
    let names = type.components
    switch array.format {
    case "+w:\(width)":
      try array.checkBuffers(1...1)
      let numbers = try array.child(width: width)
      columns = try (0..<width).map {
        try column(numbers, start: array.offset * width + $0, step: width)
      }
    case "+s":
      try array.checkBuffers(1...1)
      let fields = try array.fieldNames(names)
      guard Set(fields) == Set(names) else {
        throw HostError(
          .invalidValue,
          "\(array.name) is a struct of \(fields.joined(separator: ", ")); give the fields "
            + names.joined(separator: ", "))
      }
      columns = try names.map { name in
        try column(try array.field(fields.firstIndex(of: name)!), start: array.offset, step: 1)
      }
    default:
      throw array.wrongFormat(
        "a struct or a fixed-size list of \(width) numbers (\(names.joined(separator: ", ")))")
    }
  }

  /// The address, if they are contiguous doubles.
  var doubles: UnsafeRawPointer? {
    guard columns.allSatisfy({ $0.format == UInt8(ascii: "g") && $0.step == columns.count }),
      zip(columns, columns.dropFirst()).allSatisfy({ $1.start == $0.start + 1 })
    else { return nil }
    return columns[0].base + columns[0].start * 8
  }

  func number(_ row: Int, _ component: Int) -> Double { columns[component].number(row) }

  /// Interleaves the components.
  func copy(to target: UnsafeMutablePointer<Double>) {
    let width = columns.count
    for (component, column) in columns.enumerated() {
      let target = target + component
      if column.format == UInt8(ascii: "g") {
        let base = column.base + column.start * 8
        for row in 0..<count {
          target[row * width] = base.loadUnaligned(
            fromByteOffset: row * column.step * 8, as: Double.self)
        }
      } else {
        for row in 0..<count { target[row * width] = column.number(row) }
      }
    }
  }

  func find(_ faults: inout ArrowFaults, _ type: ValueType) throws {
    let isDouble = type.component == .double
    let mayBeNull = validity != nil || columns.contains { $0.validity != nil }
    let areLong = columns.contains { $0.format | 0x20 == UInt8(ascii: "l") }
    let areFractions = columns.contains {
      $0.format == UInt8(ascii: "g") || $0.format == UInt8(ascii: "f")
    }
    if isDouble, !mayBeNull, !areLong {
      guard areFractions else { return }
      // Branch-free for speed: the exponent of a number that isn't finite carries into the highest
      // bit.
      let (exponent, one) = (Double.infinity.bitPattern, Double.leastNormalMagnitude.bitPattern)
      var carries: UInt64 = 0
      for column in columns {
        if column.format == UInt8(ascii: "g") {
          let (base, step) = (column.base + column.start * 8, column.step * 8)
          for row in 0..<count {
            let bits = base.loadUnaligned(fromByteOffset: row &* step, as: UInt64.self)
            carries |= (bits & exponent) &+ one
          }
        } else {
          for row in 0..<count { carries |= (column.number(row).bitPattern & exponent) &+ one }
        }
      }
      guard carries >> 63 == 1 else { return }
    }
    for row in 0..<count {
      if let problem = problem(row, type, mayBeNull, areLong) { try faults.add(row, problem) }
    }
  }

  private func problem(
    _ row: Int, _ type: ValueType, _ mayBeNull: Bool, _ areLong: Bool
  ) -> String? {
    if mayBeNull {
      if let validity, !isSet(validity, firstBit + row) { return Self.null }
      for column in columns {
        if let bits = column.validity, !isSet(bits, column.firstBit + row * column.step) {
          return columns.count == 1
            ? Self.null : "has a null; give \(columns.count) numbers for each"
        }
      }
    }
    for column in columns {
      if areLong, column.format | 0x20 == UInt8(ascii: "l"), let found = column.isTooLarge(row) {
        return "is \(found), which a number cannot hold exactly; give integers of at most 2^53"
      }
      if let problem = type.problem(with: column.number(row)) { return problem }
    }
    return nil
  }

  static let null = "is null; give a value for each"
}

private struct ArrowTexts {
  private let array: GivenArray
  /// Bytes; far longer than any choice's name.
  private static let longest = 1 << 16

  var count: Int { array.count }

  init(_ array: GivenArray) throws {
    guard ["u", "U", "vu"].contains(array.format) else {
      throw array.wrongFormat("the names of choices as utf8")
    }
    // Views have a variable number of buffers; the last holds the sizes.
    try array.checkBuffers(array.format == "vu" ? 3...1 << 20 : 3...3)
    self.array = array
  }

  /// Nil for invalid UTF-8; throws `Misuse` for a text outside its buffer.
  func text(_ place: Int) throws -> String? {
    String(validating: try bytes(array.offset + place), as: UTF8.self)
  }

  private func bytes(_ place: Int) throws -> UnsafeRawBufferPointer {
    guard let index = try array.buffer(1) else { return .init(start: nil, count: 0) }
    func number<Number: FixedWidthInteger>(_ byte: Int, _: Number.Type) -> Int64 {
      Int64(index.loadUnaligned(fromByteOffset: byte, as: Number.self))
    }
    let (start, end) =
      switch array.format {
      case "u": (number(place * 4, Int32.self), number(place * 4 + 4, Int32.self))
      case "U": (number(place * 8, Int64.self), number(place * 8 + 8, Int64.self))
      default: (0, number(place * 16, Int32.self))
      }
    guard start >= 0, end >= start, end - start <= Self.longest else {
      throw Misuse(
        "a text of an Arrow array begins at byte \(start) and ends at \(end); give offsets that rise, "
          + "and texts of at most \(Self.longest) bytes")
    }
    _ = try boundedCount(UInt64(end), "end of a text of an Arrow array", size: 1)
    let count = Int(end - start)
    guard count > 0 else { return .init(start: nil, count: 0) }
    guard array.format == "vu" else {
      return .init(start: try array.buffer(2)! + Int(start), count: count)
    }
    if count <= 12 { return .init(start: index + place * 16 + 4, count: count) }
    let (buffer, first) = (number(place * 16 + 8, Int32.self), number(place * 16 + 12, Int32.self))
    let variadic = array.array.n_buffers - 3
    guard buffer >= 0, buffer < variadic, first >= 0,
      first + end
        <= (try array.buffer(Int(variadic) + 2)!)
        .loadUnaligned(fromByteOffset: Int(buffer) * 8, as: Int64.self)
    else {
      throw Misuse(
        "a view of an Arrow array has \(count) bytes from \(first) on in buffer \(buffer) of "
          + "\(variadic); give views of bytes that are there")
    }
    return .init(start: try array.buffer(2 + Int(buffer))! + Int(first), count: count)
  }
}

extension GivenArray {
  /// The names may be in a dictionary; nil for `known` accepts any.
  fileprivate func choices(_ known: [String]?, _ faults: inout ArrowFaults) throws -> [String] {
    try CountedMemory.require(count, of: String.self)
    let validity = try validity()
    let (texts, indexes): (ArrowTexts, ArrowNumbers?)
    if let schema = schema.dictionary, let values = array.dictionary {
      texts = try ArrowTexts(try GivenArray(schema, values, name))
      indexes = try ArrowNumbers(self, .number, formats: ArrowNumbers.integers)
    } else {
      (texts, indexes) = (try ArrowTexts(self), nil)
    }
    let expected = known?.joined(separator: ", ") ?? ""
    let fallback = known?.first ?? ""
    return try (0..<count).map { row in
      if let validity, !isSet(validity, offset + row) {
        try faults.add(row, ArrowNumbers.null)
        return fallback
      }
      var place = row
      if let indexes {
        let index = indexes.number(row, 0)
        guard index >= 0, index < Double(texts.count) else {
          try faults.add(
            row,
            "has the index \(index.shortText) for \(texts.count) texts; give an index of a text")
          return fallback
        }
        place = Int(index)
      }
      guard let text = try texts.text(place) else {
        try faults.add(row, "is not UTF-8; give it as UTF-8")
        return fallback
      }
      if known?.contains(text) == false {
        try faults.add(row, "is \"\(text)\"; expected \(expected)")
        return fallback
      }
      return text
    }
  }
}
