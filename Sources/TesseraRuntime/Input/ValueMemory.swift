import CTessera
import TesseraCatalog
import TesseraGeometry

/// A column of section or item values as an engine reads it.
///
/// Owned by the session.
package final class ValueMemory {
  package let column: tessera_column
  private let bytes: UnsafeMutableRawPointer
  private let byteCount: Int
  /// Nil where the values are somebody else's.
  private let memory: (any InputMemory)?

  deinit { memory?.deallocate(bytes, byteCount: byteCount) }

  /// Values that lie elsewhere and stay there as long as this is used.
  package init(borrowing column: tessera_column) {
    self.column = column
    bytes = UnsafeMutableRawPointer(mutating: column.data!)
    byteCount = 0
    memory = nil
  }

  private init(
    bytes: UnsafeMutableRawPointer, byteCount: Int, stride: Int, memory: any InputMemory
  ) {
    self.bytes = bytes
    self.byteCount = byteCount
    self.memory = memory
    column = tessera_column(data: bytes, stride: UInt64(stride))
  }

  /// The same values with one at another place; a constant is itself.
  package func moving(_ from: Int, to: Int, of count: Int) throws(HostError) -> ValueMemory {
    let stride = Int(column.stride)
    guard stride > 0, let memory else { return self }
    let copy = try memory.allocate(byteCount: count * stride)
    copy.copyMemory(from: bytes, byteCount: count * stride)
    let (first, last) = (min(from, to), max(from, to))
    // Those between the two places make room: a block moves by one.
    let (source, target) = from < to ? (first + 1, first) : (first, first + 1)
    copy.advanced(by: target * stride).copyMemory(
      from: bytes + source * stride, byteCount: (last - first) * stride)
    copy.advanced(by: to * stride).copyMemory(from: bytes + from * stride, byteCount: stride)
    return ValueMemory(bytes: copy, byteCount: count * stride, stride: stride, memory: memory)
  }

  /// The same values in other memory.
  package func copied(count: Int, to memory: any InputMemory) throws(HostError) -> ValueMemory {
    let stride = Int(column.stride)
    let byteCount = max(32, count * stride)
    let copy = try memory.allocate(byteCount: byteCount)
    copy.copyMemory(from: bytes, byteCount: stride == 0 ? 32 : count * stride)
    return ValueMemory(bytes: copy, byteCount: byteCount, stride: stride, memory: memory)
  }

  private convenience init<Item: BitwiseCopyable>(
    copying values: [Item], _ memory: any InputMemory
  ) throws(HostError) {
    let stride = MemoryLayout<Item>.stride
    let byteCount = max(32, values.count * stride)
    let bytes = try memory.allocate(byteCount: byteCount)
    values.withUnsafeBytes { source in
      if let base = source.baseAddress { bytes.copyMemory(from: base, byteCount: source.count) }
    }
    self.init(bytes: bytes, byteCount: byteCount, stride: stride, memory: memory)
  }

  /// Copies a column.
  ///
  /// - Parameter choices: The names of an enum's choices.
  /// - Throws: `.invalidInput` with the place of a choice that does not exist, or of a number that
  ///   is not a number a contract allows to pass.
  package convenience init(
    _ values: ValueColumn, choices: [String], name: String, memory: any InputMemory
  ) throws(HostError) {
    switch values {
    case .constant(let value):
      guard let raw = value.raw(choices: choices) else {
        throw HostError(.invalidInput, Self.noChoice(name, "", value, choices))
      }
      guard value.numbers.allSatisfy(\.isFinite) else {
        throw HostError(.invalidInput, "\(name) is \(value); expected finite numbers")
      }
      let bytes = try memory.allocate(byteCount: 32)
      bytes.storeBytes(of: raw, as: tessera_value.self)
      self.init(bytes: bytes, byteCount: 32, stride: 0, memory: memory)
    case .bools(let values): try self.init(copying: values.map { $0 ? UInt8(1) : 0 }, memory)
    case .integers(let values): try self.init(copying: values, memory)
    case .numbers(let values): try self.init(copying: Self.finite(values, name), memory)
    case .choices(let names):
      try self.init(copying: Self.indexes(of: names, in: choices, name), memory)
    case .points(let values): try self.init(copying: Self.finite(values, name), memory)
    case .sizes(let values): try self.init(copying: Self.finite(values, name), memory)
    case .rects(let values): try self.init(copying: Self.finite(values, name), memory)
    case .insets(let values): try self.init(copying: Self.finite(values, name), memory)
    }
  }

  private static func indexes(
    of names: [String], in choices: [String], _ name: String
  ) throws(HostError) -> [Int32] {
    var indexes: [Int32] = []
    indexes.reserveCapacity(names.count)
    for (place, choice) in names.enumerated() {
      guard let index = choices.firstIndex(of: choice) else {
        throw HostError(
          .invalidInput, noChoice(name, " at place \(place)", .choice(choice), choices))
      }
      indexes.append(Int32(truncatingIfNeeded: index))
    }
    return indexes
  }

  private static func noChoice(
    _ name: String, _ place: String, _ value: Value, _ choices: [String]
  ) -> String {
    "\(name)\(place) is \"\(value)\"; expected \(choices.joined(separator: ", "))"
  }

  /// Values that consist of doubles, all of which are finite.
  private static func finite<Item: BitwiseCopyable>(
    _ values: [Item], _ name: String
  ) throws(HostError) -> [Item] {
    let exponent = Double.infinity.bitPattern
    let bad = values.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: UInt64.self) { words in
        words.firstIndex { $0 & exponent == exponent }
      }
    }
    guard let bad else { return values }
    let place = bad * MemoryLayout<Double>.stride / MemoryLayout<Item>.stride
    throw HostError(
      .invalidInput, "\(name) at place \(place) is not finite; expected finite numbers")
  }
}

