import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

/// The tracks of an animation, in listing order.
///
/// Created on access from the columns of both layouts, at 8 bytes per track.
public struct AnimationTracks: RandomAccessCollection, Sendable {
  private let track: @Sendable (Int) -> AnimationTrack
  /// Their attributes may differ.
  package let columns: (before: Elements, after: Elements)
  /// Positions in the columns; nil if either is missing.
  package let columnPlaces: @Sendable (Int) -> (start: Int, end: Int)?

  init(_ tracks: [AnimationTrack]) {
    endIndex = tracks.count
    track = { tracks[$0] }
    let none = Elements(ElementColumns(kinds: [], attributes: []))
    (columns, columnPlaces) = ((none, none), { _ in nil })
  }

  init(_ layouts: PairedLayouts) {
    endIndex = layouts.places.count
    track = { layouts.track(at: $0) }
    (columns, columnPlaces) = ((layouts.before, layouts.after), { layouts.columnPlaces(at: $0) })
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of tracks.
  public let endIndex: Int

  /// The track at a position.
  public subscript(position: Int) -> AnimationTrack { track(position) }
}

struct PairedLayouts: Sendable {
  /// Positions in both layouts; -1 minus a running number where an element appears or disappears.
  typealias Place = (start: Int32, end: Int32)

  let before: Elements
  let after: Elements
  private(set) var places = ContiguousArray<Place>()
  /// Where elements appear from; empty if they fade in.
  var starts: [Element] = []
  /// Where elements disappear to; empty if they fade out.
  var ends: [Element] = []
  /// Elements of the first layout missing from `before`; their positions follow it.
  private var moreBefore: [Element] = []
  private var moreAfter: [Element] = []
  private var adoption: (before: AttributeAdoption, after: AttributeAdoption)?

  // Pairs cells by the batch, if any, others by section, kind and number. O(*n* + *k* log *n*).
  init(_ before: Elements, _ after: Elements, _ batch: UpdateBatch?) {
    self.before = before
    self.after = after
    let ranks = kindRanks(before.kinds, after.kinds)
    let (old, new) = (GroupedRows(before, ranks.before), GroupedRows(after, ranks.after))
    let pairing = Pairing(before: before.count, after: after.count)
    for group in new.groups { pairing.pair(group, new, with: old, batch) }
    merge(pairing, old, new)
  }

  /// Pairs elements visible in either layout, and looks up counterparts that weren't given.
  init(
    _ before: Elements, _ after: Elements, _ batch: UpdateBatch?,
    sight: (before: Rect, after: Rect),
    origins: ([ElementIdentity]) throws(HostError) -> [ElementIdentity: Element],
    destinations: ([ElementIdentity]) throws(HostError) -> [ElementIdentity: Element]
  ) throws(HostError) {
    self.init(before, after, batch)
    let frames = (before: before.memory.frames, after: after.memory.frames)
    places.removeAll { place in
      !(place.start >= 0 && frames.before[Int(place.start)].intersects(sight.before))
        && !(place.end >= 0 && frames.after[Int(place.end)].intersects(sight.after))
    }
    let appearing = places.indices.filter { places[$0].start < 0 }
    var identities = appearing.map { after.identity(at: Int(places[$0].end)) }
    var found = identities.isEmpty ? [:] : try origins(identities)
    for (place, identity) in zip(appearing, identities) {
      guard let origin = found[identity] else { continue }
      places[place].start = Int32(before.count + moreBefore.count)
      moreBefore.append(origin)
    }
    let leaving = places.indices.filter { places[$0].end < 0 }
    identities = leaving.map { before.identity(at: Int(places[$0].start)) }
    found = identities.isEmpty ? [:] : try destinations(identities)
    for (place, identity) in zip(leaving, identities) {
      guard let destination = found[identity] else { continue }
      places[place].end = Int32(after.count + moreAfter.count)
      moreAfter.append(destination)
    }
    if !moreAfter.isEmpty {
      let layouts = self
      places.sort { layouts.listingPlace($0) < layouts.listingPlace($1) }
    }
    numberPlaces()
  }

  private mutating func numberPlaces() {
    var (appearing, disappearing): (Int32, Int32) = (0, 0)
    for place in places.indices {
      if places[place].start < 0 {
        appearing += 1
        places[place].start = -appearing
      } else if places[place].end < 0 {
        disappearing += 1
        places[place].end = -disappearing
      }
    }
  }

