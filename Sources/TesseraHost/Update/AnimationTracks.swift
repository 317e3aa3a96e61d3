import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

/// The tracks of an animation, in listing order.
///
/// It refers to the columns of both layouts, with 8 bytes for each track, and creates an
/// `AnimationTrack` when you access it.
public struct AnimationTracks: RandomAccessCollection, Sendable {
  private enum Storage {
    case list([AnimationTrack])
    case columns(PairedLayouts)
  }

  private let storage: Storage

  /// - Parameter tracks: Tracks in listing order.
  init(_ tracks: [AnimationTrack]) { storage = .list(tracks) }

  init(_ layouts: PairedLayouts) { storage = .columns(layouts) }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of tracks.
  public var endIndex: Int {
    switch storage {
    case .list(let tracks): tracks.count
    case .columns(let layouts): layouts.places.count
    }
  }

  /// The track at a position.
  public subscript(position: Int) -> AnimationTrack {
    switch storage {
    case .list(let tracks): tracks[position]
    case .columns(let layouts): layouts.track(at: position)
    }
  }
}

/// Two layouts whose elements are paired by identity.
struct PairedLayouts: Sendable {
  /// Where the element of a track is in the two layouts.
  struct Place {
    /// The position in the first layout; for an element that appears, -1 less its number among those.
    var start: Int32
    /// The position in the second layout; for an element that disappears, -1 less its number among
    /// those.
    var end: Int32
  }

  let before: Elements
  let after: Elements
  /// The tracks, in listing order.
  private(set) var places = ContiguousArray<Place>()
  /// Where the elements start that only the second layout has; empty if they fade in in place.
  var starts: [Element] = []
  /// Where the elements end that only the first layout has; empty if they fade out in place.
  var ends: [Element] = []
  /// How values are taken from the first and the second layout; nil if both have the same attributes.
  private var adoption: (before: AttributeAdoption, after: AttributeAdoption)?

  /// Pairs cells as a batch defines, and other elements by section, kind and number.
  ///
  /// - Parameter batch: The batch between the layouts; nil if each element keeps its identity.
  /// - Complexity: O(*n* + *k* log *n*) for *k* operations.
  init(_ before: Elements, _ after: Elements, _ batch: UpdateBatch?) {
    self.before = before
    self.after = after
    let ranks = KindRanks(before.kinds, after.kinds)
    let (old, new) = (GroupedRows(before, ranks.before), GroupedRows(after, ranks.after))
    var pairing = Pairing(
      origins: ContiguousArray(repeating: -1, count: after.count),
      isPaired: ContiguousArray(repeating: false, count: before.count))
    for group in new.groups { pairing.pair(group, new, with: old, batch) }
    merge(pairing, old, new)
  }

  /// Pairs elements that keep their identities, and takes the values of attributes from layouts that
  /// declare different ones.
  init(
    _ before: Elements, _ after: Elements,
    adopting adoption: (before: AttributeAdoption, after: AttributeAdoption)
  ) {
    self.init(before, after, nil)
    if adoption.before.isNeeded || adoption.after.isNeeded { self.adoption = adoption }
  }

  /// Merges the elements of the second layout with those that only the first has.
  private mutating func merge(_ pairing: Pairing, _ old: GroupedRows, _ new: GroupedRows) {
    places.reserveCapacity(after.count)
    var (appearing, disappearing): (Int32, Int32) = (0, 0)
    var leaving = 0
    var leavingGroup = 0
    let oldCount = before.count
    func skipPaired() {
      while leaving < oldCount, pairing.isPaired[leaving] { leaving += 1 }
      while leaving < oldCount, old.groups[leavingGroup].rows.upperBound <= leaving {
        leavingGroup += 1
      }
    }
    skipPaired()
    func leave() {
      places.append(Place(start: Int32(leaving), end: -1 - disappearing))
      disappearing += 1
      leaving += 1
      skipPaired()
    }
    for group in new.groups {
      for place in group.rows {
        while leaving < oldCount,
          old.precedes(leaving, in: leavingGroup, new.items[place], in: group)
        { leave() }
        let origin = pairing.origins[place]
        places.append(Place(start: origin >= 0 ? origin : -1 - appearing, end: Int32(place)))
        if origin < 0 { appearing += 1 }
      }
    }
    while leaving < oldCount { leave() }
  }

