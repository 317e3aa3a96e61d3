/// How much is examined: each level holds those before it.
public enum CaseLevel: String, CaseIterable, Comparable, Sendable {
  /// What an author runs after every build: seconds.
  case quick
  /// What a test in a package or on a server runs: less than half a minute.
  case standard
  /// What an engine is released after: minutes.
  case thorough

  /// How many random samples a case examines, beside those that are fixed.
  var sampleCount: Int {
    switch self {
    case .quick: 6
    case .standard: 40
    case .thorough: 400
    }
  }

  /// The levels from quick to thorough.
  public static func < (left: CaseLevel, right: CaseLevel) -> Bool {
    left.sampleCount < right.sampleCount
  }
}

/// What rules are about; the names are filters and keys in reports.
public enum CaseCategory: String, CaseIterable, Sendable {
  /// The file, and what it does when it is loaded.
  case library
  /// What an engine says about itself.
  case descriptor
  /// Layouts that come and go.
  case lifecycle
  /// Where elements are, and how they look there.
  case geometry
  /// What a question about a part of a layout is answered with.
  case query
  /// What the surroundings do.
  case bounds
  /// Few and many items, and sections without any.
  case counts
  /// Values for the whole layout.
  case parameters
  /// Functions that the host answers.
  case delegate
  /// Where and how much an engine writes.
  case memory
  /// Data that change.
  case updates
  /// Time and memory as items become many.
  case scaling
  /// What engines promise beyond the rules for all.
  case laws
  /// Layouts that were stored.
  case golden
}
