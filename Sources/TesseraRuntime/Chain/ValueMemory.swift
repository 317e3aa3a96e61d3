import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraGeometry

// A column of section or item values as engines read it, owned by the session. Appending is
// O(count): it knows how many leading values the last prepare has read.
package final class ValueMemory {
  package let column: tessera_column
  private let bytes: UnsafeMutableRawPointer
  private let byteCount: Int
  /// Nil if borrowed.
  private let memory: (any InputMemory)?
  private var owner: AnyObject?
  /// 0 if unknown or constant.
  package private(set) var count: Int
  /// The last prepare's column, if this was made from it.
  private var origin: ValueMemory?
  /// Leading values that are `origin`'s, or were here in the last prepare.
  private var unchanged = Int.max
  // An invalid item value set for a batch: fails only its layout. In item order.
  package typealias Fault = (item: Int, problem: String)
  package private(set) var faults: [Fault] = []
  /// An in-place replacement since the last prepare.
  package typealias Splice = (place: Int, removed: [UInt8], added: Int)
  package private(set) var splices: [Splice] = []

  deinit { memory?.deallocate(bytes, byteCount: byteCount) }

  /// `owner` keeps the values alive; nil if they outlive this object anyway.
  package init(borrowing column: tessera_column, of owner: AnyObject? = nil) {
    self.column = column
    self.owner = owner
    bytes = UnsafeMutableRawPointer(mutating: column.data!)
    byteCount = 0
    count = 0
    memory = nil
  }

  /// `stride` is 0 for a constant; `room` is in values.
  private init(
    count: Int, stride: Int, room: Int = 0, _ memory: any InputMemory
  ) throws(HostError) {
    byteCount = max(Value.memorySize, max(room, count) * stride)
    bytes = try memory.allocate(byteCount: byteCount)
    column = tessera_column(data: bytes, stride: UInt64(stride))
    self.memory = memory
    self.count = count
  }

  private var stride: Int { Int(column.stride) }

  /// A constant returns itself.
  package func moving(_ from: Int, to: Int) throws(HostError) -> ValueMemory {
    guard stride > 0, let memory else { return self }
    let result = try ValueMemory(count: count, stride: stride, memory)
    let copy = result.bytes
    copy.copyMemory(from: bytes, byteCount: count * stride)
    let (first, last) = (min(from, to), max(from, to))
    // Values between the two indexes move by one.
    let (source, target) = from < to ? (first + 1, first) : (first, first + 1)
    copy.advanced(by: target * stride).copyMemory(
      from: bytes + source * stride, byteCount: (last - first) * stride)
    copy.advanced(by: to * stride).copyMemory(from: bytes + from * stride, byteCount: stride)
    result.begins(as: self, through: first)
    result.faults = faults.map { fault in
      let item = fault.item
      if item == from { return (to, fault.problem) }
      guard (first...last).contains(item) else { return fault }
      return (from < to ? item - 1 : item + 1, fault.problem)
    }.sorted { $0.item < $1.item }
    return result
  }

  package func note(_ found: [Fault]) { faults = found }

  package func copied(count: Int, to memory: any InputMemory) throws(HostError) -> ValueMemory {
    let copy = try ValueMemory(count: count, stride: stride, memory)
    copy.bytes.copyMemory(from: bytes, byteCount: stride == 0 ? 32 : count * stride)
    return copy
  }

  // Returns `last`, changed, if it has room; after errors, it is unchanged. `kept` values of `last`
  // precede the column. `place` locates errors: " of item 3 in section 0". O(*n*): compares up to
  // the first difference, then copies.
  package static func copy(
    _ values: ValueColumn, as type: ValueType, choices: [String], name: String,
    memory: any InputMemory, over last: ValueMemory? = nil, keeping kept: Int = 0,
    place: (_ index: Int) -> String = { " at index \($0)" }
  ) throws(HostError) -> ValueMemory {
    if case .constant(let value) = values {
      guard let raw = value.raw(as: type, choices: choices) else {
        throw .unknownChoice(name, value, choices)
      }
      guard value.isFinite else { throw .invalidValue(name, is: value, expected: "finite numbers") }
      let result = try ValueMemory(count: 0, stride: 0, memory)
      result.bytes.storeBytes(of: raw, as: tessera_value.self)
      return result
    }
    let array = try Self.array(values, choices, name) { place(kept + $0) }
    let (stride, count) = (type.stride, kept + array.count)
    let last = last?.stride == stride ? last : nil
    let common = min(last?.count ?? 0, count)
    var same = kept
    if let last, common > kept {
      same += array.withBytes {
        firstDifference(
          last.bytes + kept * stride, $0.baseAddress!, within: common - kept, stride: stride)
      }
    }
    let target: ValueMemory
    if let last, same == common, last.byteCount >= count * stride {
      target = last
    } else {
      // In large columns, spare room costs nothing until touched, and saves a copy at insertion.
      let grew = same > 0 && same == common
      let room = grew || count * stride >= 1 << 16 ? count + count / 4 : count
      target = try ValueMemory(count: count, stride: stride, room: room, memory)
      if let last, same > 0 {
        target.bytes.copyMemory(from: last.bytes, byteCount: same * stride)
        target.begins(as: last, through: same)
      }
    }
    if let index = array.copy(from: same - kept, to: target.bytes + same * stride) {
      throw .invalidValue(
        "\(name)\(place(kept + index))", is: array[index], expected: "finite numbers")
    }
    if count > target.count { target.unchanged = min(target.unchanged, target.count) }
    if target === last, count != target.count {
      let start = min(count, target.count)
      let removed = UnsafeRawBufferPointer(
        start: target.bytes + start * stride, count: (target.count - start) * stride)
      target.splices.append((start, Array(removed), count - start))
    }
    target.count = count
    target.faults = last?.faults.filter { $0.item < kept } ?? []
    return target
  }

  private static func array(
    _ values: ValueColumn, _ choices: [String], _ name: String, _ place: (Int) -> String
  ) throws(HostError) -> ValueArray {
    switch values {
    case .constant(let value): throw .invalidValue(name, is: value, expected: "a value for each")
    case .values(let values): return values
    case .choices(let names):
      let indexes = try Self.indexes(of: names, in: choices, name, place)
      return ValueArray(
        type: .choice, count: names.count, bytes: indexes.withUnsafeBytes { Array($0) })
    }
  }

  private static func indexes(
    of names: [String], in choices: [String], _ name: String, _ place: (Int) -> String
  ) throws(HostError) -> [Int32] {
    // With the bytes made from them.
    try CountedMemory.require(names.count, size: 8)
    var indexes: [Int32] = []
    indexes.reserveCapacity(names.count)
    for (position, choice) in names.enumerated() {
      guard let index = choices.firstIndex(of: choice) else {
        throw .unknownChoice("\(name)\(place(position))", .choice(choice), choices)
      }
      indexes.append(Int32(truncatingIfNeeded: index))
    }
    return indexes
  }
}

