import TestSupport

/// Every hostile engine, in the groups that the tests run them in.
enum HostileCases: String, CaseIterable, Sendable, Codable {
  case crashes, time, memory, answers, rights, libraries

  /// The engines of the group.
  var all: [HostileCase] {
    switch self {
    case .crashes: CrashCases.all
    case .time: TimeCases.all
    case .memory: MemoryCases.all
    case .answers: AnswerCases.all
    case .rights: RightsCases.all
    case .libraries: LibraryCases.all
    }
  }

  /// Those that an embedding program meets: one of each kind of engine, and all in the second ring.
  var met: [HostileCase] {
    var seen: Set<String> = []
    return all.filter { seen.insert($0.source).inserted || Ring.isSecond }
  }

  /// All of all groups.
  static let everything = allCases.flatMap(\.all)
}
