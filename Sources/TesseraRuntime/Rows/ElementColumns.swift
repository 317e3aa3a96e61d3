import CTessera
import CTesseraNumbers
import TesseraCatalog
import TesseraGeometry

/// Rows copied out of a store and checked: the reusable memory of `Elements`.
package final class ElementColumns: @unchecked Sendable {
  private struct Column {
    let stride: Int
    let exists: Bool
    /// For rows whose store lacks the column; nil if all bytes are zero.
    let initial: [UInt8]?
    var base: UnsafeMutableRawPointer?

    func pointer<Item>(_: Item.Type) -> UnsafeMutablePointer<Item>? {
      base?.assumingMemoryBound(to: Item.self)
    }
  }

  package let kinds: [KindDescription]
  package let declared: [AttributeDescription]
  package let columns: BuiltInColumns
  private let isAdjusted: Bool
  /// Requested columns; nil for all.
  package let names: Set<String>?
  private let hasMore: Bool
  package private(set) var capacity = 0
  package private(set) var count = 0
  /// In a batch, errors number sections from here.
  package var firstSection = 0
  private let runList = Scratch<Run>()
  /// As in `BuiltInColumns.table`, then attributes.
  private var all: [Column]
  /// Other columns are on the heap.
  private var large: [ColumnMemory] = []
  package private(set) var frames: UnsafeMutablePointer<Rect>
  package private(set) var transforms: UnsafeMutablePointer<Transform>?
  package private(set) var alphas: UnsafeMutablePointer<Double>?
  package private(set) var zIndexes: UnsafeMutablePointer<Int32>?
  package private(set) var hidden: UnsafeMutablePointer<UInt8>?

  /// Without memory; `names` is nil for all columns.
  package init(
    kinds: [KindDescription], attributes declared: [AttributeDescription],
    columns: BuiltInColumns = .all, isAdjusted: Bool = true, names: Set<String>? = nil
  ) {
    self.kinds = kinds
    self.declared = declared
    let columns = names.map { columns.named($0) } ?? columns
    (self.columns, self.isAdjusted, self.names) = (columns, isAdjusted, names)
    all =
      BuiltInColumns.table.map { column, stride, initial in
        Column(stride: stride, exists: columns.contains(column), initial: initial)
      }
      + declared.map { attribute in
        Column(
          stride: attribute.type.stride,
          exists: (isAdjusted || !attribute.isAdjusted) && names?.contains(attribute.name) ?? true,
          initial: attribute.initialBytes)
      }
    hasMore = all.dropFirst().contains(where: \.exists)
    frames = Self.nowhere
  }

  package convenience init(
    kinds: [KindDescription], attributes: [AttributeDescription], columns: BuiltInColumns = .all,
    isAdjusted: Bool = true, names: Set<String>? = nil, capacity: Int
  ) throws(HostError) {
    self.init(
      kinds: kinds, attributes: attributes, columns: columns, isAdjusted: isAdjusted, names: names)
    try clear(capacity: max(1, capacity))
  }

  private static var nowhere: UnsafeMutablePointer<Rect> {
    UnsafeMutablePointer(bitPattern: MemoryLayout<Rect>.stride)!
  }

  deinit { deallocate() }

  /// Each run's `row` is its position here.
  package var runs: UnsafeMutableBufferPointer<Run> { runList.buffer }

  package func attribute(_ number: Int) -> UnsafeMutableRawPointer? {
    all[BuiltInColumns.count + number].base
  }

  package func fits(_ columns: BuiltInColumns, isAdjusted: Bool) -> Bool {
    self.isAdjusted == isAdjusted && self.columns == columns
  }

  package var isLarge: Bool { capacity > 1 << 16 }

  /// After an error there is no space.
  package func clear(capacity wanted: Int) throws(HostError) {
    count = 0
    runList.clear()
    guard wanted > capacity else { return }
    deallocate()
    try allocate(wanted)
  }

  /// Without memory it traps, as an array would.
  func provide(_ wanted: Int) {
    do throws(HostError) { try clear(capacity: max(1, wanted)) } catch {
      preconditionFailure(error.message)
    }
  }

  // Keeps the elements; `expected` is the likely total. Unchanged after an error.
  package func reserve(_ more: Int, expecting expected: @autoclosure () -> Int) throws(HostError) {
    guard more > capacity - count else { return }
    let (old, oldCapacity) = (all, capacity)
    do throws(HostError) {
      try allocate(max(count.adding(more) ?? .max, 3 * capacity / 2, expected()))
    } catch {
      (all, capacity) = (old, oldCapacity)
      findBuiltIn()
      throw error
    }
    for (before, after) in zip(old, all) {
      guard let values = before.base else { continue }
      after.base?.copyMemory(from: values, byteCount: count * before.stride)
      deallocate(values, oldCapacity * before.stride)
    }
  }

  package func truncate(to kept: Int, runs: Int) {
    count = kept
    runList.truncate(to: runs)
  }

  /// Reuses large memory: faulting in fresh pages takes longer than copying.
  private func memory(_ count: Int, _ stride: Int) throws(HostError) -> UnsafeMutableRawPointer {
    guard let byteCount = count.times(stride) else { throw .noMemory(for: count, size: stride) }
    if (1 << 20..<1 << 40).contains(byteCount),
      let memory = ColumnMemory.obtain(byteCount: 1 << (64 - (byteCount - 1).leadingZeroBitCount))
    {
      large.append(memory)
      return memory.base
    }
    do throws(HostError) {
      return UnsafeMutableRawPointer(try CountedMemory.allocate(byteCount, of: UInt8.self))
    } catch {
      throw .noMemory(for: count, size: stride)
    }
  }

  private func deallocate(_ column: UnsafeMutableRawPointer?, _ byteCount: Int) {
    guard let column else { return }
    if let place = large.firstIndex(where: { $0.base == column }) {
      large.remove(at: place).recycle(used: byteCount)
    } else {
      CountedMemory.deallocate(column)
    }
  }

  private func allocate(_ wanted: Int) throws(HostError) {
    forget()
    do throws(HostError) {
      for number in all.indices where all[number].exists {
        all[number].base = try memory(wanted, all[number].stride)
      }
    } catch {
      deallocate()
      throw error
    }
    capacity = wanted
    findBuiltIn()
  }

  private func deallocate() {
    for column in all { deallocate(column.base, capacity * column.stride) }
    forget()
  }

  private func forget() {
    capacity = 0
    for number in all.indices { all[number].base = nil }
    findBuiltIn()
  }

  private func findBuiltIn() {
    frames = all[0].pointer(Rect.self) ?? Self.nowhere
    transforms = all[1].pointer(Transform.self)
    alphas = all[2].pointer(Double.self)
    zIndexes = all[3].pointer(Int32.self)
    hidden = all[4].pointer(UInt8.self)
  }

  // There must be space. Checks read the copy: another process may write to the rows meanwhile.
  package func append(
    _ run: Run, rows: Range<Int>, of store: RowStore, mirrorWidth: Double?
  ) throws(HostError) {
    let start = count
    let areOrdinary = copyFrames(run, rows, UnsafePointer(store.frames))
    try completeFrames(from: start, areOrdinary, mirrorWidth)
    if hasMore { try appendMore(start, rows, of: store, isMirrored: mirrorWidth != nil) }
  }

  /// Whether the frames are valid as they are.
  @inline(__always)
  private func copyFrames(_ run: Run, _ rows: Range<Int>, _ source: UnsafePointer<Rect>) -> Bool {
    let start = count
    precondition(rows.count <= capacity - start, "there is no space for the elements")
    append(run, rows)
    return tessera_copy_frames(
      UnsafeMutableRawPointer(frames + start).assumingMemoryBound(to: Double.self),
      source.numbers(from: rows.lowerBound), UInt64(truncatingIfNeeded: rows.count)) != 0
  }

  /// Checks frames unless known valid, mirrors them, and checks the images.
  private func completeFrames(
    from start: Int, _ areOrdinary: Bool, _ mirrorWidth: Double?
  ) throws(HostError) {
    if !areOrdinary { try checkFrames(from: start) }
    guard let mirrorWidth else { return }
    let areImagesOrdinary =
      tessera_mirror_frames(
        UnsafeMutableRawPointer(frames + start).assumingMemoryBound(to: Double.self),
        UInt64(truncatingIfNeeded: count - start), mirrorWidth) != 0
    if !areOrdinary || !areImagesOrdinary { try checkFrames(from: start, mirroredIn: mirrorWidth) }
  }

  private func checkFrames(from start: Int, mirroredIn width: Double? = nil) throws(HostError) {
    for place in start..<count where !frames[place].isValid {
      let frame = frames[place]
      if let width {
        throw noImage(.frameNotFinite, place, "a frame", Value.rect(frame), in: width)
      }
      let isNegative = frame.isFinite && (frame.width < 0 || frame.height < 0)
      throw broken(
        isNegative ? .frameNegative : .frameNotFinite, place, "the frame \(Value.rect(frame))",
        frame.isFinite && !isNegative
          ? "edges whose sum is finite" : "finite numbers and a size of 0 or more")
    }
  }

  /// Of the last `find`; there must be space.
  package func append(found index: PreparedIndex, mirrorWidth: Double?) throws(HostError) {
    let store = index.store
    let (runs, source, pieces) = (store.runs, UnsafePointer(store.frames), index.pieces.buffer)
    let start = count
    var areOrdinary = true
    for piece in pieces {
      areOrdinary = copyFrames(runs[piece.run], piece.rows, source) && areOrdinary
    }
    try completeFrames(from: start, areOrdinary, mirrorWidth)
    guard hasMore else { return }
    var place = start
    for piece in pieces {
      try appendMore(place, piece.rows, of: store, isMirrored: mirrorWidth != nil)
      place += piece.rows.count
    }
  }

  /// The columns must be filled afterwards.
  @inline(__always)
  private func append(_ run: Run, _ rows: Range<Int>) {
    let item = run.firstItem + UInt64(truncatingIfNeeded: rows.lowerBound - run.row)
    let last = runList.items + (runList.count - 1)
    if runList.count > 0, last.pointee.firstItem + UInt64(last.pointee.count) == item,
      last.pointee.section == run.section, last.pointee.kind == run.kind,
      last.pointee.category == run.category
    {
      last.pointee.count += rows.count
    } else {
      var added = run
      (added.firstItem, added.count, added.row) = (item, rows.count, count)
      runList.append(added)
    }
    count += rows.count
  }

  // There must be space. A missing or mistyped value becomes the attribute's initial value.
  package func append(_ element: Element, kind: Int) {
    let place = count
    precondition(place < capacity, "there is no space for the element")
    let identity = element.identity
    append(
      Run(
        category: identity.category, kind: UInt32(kind), section: UInt32(identity.section),
        firstItem: UInt64(identity.item), count: 1, row: place), place..<place + 1)
    frames[place] = element.frame
    transforms?[place] = element.transform
    alphas?[place] = element.alpha
    zIndexes?[place] = Int32(clamping: element.zIndex)
    hidden?[place] = element.isHidden ? 1 : 0
    for (number, attribute) in declared.enumerated() {
      guard let values = self.attribute(number) else { continue }
      let given = number < element.attributes.count ? element.attributes[number] : nil
      let raw = [given, attribute.initial].lazy.compactMap {
        $0?.raw(as: attribute.type, choices: attribute.choices)
      }.first
      withUnsafeBytes(of: raw ?? tessera_value()) {
        let stride = attribute.type.stride
        (values + place * stride).copyMemory(from: $0.baseAddress!, byteCount: stride)
      }
    }
  }

  /// Columns that the store lacks get initial values.
  private func appendMore(
    _ start: Int, _ rows: Range<Int>, of store: RowStore, isMirrored: Bool
  ) throws(HostError) {
    let places = start..<start + rows.count
    /// Whether it was copied: another process may change the source.
    func copy<Item>(
      _ column: Int, _ values: UnsafeMutablePointer<Item>, _ source: UnsafeMutablePointer<Item>?
    ) -> Bool {
      if let source {
        (values + start).update(from: source + rows.lowerBound, count: rows.count)
      } else {
        UnsafeMutableRawPointer(values + start)
          .fill(rows.count, MemoryLayout<Item>.stride, with: all[column].initial)
      }
      return source != nil
    }
    if let transforms {
      if copy(1, transforms, store.transforms) {
        let length = MemoryLayout<Transform>.stride / MemoryLayout<Double>.stride
        let numbers = UnsafeRawPointer(transforms + start).assumingMemoryBound(to: Double.self)
        for number in 0..<length * rows.count where !numbers[number].isFinite {
          throw broken(
            .invalidTransform, start + number / length, "a transform that is not finite",
            "finite numbers")
        }
      }
      if isMirrored {
        for place in places { transforms[place] = transforms[place].mirrored }
      }
    }
    if let alphas, copy(2, alphas, store.alphas) {
      for place in places where !(alphas[place] >= 0 && alphas[place] <= 1) {
        throw broken(.invalidAlpha, place, "the alpha \(alphas[place].shortText)", "0 to 1")
      }
    }
    if let zIndexes { _ = copy(3, zIndexes, store.zIndexes) }
    if let hidden, copy(4, hidden, store.hidden) {
      for place in places where hidden[place] > 1 {
        throw broken(.invalidHidden, place, "the hidden value \(hidden[place])", "0 or 1")
      }
    }
    for (number, declared) in declared.enumerated() {
      guard let values = attribute(number) else { continue }
      let (type, stride) = (declared.type, declared.type.stride)
      let copied = values + start * stride
      if let source = store.attribute(number) {
        copied.copyMemory(
          from: source.base + rows.lowerBound * stride, byteCount: rows.count * stride)
        let choices = declared.choices.count
        if let row = type.firstInvalid(copied, count: rows.count, choiceCount: choices) {
          throw broken(start + row, copied + row * stride, of: declared)
        }
      } else {
        copied.fill(rows.count, stride, with: all[BuiltInColumns.count + number].initial)
      }
      guard isMirrored, type.isMirrored else { continue }
      for place in places { type.mirror(values + place * stride, in: frames[place].width) }
      if let row = type.firstInvalid(copied, count: rows.count, choiceCount: 0) {
        throw noImage(
          .invalidAttribute, start + row, "a value for \(declared.name)",
          Value.load(type, from: copied + row * stride), in: frames[start + row].width)
      }
    }
  }

  private func noImage(
    _ code: HostError.Code, _ place: Int, _ what: String, _ image: Value, in width: Double
  ) -> HostError {
    broken(
      code, place, "\(what) whose mirror image in a width of \(width.shortText) is \(image)",
      "finite numbers also after mirroring")
  }

  private func broken(
    _ place: Int, _ value: UnsafeRawPointer, of attribute: AttributeDescription
  ) -> HostError {
    var found = "\(Value.load(attribute.type, from: value))"
    var expected = "a finite \(attribute.type.name)"
    if attribute.type == .choice {
      found = "the choice \(value.load(as: Int32.self))"
      expected = "0 to \(attribute.choices.count - 1), an index into its choices"
    } else if attribute.type == .bool {
      (found, expected) = ("the byte \(value.load(as: UInt8.self))", "0 or 1")
    }
    return broken(
      .invalidAttribute, place, "an invalid value for \(attribute.name), \(found)", expected)
  }

  private func broken(
    _ code: HostError.Code, _ place: Int, _ found: String, _ expected: String
  ) -> HostError {
    let run = runs[runs.lastIndex(atOrBefore: place, from: 0)]
    let kind = run.category == .cell ? "cell" : kinds[Int(run.kind)].name
    let item = run.firstItem + UInt64(place - run.row)
    let section = Int(run.section) - firstSection
    return HostError(
      code, "it gave \(kind) \(item) of section \(section) \(found); expected \(expected)")
  }
}

