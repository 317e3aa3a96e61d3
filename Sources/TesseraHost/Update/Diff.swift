import Glibc
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Compares the identities before and after an update, and finds the fewest changes between them.
///
/// A scan of each section finds runs of items that are consecutive on both sides, and a hash table
/// pairs the items that are in none. Of a section's runs and pairs, the sequence with the most items
/// that is in the same order on both sides stays; the others move.
struct Diff {
  /// The runs of each section: items that are consecutive both in the old data and in the new.
  private var runs: [[(before: Int, after: Int, count: Int)]] = []
  private var left: DiffSide
  private var leftAfter: DiffSide
  /// For each item of `leftAfter`, whether it keeps its order.
  private var stays: [Bool] = []
  private(set) var items = UpdateRenumbering()
  private(set) var sections = UpdateRenumbering()
  /// The number of sections that exist before and after.
  private let shared: Int

  /// - Parameter areUnique: Whether no identity occurs twice on one side, so that it is not checked.
  init(_ before: [[String]], _ after: [[String]], areUnique: Bool) throws(HostError) {
    shared = min(before.count, after.count)
    left = DiffSide(before)
    leftAfter = DiffSide(after)
    for section in 0..<max(before.count, after.count) {
      let old = section < before.count ? before[section] : []
      let new = section < after.count ? after[section] : []
      let scan = old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { new in DiffScan(old, new) }
      }
      runs.append(scan.runs)
      left.add(scan.left, of: section, from: old)
      leftAfter.add(scan.leftAfter, of: section, from: new)
    }
    try pair(areUnique: areUnique)
    stays = Array(repeating: false, count: leftAfter.places.count)
    for section in 0..<shared { order(section) }
    addChanges()
    let change = { (section: Int) in UpdateChange(UpdateBatch.place(section)) }
    sections.departures = (shared..<before.count).map(change)
    sections.arrivals = (shared..<after.count).map(change)
  }

  /// Pairs the items that are in no run.
  ///
  /// Unless the identities are unique, the table also has the items of runs, so that it finds each
  /// identity that occurs twice.
  private mutating func pair(areUnique: Bool) throws(HostError) {
    let inRuns = areUnique ? 0 : runs.joined().reduce(0) { $0 + $1.count }
    var table = DiffTable(capacity: left.places.count + inRuns)
    for old in left.places.indices {
      let other = table.add(old, left.hashes[old]) { left.isSame($0, left, old) }
      if other != nil, !areUnique { throw .repeated(left.name(old), in: left.names, "before") }
    }
    if !areUnique { try addRuns(to: &table) }
    var fresh: [Int] = []
    for new in leftAfter.places.indices {
      let found = table.find(leftAfter.hashes[new]) { old in
        old < left.places.count
          ? left.isSame(old, leftAfter, new) : areSame(name(old), leftAfter.name(new))
      }
      guard let old = found else {
        fresh.append(new)
        continue
      }
      if old < left.places.count, left.partners[old] < 0 {
        left.partners[old] = new
        leftAfter.partners[new] = old
      } else if !areUnique {
        throw .repeated(leftAfter.name(new), in: leftAfter.names, "after")
      }
    }
    guard !areUnique else { return }
    table = DiffTable(capacity: fresh.count)
    for new in fresh {
      let other = table.add(new, leftAfter.hashes[new]) { leftAfter.isSame($0, leftAfter, new) }
      if other != nil { throw .repeated(leftAfter.name(new), in: leftAfter.names, "after") }
    }
  }

  /// Adds the items of all runs, which are numbered after those of `left`.
  private func addRuns(to table: inout DiffTable) throws(HostError) {
    var number = left.places.count
    for (section, runs) in runs.enumerated() where !runs.isEmpty {
      let repeated: String? = left.names[section].withUnsafeBufferPointer { names in
        for item in runs.lazy.flatMap({ $0.before..<$0.before + $0.count }) {
          let other = table.add(number, identityHash(names[item])) {
            areSame(name($0), names[item])
          }
          if other != nil { return names[item] }
          number += 1
        }
        return nil
      }
      if let repeated { throw .repeated(repeated, in: left.names, "before") }
    }
  }

  /// The identity of an item in the table.
  private func name(_ number: Int) -> String {
    var rest = number - left.places.count
    if rest < 0 { return left.name(number) }
    for (section, runs) in runs.enumerated() {
      for run in runs {
        if rest < run.count { return left.names[section][run.before + rest] }
        rest -= run.count
      }
    }
    preconditionFailure("no run has item \(number)")
  }

  /// Selects the items of a section that stay in order; the other items of its runs become moves.
  private mutating func order(_ section: Int) {
    let runs = runs[section]
    let old = left.starts[section]..<left.starts[section + 1]
    // The ranks of runs and of items that are in none, in the order before.
    var ranks: [Int] = []
    var runRanks: [Int] = []
    ranks.reserveCapacity(old.count)
    for position in old {
      while runRanks.count < runs.count, runs[runRanks.count].before < left.places[position].item {
        runRanks.append(ranks.count + runRanks.count)
      }
      ranks.append(ranks.count + runRanks.count)
    }
    while runRanks.count < runs.count { runRanks.append(ranks.count + runRanks.count) }
    var sequence = DiffSequence(count: ranks.count + runs.count)
    var next = 0
    for position in leftAfter.starts[section]..<leftAfter.starts[section + 1] {
      while next < runs.count, runs[next].after < leftAfter.places[position].item {
        sequence.add(runRanks[next], weight: runs[next].count)
        next += 1
      }
      let partner = leftAfter.partners[position]
      if old.contains(partner) { sequence.add(ranks[partner - old.lowerBound], weight: 1) }
    }
    for run in next..<runs.count { sequence.add(runRanks[run], weight: runs[run].count) }
    let isStaying = sequence.heaviest()
    for position in old where left.partners[position] >= 0 {
      stays[left.partners[position]] = isStaying[ranks[position - old.lowerBound]]
    }
    for (run, rank) in zip(runs, runRanks) where !isStaying[rank] { addMoves(run, in: section) }
  }

  private mutating func addMoves(
    _ run: (before: Int, after: Int, count: Int), in section: Int
  ) {
    for item in 0..<run.count {
      let old = ItemPath(section: section, item: run.before + item)
      let new = ItemPath(section: section, item: run.after + item)
      items.departures.append(UpdateChange(old, counterpart: new))
      items.arrivals.append(UpdateChange(new, counterpart: old))
    }
  }

  private mutating func addChanges() {
    let isSorted = items.arrivals.isEmpty
    for (place, partner) in zip(left.places, left.partners) {
      if partner >= 0 {
        if stays[partner] { continue }
        items.departures.append(UpdateChange(place, counterpart: leftAfter.places[partner]))
      } else if place.section < shared {
        items.departures.append(UpdateChange(place))
      }
    }
    for (position, place) in leftAfter.places.enumerated() where !stays[position] {
      let partner = leftAfter.partners[position]
      if partner >= 0 {
        items.arrivals.append(UpdateChange(place, counterpart: left.places[partner]))
      } else if place.section < shared {
        items.arrivals.append(UpdateChange(place))
      }
    }
    guard !isSorted else { return }
    items.departures.sort { $0.place < $1.place }
    items.arrivals.sort { $0.place < $1.place }
  }
}

