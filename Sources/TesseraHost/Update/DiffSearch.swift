import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// A run of items that are consecutive both in the old data and in the new.
struct DiffRun {
  let before: Int
  let after: Int
  let count: Int
}

/// The runs of a section that a linear scan finds without hashing.
struct DiffScan {
  /// The common runs, in order.
  private(set) var runs: [DiffRun] = []
  /// The numbers of the old items that are in no run, in order.
  private(set) var leftBefore: [Int] = []
  /// The numbers of the new items that are in no run, in order.
  private(set) var leftAfter: [Int] = []

  private let before: UnsafeBufferPointer<String>
  private let after: UnsafeBufferPointer<String>

  /// How far to look ahead for the next common items.
  private static let reach = 6

  /// Scans both sides, and stops if too few items agree.
  ///
  /// - Complexity: O(*n*) for *n* items; allocates nothing for items in runs.
  init(_ before: UnsafeBufferPointer<String>, _ after: UnsafeBufferPointer<String>) {
    self.before = before
    self.after = after
    let head = length(from: 0, 0, before.count, after.count)
    let tail = commonTail(from: head)
    add(DiffRun(before: 0, after: 0, count: head))
    let ends = (before.count - tail, after.count - tail)
    walk(from: head, to: ends.0, ends.1)
    add(DiffRun(before: ends.0, after: ends.1, count: tail))
  }

  private mutating func walk(from head: Int, to endBefore: Int, _ endAfter: Int) {
    var old = head
    var new = head
    var misses = 0
    while old < endBefore, new < endAfter {
      guard let step = step(from: old, new, endBefore, endAfter) else {
        leftBefore.append(old)
        leftAfter.append(new)
        old += 1
        new += 1
        misses += 1
        // If much has changed, hashing is cheaper than looking ahead.
        if misses > 32 + old / 64 { break }
        continue
      }
      leftBefore.append(contentsOf: old..<old + step.before)
      leftAfter.append(contentsOf: new..<new + step.after)
      old += step.before
      new += step.after
      let count = length(from: old, new, endBefore, endAfter)
      add(DiffRun(before: old, after: new, count: count))
      old += count
      new += count
    }
    leftBefore.append(contentsOf: old..<endBefore)
    leftAfter.append(contentsOf: new..<endAfter)
  }

  private mutating func add(_ run: DiffRun) {
    if run.count > 0 { runs.append(run) }
  }

  /// The number of items that agree from two places on.
  private func length(from old: Int, _ new: Int, _ endBefore: Int, _ endAfter: Int) -> Int {
    let limit = min(endBefore - old, endAfter - new)
    var count = 0
    while count < limit, DiffIdentity.same(before[old + count], after[new + count]) { count += 1 }
    return count
  }

  private func commonTail(from head: Int) -> Int {
    let limit = min(before.count, after.count) - head
    var count = 0
    while count < limit,
      DiffIdentity.same(before[before.count - 1 - count], after[after.count - 1 - count])
    {
      count += 1
    }
    return count
  }

  /// The number of items to skip on each side until items agree again; nil if no nearby items do.
  private func step(
    from old: Int, _ new: Int, _ endBefore: Int, _ endAfter: Int
  ) -> (before: Int, after: Int)? {
    for distance in 1...Self.reach {
      let hasBefore = old + distance < endBefore
      let hasAfter = new + distance < endAfter
      if hasBefore, DiffIdentity.same(before[old + distance], after[new]) { return (distance, 0) }
      if hasAfter, DiffIdentity.same(before[old], after[new + distance]) { return (0, distance) }
      if hasBefore, hasAfter, DiffIdentity.same(before[old + distance], after[new + distance]) {
        return (distance, distance)
      }
    }
    return nil
  }
}

/// A Bloom filter of hashes, which uses a few bits of one word for each.
struct DiffFilter {
  private var words: [UInt64]
  private let mask: UInt64

  /// Creates a filter for a number of hashes, with a false positive rate of about 1 in 1,000.
  init(capacity: Int) {
    var size = 8
    while size < capacity / 4 { size *= 2 }
    words = [UInt64](repeating: 0, count: size)
    mask = UInt64(size - 1)
  }

