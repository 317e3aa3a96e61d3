extension UpdateCheck {
  /// Refuses what is named twice, and items whose whole section already changes.
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
      throw twice(name(one.place), verb(one), verb(other))
    }
    for (one, other) in zip(reloads, reloads.dropFirst()) where one == other {
      throw twice(name(one), "reloaded", "reloaded")
    }
    for place in reloads {
      guard let change = departures.change(at: place) else { continue }
      throw twice(name(place), "reloaded", verb(change))
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
        .invalidInput,
        "\(name(one.place)) of the new data is \(what); give each arrival a place of its own")
    }
  }

  private static func twice(_ name: String, _ one: String, _ other: String) -> HostError {
    let (first, second) = one < other ? (one, other) : (other, one)
    return HostError(
      .invalidInput,
      "\(name) is \(first == second ? "\(first) twice" : "\(first) and \(second)"); "
        + "change it once")
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
      // Rationale: an item that moves out of a deleted section is not deleted with it; without this
      // the comparison of identities would lose what it can follow.
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
    HostError(
      .invalidInput,
      "item \(place.item) of section \(place.section) is \(verb) and its section is "
        + "\(sectionVerb); leave the item's operation out")
  }
}
