import TestSupport

/// One choice of everything that Tests/Fixtures/engines/configurable.c lets choose; each is a correct
/// engine.
struct Configuration: Hashable, Sendable, CustomStringConvertible {
  /// A macro of the engine, with what it may be.
  enum Choice: String, CaseIterable, Sendable {
    case columns = "COLUMNS"
    case columnsSet = "COLUMNS_SET"
    case heights = "HEIGHTS"
    case spacing = "SPACING"
    case insets = "INSETS"
    case header = "HEADER"
    case board = "BOARD"
    case attribute = "ATTRIBUTE"
    case written = "WRITTEN"
    case lazy = "LAZY"
    case adjust = "ADJUST"
    case mirrors = "MIRRORS"
    case aligned = "ALIGNED"
    case incremental = "INCREMENTAL"
    case updates = "UPDATES"
    case snapping = "SNAPPING"
    case delegate = "DELEGATE"
    case keeps = "KEEPS"

    /// The greatest value; the least is 0.
    var greatest: Int {
      switch self {
      case .columns: 6
      case .heights, .header, .adjust: 2
      case .spacing, .insets: 5
      case .attribute: 4
      case .written: 15
      default: 1
      }
    }
  }

  private var values: [Choice: Int] = [:]

  /// A configuration by chance.
  init(random: inout SeededGenerator) {
    for choice in Choice.allCases {
      values[choice] = Int.random(in: 0...choice.greatest, using: &random)
    }
    // What says nothing in company of something else, or contradicts it.
    if self[.columns] == 0 { values[.columnsSet] = 0 }
    if isLazy { values[.incremental] = 0 }
  }

  /// What was chosen.
  subscript(choice: Choice) -> Int { values[choice] ?? 0 }

  /// Whether something is there at all.
  func has(_ choice: Choice) -> Bool { self[choice] > 0 }

  /// Whether the engine answers queries itself.
  var isLazy: Bool { has(.lazy) }

  /// What the compiler is told.
  var flags: [String] { Choice.allCases.map { "-D\($0.rawValue)=\(self[$0])" } }

  /// The macros, to be compiled by hand.
  var description: String { flags.joined(separator: " ") }
}
