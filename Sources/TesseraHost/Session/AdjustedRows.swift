/// Finds the row of an element among those that a query is about to return.
struct AdjustedRows {
  private struct Group: Hashable {
    let category: ElementCategory
    let kind: UInt32
    let section: UInt32
  }
  /// The runs of each group, in the order of items.
  private var groups: [Group: [Run]] = [:]

  init(_ runs: ContiguousArray<Run>) {
    for run in runs { groups[Self.group(of: run), default: []].append(run) }
    for group in groups.keys { groups[group]?.sort { $0.firstItem < $1.firstItem } }
  }

  /// The row of an element; nil where there is none.
  ///
  /// - Complexity: O(log *r*) for *r* runs of the element's section and kind.
  func row(of element: Run) -> Int? {
    guard let runs = groups[Self.group(of: element)] else { return nil }
    let place = Self.place(of: element.firstItem, in: runs)
    guard place > 0 else { return nil }
    let run = runs[place - 1]
    let offset = element.firstItem - run.firstItem
    return offset < UInt64(run.count) ? run.row + Int(offset) : nil
  }

  /// Notes a row that was added.
  mutating func insert(_ run: Run) {
    let group = Self.group(of: run)
    let place = Self.place(of: run.firstItem, in: groups[group] ?? [])
    groups[group, default: []].insert(run, at: place)
  }

  private static func group(of run: Run) -> Group {
    Group(category: run.category, kind: run.kind, section: run.section)
  }

  /// How many runs start at or before an item.
  private static func place(of item: UInt64, in runs: [Run]) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].firstItem <= item { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
