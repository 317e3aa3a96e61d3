import TesseraSDK

/// What a prepare noted on its way, so that a later one need not begin at the start.
struct Trail {
  /// What all lines depend on beside the data and the parameters.
  struct Basis: Equatable {
    let cross, leadingCross, trailingCross, scale: Double
  }

  /// A place at which a line begins.
  struct Checkpoint {
    /// The line's first item, counted within its section.
    let item: Int
    let cursor: Cursor
  }

  /// Where the lines of a section are.
  struct Section {
    let start, end: Cursor
    /// Its places among all checkpoints.
    let checkpoints: Range<Int>
  }

  let basis: Basis
  private(set) var sections: [Section] = []
  var checkpoints: [Checkpoint] = []

  init(basis: Basis) {
    self.basis = basis
  }

  /// Ends a section whose checkpoints are those from a place on.
  mutating func endSection(from start: Cursor, to end: Cursor, firstCheckpoint: Int) {
    sections.append(
      Section(start: start, end: end, checkpoints: firstCheckpoint..<checkpoints.count))
  }

  /// The lines of a section in this trail, if they begin at `start`; else nil.
  func section(_ number: Int, from start: Cursor) -> Section? {
    guard number < sections.count, sections[number].start == start else { return nil }
    return sections[number]
  }

  /// The checkpoints of a section at which everything before is as it was.
  ///
  /// - Parameter unchanged: How many of the first items are as they were. The line before a
  ///   checkpoint also depends on the item at it: on its length, and on its being there.
  func checkpoints(of section: Section, before unchanged: Int) -> ArraySlice<Checkpoint> {
    let all = checkpoints[section.checkpoints]
    var (low, high) = (all.startIndex, all.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if all[middle].item < unchanged { low = middle + 1 } else { high = middle }
    }
    return all[..<low]
  }
}