/// The sizes of items that are measured when they are first asked for: an estimate until then.
///
/// Owned by the session; the engine reads it as its item value.
package final class SizingColumn {
  /// The item value that it supplies.
  package let place: SessionValues.Place
  package let column: tessera_column
  package let count: Int
  private let type: ValueType
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int
  private let owner: any InputMemory
  private var isMeasured: [Bool]
  private var estimate: Size
  /// What each section's items were offered when they were measured.
  private var proposals: [Size]
  /// How often measured sizes were forgotten because their items are offered something else.
  package private(set) var forgotten = 0
  /// The first item whose size changed since the last prepare; nil if none did.
  package private(set) var firstChange: Int? = 0

  package init(
    place: SessionValues.Place, type: ValueType, count: Int, estimate: Size, sections: Int,
    memory owner: any InputMemory
  ) throws(HostError) {
    self.owner = owner
    byteCount = max(32, count * type.stride)
    self.place = place
    self.type = type
    self.count = count
    self.estimate = estimate
    memory = try owner.allocate(byteCount: byteCount)
    column = tessera_column(data: memory, stride: UInt64(type.stride))
    isMeasured = Array(repeating: false, count: count)
    proposals = Array(repeating: Size(width: -1, height: -1), count: sections)
    for item in 0..<count { store(estimate, item) }
  }

  deinit { owner.deallocate(memory, byteCount: byteCount) }

  package func isMeasured(_ item: Int) -> Bool { isMeasured[item] }

  /// Takes the size that measuring gave.
  package func measure(_ item: Int, as size: Size) {
    isMeasured[item] = true
    set(item, size)
  }

  /// Moves what is known of an item to another place.
  package func move(_ from: Int, to: Int) {
    let size = size(from)
    let known = isMeasured.remove(at: from)
    isMeasured.insert(known, at: to)
    let step = from < to ? 1 : -1
    var place = from
    while place != to {
      store(self.size(place + step), place)
      place += step
    }
    store(size, to)
    firstChange = min(firstChange ?? from, from, to)
  }

  /// Takes over what another column knows of an item.
  package func adopt(_ item: Int, from other: SizingColumn, _ old: Int) {
    guard other.isMeasured[old] else { return }
    isMeasured[item] = true
    set(item, other.size(old))
  }

  /// Gives items that are not measured a new estimate.
  package func setEstimate(_ size: Size) {
    guard size != estimate else { return }
    estimate = size
    for item in 0..<count where !isMeasured[item] { set(item, size) }
  }

  /// Forgets the measured sizes of a section whose items are offered something else now.
  package func setProposal(_ proposal: Size, section: Int, items: Range<Int>) {
    guard proposals[section] != proposal else { return }
    proposals[section] = proposal
    var isForgetting = false
    for item in items where isMeasured[item] {
      isMeasured[item] = false
      isForgetting = true
      set(item, estimate)
    }
    if isForgetting { forgotten += 1 }
  }

  package func proposal(section: Int) -> Size { proposals[section] }

  /// Notes that a prepare has seen all sizes.
  package func prepared() { firstChange = nil }

  private func set(_ item: Int, _ size: Size) {
    guard size != self.size(item) else { return }
    store(size, item)
    firstChange = min(firstChange ?? item, item)
  }

  private func size(_ item: Int) -> Size {
    if type == .size { return memory.load(fromByteOffset: item * 16, as: Size.self) }
    return Size(
      width: estimate.width, height: memory.load(fromByteOffset: item * 8, as: Double.self))
  }

  private func store(_ size: Size, _ item: Int) {
    if type == .size {
      memory.storeBytes(of: size, toByteOffset: item * 16, as: Size.self)
    } else {
      memory.storeBytes(of: size.height, toByteOffset: item * 8, as: Double.self)
    }
  }
}
