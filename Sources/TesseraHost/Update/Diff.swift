import Glibc
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Compares the identities before and after an update, and finds the fewest changes between them.
struct Diff {
  private let before: [[String]]
  private let after: [[String]]
  private var runs: [[DiffRun]] = []
  private var left = DiffSide()
  private var leftAfter = DiffSide()
  /// For each item of `leftAfter`, whether it keeps its order.
  private var stays: [Bool] = []
  private(set) var items = UpdateRenumbering()
  private(set) var sections = UpdateRenumbering()

  /// The number of sections that exist before and after.
  private var shared: Int { min(before.count, after.count) }

  /// - Parameter areUnique: Whether no identity occurs twice on one side, so that it is not checked.
  init(_ before: [[String]], _ after: [[String]], areUnique: Bool) throws(HostError) {
    self.before = before
    self.after = after
    scan()
    let (fresh, isChecked) = try DiffSide.match(
      &left, &leftAfter, before, after, areUnique: areUnique)
    if !areUnique, !isChecked || runs.contains(where: { !$0.isEmpty }) {
      try DiffDuplicates(
        before: before, after: after, runs: runs, left: left, leftAfter: leftAfter, fresh: fresh
      ).check()
    }
    stays = Array(repeating: false, count: leftAfter.places.count)
    for section in 0..<shared { order(section) }
    addChanges()
    for section in shared..<max(before.count, shared) {
      sections.departures.append(UpdateChange(UpdateCheck.place(section)))
    }
    for section in shared..<max(after.count, shared) {
      sections.arrivals.append(UpdateChange(UpdateCheck.place(section)))
    }
  }

  private mutating func scan() {
    let scans = (0..<shared).map { section in
      before[section].withUnsafeBufferPointer { old in
        after[section].withUnsafeBufferPointer { new in DiffScan(old, new) }
      }
    }
    runs = scans.map(\.runs)
    left = DiffSide(
      capacity: scans.reduce(0) { $0 + $1.leftBefore.count }
        + before[shared...].reduce(0) { $0 + $1.count })
    leftAfter = DiffSide(
      capacity: scans.reduce(0) { $0 + $1.leftAfter.count }
        + after[shared...].reduce(0) { $0 + $1.count })
    for (section, scan) in scans.enumerated() {
      left.add(scan.leftBefore, of: section, from: before[section])
      leftAfter.add(scan.leftAfter, of: section, from: after[section])
    }
    for section in shared..<max(before.count, shared) {
      left.add(before[section].indices, of: section, from: before[section])
    }
    for section in shared..<max(after.count, shared) {
      leftAfter.add(after[section].indices, of: section, from: after[section])
    }
  }

  /// Selects the items of a section that stay in order; the other items of its runs become moves.
  private mutating func order(_ section: Int) {
    let positions = leftAfter.starts[section]..<leftAfter.starts[section + 1]
    var units: [DiffRun] = []
    var owners: [Int] = []
    units.reserveCapacity(runs[section].count + positions.count)
    owners.reserveCapacity(runs[section].count + positions.count)
    var scanned = runs[section][...]
    for position in positions {
      let partner = leftAfter.partners[position]
      guard partner >= 0, left.places[partner].section == section else { continue }
      let item = leftAfter.places[position].item
      while let run = scanned.first, run.after < item {
        units.append(run)
        owners.append(-1)
        scanned.removeFirst()
      }
      let old = left.places[partner].item
      units.append(DiffRun(before: old, after: item, count: 1))
      owners.append(position)
    }
    units.append(contentsOf: scanned)
    owners.append(contentsOf: repeatElement(-1, count: scanned.count))
    for (index, stay) in DiffOrder.staying(units).enumerated() {
      if owners[index] >= 0 {
        stays[owners[index]] = stay
      } else if !stay {
        addMoves(units[index], in: section)
      }
    }
  }

