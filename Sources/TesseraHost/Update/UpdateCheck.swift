import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

extension UpdateBatch {
  /// Creates a batch between data with the given item counts.
  ///
  /// - Throws: `.invalidInput` for unknown items or sections, contradictions or wrong counts.
  /// - Complexity: O(*k* log *k*) for *k* operations, and O(log *k*) for each section.
  public init(_ operations: [UpdateOperation], before: [Int], after: [Int]) throws(HostError) {
    self.init(
      operations, before: before, after: after, items: UpdateRenumbering(),
      sections: UpdateRenumbering())
    try checkSizes()
    for operation in operations { try add(operation) }
    sort()
    try checkContradictions()
    try checkCounts()
  }

  private func checkSizes() throws(HostError) {
    for (counts, when) in [(before, "before"), (after, "after")] {
      guard let section = counts.firstIndex(where: { $0 < 0 }) else { continue }
      throw HostError(
        .invalidUpdate,
        "section \(section) has \(counts[section]) items \(when) the update; give 0 or more")
    }
  }

  private mutating func add(_ operation: UpdateOperation) throws(HostError) {
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
      sections.departures.append(UpdateChange(Self.place(origin), counterpart: Self.place(target)))
      sections.arrivals.append(UpdateChange(Self.place(target), counterpart: Self.place(origin)))
    case .reloadSection(let section):
      try checkRange(section, is: "reloaded", in: before, "before")
      reloadedSections.append(Self.place(section))
    }
  }

  private mutating func sort() {
    items.departures.sort { $0.place < $1.place }
    items.arrivals.sort { $0.place < $1.place }
    sections.departures.sort { $0.place < $1.place }
    sections.arrivals.sort { $0.place < $1.place }
    reloadedItems.sort()
    reloadedSections.sort()
  }

  /// Sections are items of section 0.
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

extension UpdateBatch {
  private func checkContradictions() throws(HostError) {
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
      throw HostError(
        .invalidUpdate,
        "\(name(one.place)) of the new data is \(what); give each arrival a place of its own")
    }
  }

  private func checkDepartures() throws(HostError) {
    for change in items.departures {
      let isMove = change.counterpart != nil
      try checkSection(of: change.place, is: isMove ? "moved" : "deleted", mayLeave: isMove)
    }
    for place in reloadedItems { try checkSection(of: place, is: "reloaded", mayLeave: false) }
  }

  private func checkSection(of place: ItemPath, is verb: String, mayLeave: Bool) throws(HostError) {
    let section = Self.place(place.section)
    if let change = sections.departures.change(at: section) {
      if change.counterpart != nil { throw Self.both(place, verb, "moved") }
      // Rationale: an item that moves out of a deleted section survives, as in a batch from
      // identities.
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
        if arrival.counterpart == nil, !isMove { throw Self.both(change.place, verb, "inserted") }
      } else if reloadedSections.hasSorted(sections.origin(of: section, in: 0)) {
        throw Self.both(change.place, verb, "reloaded")
      }
    }
  }

  private static func both(_ place: ItemPath, _ verb: String, _ sectionVerb: String) -> HostError {
    HostError(
      .invalidUpdate,
      "item \(place.item) of section \(place.section) is \(verb) and its section is "
        + "\(sectionVerb); leave the item's operation out")
  }
}

extension UpdateBatch {
  private func checkCounts() throws(HostError) {
    let deleted = sections.departures.count
    let inserted = sections.arrivals.count
    // Places are distinct and in range: neither side is negative or overflows.
    guard before.count - deleted == after.count - inserted else {
      throw HostError(
        .invalidUpdate,
        "there are \(counted(before.count, "section", none: "no")) before the update and "
          + "\(counted(after.count, "section", none: "no")) after it, but the operations lead to "
          + "\(before.count - deleted + inserted); insert or delete the sections that differ")
    }
    for section in after.indices { try checkCount(of: section) }
  }

  private func checkCount(of section: Int) throws(HostError) {
    let place = Self.place(section)
    var origin = sections.origin(of: place, in: 0)
    if let arrival = sections.arrivals.change(at: place) {
      guard let counterpart = arrival.counterpart else { return }
      origin = counterpart
    }
    guard !reloadedSections.hasSorted(origin) else { return }
    let old = before[origin.item]
    let staying = old - items.departures.count(inSection: origin.item)
    let arriving = items.arrivals.count(inSection: section)
    guard staying != after[section] - arriving else { return }
    let expected = staying.addingReportingOverflow(arriving)
    let reached = expected.overflow ? Int.max : expected.partialValue
    let name = origin.item == section ? "" : " (section \(origin.item) before)"
    throw HostError(
      .invalidUpdate,
      "section \(section)\(name) has \(counted(old, "item", none: "no")) before the update and "
        + "\(counted(after[section], "item", none: "no")) after it, but the operations lead to "
        + "\(reached); insert or delete the items that differ")
  }
}

extension HostError {
  /// `has` is "there are" or "that section has".
  fileprivate static func outside(
    _ name: String, is verb: String, _ has: String, _ count: Int, _ noun: String, _ when: String
  ) -> HostError {
    let found = has == "there are" && count == 1 ? "there is" : has
    let advice =
      count == 0
      ? "leave this operation out"
      : count == 1
        ? "give \(noun) 0" : "give \(noun == "item" ? "an" : "a") \(noun) from 0 to \(count - 1)"
    return HostError(
      .invalidUpdate,
      "\(name) is \(verb), but \(found) \(counted(count, noun, none: "no")) \(when) the update; "
        + advice)
  }

  fileprivate static func changedTwice(
    _ name: String, _ one: String, _ other: String
  ) -> HostError {
    let (first, second) = one < other ? (one, other) : (other, one)
    return HostError(
      .invalidUpdate,
      "\(name) is \(first == second ? "\(first) twice" : "\(first) and \(second)"); change it once")
  }
}
