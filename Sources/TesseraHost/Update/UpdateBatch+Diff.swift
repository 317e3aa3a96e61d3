extension UpdateBatch {
  /// The batch that leads from identities to others, given for each section.
  ///
  /// Sections are matched by their place, and those that only one side has are deleted or inserted
  /// at the end. Items are matched by identity, in all sections; two identities are the same where
  /// their UTF-8 bytes are. The fewest items move: of those that keep their section, as many stay as
  /// can be in one order. The operations are the deletions of items and of sections, the last first,
  /// then the insertions of sections and, by their new places, of items and the moves.
  ///
  /// Errors: `.invalidInput` for an identity that one side has twice.
  /// Complexity: n for n items, plus m log m for the m of them that are not in runs which both sides
  /// have.
  public init(from before: [[String]], to after: [[String]]) throws(HostError) {
    let diff = try Diff(before, after)
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