  private mutating func addMoves(_ run: DiffRun, in section: Int) {
    for item in 0..<run.count {
      let old = ItemPath(section: section, item: run.before + item)
      let new = ItemPath(section: section, item: run.after + item)
      items.departures.append(UpdateChange(old, counterpart: new))
      items.arrivals.append(UpdateChange(new, counterpart: old))
    }
  }

  private mutating func addChanges() {
    let isSorted = items.arrivals.isEmpty
    let staying = stays.count { $0 }
    items.departures.reserveCapacity(items.departures.count + left.places.count - staying)
    items.arrivals.reserveCapacity(items.arrivals.count + leftAfter.places.count - staying)
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

extension UpdateBatch {
  /// Computes the batch that changes identities into others, given for each section.
  ///
  /// Sections are matched by number; surplus sections are deleted or inserted at the end. Items are
  /// matched by identity across all sections; identities are equal if their UTF-8 bytes are. As few
  /// items as possible move: of the items that keep their section, the longest sequence in the same
  /// order stays. The operations are first the deletions of items and of sections, in descending
  /// order, then the insertions of sections, then the insertions and moves of items by new place.
  ///
  /// - Parameter areUnique: Whether you know that no identity occurs twice before or twice after; this
  ///   saves most of the time if little changed. If one does, the batch is still valid, but may pair
  ///   any of its items.
  /// - Throws: `.invalidInput` for an identity that occurs twice before or twice after, unless
  ///   `areUnique`.
  /// - Complexity: O(*n*) for *n* items, plus O(*m* log *m*) for the *m* items that are not in runs
  ///   common to both sides.
  public init(
    from before: [[String]], to after: [[String]], areUnique: Bool = false
  ) throws(HostError) {
    let diff = try Diff(before, after, areUnique: areUnique)
    var operations: [UpdateOperation] = []
    operations.reserveCapacity(diff.items.departures.count + diff.items.arrivals.count)
    for change in diff.items.departures.reversed() where change.counterpart == nil {
      operations.append(.delete(change.place))
    }
    for change in diff.sections.departures.reversed() {
      operations.append(.deleteSection(change.place.item))
    }
    for change in diff.sections.arrivals {
      operations.append(.insertSection(change.place.item))
    }
    for change in diff.items.arrivals {
      operations.append(
        change.counterpart.map { .move($0, to: change.place) } ?? .insert(change.place))
    }
    self.init(
      operations, before: before.map(\.count), after: after.map(\.count), items: diff.items,
      sections: diff.sections)
  }
}

/// The items before or after the update that are in no run, by section.
struct DiffSide {
  private(set) var places: [ItemPath] = []
  /// The representations of the identities: what is equal there, is equal.
  private var words: [DiffWords] = []
  /// The hashes of the identities; empty until they are needed.
  private(set) var hashes: [UInt64] = []
  /// The index at which each section starts in the arrays, and their count at the end.
  private(set) var starts = [0]
  /// For each item, its position on the other side; -1 if it is not there.
  var partners: [Int] = []

  /// Creates an empty side with capacity for a number of items.
  init(capacity: Int = 0) {
    places.reserveCapacity(capacity)
    words.reserveCapacity(capacity)
  }

  /// Adds a section's items by their numbers.
  mutating func add(_ items: some Collection<Int>, of section: Int, from names: [String]) {
    names.withUnsafeBytes { bytes in
      for item in items {
        places.append(ItemPath(section: section, item: item))
        words.append(
          bytes.load(fromByteOffset: item * MemoryLayout<String>.stride, as: DiffWords.self))
      }
    }
    starts.append(places.count)
  }

  private mutating func hash(_ names: [[String]]) {
    hashes.reserveCapacity(places.count)
    for section in starts.indices.dropLast() {
      names[section].withUnsafeBufferPointer { names in
        for place in places[starts[section]..<starts[section + 1]] {
          hashes.append(DiffIdentity.hash(names[place.item]))
        }
      }
    }
  }

  /// Finds the partners of both sides.
  ///
  /// Mostly, both sides have the same strings, which are found without reading their bytes.
  ///
  /// - Parameter areUnique: Whether no identity occurs twice on one side.
  /// - Returns: The positions of the new side's items without a partner, and whether it is certain that
  ///   no identity occurs twice on one side.
  /// - Throws: `.invalidInput` for an identity that occurs twice on one side.
  static func match(
    _ before: inout DiffSide, _ after: inout DiffSide, _ names: [[String]],
    _ namesAfter: [[String]], areUnique: Bool
  ) throws(HostError) -> (fresh: [Int], isChecked: Bool) {
    before.partners = Array(repeating: -1, count: before.places.count)
    after.partners = Array(repeating: -1, count: after.places.count)
    let others = pairSame(&before, &after)
    if areUnique, others.isEmpty { return ([], true) }
    before.hash(names)
    if others.isEmpty { return ([], false) }
    if !areUnique {
      // Which of equal identities is reported must not depend on how they are represented.
      for place in before.partners.indices { before.partners[place] = -1 }
      for place in after.partners.indices { after.partners[place] = -1 }
    }
    after.hash(namesAfter)
    func same(_ old: Int, _ new: Int) -> Bool {
      before.words[old] == after.words[new]
        || DiffIdentity.same(before.name(old, names), after.name(new, namesAfter))
    }
    let table = try before.table(of: before.places.indices, .before, names, areUnique)
    var fresh: [Int] = []
    for new in areUnique ? others : Array(after.places.indices) {
      guard let old = table.find(after.hashes[new], where: { same($0, new) }) else {
        fresh.append(new)
        continue
      }
      let known = before.partners[old]
      if known >= 0, known != new {
        if areUnique {
          fresh.append(new)
        } else {
          throw .repeated(
            after.name(new, namesAfter), after.places[known], after.places[new], .after)
        }
      } else {
        before.partners[old] = new
        after.partners[new] = old
      }
    }
    _ = try after.table(of: fresh, .after, namesAfter, areUnique)
    return (fresh, true)
  }

  /// Pairs the items whose identities have the same representation, the first of equal ones on each
  /// side; returns the positions of the new side's other items.
  private static func pairSame(_ before: inout DiffSide, _ after: inout DiffSide) -> [Int] {
    var others: [Int] = []
    var table = DiffTable(capacity: before.places.count)
    for old in before.places.indices {
      let words = before.words[old]
      _ = table.add(old, words.hash, where: { before.words[$0] == words })
    }
    for new in after.places.indices {
      let words = after.words[new]
      guard let old = table.find(words.hash, where: { before.words[$0] == words }),
        before.partners[old] < 0
      else {
        others.append(new)
        continue
      }
      before.partners[old] = new
      after.partners[new] = old
    }
    return others
  }

  func name(_ position: Int, _ names: [[String]]) -> String {
    names[places[position].section][places[position].item]
  }

  private func table(
    of positions: some Collection<Int>, _ when: DiffMoment, _ names: [[String]], _ areUnique: Bool
  ) throws(HostError) -> DiffTable {
    var table = DiffTable(capacity: positions.count)
    for position in positions {
      let other = table.add(
        position, hashes[position],
        where: {
          words[$0] == words[position] || DiffIdentity.same(name($0, names), name(position, names))
        })
      if let other, !areUnique {
        throw .repeated(name(position, names), places[other], places[position], when)
      }
    }
    return table
  }
}

/// The representation of a string: its bytes, or where they are.
struct DiffWords: Equatable, BitwiseCopyable {
  private let first, second: UInt64

  /// A hash that is the same only for equal representations, mostly.
  var hash: UInt64 {
    DiffIdentity.mix(first ^ 0xA076_1D64_78BD_642F, second ^ 0xE703_7ED1_A0B4_28DB)
  }
}

/// Whether data are those before or after the update.
enum DiffMoment: String {
  case before, after
}

extension HostError {
  /// The error for an identity that occurs twice on one side.
  static func repeated(
    _ name: String, _ one: ItemPath, _ other: ItemPath, _ when: DiffMoment
  ) -> HostError {
    let (first, second) = one < other ? (one, other) : (other, one)
    return .repeatedIdentity(
      name, item: first.item, section: first.section, otherItem: second.item,
      otherSection: second.section, when.rawValue)
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

  /// Returns the position with a hash for which the predicate is true; nil if there is none.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  func find(_ hash: UInt64, where isSame: (Int) -> Bool) -> Int? {
    var slot = hash & mask
    while true {
      let entry = slots[Int(slot)]
      if entry == 0 { return nil }
      if (entry ^ hash) & ~Self.positionMask == 0 {
        let position = Int(entry & Self.positionMask) - 1
        if isSame(position) { return position }
      }
      slot = (slot + 1) & mask
    }
  }

  /// Adds a position, unless there is one with the same hash for which the predicate is true; returns
  /// that one.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  mutating func add(_ position: Int, _ hash: UInt64, where isSame: (Int) -> Bool) -> Int? {
    var slot = hash & mask
    while true {
      let entry = slots[Int(slot)]
      if entry == 0 {
        slots[Int(slot)] =
          hash & ~Self.positionMask | UInt64(position + 1) & Self.positionMask
        return nil
      }
      if (entry ^ hash) & ~Self.positionMask == 0 {
        let other = Int(entry & Self.positionMask) - 1
        if isSame(other) { return other }
      }
      slot = (slot + 1) & mask
    }
  }
}

/// Compares and hashes identities by their UTF-8 bytes.
enum DiffIdentity {
  /// Whether two identities have the same bytes.
  @inline(__always)
  static func same(_ left: String, _ right: String) -> Bool {
    // Strings with identical representations are equal, and two words compare faster than bytes.
    if MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size {
      let one = unsafeBitCast(left, to: (UInt64, UInt64).self)
      let other = unsafeBitCast(right, to: (UInt64, UInt64).self)
      if one == other { return true }
    }
    return left.utf8.count == right.utf8.count && sameBytes(left, right)
  }