/// The runs of a section that a linear scan finds without hashing, and the items that are in none.
struct DiffScan {
  private(set) var runs: [(before: Int, after: Int, count: Int)] = []
  private(set) var left: [Int] = []
  private(set) var leftAfter: [Int] = []

  /// How far to look ahead for the next common items.
  private static let reach = 6

  /// Scans both sides, and stops if too few items agree: then hashing is cheaper than looking ahead.
  ///
  /// - Complexity: O(*n*) for *n* items; allocates nothing for items in runs.
  init(_ before: UnsafeBufferPointer<String>, _ after: UnsafeBufferPointer<String>) {
    var (end, endAfter) = (before.count, after.count)
    while end > 0, endAfter > 0, areSame(before[end - 1], after[endAfter - 1]) {
      end -= 1
      endAfter -= 1
    }
    func same(_ old: Int, _ new: Int) -> Bool {
      old < end && new < endAfter && areSame(before[old], after[new])
    }
    var (old, new, misses) = (0, 0, 0)
    while old < end, new < endAfter, misses <= 32 + old / 64 {
      var count = 0
      while same(old + count, new + count) { count += 1 }
      if count > 0 { runs.append((old, new, count)) }
      old += count
      new += count
      guard old < end, new < endAfter else { break }
      var step: (before: Int, after: Int)?
      for distance in 1...Self.reach where step == nil {
        if same(old + distance, new) {
          step = (distance, 0)
        } else if same(old, new + distance) {
          step = (0, distance)
        } else if same(old + distance, new + distance) {
          step = (distance, distance)
        }
      }
      if step == nil { misses += 1 }
      left.append(contentsOf: old..<old + (step?.before ?? 1))
      leftAfter.append(contentsOf: new..<new + (step?.after ?? 1))
      old += step?.before ?? 1
      new += step?.after ?? 1
    }
    left.append(contentsOf: old..<end)
    leftAfter.append(contentsOf: new..<endAfter)
    if end < before.count {
      runs.append((end, endAfter, before.count - end))
    }
  }
}