extension RowStore {
  /// `width` mirrors the element back; nil if it isn't mirrored.
  package func write(
    _ element: Element, at row: Int, attributes declared: [AttributeDescription],
    mirroredIn width: Double?
  ) {
    frames[row] = width.map { element.frame.mirrored(in: $0) } ?? element.frame
    transforms?[row] = width == nil ? element.transform : element.transform.mirrored
    alphas?[row] = element.alpha
    zIndexes?[row] = Int32(clamping: element.zIndex)
    hidden?[row] = element.isHidden ? 1 : 0
    for (number, value) in element.attributes.enumerated() {
      let seen = width == nil ? value : value.mirrored(in: element.frame.width)
      guard let column = attribute(number),
        let raw = seen.raw(as: declared[number].type, choices: declared[number].choices)
      else { continue }
      withUnsafeBytes(of: raw) {
        (column.base + row * column.stride)
          .copyMemory(from: $0.baseAddress!, byteCount: column.stride)
      }
    }
  }
}

extension Rect {
  /// Larger than any content.
  package static let everything = Rect(x: -1e13, y: -1e13, width: 2e13, height: 2e13)

  /// May not be finite.
  package func mirrored(in width: Double) -> Rect {
    Rect(x: width - x - self.width, y: y, width: self.width, height: height)
  }

  /// Limits edges to half the largest number, for a finite size.
  package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    func limited(_ edge: Double) -> Double {
      let limit = Double.greatestFiniteMagnitude / 2
      return min(max(edge, -limit), limit)
    }
    let (left, top) = (limited(minX), limited(minY))
    self.init(x: left, y: top, width: limited(maxX) - left, height: limited(maxY) - top)
  }
}

extension Value {
  /// `width` is the frame's; the result may not be finite.
  package func mirrored(in width: Double) -> Value {
    guard type.isMirrored else { return self }
    var numbers = numbers
    numbers.withUnsafeMutableBytes { type.mirror($0.baseAddress!, in: width) }
    return Value(type: type, numbers: numbers) ?? self
  }
}
