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

  /// All of all groups.
  static let everything = allCases.flatMap(\.all)
}
