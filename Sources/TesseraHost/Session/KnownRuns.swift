/// Which runs an engine of a chain is shown: cells, and the kinds that it can number.
///
/// Elements of a kind that only a derived engine declares are no business of its bases.
struct KnownRuns {
  private let kinds: Set<UInt32>
  private let isAll: Bool
  /// The places of the runs that are shown, among those looked at so far.
  private var places: [Int] = []
  private var end = 0
  /// How often runs had been taken back then.
  private var takenBack = 0

  /// - Parameters:
  ///   - kindNumbers: The engine's number of a kind → the chain's.
  ///   - kindCount: How many kinds the chain has.
  init(kindNumbers: [Int], kindCount: Int) {
    kinds = Set(kindNumbers.map { UInt32($0) })
    isAll = kindNumbers.count == kindCount
  }

  /// How many runs are shown.
  ///
  /// - Complexity: O(1) for an engine that knows every kind; else O(*r*) for *r* runs that came since.
  mutating func count(in state: OutputState) -> Int {
    guard !isAll else { return state.store.runs.count }
    look(at: state)
    return places.count
  }

  /// The place of a run that is shown, by its number among those; nil: there is none.
  mutating func place(of number: UInt64, in state: OutputState) -> Int? {
    guard number < UInt64(count(in: state)) else { return nil }
    return isAll ? Int(number) : places[Int(number)]
  }

  private mutating func look(at state: OutputState) {
    if takenBack != state.takenBack {
      takenBack = state.takenBack
      places.removeAll(keepingCapacity: true)
      end = 0
    }
    let runs = state.store.runs
    while end < runs.count {
      if runs[end].category == .cell || kinds.contains(runs[end].kind) { places.append(end) }
      end += 1
    }
  }
}