  @inline(__always)
  private static func bits(_ hash: UInt64) -> UInt64 {
    1 << (hash >> 58) | 1 << (hash >> 52 & 63) | 1 << (hash >> 46 & 63)
  }

  /// Whether a hash may have been added.
  @inline(__always)
  func mayHold(_ hash: UInt64) -> Bool {
    let bits = Self.bits(hash)
    return words[Int(hash & mask)] & bits == bits
  }

  /// Adds a hash; returns whether it may have been added before.
  @inline(__always)
  mutating func add(_ hash: UInt64) -> Bool {
    let bits = Self.bits(hash)
    let index = Int(hash & mask)
    let word = words[index]
    words[index] = word | bits
    return word & bits == bits
  }
}

/// Selects the runs that stay in place, so that the fewest items move.
enum DiffOrder {
  /// Finds the sequence of runs with the most items that is in the same order before and after.
  ///
  /// - Parameter runs: The runs in the order of the new data.
  /// - Returns: For each run, whether it stays.
  /// - Complexity: O(*n*) if all runs stay; else O(*k* log *k*) for *k* runs, or O(*n* log *n*) for
  ///   *n* items if runs are short.
  static func staying(_ runs: [DiffRun]) -> [Bool] {
    if zip(runs, runs.dropFirst()).allSatisfy({ $0.before < $1.before }) {
      return Array(repeating: true, count: runs.count)
    }
    let items = runs.reduce(0) { $0 + $1.count }
    return runs.count < items / 8 ? heaviest(runs) : longest(runs, items: items)
  }

  /// Uses patience sorting item by item, which keeps the smallest end of the sequences of each length.
  ///
  /// A longest sequence that contains an item contains its whole run, so one flag per run suffices.
  private static func longest(_ runs: [DiffRun], items: Int) -> [Bool] {
    var ends: [Int] = []
    var endItems: [Int] = []
    var previous = [Int](repeating: -1, count: items)
    var owners = [Int](repeating: 0, count: items)
    var item = 0
    for (index, run) in runs.enumerated() {
      for value in run.before..<run.before + run.count {
        let pile = position(of: value, in: ends)
        previous[item] = pile > 0 ? endItems[pile - 1] : -1
        owners[item] = index
        if pile == ends.count {
          ends.append(value)
          endItems.append(item)
        } else {
          ends[pile] = value
          endItems[pile] = item
        }
        item += 1
      }
    }
    var stays = [Bool](repeating: false, count: runs.count)
    var next = endItems.last ?? -1
    while next >= 0 {
      stays[owners[next]] = true
      next = previous[next]
    }
    return stays
  }

  /// The first index whose end is not below a value; the ends are ascending.
  @inline(__always)
  private static func position(of value: Int, in ends: [Int]) -> Int {
    guard let last = ends.last, value < last else { return ends.count }
    return ends.withUnsafeBufferPointer { ends in
      var low = 0
      var length = ends.count
      // Avoid a branch on the data, which processors cannot predict.
      while length > 1 {
        let half = length / 2
        low += ends[low + half - 1] < value ? half : 0
        length -= half
      }
      return low
    }
  }

  /// Uses a tree of maximum weights over the ranks in the old data, run by run.
  private static func heaviest(_ runs: [DiffRun]) -> [Bool] {
    let byBefore = runs.indices.sorted { runs[$0].before < runs[$1].before }
    var ranks = [Int](repeating: 0, count: runs.count)
    for (rank, index) in byBefore.enumerated() { ranks[index] = rank + 1 }
    var weights = [Int](repeating: 0, count: runs.count)
    var previous = [Int](repeating: -1, count: runs.count)
    // Each node holds the last run of the heaviest sequence in its range.
    var tree = [Int](repeating: -1, count: runs.count + 1)
    var best = -1
    for (index, run) in runs.enumerated() {
      var node = ranks[index] - 1
      while node > 0 {
        let other = tree[node]
        if other >= 0, weights[other] > weights[index] {
          weights[index] = weights[other]
          previous[index] = other
        }
        node &= node - 1
      }
      weights[index] += run.count
      node = ranks[index]
      while node < tree.count {
        if tree[node] < 0 || weights[tree[node]] < weights[index] { tree[node] = index }
        node += node & -node
      }
      if best < 0 || weights[index] > weights[best] { best = index }
    }
    var stays = [Bool](repeating: false, count: runs.count)
    while best >= 0 {
      stays[best] = true
      best = previous[best]
    }
    return stays
  }
}