  private func listingPlace(_ place: Place) -> ListingPlace {
    place.end < 0
      ? ListingPlace(first(Int(place.start)).identity, isLeaving: true)
      : ListingPlace(second(Int(place.end)).identity)
  }

  mutating func adopt(_ adoption: (before: AttributeAdoption, after: AttributeAdoption)) {
    if adoption.before.isNeeded || adoption.after.isNeeded { self.adoption = adoption }
  }

  private mutating func merge(_ pairing: Pairing, _ old: GroupedRows, _ new: GroupedRows) {
    let count = after.count + before.count - pairing.count
    places = ContiguousArray(unsafeUninitializedCapacity: count) { places, initialized in
      merge(pairing, old, new, into: places.baseAddress)
      initialized = count
    }
  }

  private func merge(
    _ pairing: Pairing, _ old: GroupedRows, _ new: GroupedRows,
    into places: UnsafeMutablePointer<Place>?
  ) {
    guard var next = places else { return }
    func append(_ place: Place) {
      next.initialize(to: place)
      next += 1
    }
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
    func appendLeaving() {
      append((start: Int32(leaving), end: -1 - disappearing))
      disappearing += 1
      leaving += 1
      skipPaired()
    }
    for group in new.groups {
      for place in group.rows {
        while leaving < oldCount,
          old.precedes(leaving, in: leavingGroup, new.items[place], in: group)
        { appendLeaving() }
        let origin = pairing.origins[place]
        append((start: origin >= 0 ? origin : -1 - appearing, end: Int32(place)))
        if origin < 0 { appearing += 1 }
      }
    }
    while leaving < oldCount { appendLeaving() }
  }

  var appearing: [Element] { places.compactMap { $0.start < 0 ? second(Int($0.end)).faded : nil } }

  var disappearing: [Element] {
    places.compactMap { $0.end < 0 ? first(Int($0.start)).faded : nil }
  }

  func track(at position: Int) -> AnimationTrack {
    let place = places[position]
    guard place.start >= 0 else {
      let to = second(Int(place.end))
      return AnimationTrack(
        before: nil, after: to.identity,
        from: starts.isEmpty ? to.faded : starts[-1 - Int(place.start)], to: to)
    }
    let from = first(Int(place.start))
    guard place.end >= 0 else {
      return AnimationTrack(
        before: from.identity, after: nil, from: from,
        to: ends.isEmpty ? from.faded : ends[-1 - Int(place.end)])
    }
    let to = second(Int(place.end))
    return AnimationTrack(before: from.identity, after: to.identity, from: from, to: to)
  }

  func columnPlaces(at position: Int) -> (start: Int, end: Int)? {
    let place = places[position]
    let (start, end) = (Int(place.start), Int(place.end))
    guard start >= 0, start < before.count, end >= 0, end < after.count else { return nil }
    return (start, end)
  }

  private func first(_ position: Int) -> Element {
    let count = before.count
    let element = position < count ? before[position] : moreBefore[position - count]
    return adoption?.before.adopted(element) ?? element
  }

  private func second(_ position: Int) -> Element {
    let count = after.count
    let element = position < count ? after[position] : moreAfter[position - count]
    return adoption?.after.adopted(element) ?? element
  }
}

extension Element {
  fileprivate var faded: Element {
    var faded = self
    faded.alpha = 0
    return faded
  }
}

extension AnimationTrack {
  var place: ListingPlace { ListingPlace(identity, isLeaving: after == nil) }
}

extension Elements {
  /// O(log *r*) for *r* runs, plus the section's runs.
  func position(of identity: ElementIdentity) -> Int? {
    let runs = memory.runs
    var place = runs.indices.partitioningIndex { Int(runs[$0].section) >= identity.section }
    while place < runs.count, Int(runs[place].section) == identity.section {
      let run = runs[place]
      let offset = identity.item - Int(run.firstItem)
      if offset >= 0, offset < run.count, run.category == identity.category,
        run.category == .cell || kinds[Int(run.kind)].name == identity.kind
      {
        return run.row + offset
      }
      place += 1
    }
    return nil
  }
}

extension UpdateBatch {
  /// Cells as the batch maps them, others by section, kind and number.
  func origin(of new: ElementIdentity) -> ElementIdentity? {
    if new.category == .cell {
      return origin(of: ItemPath(section: new.section, item: new.item)).map {
        .cell(section: $0.section, item: $0.item)
      }
    }
    var old = new
    guard let section = origin(ofSection: new.section) else { return nil }
    old.section = section
    return old
  }

