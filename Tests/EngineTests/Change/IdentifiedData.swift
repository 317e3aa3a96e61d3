import TesseraHost
import TestSupport

/// Data whose items are numbered once and for all: what an item's values are follows from its number.
struct IdentifiedData {
  var ids: [[Int]]
  private var next: Int

  /// Sections of so many items.
  init(counts: [Int]) {
    next = 0
    ids = []
    for count in counts {
      ids.append(Array(next..<next + count))
      next += count
    }
  }

  var counts: [Int] { ids.map(\.count) }
  var names: [[String]] { ids.map { $0.map(String.init) } }

  /// Inserts, deletes and moves some items.
  mutating func edit(using random: inout some RandomNumberGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let section = Int.random(in: ids.indices, using: &random)
      let place = Int.random(in: 0...ids[section].count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        ids[section].insert(contentsOf: next..<next + 3, at: place)
        next += 3
      case 1:
        ids[section].removeSubrange(max(0, place - 2)..<place)
      default:
        let target = Int.random(in: ids.indices, using: &random)
        guard let item = ids[section].popLast() else { continue }
        ids[target].insert(item, at: Int.random(in: 0...ids[target].count, using: &random))
      }
    }
  }

  /// Where data come from that a batch changes to others.
  func applying(_ batch: UpdateBatch) -> IdentifiedData {
    var result = self
    result.ids = batch.after.enumerated().map { section, count in
      (0..<count).map { item in
        let origin = batch.origin(of: ItemPath(section: section, item: item))
        return origin.map { ids[$0.section][$0.item] } ?? -1
      }
    }
    return result
  }

  /// Gives a session the values of all items.
  func supply(_ session: Session) throws(HostError) {
    for (number, value) in session.engine.settableValues.enumerated() where value.scope == .item {
      let values = ids.joined().map { id in
        var random = SeededGenerator(seed: UInt64(bitPattern: Int64(id * 100 + number)))
        return random.value(of: value, session.engine.fallback(of: value))
      }
      guard value.type != .choice else { continue }
      try session.setItemValues(value.name, ValueColumn(values, type: value.type))
    }
  }

  /// A session of it with the viewport and parameters of a case.
  func session(_ engine: Engine, _ given: LayoutCase) throws -> Session {
    var given = given
    given.counts = counts
    given.sectionValues = [:]
    given.itemValues = [:]
    let session = try given.session(of: engine)
    try supply(session)
    return session
  }
}
