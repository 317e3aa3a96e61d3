import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// Collects the operations of a batch and rejects invalid ones.
struct UpdateCheck {
  let before: [Int]
  let after: [Int]
  var items = UpdateRenumbering()
  var sections = UpdateRenumbering()
  var reloadedItems: [ItemPath] = []
  var reloadedSections: [ItemPath] = []

  init(before: [Int], after: [Int]) {
    self.before = before
    self.after = after
  }

  func checkSizes() throws(HostError) {
    for (counts, when) in [(before, "before"), (after, "after")] {
      guard let section = counts.firstIndex(where: { $0 < 0 }) else { continue }
      throw .negativeCount(counts[section], inSection: section, when)
    }
  }

  mutating func add(_ operation: UpdateOperation) throws(HostError) {
    switch operation {
    case .insert(let place):
      try checkRange(place, is: "inserted", in: after, "after")
      items.arrivals.append(UpdateChange(place))
    case .delete(let place):
      try checkRange(place, is: "deleted", in: before, "before")
      items.departures.append(UpdateChange(place))
    case .move(let origin, let target):
      try checkRange(origin, is: "moved", in: before, "before")
      try checkRange(target, is: "the target of a move", in: after, "after")
      items.departures.append(UpdateChange(origin, counterpart: target))
      items.arrivals.append(UpdateChange(target, counterpart: origin))
    case .reload(let place):
      try checkRange(place, is: "reloaded", in: before, "before")
      reloadedItems.append(place)
    case .insertSection(let section):
      try checkRange(section, is: "inserted", in: after, "after")
      sections.arrivals.append(UpdateChange(Self.place(section)))
    case .deleteSection(let section):
      try checkRange(section, is: "deleted", in: before, "before")
      sections.departures.append(UpdateChange(Self.place(section)))
    case .moveSection(let origin, let target):
      try checkRange(origin, is: "moved", in: before, "before")
      try checkRange(target, is: "the target of a move", in: after, "after")
      sections.departures.append(
        UpdateChange(Self.place(origin), counterpart: Self.place(target)))
      sections.arrivals.append(UpdateChange(Self.place(target), counterpart: Self.place(origin)))
    case .reloadSection(let section):
      try checkRange(section, is: "reloaded", in: before, "before")
      reloadedSections.append(Self.place(section))
    }
  }

  mutating func sort() {
    items.departures.sort { $0.place < $1.place }
    items.arrivals.sort { $0.place < $1.place }
    sections.departures.sort { $0.place < $1.place }
    sections.arrivals.sort { $0.place < $1.place }
    reloadedItems.sort()
    reloadedSections.sort()
  }

  /// The place of a section, which is represented as an item of section 0.
  static func place(_ section: Int) -> ItemPath { ItemPath(section: 0, item: section) }

  private func checkRange(
    _ place: ItemPath, is verb: String, in counts: [Int], _ when: String
  ) throws(HostError) {
    let name = "item \(place.item) of section \(place.section)"
    guard counts.indices.contains(place.section) else {
      throw .outside(name, is: verb, "there are", counts.count, "section", when)
    }
    let count = counts[place.section]
    guard place.item >= 0, place.item < count else {
      throw .outside(name, is: verb, "that section has", count, "item", when)
    }
  }

  private func checkRange(
    _ section: Int, is verb: String, in counts: [Int], _ when: String
  ) throws(HostError) {
    guard counts.indices.contains(section) else {
      throw .outside("section \(section)", is: verb, "there are", counts.count, "section", when)
    }
  }
}

extension UpdateCheck {
  /// Rejects items and sections that are changed twice, and changes of items whose whole section
  /// changes.
  func checkContradictions() throws(HostError) {
    let section = { (place: ItemPath) in "section \(place.item)" }
    let item = { (place: ItemPath) in "item \(place.item) of section \(place.section)" }
    try Self.checkOnce(sections.departures, reloadedSections, name: section)
    try Self.checkOnce(sections.arrivals, name: section)
    try Self.checkOnce(items.departures, reloadedItems, name: item)
    try Self.checkOnce(items.arrivals, name: item)
    try checkDepartures()
    try checkArrivals()
  }

  private static func checkOnce(
    _ departures: [UpdateChange], _ reloads: [ItemPath], name: (ItemPath) -> String
  ) throws(HostError) {
    let verb = { (change: UpdateChange) in change.counterpart == nil ? "deleted" : "moved" }
    for (one, other) in zip(departures, departures.dropFirst()) where one.place == other.place {
      throw .changedTwice(name(one.place), verb(one), verb(other))
    }
    for (one, other) in zip(reloads, reloads.dropFirst()) where one == other {
      throw .changedTwice(name(one), "reloaded", "reloaded")
    }
    for place in reloads {
      guard let change = departures.change(at: place) else { continue }
      throw .changedTwice(name(place), "reloaded", verb(change))
    }
  }

  private static func checkOnce(
    _ arrivals: [UpdateChange], name: (ItemPath) -> String
  ) throws(HostError) {
    for (one, other) in zip(arrivals, arrivals.dropFirst()) where one.place == other.place {
      let what =
        switch (one.counterpart, other.counterpart) {
        case (nil, nil): "inserted twice"
        case (_?, _?): "the target of two moves"
        default: "inserted and the target of a move"
        }
      throw .arrivalsMeet(at: name(one.place), what)
    }
  }

  private func checkDepartures() throws(HostError) {
    for change in items.departures {
      let isMove = change.counterpart != nil
      try checkSection(of: change.place, is: isMove ? "moved" : "deleted", mayLeave: isMove)
    }
    for place in reloadedItems { try checkSection(of: place, is: "reloaded", mayLeave: false) }
  }

  private func checkSection(
    of place: ItemPath, is verb: String, mayLeave: Bool
  ) throws(HostError) {
    let section = Self.place(place.section)
    if let change = sections.departures.change(at: section) {
      if change.counterpart != nil { throw Self.both(place, verb, "moved") }
      // Rationale: an item that moves out of a deleted section is not deleted with it. Otherwise a
      // batch computed from identities would lose items that it can follow.
      if !mayLeave { throw Self.both(place, verb, "deleted") }
    } else if reloadedSections.hasSorted(section) {
      throw Self.both(place, verb, "reloaded")
    }
  }

  private func checkArrivals() throws(HostError) {
    for change in items.arrivals {
      let isMove = change.counterpart != nil
      let section = Self.place(change.place.section)
      let verb = isMove ? "the target of a move" : "inserted"
      if let arrival = sections.arrivals.change(at: section) {
        if arrival.counterpart == nil, !isMove {
          throw Self.both(change.place, verb, "inserted")
        }
      } else if reloadedSections.hasSorted(sections.origin(of: section, in: 0)) {
        throw Self.both(change.place, verb, "reloaded")
      }
    }
  }

  private static func both(_ place: ItemPath, _ verb: String, _ sectionVerb: String) -> HostError {
    .changedWithSection(item: place.item, section: place.section, is: verb, sectionVerb)
  }
}
