/// Reads the operations of a batch and refuses those that cannot be.
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
      throw HostError(
        .invalidInput,
        "section \(section) has \(counts[section]) items \(when) the update; give 0 or more")
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

  /// Sections are kept as items of a section 0.
  static func place(_ section: Int) -> ItemPath { ItemPath(section: 0, item: section) }

  /// "no items", "1 item", "12 items".
  static func counted(_ count: Int, _ noun: String) -> String {
    switch count {
    case 0: "no \(noun)s"
    case 1: "1 \(noun)"
    default: "\(count) \(noun)s"
    }
  }

  private func checkRange(
    _ place: ItemPath, is verb: String, in counts: [Int], _ when: String
  ) throws(HostError) {
    let name = "item \(place.item) of section \(place.section)"
    guard counts.indices.contains(place.section) else {
      throw Self.outside(name, verb, "there are", counts.count, "section", when)
    }
    let count = counts[place.section]
    guard place.item >= 0, place.item < count else {
      throw Self.outside(name, verb, "that section has", count, "item", when)
    }
  }

  private func checkRange(
    _ section: Int, is verb: String, in counts: [Int], _ when: String
  ) throws(HostError) {
    guard counts.indices.contains(section) else {
      throw Self.outside("section \(section)", verb, "there are", counts.count, "section", when)
    }
  }

  private static func outside(
    _ name: String, _ verb: String, _ has: String, _ count: Int, _ noun: String, _ when: String
  ) -> HostError {
    let found = has == "there are" && count == 1 ? "there is" : has
    let advice =
      count == 0
      ? "leave this operation out"
      : count == 1
        ? "give \(noun) 0" : "give \(noun == "item" ? "an" : "a") \(noun) from 0 to \(count - 1)"
    return HostError(
      .invalidInput,
      "\(name) is \(verb), but \(found) \(counted(count, noun)) \(when) the update; \(advice)")
  }
}
