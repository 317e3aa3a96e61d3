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