  /// The elements that only the second layout has, where they fade in.
  var appearing: [Element] {
    places.compactMap { $0.start < 0 ? faded(second(Int($0.end))) : nil }
  }

  /// The elements that only the first layout has, where they fade out.
  var disappearing: [Element] {
    places.compactMap { $0.end < 0 ? faded(first(Int($0.start))) : nil }
  }

  func track(at position: Int) -> AnimationTrack {
    let place = places[position]
    let from = place.start >= 0 ? first(Int(place.start)) : nil
    let to = place.end >= 0 ? second(Int(place.end)) : nil
    return AnimationTrack(
      before: from?.identity, after: to?.identity,
      from: from ?? (starts.isEmpty ? faded(to!) : starts[-1 - Int(place.start)]),
      to: to ?? (ends.isEmpty ? faded(from!) : ends[-1 - Int(place.end)]))
  }

  private func first(_ position: Int) -> Element {
    adoption?.before.adopted(before[position]) ?? before[position]
  }

  private func second(_ position: Int) -> Element {
    adoption?.after.adopted(after[position]) ?? after[position]
  }

  private func faded(_ element: Element) -> Element {
    var faded = element
    faded.alpha = 0
    return faded
  }
}

/// Which elements of two layouts are the same.
private struct Pairing {
  /// For each element of the second layout its position in the first; -1 if it appears.
  var origins: ContiguousArray<Int32>
  /// For each element of the first layout whether the second has it.
  var isPaired: ContiguousArray<Bool>

  /// Pairs the elements of one group of the second layout.
  mutating func pair(
    _ group: GroupedRows.Group, _ new: GroupedRows, with old: GroupedRows, _ batch: UpdateBatch?
  ) {
    guard let batch else {
      if let same = old.group(group.section, group.rank) { merge(group, new, same, old) }
      return
    }
    let section = batch.origin(ofSection: group.section)
    guard group.rank == 0 else {
      if let same = section.flatMap({ old.group($0, group.rank) }) { merge(group, new, same, old) }
      return
    }
    if let section, batch.isSectionReloaded(section) {
      if let same = old.group(section, 0) { merge(group, new, same, old) }
      return
    }
    pairCells(group, new, of: section, old, batch)
  }

  /// Pairs elements with the same number.
  private mutating func merge(
    _ group: GroupedRows.Group, _ new: GroupedRows, _ same: GroupedRows.Group, _ old: GroupedRows
  ) {
    var place = same.rows.lowerBound
    for row in group.rows {
      let item = new.item(row)
      while place < same.rows.upperBound, old.item(place) < item { place += 1 }
      guard place < same.rows.upperBound else { return }
      guard old.item(place) == item, !isPaired[place] else { continue }
      pair(row, place)
      place += 1
    }
  }

  /// Pairs cells of a section with those of its origin that stay, in order, and with those that move
  /// into it.
  private mutating func pairCells(
    _ group: GroupedRows.Group, _ new: GroupedRows, of section: Int?, _ old: GroupedRows,
    _ batch: UpdateBatch
  ) {
    let arrivals = batch.items.arrivals
    let departures = batch.items.departures
    var arrival = arrivals.position(of: ItemPath(section: group.section, item: 0))
    let firstArrival = arrival
    let origin = section.flatMap { old.group($0, 0) }
    let firstDeparture = departures.position(of: ItemPath(section: section ?? 0, item: 0))
    var departure = firstDeparture
    var place = origin?.rows.lowerBound ?? 0
    for row in group.rows {
      let item = Int(new.item(row))
      while arrival < arrivals.count, arrivals[arrival].place.section == group.section,
        arrivals[arrival].place.item < item
      { arrival += 1 }
      if arrival < arrivals.count,
        arrivals[arrival].place == ItemPath(section: group.section, item: item)
      {
        guard let from = arrivals[arrival].counterpart, let found = old.cell(from),
          !isPaired[found]
        else { continue }
        pair(row, found)
        continue
      }
      guard let origin, let section else { continue }
      // So many of the items that stay are before it, in both layouts.
      let rank = item - (arrival - firstArrival)
      while departure < departures.count, departures[departure].place.section == section,
        departures[departure].place.item - (departure - firstDeparture) <= rank
      { departure += 1 }
      let number = UInt64(rank + departure - firstDeparture)
      while place < origin.rows.upperBound, old.item(place) < number { place += 1 }
      guard place < origin.rows.upperBound else { continue }
      if old.item(place) == number, !isPaired[place] { pair(row, place) }
    }
  }

