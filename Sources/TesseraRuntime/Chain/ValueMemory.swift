import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraGeometry

/// A column of section or item values, in the form that engines read.
///
/// It knows how many of its first values the last prepare has read already, so that appended values
/// cost only themselves. Owned by the session.
package final class ValueMemory {
  package let column: tessera_column
  private let bytes: UnsafeMutableRawPointer
  private let byteCount: Int
  /// Nil if the column borrows its values.
  private let memory: (any InputMemory)?
  /// What the column borrows its values from.
  private var owner: AnyObject?
  /// The number of values; 0 if it is unknown, or if one value applies to all.
  package private(set) var count: Int
  /// The column of the last prepare, if this one was made from it.
  private var origin: ValueMemory?
  /// How many of the first values are those of `origin`, or were here in the last prepare.
  private var unchanged = Int.max
  /// What is wrong with an item's value that was set for a batch.
  ///
  /// Only the layouts with these items fail. Faults move with their values; they are in the order of the
  /// items.
  package typealias Fault = (item: Int, problem: String)
  package private(set) var faults: [Fault] = []
  /// What was replaced in place since the last prepare.
  package typealias Splice = (place: Int, removed: [UInt8], added: Int)
  package private(set) var splices: [Splice] = []

  deinit { memory?.deallocate(bytes, byteCount: byteCount) }

  /// Borrows values, which must stay valid as long as this object.
  ///
  /// - Parameter owner: What they stay valid with; nil for memory that outlives this object anyway.
  package init(borrowing column: tessera_column, of owner: AnyObject? = nil) {
    self.column = column
    self.owner = owner
    bytes = UnsafeMutableRawPointer(mutating: column.data!)
    byteCount = 0
    count = 0
    memory = nil
  }

  /// Allocates memory for values.
  ///
  /// - Parameters:
  ///   - stride: The bytes of each value; 0 for one value that applies to all.
  ///   - room: The number of values for which there is memory.
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

  /// Returns the values with one moved to another index; a constant returns itself.
  package func moving(_ from: Int, to: Int) throws(HostError) -> ValueMemory {
    guard stride > 0, let memory else { return self }
    let result = try ValueMemory(count: count, stride: stride, memory)
    let copy = result.bytes
    copy.copyMemory(from: bytes, byteCount: count * stride)
    let (first, last) = (min(from, to), max(from, to))
    // The values between the two indexes move by one.
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

  /// Records what is wrong with the values.
  package func note(_ found: [Fault]) { faults = found }

  /// Returns a copy of the values in other memory.
  package func copied(count: Int, to memory: any InputMemory) throws(HostError) -> ValueMemory {
    let copy = try ValueMemory(count: count, stride: stride, memory)
    copy.bytes.copyMemory(from: bytes, byteCount: stride == 0 ? 32 : count * stride)
    return copy
  }

  /// Copies a column, or only what differs from the values that were set last.
  ///
  /// - Parameters:
  ///   - type: The declared type.
  ///   - choices: The names of an enum's choices.
  ///   - last: The values that were set last, of the same type and in the same memory. They are
  ///     returned, with values appended or removed at their end, if they are the first of the new ones
  ///     and there is room.
  ///   - kept: How many of the last values come before those of the column, which is no constant then.
  ///   - place: Says where a value is, for errors: " of item 3 in section 0".
  /// - Throws: `.invalidInput`, with the place of a choice that does not exist or of a number that
  ///   is not finite; the last values are unchanged then.
  /// - Complexity: O(*n*): one comparison up to the first value that differs, one copy from there on.
  package static func copy(
    _ values: ValueColumn, as type: ValueType, choices: [String], name: String,
    memory: any InputMemory, over last: ValueMemory? = nil, keeping kept: Int = 0,
    place: (_ index: Int) -> String = { " at index \($0)" }
  ) throws(HostError) -> ValueMemory {
    if case .constant(let value) = values {
      guard let raw = value.raw(as: type, choices: choices) else {
        throw .unknownChoice(name, value, choices)
      }
      guard value.isFinite else {
        throw .invalidValue(name, is: value, expected: "finite numbers")
      }
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
      // Values that grew will grow again. Pages of many values that nobody touches cost nothing, and save a
      // copy when the first one is inserted.
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

  /// The values of a column that is no constant, with choices as their indexes.
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
    // With the bytes that are made of them.
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

/// Values that are replaced in place.
extension ValueMemory {
  /// Replaces values from a place on by others, and returns the values: themselves, or a copy if there is
  /// no room.
  ///
  /// - Throws: `.invalidInput`, with the place of a choice that does not exist or of a number that is
  ///   not finite; nothing has changed then.
  /// - Complexity: O(*n*) bytes are moved from the place on.
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
      // Values that grew will grow again.
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

  /// Copies the values as they were before some replacements in place.
  package func copy(before splices: [Splice]) throws(HostError) -> ValueMemory {
    guard let memory, !splices.isEmpty else { return self }
    var values = Array(UnsafeRawBufferPointer(start: bytes, count: count * stride))
    for splice in splices.reversed() {
      let start = splice.place * stride
      values.replaceSubrange(start..<start + splice.added * stride, with: splice.removed)
    }
    return try ValueMemory(values, stride: stride, memory)
  }

  /// Copies bytes of values.
  package convenience init(
    _ values: [UInt8], stride: Int, _ memory: any InputMemory
  ) throws(HostError) {
    try self.init(count: values.count / stride, stride: stride, memory)
    values.withUnsafeBytes { values in
      if let base = values.baseAddress { bytes.copyMemory(from: base, byteCount: values.count) }
    }
  }
}

/// What has changed since the last prepare.
extension ValueMemory {
  /// Records that a prepare has read all values.
  package func prepared() {
    (origin, unchanged) = (nil, .max)
    if !splices.isEmpty { splices = [] }
  }

  /// Records that the first values are those of another column.
  private func begins(as other: ValueMemory, through count: Int) {
    origin = other.origin ?? other
    unchanged = min(other.unchanged, count)
  }

  /// The first index below `limit` whose value differs from that of the last prepare; `limit` if there
  /// is none.
  ///
  /// - Parameter before: The column of the last prepare, of the same type.
  package func firstChange(since before: ValueMemory, within limit: Int, stride: Int) -> Int {
    if before === self || origin === before { return min(unchanged, limit) }
    // The values after these are no longer those of the last prepare.
    let limit = min(limit, before.unchanged)
    guard limit > 0 else { return 0 }
    if self.stride > 0, before.stride > 0 {
      return Self.firstDifference(bytes, before.bytes, within: limit, stride: stride)
    }
    // One value for all, now or then, may be the same as a value for each.
    let compared = self.stride == before.stride ? 1 : limit
    return (0..<compared).first {
      memcmp(bytes + $0 * self.stride, before.bytes + $0 * before.stride, stride) != 0
    } ?? limit
  }

  /// How many values at the end are known to be those of as many at the end of the last prepare's column.
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

  /// The first index at which two arrays of values differ; `limit` if they do not.
  private static func firstDifference(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, within limit: Int, stride: Int
  ) -> Int {
    // Compare blocks first, then the values of the block that differs.
    let block = 4096
    var start = 0
    while start < limit {
      let count = min(block, limit - start)
      if memcmp(one + start * stride, other + start * stride, count * stride) != 0 {
        for place in start..<start + count
        where memcmp(one + place * stride, other + place * stride, stride) != 0 {
          return place
        }
      }
      start += count
    }
    return limit
  }
}

/// The sizes of elements that are measured when they are first queried; until then, an estimate.
///
/// Owned by the session; the engine reads it as an item value or, for a supplementary kind, as a section
/// value. An element is known by its place among those of the value.
package final class SizingColumn {
  /// The value that the column supplies.
  package let place: SessionValues.Place
  /// The chain's number of the supplementary kind that is measured; nil for cells.
  package let kind: UInt32?
  package private(set) var column: tessera_column
  package private(set) var count: Int
  private let type: ValueType
  private var memory: UnsafeMutableRawPointer
  private var byteCount: Int
  private let owner: any InputMemory
  private var origins: [Origin]
  /// What the elements were offered when they were last asked for.
  private var offers = RunSizes()
  /// What the elements are assumed to have; none where measuring is turned off.
  private var estimates = RunSizes()
  /// Whether the engine last answered with a size for each element of a run.
  package private(set) var hasEach = false
  /// Whether an element was moved since.
  private var hasMoved = false
  /// The elements between which all sizes lie that have changed since the last prepare; nil if none has.
  package private(set) var changed: Range<Int>?
  /// The sizes that were set since the elements followed the last update, as they were; nil if they did
  /// not.
  private var replaced: [(element: Int, size: Size)]?

  /// Where the size of an element comes from.
  private enum Origin: UInt8 {
    /// The engine's estimate, until the element is measured.
    case estimate
    /// The program's function or, where measuring is turned off, the usual value.
    case measured
    /// The program gave it without being asked.
    case given
  }

  /// The most elements that are measured.
  package static let limit = 100_000_000

  package init(
    place: SessionValues.Place, kind: UInt32?, type: ValueType, count: Int,
    memory owner: any InputMemory
  ) throws(HostError) {
    self.owner = owner
    // The pages that nobody touches cost nothing.
    byteCount = max(32, (count + count / 4) * type.stride)
    (self.place, self.kind) = (place, kind)
    self.type = type
    self.count = count
    memory = try owner.allocate(byteCount: byteCount)
    memory.initializeMemory(
      as: UInt8.self, repeating: 0, count: max(32, count * type.stride))
    column = tessera_column(data: memory, stride: UInt64(type.stride))
    origins = Array(repeating: .estimate, count: count)
    changed = 0..<max(1, count)
  }

  deinit { owner.deallocate(memory, byteCount: byteCount) }

  /// Whether an element has its final size.
  package func isMeasured(_ element: Int) -> Bool { origins[element] != .estimate }

  /// What an element is offered, in points; 0 means unlimited.
  package func offer(_ element: Int) -> Size { offers[element] ?? .zero }

  /// Stores the measured size of an element.
  package func measure(_ element: Int, as size: Size, isGiven: Bool = false) {
    origins[element] = isGiven ? .given : .measured
    set(element, size)
  }

  /// Forgets the measured size of an element.
  package func withdraw(_ element: Int) {
    guard isMeasured(element), let estimate = estimates[element] else { return }
    origins[element] = .estimate
    set(element, estimate)
  }

  /// Moves an element's size to another place, with what the element was offered: if that changes, its
  /// measured size is discarded.
  package func move(_ from: Int, to: Int) {
    guard from != to else { return }
    let size = size(from)
    let origin = origins[from]
    let step = from < to ? 1 : -1
    var place = from
    while place != to {
      origins[place] = origins[place + step]
      store(self.size(place + step), place)
      place += step
    }
    origins[to] = origin
    store(size, to)
    offers.move(from, to: to)
    estimates.move(from, to: to)
    hasMoved = true
    note(min(from, to)..<max(from, to) + 1)
  }

  /// Copies the measured size of an element from another column, if it is offered the same size.
  ///
  /// - Parameter onlyGiven: Whether to leave out a size that the program was asked for.
  package func adopt(
    _ element: Int, from other: SizingColumn, _ old: Int, onlyGiven: Bool = false
  ) {
    guard other.type == type, old < other.count, other.isMeasured(old),
      !onlyGiven || other.origins[old] == .given,
      other.offers[old] == offers[element], !isMeasured(element)
    else { return }
    origins[element] = other.origins[old]
    set(element, other.size(old))
  }

  /// Copies the measured sizes that another column had, as far as the elements are offered the same sizes.
  package func adopt(_ kept: KeptSizes) {
    for element in 0..<count { adopt(element, from: kept.column, kept.first + element) }
  }

  /// Moves the sizes along with their items, if all items are offered the same size and assumed to have
  /// the same.
  ///
  /// - Parameter counts: The number of items of each section after the update.
  /// - Returns: What `sizes(before:_:)` needs; nil if the items are not alike, and nothing was moved.
  /// - Complexity: O(*n*) bytes are moved from the first change on.
  package func follow(_ moves: ItemMoves, counts: [Int]) throws(HostError) -> [UInt8]? {
    guard let offer = offers.common, let estimate = estimates.common, !hasMoved,
      moves.before == count
    else { return nil }
    let stride = type.stride
    if moves.after * stride > byteCount {
      let wanted = (moves.after + moves.after / 4) * stride
      let larger = try owner.allocate(byteCount: wanted)
      larger.copyMemory(from: memory, byteCount: count * stride)
      owner.deallocate(memory, byteCount: byteCount)
      (memory, byteCount) = (larger, wanted)
      column.data = UnsafeRawPointer(larger)
    }
    let left = moves.move(memory, stride: stride)
    let more = moves.after - count
    if more > 0 { origins.append(contentsOf: repeatElement(.estimate, count: more)) }
    origins.withUnsafeMutableBytes { flags in
      if let base = flags.baseAddress { _ = moves.move(base, stride: 1) }
    }
    if more < 0 { origins.removeLast(-more) }
    count = moves.after
    for range in moves.inserted {
      for element in range {
        origins[element] = .estimate
        store(estimate, element)
      }
    }
    let first = min(moves.firstChange, moves.reloaded.min() ?? .max)
    if first < max(moves.before, moves.after) { note(first..<max(first + 1, moves.after)) }
    replaced = []
    for element in moves.reloaded {
      origins[element] = .estimate
      set(element, estimate)
    }
    offers = RunSizes(counts, offer)
    estimates = RunSizes(counts, estimate)
    return left
  }

  /// Copies the sizes as they were before the items followed an update.
  package func sizes(before moves: ItemMoves, _ left: [UInt8]) throws(HostError) -> ValueMemory {
    var sizes = Array(UnsafeRawBufferPointer(start: memory, count: count * type.stride))
    for (element, size) in (replaced ?? []).reversed() {
      withUnsafeBytes(of: type == .size ? size : Size(width: size.height, height: 0)) { bytes in
        let start = element * type.stride
        sizes.replaceSubrange(start..<start + type.stride, with: bytes.prefix(type.stride))
      }
    }
    let earlier = [UInt8](unsafeUninitializedCapacity: moves.before * type.stride) { bytes, count in
      if let base = bytes.baseAddress {
        sizes.withUnsafeBytes {
          moves.restore($0.baseAddress!, left, stride: type.stride, to: base)
        }
      }
      count = moves.before * type.stride
    }
    return try ValueMemory(earlier, stride: type.stride, owner)
  }

  /// Forgets what `sizes(before:_:)` needs.
  package func forgetReplaced() { replaced = nil }

  /// What the elements are offered and are assumed to have, run by run, as an engine answered.
  package struct Answers {
    fileprivate var offers = RunSizes()
    fileprivate var estimates = RunSizes()
    /// Whether measuring is turned off for all elements.
    package private(set) var areOff = true

    package init() {}

    /// Adds the answers for a run of elements.
    ///
    /// - Parameters:
    ///   - estimates: One for all elements or for each; none if measuring is turned off.
    ///   - offers: One for all elements or for each; none if measuring is turned off.
    package mutating func append(
      _ range: Range<Int>, estimates: ArraySlice<Size>, offers: ArraySlice<Size>
    ) {
      self.estimates.append(range, estimates)
      self.offers.append(range, offers)
      if !estimates.isEmpty { areOff = false }
    }
  }

  /// Takes over what the elements are offered and assumed to have.
  ///
  /// An element that is offered another size than before loses its measured size.
  ///
  /// - Parameter usual: Where measuring is turned off, the column of the values as they are otherwise.
  package func adopt(_ answers: Answers, usual: tessera_column) {
    var hasDiscarded = false
    for run in answers.offers.runs where !offers.holds(run, of: answers.offers) {
      for element in run.range where isMeasured(element) {
        if offers[element] == answers.offers[element], estimates[element] != nil { continue }
        origins[element] = .estimate
        hasDiscarded = true
      }
    }
    for run in answers.estimates.runs {
      if run.count == 0 {
        for element in run.range {
          origins[element] = .measured
          set(element, usualSize(element, usual))
        }
      } else if hasDiscarded || hasMoved || !estimates.holds(run, of: answers.estimates)
        || run.count > 1
      {
        for element in run.range where !isMeasured(element) {
          set(element, answers.estimates[element] ?? .zero)
        }
      }
    }
    (offers, estimates, hasMoved) = (answers.offers, answers.estimates, false)
    hasEach = [offers, estimates].contains { $0.runs.contains { $0.count > 1 } }
  }

  /// Records that a prepare has read all sizes.
  package func prepared() { changed = nil }

  /// How many elements at the end have the sizes of the last prepare.
  package var sameAtEnd: Int { changed.map { max(0, count - $0.upperBound) } ?? .max }

  private func note(_ elements: Range<Int>) {
    let known = changed ?? elements
    changed =
      min(known.lowerBound, elements.lowerBound)..<max(known.upperBound, elements.upperBound)
  }

  private func usualSize(_ element: Int, _ usual: tessera_column) -> Size {
    guard let data = usual.data else { return .zero }
    let value = data + element * Int(usual.stride)
    return type == .size
      ? value.load(as: Size.self) : Size(width: 0, height: value.load(as: Double.self))
  }

  private func set(_ element: Int, _ size: Size) {
    guard type == .size ? size != self.size(element) : size.height != self.size(element).height
    else { return }
    replaced?.append((element, self.size(element)))
    store(size, element)
    note(element..<element + 1)
  }

  private func size(_ element: Int) -> Size {
    if type == .size { return memory.load(fromByteOffset: element * 16, as: Size.self) }
    return Size(
      width: 0, height: memory.load(fromByteOffset: element * 8, as: Double.self))
  }

  private func store(_ size: Size, _ element: Int) {
    if type == .size {
      memory.storeBytes(of: size, toByteOffset: element * 16, as: Size.self)
    } else {
      memory.storeBytes(of: size.height, toByteOffset: element * 8, as: Double.self)
    }
  }
}

/// Measured sizes that elements of another column keep if they are offered the same.
package struct KeptSizes {
  fileprivate let column: SizingColumn
  /// The supplementary kind; nil for items.
  package let kind: String?
  /// The place of the other column's first element in this one.
  fileprivate var first = 0

  package init(_ column: SizingColumn, kind: String?) { (self.column, self.kind) = (column, kind) }

  /// The sizes from a section and its first item on.
  package func starting(at place: (section: Int, item: Int)) -> KeptSizes {
    var result = self
    result.first += kind == nil ? place.item : place.section
    return result
  }
}

/// The sizes of consecutive runs of elements; one for all elements of a run takes the memory of one.
private struct RunSizes {
  /// The elements of a run, and its sizes from `first` on: `count` is 0, 1 or the number of elements.
  typealias Run = (range: Range<Int>, first: Int, count: Int)

  private(set) var runs: [Run] = []
  private var sizes: [Size] = []

  mutating func append(_ range: Range<Int>, _ sizes: ArraySlice<Size>) {
    // One size for all is one run, in whatever parts an engine was asked: parts are compared one by one.
    if let last = runs.last, last.count == 1, sizes.count == 1,
      last.range.upperBound == range.lowerBound,
      self.sizes[last.first] == sizes.first
    {
      runs[runs.count - 1].range = last.range.lowerBound..<range.upperBound
      return
    }
    runs.append((range, self.sizes.count, sizes.count))
    self.sizes += sizes
  }

  init() {}

  /// One size for the items of all sections.
  init(_ counts: [Int], _ size: Size) {
    let count = counts.reduce(0, +)
    if count > 0 { append(0..<count, [size]) }
  }

  /// Moves an element to another place.
  ///
  /// - Complexity: O(*n*) for the sizes.
  mutating func move(_ from: Int, to: Int) {
    guard let own = run(of: from) else { return }
    var moved = RunSizes()
    var next = 0
    func add(_ part: Range<Int>, of run: Run) {
      let first = run.first + (run.count > 1 ? part.lowerBound - run.range.lowerBound : 0)
      moved.append(
        next..<next + part.count, sizes[first..<first + min(run.count, part.count)])
      next += part.count
    }
    // The element before which it comes.
    let target = from < to ? to + 1 : to
    for run in runs {
      let inner = [from, from + 1, target].filter { run.range.contains($0) }
      let cuts = ([run.range.lowerBound] + inner + [run.range.upperBound]).sorted()
      for (start, end) in zip(cuts, cuts.dropFirst()) where start < end {
        if start == target { add(from..<from + 1, of: own) }
        if start != from { add(start..<end, of: run) }
      }
    }
    if next == to { add(from..<from + 1, of: own) }
    self = moved
  }

  /// The size that all elements have; nil if they differ, or if there are none.
  var common: Size? {
    guard let first = sizes.first, runs.allSatisfy({ $0.count == 1 }),
      sizes.allSatisfy({ $0 == first })
    else { return nil }
    return first
  }

  /// The size of an element; nil if it has none.
  ///
  /// - Complexity: O(log *r*) for *r* runs.
  subscript(element: Int) -> Size? {
    guard let run = run(of: element), run.count > 0 else { return nil }
    return sizes[run.first + (run.count == 1 ? 0 : element - run.range.lowerBound)]
  }

  /// Whether there is the same run with the same sizes.
  func holds(_ run: Run, of other: RunSizes) -> Bool {
    guard let own = self.run(of: run.range.lowerBound), own.range == run.range,
      own.count == run.count
    else { return false }
    return sizes[own.first..<own.first + own.count]
      == other.sizes[run.first..<run.first + run.count]
  }

  private func run(of element: Int) -> Run? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].range.lowerBound <= element { low = middle + 1 } else { high = middle }
    }
    guard low > 0, runs[low - 1].range.contains(element) else { return nil }
    return runs[low - 1]
  }
}
