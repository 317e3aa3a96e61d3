/// Compares identities before and after, and finds the fewest changes between them.
struct Diff {
  private let before: [[String]]
  private let after: [[String]]
  private var runs: [[DiffRun]] = []
  private var left = DiffSide()
  private var leftAfter = DiffSide()
  /// For each position of the new side's leftovers, whether it keeps its order.
  private var stays: [Bool] = []
  private(set) var items = UpdateRenumbering()
  private(set) var sections = UpdateRenumbering()

  /// How many sections both data have.
  private var shared: Int { min(before.count, after.count) }

  init(_ before: [[String]], _ after: [[String]]) throws(HostError) {
    self.before = before
    self.after = after
    scan()
    let fresh = try DiffSide.match(&left, &leftAfter)
    if runs.contains(where: { !$0.isEmpty }) {
      try DiffDuplicates(
        before: before, runs: runs, left: left, leftAfter: leftAfter, fresh: fresh
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

  /// Decides which items of a section stay in order; the others of its runs become moves.
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
