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

  /// What an embedding program meets: an engine of each kind, and each edit of a description; all in the
  /// second ring.
  var met: [HostileCase] {
    var seen: Set<String> = []
    return all.filter { hostile in
      let edit = hostile.flags.first { $0.hasPrefix("-DEDIT") } ?? ""
      return seen.insert(hostile.source + edit).inserted || Ring.isSecond
    }
  }

  /// All of all groups.
  static let everything = allCases.flatMap(\.all)
}