/// Finds duplicate identities of which one is in a run, and so was not hashed.
struct DiffDuplicates {
  private struct Suspect {
    let hash: UInt64
    let name: String
    let before: ItemPath?
    let after: ItemPath?
  }

  let before, after: [[String]]
  /// The runs of each section.
  let runs: [[DiffRun]]
  let left: DiffSide
  let leftAfter: DiffSide
  /// The positions of the items that only the new data have.
  let fresh: [Int]

  /// Checks all identities.
  ///
  /// The identities of the old data and the fresh ones are added to a filter; only those that may be
  /// duplicates are compared.
  ///
  /// - Throws: `.invalidInput` for the first duplicate.
  /// - Complexity: O(*n*), with 10 bytes of temporary memory per item.
  func check() throws(HostError) {
    let hashes = allHashes()
    var filter = DiffFilter(capacity: hashes.count)
    let repeated = hashes.filter { filter.add($0) }
    guard !repeated.isEmpty else { return }
    // A second pass finds the first of two items with the same hash.
    var second = DiffFilter(capacity: repeated.count * 4)
    for hash in repeated { _ = second.add(hash) }
    try compare(suspects(hashes.indices.filter { second.mayHold(hashes[$0]) }, hashes))
  }

  private func allHashes() -> [UInt64] {
    var hashes: [UInt64] = []
    let inRuns = runs.reduce(0) { $1.reduce($0) { $0 + $1.count } }
    hashes.reserveCapacity(inRuns + left.hashes.count + fresh.count)
    for (section, runs) in runs.enumerated() {
      before[section].withUnsafeBufferPointer { names in
        for run in runs {
          for item in run.before..<run.before + run.count {
            hashes.append(DiffIdentity.hash(names[item]))
          }
        }
      }
    }
    hashes.append(contentsOf: left.hashes)
    for position in fresh { hashes.append(leftAfter.hashes[position]) }
    return hashes
  }

  /// The items to which the hashes at ascending positions belong.
  private func suspects(_ positions: [Int], _ hashes: [UInt64]) -> [Suspect] {
    var suspects: [Suspect] = []
    var rest = positions[...]
    var start = 0
    for (section, runs) in runs.enumerated() {
      for run in runs {
        while let position = rest.first, position < start + run.count {
          let item = position - start
          let old = ItemPath(section: section, item: run.before + item)
          suspects.append(
            Suspect(
              hash: hashes[position], name: before[section][old.item], before: old,
              after: ItemPath(section: section, item: run.after + item)))
          rest.removeFirst()
        }
        start += run.count
      }
    }
    for position in rest {
      let index = position - start
      let isOld = index < left.places.count
      let place = isOld ? index : fresh[index - left.places.count]
      suspects.append(
        Suspect(
          hash: hashes[position],
          name: isOld ? left.name(place, before) : leftAfter.name(place, after),
          before: isOld ? left.places[place] : nil,
          after: isOld ? nil : leftAfter.places[place]))
    }
    return suspects
  }

  private func compare(_ suspects: [Suspect]) throws(HostError) {
    var table = DiffTable(capacity: suspects.count)
    for (index, suspect) in suspects.enumerated() {
      let other = table.add(
        index, suspect.hash, where: { DiffIdentity.same(suspects[$0].name, suspect.name) })
      guard let other else { continue }
      if let one = suspects[other].before, let two = suspect.before {
        throw .repeated(suspect.name, one, two, .before)
      }
      if let one = suspects[other].after, let two = suspect.after {
        throw .repeated(suspect.name, one, two, .after)
      }
    }
  }
}
