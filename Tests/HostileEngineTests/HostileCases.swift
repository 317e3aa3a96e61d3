import TestSupport

enum HostileCases: String, CaseIterable, Sendable, Codable {
  case crashes, time, memory, answers, rights, libraries

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

  var met: [HostileCase] {
    var seen: Set<String> = []
    return all.filter { hostile in
      let edit = hostile.flags.first { $0.hasPrefix("-DEDIT") } ?? ""
      return seen.insert(hostile.source + edit).inserted || Ring.isSecond
    }
  }

  static let everything = allCases.flatMap(\.all)
}
