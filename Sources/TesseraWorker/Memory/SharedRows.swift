import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

package final class SharedRows: RowMemory {
  private let memory: SharedMemory
  private let map: SharedMap

  package var base: UnsafeMutableRawPointer { memory.base }

  package init(memory: SharedMemory, map: SharedMap) {
    self.memory = memory
    self.map = map
  }

  package func preparedStore(_ numbering: ChainNumbers) throws(HostError) -> RowStore {
    try store(
      numbering, columns: numbering.columns, adjusted: false, at: map.prepared,
      capacity: map.capacity)
  }

  package func answerStore(
    _ numbering: ChainNumbers, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore {
    try store(
      numbering, columns: columns, adjusted: true, at: map.answer,
      capacity: min(capacity, columns == .all ? map.wholeCapacity : map.capacity))
  }

  package var partBytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      start: base + SharedMap.runs, count: map.capacity * SharedRun.stride)
  }

  private func store(
    _ numbering: ChainNumbers, columns: BuiltInColumns, adjusted: Bool, at offset: Int,
    capacity: Int
  ) throws(HostError) -> RowStore {
    var next = offset
    return try RowStore(
      numbering: numbering, columns: columns, adjusted: adjusted, capacity: capacity
    ) { byteCount in
      defer { next = SharedMap.aligned(next + byteCount) }
      return ColumnMemory(base: memory.base + next, byteCount: byteCount, owner: memory)
    }
  }
}

/// Six 64-bit words.
package struct SharedRun {
  package static let stride = 48

  package static func write(_ runs: some Sequence<Run>, to memory: UnsafeMutableRawPointer) {
    var place = memory
    for run in runs {
      place.storeBytes(of: run.category.rawValue, as: Int32.self)
      place.storeBytes(of: run.kind, toByteOffset: 4, as: UInt32.self)
      place.storeBytes(of: UInt64(run.section), toByteOffset: 8, as: UInt64.self)
      place.storeBytes(of: run.firstItem, toByteOffset: 16, as: UInt64.self)
      place.storeBytes(of: UInt64(run.count), toByteOffset: 24, as: UInt64.self)
      place.storeBytes(of: UInt64(run.row), toByteOffset: 32, as: UInt64.self)
      place.storeBytes(of: UInt64(run.unchanged), toByteOffset: 40, as: UInt64.self)
      place += stride
    }
  }

  /// The other process may change the runs meanwhile, hence a single read of each word.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of rows, including earlier ones.
  ///   - itemCounts: Items per section; nil allows any item, as for disappearing cells.
  package static func read(
    _ count: Untrusted<Int>, from memory: UnsafeRawPointer, firstRow: Int = 0, capacity: Int,
    kinds: [KindDescription], itemCounts: ArraySlice<Int>?
  ) throws(HostError) -> ContiguousArray<Run> {
    guard let count = count.exactly(in: 0..<capacity + 1) else { throw invalid("\(count) runs") }
    var runs = ContiguousArray<Run>()
    // The count is untrusted: reserve little.
    runs.reserveCapacity(min(count, 4096))
    var rows = firstRow
    let sections = Int(UInt32.max)
    for number in 0..<count {
      let place = memory + number * stride
      let rawCategory = place.load(as: Int32.self)
      let kind = Untrusted(UInt64(place.load(fromByteOffset: 4, as: UInt32.self)))
      let readSection = Untrusted(place.load(fromByteOffset: 8, as: UInt64.self))
      let readItem = Untrusted(place.load(fromByteOffset: 16, as: UInt64.self))
      let readLength = Untrusted(place.load(fromByteOffset: 24, as: UInt64.self))
      let row = Untrusted(place.load(fromByteOffset: 32, as: UInt64.self))
      let readUnchanged = Untrusted(place.load(fromByteOffset: 40, as: UInt64.self))
      guard let category = ElementCategory(rawValue: rawCategory) else {
        throw invalid("a run of category \(rawCategory)")
      }
      guard let number = kind.exactly(in: 0..<(category == .cell ? 1 : kinds.count)),
        category == .cell || kinds[number].category == category
      else { throw invalid("a run of kind \(kind)") }
      guard let section = readSection.exactly(in: 0..<min(itemCounts?.count ?? .max, sections))
      else { throw invalid("a run of section \(readSection)") }
      guard row.exactly(in: rows..<rows + 1) != nil,
        let length = readLength.exactly(in: 1..<max(1, capacity - rows + 1))
      else { throw invalid("a run of \(readLength) rows at \(row)") }
      var items = Int.max
      if category == .cell, let itemCounts { items = itemCounts[itemCounts.startIndex + section] }
      guard length <= items, let firstItem = readItem.exactly(in: 0..<items - length + 1) else {
        throw invalid("items \(readItem) and \(length) more of section \(section)")
      }
      guard let unchanged = readUnchanged.exactly(in: 0..<length + 1) else {
        throw invalid("a run of \(length) rows of which \(readUnchanged) are unchanged")
      }
      var run = Run(
        category: category, kind: UInt32(number), section: UInt32(section),
        firstItem: UInt64(firstItem), count: length, row: rows)
      run.unchanged = unchanged
      runs.append(run)
      rows += length
    }
    return runs
  }

  private static func invalid(_ found: String) -> HostError {
    HostError(.invalidAnswer, "its process returned \(found), which is invalid; it is not used")
  }
}

