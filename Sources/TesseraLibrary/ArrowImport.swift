import CTesseraHost
import TesseraHost

/// Sets a section or item value from an Arrow array.
@c @implementation
public func tessera_session_set_values_arrow(
  _ pointer: OpaquePointer?, _ scope: UInt32, _ name: UnsafePointer<CChar>?,
  _ schema: UnsafePointer<ArrowSchema>?, _ array: UnsafePointer<ArrowArray>?
) -> Int32 {
  session(pointer, supplies: true) { handle in
    let given = try GivenColumn(handle, scope, name)
    let array = try GivenArray(
      try notNull(schema, "schema"), try notNull(array, "array"), given.name)
    // The session reports names that no engine declares.
    guard let type = given.type else { return try given.set(.constant(.number(0))) }
    let (count, _) = try given.extent(UInt64(array.count), 1, size: 1)
    if type == .choice {
      return try given.set(.choices(try array.choices()))
    }
    let numbers = try ArrowNumbers(array, type)
    let reader = try NumberReader(
      name: given.name, type: type, components: UInt32(type.width))
    if let base = numbers.doubles {
      return try given.set(try reader.column(at: base, count: count, stride: reader.size))
    }
    try given.set(try reader.column(count: count, numbers.number))
  }
}

/// An Arrow array of a program, with its counts, and whatever else a consumer can check, known to be
/// consistent.
///
/// The interface does not say how large buffers are: what they contain within their array's length is
/// the program's promise.
private struct GivenArray {
  let name: String
  let format: String
  let schema: ArrowSchema
  let array: ArrowArray
  /// How many values there are, and how many of the buffers' first are not the array's.
  let count: Int
  let offset: Int

  /// - Throws: `Misuse` for structs that contradict themselves or each other.
  init(
    _ schema: UnsafePointer<ArrowSchema>, _ array: UnsafePointer<ArrowArray>, _ name: String
  ) throws {
    (self.schema, self.array, self.name) = (schema.pointee, array.pointee, name)
    guard self.schema.release != nil, self.array.release != nil else {
      throw Misuse("the array was released; give one that was not")
    }
    // Swift takes the format for one that is never null.
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
    guard self.schema.dictionary == nil || ArrowNumbers.integers.contains(where: { format == "\($0)" })
    else {
      throw Misuse(
        "an Arrow array of the format \"\(format.prefix(40))\" has a dictionary; give indexes in it, "
          + "which are integers")
    }
  }

  /// A buffer; nil if it is null, as it may be where there are no values.
  func buffer(_ number: Int) throws -> UnsafeRawPointer? {
    guard let buffers = array.buffers, let buffer = buffers[number] else {
      guard count == 0 else {
        throw Misuse("buffer \(number) of an Arrow array is null; give its \(count) values")
      }
      return nil
    }
    return buffer
  }

  /// - Throws: `Misuse` unless the array has as many buffers as its format says.
  func checkBuffers(_ expected: ClosedRange<Int64>) throws {
    guard expected.contains(array.n_buffers) else {
      throw Misuse(
        "an Arrow array of the format \"\(format)\" has \(array.n_buffers) buffers; give "
          + "\(expected.lowerBound)")
    }
  }

  /// - Throws: `.invalidInput` if one of some values is null.
  func checkNulls(_ places: Range<Int>) throws {
    guard array.null_count != 0, array.n_buffers > 0, let bits = array.buffers?[0] else {
      guard array.null_count <= 0 else {
        throw Misuse("an Arrow array has nulls, but no buffer that says which; give one")
      }
      return
    }
    let isNull = { (place: Int) in
      let bit = offset + place
      return bits.load(fromByteOffset: bit / 8, as: UInt8.self) >> UInt8(bit % 8) & 1 == 0
    }
    guard let first = places.first(where: isNull) else { return }
    throw HostError(
      .invalidValue, "\(name) is null at index \(first); give a value for each")
  }

  /// The array of the only child, which has a number of values for each of this one.
  func child(width: Int) throws -> GivenArray {
    guard schema.n_children == 1, let schema = schema.children?[0], let items = array.children?[0]
    else {
      throw Misuse("an Arrow array of the format \"\(format)\" has no child; give one")
    }
    let child = try GivenArray(schema, items, name)
    guard child.count >= (offset + count) * width else {
      throw Misuse(
        "the child of an Arrow array has \(child.count) numbers for \(offset + count) values; give "
          + "\((offset + count) * width)")
    }
    return child
  }

  /// The error for a format that values of a type cannot have.
  func wrongFormat(_ expected: String) -> HostError {
    HostError(
      .invalidValue,
      "\(name) is an Arrow array of the format \"\(format.prefix(40))\"; give \(expected)")
  }
}