  @inline(never)
  private static func sameBytes(_ left: String, _ right: String) -> Bool {
    let answer = left.utf8.withContiguousStorageIfAvailable { one -> Bool? in
      right.utf8.withContiguousStorageIfAvailable { other -> Bool in
        guard let start = one.baseAddress, let otherStart = other.baseAddress else {
          return one.count == other.count
        }
        return one.count == other.count && memcmp(start, otherStart, one.count) == 0
      }
    }
    return (answer ?? nil) ?? left.utf8.elementsEqual(right.utf8)
  }

  /// A hash of the bytes, which does not vary between runs of the program.
  @inline(__always)
  static func hash(_ identity: String) -> UInt64 {
    if let hash = identity.utf8.withContiguousStorageIfAvailable({
      hash(UnsafeRawBufferPointer($0))
    }) {
      return hash
    }
    return Array(identity.utf8).withUnsafeBytes { hash($0) }
  }

  @inline(__always)
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var state = UInt64(truncatingIfNeeded: count) ^ 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while count - offset > 16 {
      state = mix(word(bytes, offset) ^ state, word(bytes, offset + 8) ^ 0xA076_1D64_78BD_642F)
      offset += 16
    }
    // The rest is 0 to 16 bytes, read as two words that may overlap.
    let rest = count - offset
    var low: UInt64 = 0
    var high: UInt64 = 0
    if rest >= 8 {
      low = word(bytes, offset)
      high = word(bytes, count - 8)
    } else if rest >= 4 {
      low = half(bytes, offset)
      high = half(bytes, count - 4)
    } else if rest > 0 {
      low = UInt64(bytes[offset]) | UInt64(bytes[offset + rest / 2]) << 8
      high = UInt64(bytes[count - 1])
    }
    return mix(low ^ state, high ^ 0xE703_7ED1_A0B4_28DB) &* 0x9FB2_1C65_1E98_DF25
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private static func half(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