/// The items before or after the update that are in no run, by section.
struct DiffSide {
  let names: [[String]]
  private(set) var places: [ItemPath] = []
  private(set) var hashes: [UInt64] = []
  /// How the identities are represented: what is the same there is the same.
  private var words: [SIMD2<UInt64>] = []
  /// The index at which each section starts in the arrays, and their count at the end.
  private(set) var starts = [0]
  /// For each item, its position on the other side; -1 if it is not there.
  var partners: [Int] = []

  init(_ names: [[String]]) { self.names = names }

  /// Adds a section's items by their numbers.
  mutating func add(_ items: [Int], of section: Int, from names: [String]) {
    names.withUnsafeBufferPointer { names in
      for item in items {
        places.append(ItemPath(section: section, item: item))
        hashes.append(identityHash(names[item]))
        words.append(unsafeBitCast(names[item], to: SIMD2<UInt64>.self))
        partners.append(-1)
      }
    }
    starts.append(places.count)
  }

  func name(_ position: Int) -> String { names[places[position].section][places[position].item] }

  @inline(__always)
  func isSame(_ position: Int, _ side: DiffSide, _ other: Int) -> Bool {
    words[position] == side.words[other] || areSame(name(position), side.name(other))
  }
}

/// Finds the sequence with the greatest weight whose ranks rise.
struct DiffSequence {
  /// A Fenwick tree over the ranks: each node has the heaviest sequence that ends at its ranks.
  private var tree: [(weight: Int, end: Int)]
  /// The rank before each in the heaviest sequence that ends there; -1 for none.
  private var previous: [Int]
  private var best = (weight: 0, end: -1)
  private var last = (weight: 0, end: -1)

  init(count: Int) {
    tree = Array(repeating: (0, -1), count: count + 1)
    previous = Array(repeating: -1, count: count)
  }

  /// Adds a rank, in the order after the update.
  ///
  /// - Complexity: O(log *n*).
  mutating func add(_ rank: Int, weight: Int) {
    // After the rank before this one, nothing is heavier than what ends there.
    var heaviest = last.end >= 0 && last.end == rank - 1 ? last : (weight: 0, end: -1)
    var node = heaviest.end < 0 ? rank : 0
    while node > 0 {
      if tree[node].weight > heaviest.weight { heaviest = tree[node] }
      node &= node - 1
    }
    previous[rank] = heaviest.end
    let own = (weight: heaviest.weight + weight, end: rank)
    if own.weight > best.weight { best = own }
    last = own
    node = rank + 1
    // The nodes above one have all its ranks.
    while node < tree.count, tree[node].weight < own.weight {
      tree[node] = own
      node += node & -node
    }
  }

