/// The runs of a layout in the order of listings: by section, category, kind's name and item.
struct RunOrder {
  /// The places of runs in the store, in that order.
  let places: [Int]
  /// Each run's place in that order, or nil where the store is in order.
  let rankOfPlace: [Int]?
  private let ranks: [Int]

  /// Orders runs, and finds elements that were added twice.
  ///
  /// - Throws: `.brokenContract` with an element that was added twice.
  /// - Complexity: O(*r*) for *r* runs that are in order, else O(*r* log *r*).
  init(_ runs: ContiguousArray<Run>, kinds: [KindDescription]) throws(HostError) {
    ranks = Self.ranks(of: kinds)
    let ranks = ranks
    var places = Array(runs.indices)
    let isSorted = zip(runs, runs.dropFirst()).allSatisfy {
      !Self.precedes($1, $0, ranks)
    }
    if !isSorted { places.sort { Self.precedes(runs[$0], runs[$1], ranks) } }
    self.places = places
    var ranking: [Int]?
    if !isSorted {
      ranking = Array(repeating: 0, count: places.count)
      for (rank, place) in places.enumerated() { ranking?[place] = rank }
    }
    rankOfPlace = ranking
    for (place, next) in zip(places, places.dropFirst()) {
      let (run, after) = (runs[place], runs[next])
      if Self.isSameGroup(run, after), run.firstItem + UInt64(run.count) > after.firstItem {
        let kind = run.category == .cell ? "cell" : kinds[Int(run.kind)].name
        throw HostError(
          .brokenContract,
          "it added \(kind) \(after.firstItem) of section \(run.section) twice; "
            + "each element has one row")
      }
    }
  }

  /// The place in the store of the run that holds an element; nil where there is none.
  ///
  /// - Complexity: O(log *r*).
  func run(
    holding item: UInt64, _ category: ElementCategory, kind: UInt32, section: UInt32,
    in runs: ContiguousArray<Run>
  ) -> Int? {
    let sought = Run(
      category: category, kind: kind, section: section, firstItem: item, count: 1, row: 0)
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(sought, runs[places[middle]], ranks) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard low > 0 else { return nil }
    let run = runs[places[low - 1]]
    guard Self.isSameGroup(run, sought), item - run.firstItem < UInt64(run.count) else {
      return nil
    }
    return places[low - 1]
  }

  /// A kind's place among all kinds by name.
  private static func ranks(of kinds: [KindDescription]) -> [Int] {
    let byName = kinds.indices.sorted { kinds[$0].name < kinds[$1].name }
    var ranks = Array(repeating: 0, count: max(1, kinds.count))
    for (rank, kind) in byName.enumerated() { ranks[kind] = rank }
    return ranks
  }

  private static func precedes(_ left: Run, _ right: Run, _ ranks: [Int]) -> Bool {
    if left.section != right.section { return left.section < right.section }
    if left.category != right.category { return left.category < right.category }
    if left.kind != right.kind { return ranks[Int(left.kind)] < ranks[Int(right.kind)] }
    return left.firstItem < right.firstItem
  }

  private static func isSameGroup(_ left: Run, _ right: Run) -> Bool {
    left.section == right.section && left.category == right.category && left.kind == right.kind
  }
}