/// Outcomes of a batch's parts: five 64-bit words each, then runs or an error.
package struct SharedParts {
  private static let headerSize = 40
  private let bytes: UnsafeMutableRawBufferPointer
  private var offset = 0
  /// Rows read so far, in the prepared rows and in the answers.
  private var rows: InlineArray<2, Int> = [0, 0]

  package init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

  package mutating func write(
    _ size: Size, _ runs: ContiguousArray<Run>, areAnswers: Bool
  ) -> Bool {
    guard let place = place(byteCount: runs.count * SharedRun.stride) else { return false }
    writeHeader(isError: false, count: runs.count, size, areAnswers: areAnswers)
    SharedRun.write(runs, to: place)
    offset += Self.headerSize + runs.count * SharedRun.stride
    return true
  }

  /// False if out of space.
  package mutating func write(_ error: HostError) -> Bool {
    var writer = ByteWriter()
    writer.put(error)
    let count = (writer.bytes.count + 7) & ~7
    guard let place = place(byteCount: count) else { return false }
    writeHeader(isError: true, count: writer.bytes.count, .zero)
    writer.bytes.withUnsafeBytes { place.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    offset += Self.headerSize + count
    return true
  }

  private func place(byteCount: Int) -> UnsafeMutableRawPointer? {
    guard byteCount + Self.headerSize <= bytes.count - offset else { return nil }
    return bytes.baseAddress! + offset + Self.headerSize
  }

  private func writeHeader(isError: Bool, count: Int, _ size: Size, areAnswers: Bool = false) {
    let place = bytes.baseAddress! + offset
    place.storeBytes(of: isError ? 1 : 0, as: UInt64.self)
    place.storeBytes(of: UInt64(count), toByteOffset: 8, as: UInt64.self)
    place.storeBytes(of: size, toByteOffset: 16, as: Size.self)
    place.storeBytes(of: areAnswers ? 1 : 0, toByteOffset: 32, as: UInt64.self)
  }

  /// Untrusted, and may change meanwhile; throws `.brokenContract`.
  ///
  /// `prepared` has rows as prepared, `answers` rows changed by a query.
  package mutating func read(
    _ prepared: RowStore, _ answers: RowStore, kinds: [KindDescription], itemCounts: ArraySlice<Int>
  ) throws(HostError) -> Result<PreparedPart, Untrusted<HostError>> {
    guard bytes.count - offset >= Self.headerSize else { throw Self.tooLong }
    let place = bytes.baseAddress! + offset
    let isError = place.load(as: UInt64.self) != 0
    let areAnswers = place.load(fromByteOffset: 32, as: UInt64.self) != 0
    let found = Untrusted(place.load(fromByteOffset: 8, as: UInt64.self))
    let size = place.load(fromByteOffset: 16, as: Size.self)
    let room = bytes.count - offset - Self.headerSize
    guard let count = found.exactly(in: 0..<(isError ? room : room / SharedRun.stride) + 1) else {
      throw Self.tooLong
    }
    let content = UnsafeRawPointer(place + Self.headerSize)
    guard !isError else {
      var reader = ByteReader(copying: UnsafeRawBufferPointer(start: content, count: count))
      offset += Self.headerSize + (count + 7) & ~7
      return .failure(try reader.read())
    }
    guard size.isValid else {
      throw ByteReader.broken("has the content size \(Value.size(size))", .invalidContentSize)
    }
    let (store, number) = areAnswers ? (answers, 1) : (prepared, 0)
    let runs = try SharedRun.read(
      Untrusted(count), from: content, firstRow: rows[number], capacity: store.capacity,
      kinds: kinds, itemCounts: itemCounts)
    offset += Self.headerSize + count * SharedRun.stride
    if let last = runs.last { rows[number] = last.row + last.count }
    store.adopt(runs)
    return .success((contentSize: size, store: store))
  }

  private static var tooLong: HostError { ByteReader.broken("is longer than the memory for it") }
}
