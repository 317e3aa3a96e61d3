import TesseraCatalog
import TesseraRuntime
import TesseraWorker

// Finds the fewest changes between identities. A scan finds runs that are consecutive on both
// sides; a hash table pairs the rest. In each section, the heaviest sequence in the same order
// stays and the rest moves.
struct Diff {
  private var left: DiffSide
  private var leftAfter: DiffSide
  private var stays: [Bool] = []
  private(set) var items = UpdateRenumbering()
  private(set) var sections = UpdateRenumbering()
  /// The number of sections on both sides.
  private let shared: Int

  /// `areUnique` skips the check for duplicates.
  init(_ before: [[String]], _ after: [[String]], areUnique: Bool) throws(HostError) {
    shared = min(before.count, after.count)
    let scans = (0..<max(before.count, after.count)).map { section in
      let old = section < before.count ? before[section] : []
      let new = section < after.count ? after[section] : []
      return old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { new in DiffScan(old, new) }
      }
    }
    left = DiffSide(before, scans.map(\.parts))
    leftAfter = DiffSide(after, scans.map(\.partsAfter))
    for (section, scan) in scans.enumerated() {
      let (start, startAfter) = (left.starts[section], leftAfter.starts[section])
      for run in scan.runs { join(start + run.before, startAfter + run.after) }
    }
    try pair(areUnique: areUnique)
    for section in scans.indices { order(section) }
    addChanges()
    let change = { (section: Int) in UpdateChange(UpdateBatch.place(section)) }
    sections.departures = (shared..<before.count).map(change)
    sections.arrivals = (shared..<after.count).map(change)
  }

  private mutating func join(_ old: Int, _ new: Int) {
    let (place, placeAfter) = (left.parts[old].change.place, leftAfter.parts[new].change.place)
    left.parts[old].partner = new
    left.parts[old].change = UpdateChange(place, counterpart: placeAfter)
    leftAfter.parts[new].partner = old
    leftAfter.parts[new].change = UpdateChange(placeAfter, counterpart: place)
  }

  /// Unless unique, the table includes runs to find duplicates.
  private mutating func pair(areUnique: Bool) throws(HostError) {
    var places: [Identity: Int] = [:]
    places.reserveCapacity(areUnique ? left.parts.count : left.names.reduce(0) { $0 + $1.count })
    for old in left.parts.indices where left.parts[old].runCount == 0 {
      let identity = left.identity(of: old)
      if places[identity] == nil {
        places[identity] = old
      } else if !areUnique {
        throw .repeated(identity, in: left.names, "before")
      }
    }
    for part in left.parts where !areUnique && part.runCount > 0 {
      let first = part.change.place
      for name in left.names[first.section][first.item..<first.item + part.runCount] {
        let identity = Identity(name: name)
        if places.updateValue(Self.inRun, forKey: identity) != nil {
          throw .repeated(identity, in: left.names, "before")
        }
      }
    }
    var fresh: Set<Identity> = []
    for new in leftAfter.parts.indices where leftAfter.parts[new].runCount == 0 {
      let identity = leftAfter.identity(of: new)
      let old = places[identity]
      if let old, old != Self.inRun, left.parts[old].partner < 0 {
        join(old, new)
      } else if !areUnique, old != nil || !fresh.insert(identity).inserted {
        throw .repeated(identity, in: leftAfter.names, "after")
      }
    }
  }

  private static let inRun = -1

  private mutating func order(_ section: Int) {
    let old = left.starts[section]..<left.starts[section + 1]
    let new = leftAfter.parts[leftAfter.starts[section]..<leftAfter.starts[section + 1]]
    var sequence = DiffSequence(ranks: old.count, count: new.count)
    for (number, part) in new.enumerated() where old.contains(part.partner) {
      sequence.add(number, rank: part.partner - old.lowerBound, weight: max(part.runCount, 1))
    }
    stays += sequence.heaviest()
  }

  private mutating func addChanges() {
    let staying = stays.count { $0 }
    items.departures.reserveCapacity(left.parts.count - staying)
    items.arrivals.reserveCapacity(leftAfter.parts.count - staying)
    for part in left.parts
    where part.partner >= 0 ? !stays[part.partner] : part.change.place.section < shared {
      items.departures.append(part.change, count: part.runCount)
    }
    for (part, stays) in zip(leftAfter.parts, stays)
    where !stays && (part.partner >= 0 || part.change.place.section < shared) {
      items.arrivals.append(part.change, count: part.runCount)
    }
  }
}

extension [UpdateChange] {
  fileprivate mutating func append(_ first: UpdateChange, count: Int) {
    append(first)
    guard count > 1 else { return }
    var (place, counterpart) = (first.place, first.counterpart)
    for _ in 1..<count {
      place.item += 1
      counterpart?.item += 1
      append(UpdateChange(place, counterpart: counterpart))
    }
  }
}

