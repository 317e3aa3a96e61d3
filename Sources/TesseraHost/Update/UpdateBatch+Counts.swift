extension UpdateCheck {
  /// Refuses counts before and after that the operations do not lead from and to.
  func checkCounts() throws(HostError) {
    let deleted = sections.departures.count
    let inserted = sections.arrivals.count
    // Places are distinct and in range, so neither side is negative and nothing overflows.
    guard before.count - deleted == after.count - inserted else {
      throw HostError(
        .invalidInput,
        "there are \(Self.counted(before.count, "section")) before the update and "
          + "\(Self.counted(after.count, "section")) after it, but the operations lead to "
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
    let name = origin.item == section ? "" : " (section \(origin.item) before)"
    throw HostError(
      .invalidInput,
      "section \(section)\(name) has \(Self.counted(old, "item")) before the update and "
        + "\(Self.counted(after[section], "item")) after it, but the operations lead to "
        + "\(expected.overflow ? Int.max : expected.partialValue); insert or delete the items that "
        + "differ")
  }
}
