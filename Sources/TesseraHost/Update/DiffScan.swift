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