/// Runs found by a linear scan without hashing, and the other items.
struct DiffScan {
  /// Positions in `parts` and `partsAfter`.
  private(set) var runs: [(before: Int, after: Int)] = []
  /// Runs and single items in order: the first item, and the run's length or 0.
  private(set) var parts: [(item: Int, runCount: Int)] = []
  private(set) var partsAfter: [(item: Int, runCount: Int)] = []

  /// Lookahead for the next common items.
  private static let reach = 6

  // Stops if few items agree: hashing is cheaper then. O(*n*), no allocation in runs.
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
      let most = min(end - old, endAfter - new)
      var count = 0
      while count < most, areSame(before[old + count], after[new + count]) { count += 1 }
      if count > 0 { addRun(old, new, count) }
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
      let next = (old: old + (step?.before ?? 1), new: new + (step?.after ?? 1))
      for item in old..<next.old { parts.append((item, 0)) }
      for item in new..<next.new { partsAfter.append((item, 0)) }
      (old, new) = next
    }
    for item in old..<end { parts.append((item, 0)) }
    for item in new..<endAfter { partsAfter.append((item, 0)) }
    if end < before.count { addRun(end, endAfter, before.count - end) }
  }

  private mutating func addRun(_ old: Int, _ new: Int, _ count: Int) {
    runs.append((parts.count, partsAfter.count))
    parts.append((old, count))
    partsAfter.append((new, count))
  }
}

struct DiffSide {
  let names: [[String]]
  /// The change as if it moved; the position on the other side, or -1; the run's length, or 0.
  var parts: [(change: UpdateChange, partner: Int, runCount: Int)] = []
  /// Where each section starts in the parts, then their count.
  private(set) var starts = [0]

  init(_ names: [[String]], _ parts: [[(item: Int, runCount: Int)]]) {
    self.names = names
    self.parts.reserveCapacity(parts.reduce(0) { $0 + $1.count })
    for (section, parts) in parts.enumerated() {
      self.parts += parts.map { item, count in
        (UpdateChange(ItemPath(section: section, item: item)), -1, count)
      }
      starts.append(self.parts.count)
    }
  }

  func identity(of part: Int) -> Identity {
    let place = parts[part].change.place
    return Identity(name: names[place.section][place.item])
  }
}

/// Compared by bytes.
struct Identity: Hashable {
  let name: String

  static func == (one: Identity, other: Identity) -> Bool { areSame(one.name, other.name) }

  func hash(into hasher: inout Hasher) {
    var name = name
    name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// The heaviest sequence of rising ranks.
struct DiffSequence {
  /// A Fenwick tree: the heaviest sequence that ends at a node's ranks, with its last number.
  private var tree: [(weight: Int, end: Int)]
  /// The predecessor in the heaviest sequence that ends here, or -1.
  private var previous: [Int]
  private var best = (weight: 0, end: -1)
  private var last = (weight: 0, end: -1)
  private var lastRank = -1

  init(ranks: Int, count: Int) {
    tree = Array(repeating: (0, -1), count: ranks + 1)
    previous = Array(repeating: -1, count: count)
  }

  // Numbers must rise. O(log *n*).
  mutating func add(_ number: Int, rank: Int, weight: Int) {
    // Right after the last rank, nothing is heavier than its sequence.
    let follows = lastRank == rank - 1
    var heaviest = follows ? last : (weight: 0, end: -1)
    var node = follows ? 0 : rank
    while node > 0 {
      if tree[node].weight > heaviest.weight { heaviest = tree[node] }
      node &= node - 1
    }
    previous[number] = heaviest.end
    last = (heaviest.weight + weight, number)
    lastRank = rank
    if last.weight > best.weight { best = last }
    node = rank + 1
    // Nodes above include all its ranks.
    while node < tree.count, tree[node].weight < last.weight {
      tree[node] = last
      node += node & -node
    }
  }

  func heaviest() -> [Bool] {
    var isStaying = [Bool](repeating: false, count: previous.count)
    var end = best.end
    while end >= 0 {
      isStaying[end] = true
      end = previous[end]
    }
    return isStaying
  }
}

@inline(__always)
private func areSame(_ left: String, _ right: String) -> Bool {
  // Identical representations are equal, and two words compare faster than bytes.
  let one = unsafeBitCast(left, to: (UInt64, UInt64).self)
  let other = unsafeBitCast(right, to: (UInt64, UInt64).self)
  if one == other { return true }
  return left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}

extension HostError {
  fileprivate static func repeated(
    _ identity: Identity, in names: [[String]], _ when: String
  ) -> HostError {
    let name = identity.name
    let places = names.indices.flatMap { section in
      names[section].indices.filter { areSame(names[section][$0], name) }
        .map { ItemPath(section: section, item: $0) }
    }
    return HostError(
      .invalidUpdate,
      "identity \"\(name)\" is both item \(places[0].item) of section \(places[0].section) and "
        + "item \(places[1].item) of section \(places[1].section) \(when) the update; give each "
        + "item an identity of its own")
  }
}