  func destination(of old: ElementIdentity) -> ElementIdentity? {
    if old.category == .cell {
      return destination(of: ItemPath(section: old.section, item: old.item)).map {
        .cell(section: $0.section, item: $0.item)
      }
    }
    var new = old
    guard let section = destination(ofSection: old.section) else { return nil }
    new.section = section
    return new
  }
}

private final class Pairing {
  /// Positions in the first layout; -1 for appearing elements.
  let origins: UnsafeMutablePointer<Int32>
  let isPaired: UnsafeMutablePointer<Bool>
  private(set) var count = 0

  init(before: Int, after: Int) {
    origins = .allocate(capacity: after)
    origins.initialize(repeating: -1, count: after)
    isPaired = .allocate(capacity: before)
    isPaired.initialize(repeating: false, count: before)
  }

  deinit {
    origins.deallocate()
    isPaired.deallocate()
  }

  func pair(
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

  private func merge(
    _ group: GroupedRows.Group, _ new: GroupedRows, _ same: GroupedRows.Group, _ old: GroupedRows
  ) {
    var place = same.rows.lowerBound
    for row in group.rows {
      let item = new.items[row]
      while place < same.rows.upperBound, old.items[place] < item { place += 1 }
      guard place < same.rows.upperBound else { return }
      guard old.items[place] == item, !isPaired[place] else { continue }
      pair(row, place)
      place += 1
    }
  }

  /// Pairs cells that stay, in order, and cells that moved into the section.
  private func pairCells(
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
      let item = Int(new.items[row])
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
      // This many staying items precede it in both layouts.
      let rank = item - (arrival - firstArrival)
      while departure < departures.count, departures[departure].place.section == section,
        departures[departure].place.item - (departure - firstDeparture) <= rank
      { departure += 1 }
      let number = UInt64(rank + departure - firstDeparture)
      while place < origin.rows.upperBound, old.items[place] < number { place += 1 }
      guard place < origin.rows.upperBound else { continue }
      if old.items[place] == number, !isPaired[place] { pair(row, place) }
    }
  }

  private func pair(_ row: Int, _ place: Int) {
    origins[row] = Int32(place)
    isPaired[place] = true
    count += 1
  }
}

private struct GroupedRows {
  typealias Group = (section: Int, rank: Int, rows: Range<Int>)

  private(set) var groups: [Group] = []
  private(set) var items = ContiguousArray<UInt64>()

  /// `ranks` has each kind's place in listing order.
  init(_ elements: Elements, _ ranks: [Int]) {
    items.reserveCapacity(elements.count)
    for run in elements.memory.runs where run.count > 0 {
      let rank = run.category == .cell ? 0 : ranks[Int(run.kind)]
      let rows = items.count..<items.count + run.count
      if let last = groups.last, last.section == Int(run.section), last.rank == rank {
        groups[groups.count - 1].rows = last.rows.lowerBound..<rows.upperBound
      } else {
        groups.append((section: Int(run.section), rank: rank, rows: rows))
      }
      items.append(contentsOf: run.firstItem..<run.firstItem + UInt64(run.count))
    }
  }

  func precedes(_ place: Int, in number: Int, _ item: UInt64, in other: Group) -> Bool {
    let group = groups[number]
    if group.section != other.section { return group.section < other.section }
    if group.rank != other.rank { return group.rank < other.rank }
    return items[place] < item
  }

  func group(_ section: Int, _ rank: Int) -> Group? {
    let place = groups.indices.partitioningIndex {
      (groups[$0].section, groups[$0].rank) >= (section, rank)
    }
    guard place < groups.count, groups[place].section == section, groups[place].rank == rank
    else { return nil }
    return groups[place]
  }

  func cell(_ path: ItemPath) -> Int? {
    guard let rows = group(path.section, 0)?.rows else { return nil }
    let item = UInt64(path.item)
    let place = rows.partitioningIndex { items[$0] >= item }
    return place < rows.upperBound && items[place] == item ? place : nil
  }
}

/// Cells come before the kinds.
private func kindRanks(
  _ before: [KindDescription], _ after: [KindDescription]
) -> (before: [Int], after: [Int]) {
  func name(_ kind: KindDescription) -> [String] { [kind.category.name, kind.name] }
  let names = Set((before + after).map(name)).sorted { $0.lexicographicallyPrecedes($1) }
  func ranks(_ kinds: [KindDescription]) -> [Int] {
    kinds.map { kind in 1 + (names.firstIndex(of: name(kind)) ?? 0) }
  }
  return (ranks(before), ranks(after))
}
