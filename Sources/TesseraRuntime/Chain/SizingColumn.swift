import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraGeometry

/// Sizes of measured elements, or estimates, which engines read as item or section values.
package final class SizingColumn {
  package let place: SessionValues.Place
  /// The chain's kind number; nil for cells.
  package let kind: UInt32?
  package let column: tessera_column
  package let count: Int
  private let type: ValueType
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int
  private let owner: any InputMemory
  private var origins: [Origin]
  /// As the engine last answered.
  private var offers = RunSizes()
  /// Empty where measuring is off.
  private var estimates = RunSizes()
  /// Whether the engine last answered with a size for each element.
  package private(set) var hasEach = false
  /// Since the last answer.
  private var hasMoved = false
  /// Contains all elements whose size changed since the last prepare.
  package private(set) var changed: Range<Int>?

  private enum Origin: UInt8 {
    case estimate
    /// By the program's function; the usual value where measuring is off.
    case measured
    /// By the program, unasked.
    case given
  }

  package static let limit = 100_000_000

  package init(
    place: SessionValues.Place, kind: UInt32?, type: ValueType, count: Int,
    memory owner: any InputMemory
  ) throws(HostError) {
    self.owner = owner
    byteCount = max(32, count * type.stride)
    (self.place, self.kind) = (place, kind)
    self.type = type
    self.count = count
    memory = try owner.allocate(byteCount: byteCount)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    column = tessera_column(data: memory, stride: UInt64(type.stride))
    origins = Array(repeating: .estimate, count: count)
    changed = 0..<max(1, count)
  }

  deinit { owner.deallocate(memory, byteCount: byteCount) }

  package func isMeasured(_ element: Int) -> Bool { origins[element] != .estimate }

  /// In points; 0 means unlimited.
  package func offer(_ element: Int) -> Size { offers[element] ?? .zero }

  package func measure(_ element: Int, as size: Size, isGiven: Bool = false) {
    origins[element] = isGiven ? .given : .measured
    set(element, size)
  }

  package func withdraw(_ element: Int) {
    guard isMeasured(element), let estimate = estimates[element] else { return }
    origins[element] = .estimate
    set(element, estimate)
  }

  /// Keeps the offer; a new offer discards the measured size.
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

  /// Only for the same offer; `onlyGiven` skips sizes that the program was asked for.
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

  package func adopt(_ kept: KeptSizes) {
    for element in 0..<count { adopt(element, from: kept.column, kept.first + element) }
  }

  // The last prepare has read `old`. O(*n*).
  package func compare(with old: SizingColumn) {
    let common = min(count, old.count)
    let same = (0..<common).first { size($0) != old.size($0) } ?? common
    let first = min(same, old.changed?.lowerBound ?? .max)
    changed = first < max(count, old.count) ? first..<max(first + 1, count) : nil
  }

  /// Offers and estimates, run by run, as an engine answered.
  package struct Answers {
    fileprivate var offers = RunSizes()
    fileprivate var estimates = RunSizes()
    package private(set) var areOff = true

    package init() {}

    /// One size for all elements or for each; none if measuring is off.
    package mutating func append(
      _ range: Range<Int>, estimates: ArraySlice<Size>, offers: ArraySlice<Size>
    ) {
      self.estimates.append(range, estimates)
      self.offers.append(range, offers)
      if !estimates.isEmpty { areOff = false }
    }
  }

  // Elements with a new offer lose their measured size. `usual` applies where measuring is off.
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

  /// Call after a prepare has read all sizes.
  package func prepared() { changed = nil }

  /// Trailing elements with the last prepare's sizes.
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
    store(size, element)
    note(element..<element + 1)
  }

  private func size(_ element: Int) -> Size {
    if type == .size { return memory.load(fromByteOffset: element * 16, as: Size.self) }
    return Size(width: 0, height: memory.load(fromByteOffset: element * 8, as: Double.self))
  }

  private func store(_ size: Size, _ element: Int) {
    if type == .size {
      memory.storeBytes(of: size, toByteOffset: element * 16, as: Size.self)
    } else {
      memory.storeBytes(of: size.height, toByteOffset: element * 8, as: Double.self)
    }
  }
}

/// Measured sizes to keep where the offer is unchanged.
package struct KeptSizes {
  fileprivate let column: SizingColumn
  package let kind: String?
  /// The first element's index in `column`.
  fileprivate var first = 0

  package init(_ column: SizingColumn, kind: String?) { (self.column, self.kind) = (column, kind) }

  package func starting(at place: (section: Int, item: Int)) -> KeptSizes {
    var result = self
    result.first += kind == nil ? place.item : place.section
    return result
  }
}

/// One size for a whole run is stored once.
private struct RunSizes {
  /// Sizes start at `first`; `count` is 0, 1 or the number of elements.
  typealias Run = (range: Range<Int>, first: Int, count: Int)

  private(set) var runs: [Run] = []
  private var sizes: [Size] = []

  mutating func append(_ range: Range<Int>, _ sizes: ArraySlice<Size>) {
    // Merge one size for all into one run: runs are compared one by one.
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

  mutating func move(_ from: Int, to: Int) {
    guard let own = run(of: from) else { return }
    var moved = RunSizes()
    var next = 0
    func add(_ part: Range<Int>, of run: Run) {
      let first = run.first + (run.count > 1 ? part.lowerBound - run.range.lowerBound : 0)
      moved.append(next..<next + part.count, sizes[first..<first + min(run.count, part.count)])
      next += part.count
    }
    // It goes before this element.
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

  subscript(element: Int) -> Size? {
    guard let run = run(of: element), run.count > 0 else { return nil }
    return sizes[run.first + (run.count == 1 ? 0 : element - run.range.lowerBound)]
  }

  func holds(_ run: Run, of other: RunSizes) -> Bool {
    guard let own = self.run(of: run.range.lowerBound), own.range == run.range,
      own.count == run.count
    else { return false }
    return sizes[own.first..<own.first + own.count]
      == other.sizes[run.first..<run.first + run.count]
  }

  private func run(of element: Int) -> Run? {
    let next = runs.indices.partitioningIndex { runs[$0].range.lowerBound > element }
    return next > 0 && runs[next - 1].range.contains(element) ? runs[next - 1] : nil
  }
}
