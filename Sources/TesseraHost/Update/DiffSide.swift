/// The items of one side that are in no run, section by section.
struct DiffSide {
  private(set) var places: [ItemPath] = []
  private(set) var names: [String] = []
  private(set) var hashes: [UInt64] = []
  /// Where each section starts in the arrays, and last where they end.
  private(set) var starts = [0]
  /// For each item its position on the other side; -1 where that does not have it.
  var partners: [Int] = []

  /// A side with room for so many items.
  init(capacity: Int = 0) {
    places.reserveCapacity(capacity)
    names.reserveCapacity(capacity)
    hashes.reserveCapacity(capacity)
  }

  /// Adds a section's items by their numbers.
  mutating func add(_ items: some Collection<Int>, of section: Int, from names: [String]) {
    for item in items {
      let name = names[item]
      places.append(ItemPath(section: section, item: item))
      self.names.append(name)
      hashes.append(DiffIdentity.hash(name))
    }
    starts.append(places.count)
  }

  /// Finds the partners of both sides, and refuses an identity that one side has twice.
  ///
  /// Answers with the positions of the new side's items that have none.
  static func match(_ before: inout DiffSide, _ after: inout DiffSide) throws(HostError) -> [Int] {
    before.partners = Array(repeating: -1, count: before.places.count)
    after.partners = Array(repeating: -1, count: after.places.count)
    let table = try before.table(of: before.places.indices, .before)
    var fresh: [Int] = []
    for new in after.places.indices {
      let name = after.names[new]
      guard
        let old = table.find(
          after.hashes[new], where: { DiffIdentity.same(before.names[$0], name) })
      else {
        fresh.append(new)
        continue
      }
      if before.partners[old] >= 0 {
        throw .repeated(name, after.places[before.partners[old]], after.places[new], .after)
      }
      before.partners[old] = new
      after.partners[new] = old
    }
    _ = try after.table(of: fresh, .after)
    return fresh
  }

  private func table(
    of positions: some Collection<Int>, _ when: DiffMoment
  ) throws(HostError) -> DiffTable {
    var table = DiffTable(capacity: positions.count)
    for position in positions {
      let name = names[position]
      let other = table.add(
        position, hashes[position], where: { DiffIdentity.same(names[$0], name) })
      if let other { throw .repeated(name, places[other], places[position], when) }
    }
    return table
  }
}

/// Which of the two data.
enum DiffMoment: String {
  case before, after
}

extension HostError {
  /// An identity that one side has twice.
  static func repeated(
    _ name: String, _ one: ItemPath, _ other: ItemPath, _ when: DiffMoment
  ) -> HostError {
    let (first, second) = one < other ? (one, other) : (other, one)
    return HostError(
      .invalidInput,
      "identity \"\(name)\" is both item \(first.item) of section \(first.section) and item "
        + "\(second.item) of section \(second.section) \(when.rawValue) the update; give each item "
        + "an identity of its own")
  }
}
