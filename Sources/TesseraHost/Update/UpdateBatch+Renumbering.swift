/// One thing that leaves its place, or arrives at one.
struct UpdateChange: Equatable, Sendable {
  let place: ItemPath
  /// Packed, because a large batch holds millions: section -1 says that there is none.
  private let packed: ItemPath

  init(_ place: ItemPath, counterpart: ItemPath? = nil) {
    self.place = place
    packed = counterpart ?? ItemPath(section: -1, item: 0)
  }

  /// The place that it moves to or comes from; nil where it is deleted or inserted.
  var counterpart: ItemPath? { packed.section < 0 ? nil : packed }
}

/// How places change: what leaves and what arrives, each sorted by place, none twice.
///
/// What neither leaves nor arrives keeps its order, so its new place is found from ranks alone.
struct UpdateRenumbering: Equatable, Sendable {
  var departures: [UpdateChange] = []
  var arrivals: [UpdateChange] = []

  /// Where an item that does not leave goes, when its section becomes `section`.
  func destination(of old: ItemPath, in section: Int) -> ItemPath {
    Self.follow(old, without: departures, into: section, with: arrivals)
  }

  /// Where an item that does not arrive comes from, when its section was `section`.
  func origin(of new: ItemPath, in section: Int) -> ItemPath {
    Self.follow(new, without: arrivals, into: section, with: departures)
  }

  private static func follow(
    _ place: ItemPath, without leaving: [UpdateChange], into section: Int,
    with entering: [UpdateChange]
  ) -> ItemPath {
    let rank = place.item - leaving.count(inSectionBefore: place)
    let start = entering.position(of: ItemPath(section: section, item: 0))
    // The k-th entering thing has place - k survivors before it, which never decreases with k.
    let end = entering.partition(from: start) {
      $0.place.section == section && $0.place.item - ($1 - start) <= rank
    }
    return ItemPath(section: section, item: rank + (end - start))
  }
}

extension [UpdateChange] {
  /// The first index from `start` for which the predicate, true first and then false, is false.
  @inline(__always)
  func partition(from start: Int, where holds: (UpdateChange, Int) -> Bool) -> Int {
    var low = start
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle], middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// How many changes come before a place.
  func position(of place: ItemPath) -> Int {
    partition(from: 0) { change, _ in change.place < place }
  }

  /// The change at a place.
  func change(at place: ItemPath) -> UpdateChange? {
    let index = position(of: place)
    return index < count && self[index].place == place ? self[index] : nil
  }

  /// How many changes of the place's section come before it.
  func count(inSectionBefore place: ItemPath) -> Int {
    position(of: place) - position(of: ItemPath(section: place.section, item: 0))
  }

  /// How many changes a section has.
  func count(inSection section: Int) -> Int {
    let start = position(of: ItemPath(section: section, item: 0))
    return partition(from: start) { change, _ in change.place.section == section } - start
  }
}

extension [ItemPath] {
  /// Whether a sorted array has a place.
  func hasSorted(_ place: ItemPath) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == place
  }
}