/// The numbers of an Arrow array.
private struct ArrowNumbers {
  private let format: Character
  private let base: UnsafeRawPointer
  /// The place of the first number.
  private let start: Int
  private let width: Int
  /// All formats that numbers can have; indexes of a dictionary have fewer.
  private static let all = "\(integers)fgb"
  static let integers = "cCsSiIlL"

  /// - Parameter formats: The formats that the numbers can have.
  /// - Throws: `.invalidInput` for a type that cannot be a value's, and for nulls.
  init(_ array: GivenArray, _ type: ValueType, formats: String = Self.all) throws {
    try array.checkNulls(0..<array.count)
    var (numbers, start) = (array, array.offset)
    let width = type.width
    if type.isVector {
      guard array.format == "+w:\(width)" else {
        throw array.wrongFormat(
          "a fixed-size list of \(width) numbers (\(type.components.joined(separator: ", ")))")
      }
      try array.checkBuffers(1...1)
      numbers = try array.child(width: width)
      let first = start * width
      start = numbers.offset + first
      try numbers.checkNulls(first..<first + array.count * width)
    }
    guard numbers.array.dictionary == nil || formats != Self.all, numbers.format.utf8.count == 1,
      let character = numbers.format.first, formats.contains(character)
    else { throw numbers.wrongFormat("integers, floating-point numbers or bools") }
    try numbers.checkBuffers(2...2)
    self.format = character
    self.start = start
    self.width = width
    // An array without values may have no memory, and is not read.
    base = try numbers.buffer(1) ?? UnsafeRawPointer(bitPattern: 8)!
  }

  /// The address of the numbers if they are doubles.
  var doubles: UnsafeRawPointer? { format == "g" ? base + start * 8 : nil }

  func number(_ row: Int, _ component: Int) -> Double {
    let place = start + row * width + component
    func load<Number>(_: Number.Type) -> Number {
      base.loadUnaligned(fromByteOffset: place * MemoryLayout<Number>.stride, as: Number.self)
    }
    return switch format {
    case "c": Double(load(Int8.self))
    case "C": Double(load(UInt8.self))
    case "s": Double(load(Int16.self))
    case "S": Double(load(UInt16.self))
    case "i": Double(load(Int32.self))
    case "I": Double(load(UInt32.self))
    case "l": Double(load(Int64.self))
    case "L": Double(load(UInt64.self))
    case "f": Double(load(Float.self))
    case "b":
      base.load(fromByteOffset: place / 8, as: UInt8.self) >> UInt8(place % 8) & 1 == 1 ? 1 : 0
    default: load(Double.self)
    }
  }
}

/// The texts of an Arrow array.
private struct ArrowTexts {
  private let array: GivenArray
  /// The longest text that is read, in bytes: far longer than the name of any choice.
  private static let longest = 1 << 16

  var count: Int { array.count }

  init(_ array: GivenArray) throws {
    guard ["u", "U", "vu"].contains(array.format) else {
      throw array.wrongFormat("the names of choices as utf8")
    }
    // The number of the buffers of views varies; the last one has the sizes of the others.
    try array.checkBuffers(array.format == "vu" ? 3...1 << 20 : 3...3)
    self.array = array
  }

  /// The text at an index below the count.
  ///
  /// - Throws: `.invalidInput` for a null and for bytes that are not UTF-8; `Misuse` for one that is
  ///   outside of its buffer.
  func text(_ place: Int) throws -> String {
    try array.checkNulls(place..<place + 1)
    guard let text = String(validating: try bytes(array.offset + place), as: UTF8.self) else {
      throw HostError(
        .invalidValue, "\(array.name) at index \(place) is not UTF-8; give it as UTF-8")
    }
    return text
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
    let (buffer, first) = (
      number(place * 16 + 8, Int32.self), number(place * 16 + 12, Int32.self)
    )
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
  /// The texts of the array, which may be from a dictionary.
  fileprivate func choices() throws -> [String] {
    guard let schema = schema.dictionary, let values = array.dictionary else {
      let texts = try ArrowTexts(self)
      _ = try boundedCount(
        UInt64(count), "length of an Arrow array", size: MemoryLayout<String>.stride)
      return try (0..<count).map { try texts.text($0) }
    }
    let texts = try ArrowTexts(try GivenArray(schema, values, name))
    let indexes = try ArrowNumbers(self, .number, formats: ArrowNumbers.integers)
    _ = try boundedCount(
      UInt64(count), "length of an Arrow array", size: MemoryLayout<String>.stride)
    return try (0..<count).map { row in
      let index = indexes.number(row, 0)
      guard index >= 0, index < Double(texts.count) else {
        throw HostError(
          .invalidValue,
          "\(name) has the index \(index.shortText) at index \(row) for \(texts.count) texts; "
            + "give an index of a text")
      }
      return try texts.text(Int(index))
    }
  }
}
