import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Items that follow each other in the old data and in the new: a run that both have.
struct DiffRun {
  let before: Int
  let after: Int
  let count: Int
}

/// What a walk through a section of both data finds without hashing anything.
struct DiffScan {
  /// Runs that both have, in the order of both.
  private(set) var runs: [DiffRun] = []
  /// Numbers of the items of the old data that are in no run, in order.
  private(set) var leftBefore: [Int] = []
  /// Numbers of the items of the new data that are in no run, in order.
  private(set) var leftAfter: [Int] = []

  private let before: UnsafeBufferPointer<String>
  private let after: UnsafeBufferPointer<String>

  /// How far to look for the place where the two data agree again.
  private static let reach = 6

  /// Walks both, until they agree too seldom for it to be worth while.
  ///
  /// Complexity: n for n items; nothing is allocated for an item in a run.
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
        // Where much has changed, hashing is cheaper than looking around.
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

  /// How many items agree from two places on.
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

  /// How many items to leave out on each side for the next ones to agree; nil where none near do.
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

/// Says of a hash whether it was certainly not there before: a few bits of one word for each.
struct DiffFilter {
  private var words: [UInt64]
  private let mask: UInt64

  /// A filter for so many hashes; about one in a thousand is then taken for another.
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

  /// Adds a hash; answers whether it may have been there.
  @inline(__always)
  mutating func add(_ hash: UInt64) -> Bool {
    let bits = Self.bits(hash)
    let index = Int(hash & mask)
    let word = words[index]
    words[index] = word | bits
    return word & bits == bits
  }
}

/// Which runs may stay where they are, so that the fewest items move.
enum DiffOrder {
  /// The runs, given in the order of the new data, that form the longest sequence by items which is
  /// also in the order of the old.
  ///
  /// Answers with one flag a run. Complexity: n where all may stay; else k log k for k runs, or
  /// n log n for n items where runs are short.
  static func staying(_ runs: [DiffRun]) -> [Bool] {
    if zip(runs, runs.dropFirst()).allSatisfy({ $0.before < $1.before }) {
      return Array(repeating: true, count: runs.count)
    }
    let items = runs.reduce(0) { $0 + $1.count }
    return runs.count < items / 8 ? heaviest(runs) : longest(runs, items: items)
  }

  /// By piles, item by item: of each length, the sequence with the smallest end.
  ///
  /// An item of a longest sequence has its whole run in it, so a flag a run is enough.
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

  /// The first index whose end is not below a value; ends increase.
  @inline(__always)
  private static func position(of value: Int, in ends: [Int]) -> Int {
    guard let last = ends.last, value < last else { return ends.count }
    return ends.withUnsafeBufferPointer { ends in
      var low = 0
      var length = ends.count
      // Without a branch on the data, which no processor could foresee.
      while length > 1 {
        let half = length / 2
        low += ends[low + half - 1] < value ? half : 0
        length -= half
      }
      return low
    }
  }

  /// By a tree of best weights over the ranks in the old data, run by run.
  private static func heaviest(_ runs: [DiffRun]) -> [Bool] {
    let byBefore = runs.indices.sorted { runs[$0].before < runs[$1].before }
    var ranks = [Int](repeating: 0, count: runs.count)
    for (rank, index) in byBefore.enumerated() { ranks[index] = rank + 1 }
    var weights = [Int](repeating: 0, count: runs.count)
    var previous = [Int](repeating: -1, count: runs.count)
    // Each node holds the run that ends the heaviest sequence of its range.
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

/// Finds an identity that one side has twice although a run, which nobody hashed, holds it.
struct DiffDuplicates {
  private struct Suspect {
    let hash: UInt64
    let name: String
    let before: ItemPath?
    let after: ItemPath?
  }

  let before: [[String]]
  /// The runs of each section.
  let runs: [[DiffRun]]
  let left: DiffSide
  let leftAfter: DiffSide
  /// The positions of what only the new data have.
  let fresh: [Int]

  /// Refuses the first identity that is found twice.
  ///
  /// Every identity of the old data and every fresh one is hashed into a filter; the few that it
  /// takes for another are compared. Complexity: n, and 10 bytes an item until it returns.
  func check() throws(HostError) {
    let hashes = allHashes()
    var filter = DiffFilter(capacity: hashes.count)
    let repeated = hashes.filter { filter.add($0) }
    guard !repeated.isEmpty else { return }
    // The first of two with the same hash is found by a second look.
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

  /// What the hashes at rising positions belong to.
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
      let side = isOld ? left : leftAfter
      let place = isOld ? index : fresh[index - left.places.count]
      suspects.append(
        Suspect(
          hash: hashes[position], name: side.names[place], before: isOld ? side.places[place] : nil,
          after: isOld ? nil : side.places[place]))
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