  /// For each rank, whether it is in the sequence.
  func heaviest() -> [Bool] {
    var isStaying = [Bool](repeating: false, count: previous.count)
    var rank = best.end
    while rank >= 0 {
      isStaying[rank] = true
      rank = previous[rank]
    }
    return isStaying
  }
}

/// A hash table with open addressing that maps the hashes of identities to positions.
struct DiffTable {
  /// A position plus one in the low 40 bits, the high bits of its hash in the others; 0 for a free
  /// slot.
  private var slots: [UInt64]
  private let mask: UInt64

  private static let positionMask: UInt64 = (1 << 40) - 1

  /// Creates a table for a number of identities.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
    mask = UInt64(size - 1)
  }

  /// Returns the position with a hash for which the predicate is true.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  func find(_ hash: UInt64, where isSame: (Int) -> Bool) -> Int? { lookUp(hash, isSame).position }

  /// Adds a position, unless `find` returns one, which is returned.
  @inline(__always)
  mutating func add(_ position: Int, _ hash: UInt64, where isSame: (Int) -> Bool) -> Int? {
    let (slot, other) = lookUp(hash, isSame)
    if other == nil { slots[slot] = hash & ~Self.positionMask | UInt64(position + 1) }
    return other
  }

  @inline(__always)
  private func lookUp(_ hash: UInt64, _ isSame: (Int) -> Bool) -> (slot: Int, position: Int?) {
    var slot = hash & mask
    while true {
      let entry = slots[Int(slot)]
      if entry == 0 { return (Int(slot), nil) }
      let position = Int(entry & Self.positionMask) - 1
      if (entry ^ hash) & ~Self.positionMask == 0, isSame(position) { return (Int(slot), position) }
      slot = (slot + 1) & mask
    }
  }
}

/// Whether two identities have the same bytes.
@inline(__always)
private func areSame(_ left: String, _ right: String) -> Bool {
  // Strings with identical representations are equal, and two words compare faster than bytes.
  let one = unsafeBitCast(left, to: (UInt64, UInt64).self)
  let other = unsafeBitCast(right, to: (UInt64, UInt64).self)
  if one == other { return true }
  return left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}

/// A hash of the bytes, which does not vary between runs of the program.
@inline(__always)
private func identityHash(_ identity: String) -> UInt64 {
  identity.utf8.withContiguousStorageIfAvailable { identityHash(UnsafeRawBufferPointer($0)) }
    ?? Array(identity.utf8).withUnsafeBytes { identityHash($0) }
}

@inline(__always)
private func identityHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  let count = bytes.count
  var state = UInt64(count) ^ 0x9E37_79B9_7F4A_7C15
  var rest: UInt64 = 0
  if count >= 8 {
    for offset in stride(from: 0, to: count - 8, by: 8) {
      state = mix(state ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    // The last eight, of which some may have been counted.
    rest = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
  } else {
    for byte in bytes { rest = rest << 8 | UInt64(byte) }
  }
  return mix(state ^ rest) &* 0x9FB2_1C65_1E98_DF25
}

@inline(__always)
private func mix(_ state: UInt64) -> UInt64 {
  let product = state.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
  return product.high ^ product.low
}

extension HostError {
  /// The error for an identity that occurs twice on one side.
  fileprivate static func repeated(
    _ name: String, in names: [[String]], _ when: String
  ) -> HostError {
    let places = names.indices.flatMap { section in
      names[section].indices.filter { areSame(names[section][$0], name) }
        .map { ItemPath(section: section, item: $0) }
    }
    return .repeatedIdentity(
      name, item: places[0].item, section: places[0].section, otherItem: places[1].item,
      otherSection: places[1].section, when)
  }
}
