import TesseraSDK

/// Checkpoints of a prepare, so that a later one need not start at the beginning.
struct Trail {
  /// What all lines depend on in addition to the data and the parameters.
  struct Basis: Equatable {
    let cross, leadingCross, trailingCross, scale: Double
  }

  /// The start of a line.
  struct Checkpoint {
    /// The line's first item, counted within its section.
    let item: Int
    let cursor: Cursor
  }

  /// The lines of a section.
  struct Section {
    let start, end: Cursor
    /// Its range in all checkpoints.
    let checkpoints: Range<Int>
  }

  let basis: Basis
  private(set) var sections: [Section] = []
  var checkpoints: [Checkpoint] = []

  init(basis: Basis) {
    self.basis = basis
  }

  /// Ends a section whose checkpoints start at an index.
  mutating func endSection(from start: Cursor, to end: Cursor, firstCheckpoint: Int) {
    sections.append(
      Section(start: start, end: end, checkpoints: firstCheckpoint..<checkpoints.count))
  }

  /// The lines of a section in this trail if they start at `start`; else nil.
  func section(_ number: Int, from start: Cursor) -> Section? {
    guard number < sections.count, sections[number].start == start else { return nil }
    return sections[number]
  }

  /// The checkpoints of a section before which nothing has changed.
  ///
  /// - Parameter unchanged: The number of unchanged items at the start. The line before a
  ///   checkpoint also depends on the item at it: on its length, and on its existence.
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
