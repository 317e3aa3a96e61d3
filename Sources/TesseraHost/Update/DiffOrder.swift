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