extension ValueMemory {
  // Copies if there is no room. Moves O(*n*) bytes after `place`; nothing changes on errors.
  package func replacing(
    _ place: Int, _ removed: Int, by values: ValueColumn, choices: [String], name: String,
    where text: (_ index: Int) -> String
  ) throws(HostError) -> ValueMemory {
    let array = try Self.array(values, choices, name) { text(place + $0) }
    let (stride, added) = (stride, array.count)
    let new = UnsafeMutableRawPointer(
      try CountedMemory.allocate(added.times(stride) ?? .max, of: UInt8.self))
    defer { CountedMemory.deallocate(new) }
    if let index = array.copy(from: 0, to: new) {
      throw .invalidValue(
        "\(name)\(text(place + index))", is: array[index], expected: "finite numbers")
    }
    let total = count - removed + added
    var target = self
    if total * stride > byteCount, let memory {
      target = try ValueMemory(count: total, stride: stride, room: total + total / 4, memory)
      target.bytes.copyMemory(from: bytes, byteCount: place * stride)
      target.begins(as: self, through: place)
    } else {
      let old = UnsafeRawBufferPointer(start: bytes + place * stride, count: removed * stride)
      splices.append((place, Array(old), added))
      unchanged = min(unchanged, place)
    }
    memmove(
      target.bytes + (place + added) * stride, bytes + (place + removed) * stride,
      (count - place - removed) * stride)
    memcpy(target.bytes + place * stride, new, added * stride)
    target.count = total
    target.faults = faults.compactMap { fault in
      if fault.item < place { return fault }
      guard fault.item >= place + removed else { return nil }
      return (fault.item - removed + added, fault.problem)
    }
    return target
  }

