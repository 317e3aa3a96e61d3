import TesseraHost

/// The cells of sections of so many items, as the one sequence that some engines lay out.
func cells(inSections counts: [Int]) -> [ElementIdentity] {
  counts.enumerated().flatMap { section, count in
    (0..<count).map { ElementIdentity.cell(section: section, item: $0) }
  }
}