  private mutating func pair(_ row: Int, _ place: Int) {
    origins[row] = Int32(place)
    isPaired[place] = true
  }
}

/// The elements of a layout by section, category and kind.
private struct GroupedRows {
  /// Elements of one section, category and kind, in order.
  struct Group {
    let section: Int
    let rank: Int
    var rows: Range<Int>
  }

  private(set) var groups: [Group] = []
  /// The item of each element.
  private(set) var items = ContiguousArray<UInt64>()

  /// - Parameter ranks: For each kind its place in listing order.
  init(_ elements: Elements, _ ranks: [Int]) {
    items.reserveCapacity(elements.count)
    for run in elements.memory.runs where run.count > 0 {
      let rank = run.category == .cell ? 0 : ranks[Int(run.kind)]
      let rows = items.count..<items.count + run.count
      if let last = groups.last, last.section == Int(run.section), last.rank == rank {
        groups[groups.count - 1].rows = last.rows.lowerBound..<rows.upperBound
      } else {
        groups.append(Group(section: Int(run.section), rank: rank, rows: rows))
      }
      items.append(contentsOf: run.firstItem..<run.firstItem + UInt64(run.count))
    }
  }

  func item(_ place: Int) -> UInt64 { items[place] }

  /// Whether an element of one of the groups comes before an item of another layout.
  func precedes(_ place: Int, in number: Int, _ item: UInt64, in other: Group) -> Bool {
    let group = groups[number]
    if group.section != other.section { return group.section < other.section }
    if group.rank != other.rank { return group.rank < other.rank }
    return items[place] < item
  }

  /// The group of a section and kind; nil if it has no elements.
  func group(_ section: Int, _ rank: Int) -> Group? {
    let place = groups.firstPlace { ($0.section, $0.rank) < (section, rank) }
    guard place < groups.count, groups[place].section == section, groups[place].rank == rank
    else { return nil }
    return groups[place]
  }

  /// The position of a cell; nil if there is none.
  func cell(_ path: ItemPath) -> Int? {
    guard let rows = group(path.section, 0)?.rows else { return nil }
    let item = UInt64(path.item)
    let place = items[rows].firstPlace { $0 < item }
    return place < rows.upperBound && items[place] == item ? place : nil
  }
}

/// The places of the kinds of two layouts in listing order; cells come before them.
private struct KindRanks {
  let before: [Int]
  let after: [Int]

  init(_ before: [KindDescription], _ after: [KindDescription]) {
    // The order is that of the names of categories and kinds.
    let names = Set((before + after).map(Self.name)).sorted { $0.lexicographicallyPrecedes($1) }
    func ranks(_ kinds: [KindDescription]) -> [Int] {
      kinds.map { kind in 1 + (names.firstIndex(of: Self.name(kind)) ?? 0) }
    }
    self.before = ranks(before)
    self.after = ranks(after)
  }

  private static func name(_ kind: KindDescription) -> [String] { [kind.category.name, kind.name] }
}

extension RandomAccessCollection where Index == Int {
  /// The first position at which a predicate is false that is true for all positions before.
  fileprivate func firstPlace(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