  package func copy(before splices: [Splice]) throws(HostError) -> ValueMemory {
    guard let memory, !splices.isEmpty else { return self }
    var values = Array(UnsafeRawBufferPointer(start: bytes, count: count * stride))
    for splice in splices.reversed() {
      let start = splice.place * stride
      values.replaceSubrange(start..<start + splice.added * stride, with: splice.removed)
    }
    return try ValueMemory(values, stride: stride, memory)
  }

  package convenience init(
    _ values: [UInt8], stride: Int, _ memory: any InputMemory
  ) throws(HostError) {
    try self.init(count: values.count / stride, stride: stride, memory)
    values.withUnsafeBytes { values in
      if let base = values.baseAddress { bytes.copyMemory(from: base, byteCount: values.count) }
    }
  }
}

extension ValueMemory {
  /// Call after a prepare has read all values.
  package func prepared() {
    (origin, unchanged) = (nil, .max)
    if !splices.isEmpty { splices = [] }
  }

  /// The first `count` values are the other column's.
  private func begins(as other: ValueMemory, through count: Int) {
    origin = other.origin ?? other
    unchanged = min(other.unchanged, count)
  }

  /// The first index below `limit` that differs from the last prepare's column; else `limit`.
  package func firstChange(since before: ValueMemory, within limit: Int, stride: Int) -> Int {
    if before === self || origin === before { return min(unchanged, limit) }
    // Later values are no longer the last prepare's.
    let limit = min(limit, before.unchanged)
    guard limit > 0 else { return 0 }
    if self.stride > 0, before.stride > 0 {
      return Self.firstDifference(bytes, before.bytes, within: limit, stride: stride)
    }
    // A constant may equal a column of values.
    let compared = self.stride == before.stride ? 1 : limit
    return (0..<compared).first {
      memcmp(bytes + $0 * self.stride, before.bytes + $0 * before.stride, stride) != 0
    } ?? limit
  }

  /// Trailing values known to equal the last prepare's.
  package func sameAtEnd(since before: ValueMemory) -> Int {
    guard before === self else {
      return stride == 0 && before.stride == 0
        && memcmp(bytes, before.bytes, Value.memorySize) == 0 ? .max : 0
    }
    var (same, known) = (unchanged == .max || !splices.isEmpty ? Int.max : 0, count)
    for splice in splices.reversed() {
      same = min(same, known - splice.place - splice.added)
      known += splice.removed.count / max(1, stride) - splice.added
    }
    return same
  }

  private static func firstDifference(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, within limit: Int, stride: Int
  ) -> Int {
    // Compare blocks first, then values in the block that differs.
    let block = 4096
    var start = 0
    while start < limit {
      let count = min(block, limit - start)
      if memcmp(one + start * stride, other + start * stride, count * stride) != 0 {
        for place in start..<start + count
        where memcmp(one + place * stride, other + place * stride, stride) != 0 { return place }
      }
      start += count
    }
    return limit
  }
}

extension HostError {
  fileprivate static func unknownChoice(
    _ name: String, _ value: Value, _ choices: [String]
  ) -> HostError {
    HostError(.invalidValue, "\(name) is \"\(value)\"; expected \(choices.joined(separator: ", "))")
  }
}
