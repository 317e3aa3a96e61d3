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
    let schema = try Argument.present(schema, "schema").pointee
    let array = try Argument.present(array, "array").pointee
    guard schema.release != nil, array.release != nil else {
      throw Misuse("the array was released; give one that was not")
    }
    // The session reports names that no engine declares.
    guard let type = given.type else { return try given.set(.constant(.number(0))) }
    let (count, _) = try given.extent(UInt64(clamping: array.length), 1, size: 1)
    if type == .choice {
      let texts = try ArrowTexts(schema, array, given.name)
      return try given.set(.choices(try (0..<count).map { try texts.text(at: $0) }))
    }
    let numbers = try ArrowNumbers(schema, array, type, given.name)
    let reader = try NumberReader(
      name: given.name, type: type, components: UInt32(type.width))
    if let base = numbers.doubles {
      return try given.set(try reader.column(at: base, count: count, stride: reader.size))
    }
    try given.set(try reader.column(count: count, numbers.number))
  }
}

/// The numbers of an Arrow array.
private struct ArrowNumbers {
  private let format: Character
  private let base: UnsafeRawPointer
  /// The place of the first number.
  private let start: Int
  private let width: Int

  /// - Throws: `.invalidInput` for a type that cannot be a value's, and for nulls.
  init(
    _ schema: ArrowSchema, _ array: ArrowArray, _ type: ValueType, _ name: String
  ) throws(HostError) {
    try array.checkNulls(name)
    let format = String(cString: schema.format)
    var (numbers, start) = (array, Int(array.offset))
    var itemFormat = format
    let width = type.width
    if type.isVector {
      guard format == "+w:\(width)", let schema = schema.children?[0]?.pointee,
        let items = array.children?[0]?.pointee
      else {
        throw HostError.arrowFormat(
          format, name,
          "a fixed-size list of \(width) numbers (\(type.components.joined(separator: ", ")))")
      }
      (numbers, itemFormat) = (items, String(cString: schema.format))
      start = start * width + Int(items.offset)
      if Int(items.length) > 0 { try items.checkNulls(name) }
    }
    guard schema.dictionary == nil, itemFormat.utf8.count == 1,
      let character = itemFormat.first, "cCsSiIlLfgb".contains(character), numbers.n_buffers == 2
    else {
      throw HostError.arrowFormat(itemFormat, name, "integers, floating-point numbers or bools")
    }
    self.format = character
    self.start = start
    self.width = width
    // An array without values may have no memory, and is not read.
    base = numbers.buffers?[1] ?? UnsafeRawPointer(bitPattern: 8)!
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
  /// The size of the ends of texts, 4 or 8 bytes; nil for views.
  private let endSize: Int?
  private let texts: ArrowArray
  private let name: String
  /// The indexes of texts; nil if they are not from a dictionary.
  private let indexes: ArrowNumbers?

  init(_ schema: ArrowSchema, _ array: ArrowArray, _ name: String) throws(HostError) {
    try array.checkNulls(name)
    self.name = name
    var (textSchema, texts) = (schema, array)
    if let dictionary = schema.dictionary, let values = array.dictionary {
      var plain = schema
      plain.dictionary = nil
      indexes = try ArrowNumbers(plain, array, .number, name)
      (textSchema, texts) = (dictionary.pointee, values.pointee)
      try texts.checkNulls(name)
    } else {
      indexes = nil
    }
    switch String(cString: textSchema.format) {
    case "u": endSize = 4
    case "U": endSize = 8
    case "vu": endSize = nil
    case let format: throw HostError.arrowFormat(format, name, "the names of choices as utf8")
    }
    self.texts = texts
  }

  func text(at row: Int) throws(HostError) -> String {
    var place = row
    if let indexes {
      let index = indexes.number(row, 0)
      guard index >= 0, index < Double(texts.length) else {
        throw HostError(
          .invalidValue,
          "\(name) has the index \(index.shortText) at index \(row) for \(texts.length) texts; "
            + "give an index of a text")
      }
      place = Int(index)
    }
    guard let text = String(validating: bytes(Int(texts.offset) + place), as: UTF8.self) else {
      throw HostError(.invalidValue, "\(name) at index \(row) is not UTF-8; give it as UTF-8")
    }
    return text
  }

  private func bytes(_ place: Int) -> UnsafeRawBufferPointer {
    guard let buffers = texts.buffers, let index = buffers[1] else {
      return .init(start: nil, count: 0)
    }
    guard let endSize else {
      let view = index + place * 16
      let count = Int(view.loadUnaligned(as: Int32.self))
      guard count > 12 else { return .init(start: view + 4, count: count) }
      let buffer = Int(view.loadUnaligned(fromByteOffset: 8, as: Int32.self))
      let start = Int(view.loadUnaligned(fromByteOffset: 12, as: Int32.self))
      return .init(start: buffers[2 + buffer].map { $0 + start }, count: count)
    }
    func offset(_ place: Int) -> Int {
      endSize == 4
        ? Int(index.loadUnaligned(fromByteOffset: place * 4, as: Int32.self))
        : Int(index.loadUnaligned(fromByteOffset: place * 8, as: Int64.self))
    }
    let start = offset(place)
    return .init(start: buffers[2].map { $0 + start }, count: offset(place + 1) - start)
  }
}

extension HostError {
  fileprivate static func arrowFormat(_ format: String, _ name: String, _ expected: String)
    -> HostError
  {
    HostError(
      .invalidValue, "\(name) is an Arrow array of the format \"\(format)\"; give \(expected)")
  }
}

extension ArrowArray {
  /// - Throws: `.invalidInput` if a value is null.
  fileprivate func checkNulls(_ name: String) throws(HostError) {
    guard null_count != 0, n_buffers > 0, let bits = buffers?[0] else { return }
    let places = Int(offset)..<Int(offset + length)
    let isNull = { (place: Int) in
      bits.load(fromByteOffset: place / 8, as: UInt8.self) >> UInt8(place % 8) & 1 == 0
    }
    guard let first = places.first(where: isNull) else { return }
    throw HostError(
      .invalidValue, "\(name) is null at index \(first - Int(offset)); give a value for each")
  }
}
