import CTessera
import CTesseraSystem
import TesseraCatalog
import TesseraGeometry

/// A column of section or item values, in the form that engines read.
///
/// Owned by the session.
package final class ValueMemory {
  package let column: tessera_column
  private let bytes: UnsafeMutableRawPointer
  private let byteCount: Int
  /// Nil if the column borrows its values.
  private let memory: (any InputMemory)?

  deinit { memory?.deallocate(bytes, byteCount: byteCount) }

  /// Borrows values, which must stay valid as long as this object.
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

  /// Returns the values with one moved to another index; a constant returns itself.
  package func moving(_ from: Int, to: Int, of count: Int) throws(HostError) -> ValueMemory {
    let stride = Int(column.stride)
    guard stride > 0, let memory else { return self }
    let copy = try memory.allocate(byteCount: count * stride)
    copy.copyMemory(from: bytes, byteCount: count * stride)
    let (first, last) = (min(from, to), max(from, to))
    // The values between the two indexes move by one.
    let (source, target) = from < to ? (first + 1, first) : (first, first + 1)
    copy.advanced(by: target * stride).copyMemory(
      from: bytes + source * stride, byteCount: (last - first) * stride)
    copy.advanced(by: to * stride).copyMemory(from: bytes + from * stride, byteCount: stride)
    return ValueMemory(bytes: copy, byteCount: count * stride, stride: stride, memory: memory)
  }

  /// Returns a copy of the values in other memory.
  package func copied(count: Int, to memory: any InputMemory) throws(HostError) -> ValueMemory {
    let stride = Int(column.stride)
    let byteCount = max(32, count * stride)
    let copy = try memory.allocate(byteCount: byteCount)
    copy.copyMemory(from: bytes, byteCount: stride == 0 ? 32 : count * stride)
    return ValueMemory(bytes: copy, byteCount: byteCount, stride: stride, memory: memory)
  }

  /// Allocates memory for values of a size.
  private convenience init(
    count: Int, size: Int, stride: Int? = nil, _ memory: any InputMemory
  ) throws(HostError) {
    let byteCount = max(Value.memorySize, count * size)
    self.init(
      bytes: try memory.allocate(byteCount: byteCount), byteCount: byteCount,
      stride: stride ?? size, memory: memory)
  }

  /// Copies a column.
  ///
  /// - Parameters:
  ///   - type: The declared type.
  ///   - choices: The names of an enum's choices.
  ///   - place: Says where a value is, for errors: " of item 3 in section 0".
  /// - Throws: `.invalidInput`, with the place of a choice that does not exist or of a number that
  ///   is not finite.
  package convenience init(
    _ values: ValueColumn, as type: ValueType, choices: [String], name: String,
    memory: any InputMemory, place: (_ index: Int) -> String = { " at index \($0)" }
  ) throws(HostError) {
    switch values {
    case .constant(let value):
      guard let raw = value.raw(as: type, choices: choices) else {
        throw HostError(.invalidInput, Self.unknownChoice(name, "", value, choices))
      }
      guard value.isFinite else {
        throw HostError(.invalidInput, "\(name) is \(value); expected finite numbers")
      }
      try self.init(count: 1, size: Value.memorySize, stride: 0, memory)
      bytes.storeBytes(of: raw, as: tessera_value.self)
    case .choices(let names):
      let indexes = try Self.indexes(of: names, in: choices, name, place)
      try self.init(count: names.count, size: type.stride, memory)
      indexes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(start: bytes, count: $0.count).copyMemory(from: $0)
      }
    case .values(let values):
      try self.init(count: values.count, size: type.stride, memory)
      if let index = values.copy(to: bytes) {
        throw HostError(
          .invalidInput, "\(name)\(place(index)) is \(values[index]); expected finite numbers")
      }
    }
  }

  private static func indexes(
    of names: [String], in choices: [String], _ name: String, _ place: (Int) -> String
  ) throws(HostError) -> [Int32] {
    var indexes: [Int32] = []
    indexes.reserveCapacity(names.count)
    for (position, choice) in names.enumerated() {
      guard let index = choices.firstIndex(of: choice) else {
        throw HostError(
          .invalidInput, unknownChoice(name, place(position), .choice(choice), choices))
      }
      indexes.append(Int32(truncatingIfNeeded: index))
    }
    return indexes
  }

  private static func unknownChoice(
    _ name: String, _ place: String, _ value: Value, _ choices: [String]
  ) -> String {
    "\(name)\(place) is \"\(value)\"; expected \(choices.joined(separator: ", "))"
  }
}

/// The sizes of items that are measured when they are first queried; until then, an estimate.
///
/// Owned by the session; the engine reads it as an item value.
package final class SizingColumn {
  /// The item value that the column supplies.
  package let place: SessionValues.Place
  package let column: tessera_column
  package let count: Int
  private let type: ValueType
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int
  private let owner: any InputMemory
  private var isMeasured: [Bool]
  private var estimate: Size
  /// The size that each section's items were offered when they were measured.
  private var proposals: [Size]
  /// How often measured sizes were discarded because their items are offered another size.
  package private(set) var forgotten = 0
  /// The first item whose size has changed since the last prepare; nil if none has.
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

  /// Stores the measured size of an item.
  package func measure(_ item: Int, as size: Size) {
    isMeasured[item] = true
    set(item, size)
  }

  /// Moves an item's size to another index.
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

  /// Copies the measured size of an item from another column.
  package func adopt(_ item: Int, from other: SizingColumn, _ old: Int) {
    guard other.isMeasured[old] else { return }
    isMeasured[item] = true
    set(item, other.size(old))
  }

  /// Changes the estimate of the items that are not measured.
  package func setEstimate(_ size: Size) {
    guard size != estimate else { return }
    estimate = size
    for item in 0..<count where !isMeasured[item] { set(item, size) }
  }

  /// Sets the size that a section's items are offered; if it differs, discards their measured
  /// sizes.
  package func setProposal(_ proposal: Size, section: Int, items: Range<Int>) {
    guard proposals[section] != proposal else { return }
    proposals[section] = proposal
    var hasDiscarded = false
    for item in items where isMeasured[item] {
      isMeasured[item] = false
      hasDiscarded = true
      set(item, estimate)
    }
    if hasDiscarded { forgotten += 1 }
  }

  package func proposal(section: Int) -> Size { proposals[section] }

  /// Records that a prepare has read all sizes.
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
