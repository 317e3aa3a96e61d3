import Foundation
import TesseraConformance

/// What Tools/mutation asks for, through the environment.
struct FullRun: Sendable {
  let correct: Int
  let mutated: Int
  let level: CaseLevel
  let seed: UInt64
  let jobs: Int
  /// The files for the reports of the generated and of the independent set; nil: not requested.
  let generated, independent: String?
  /// The file for what was found first in each independent fault; nil: not requested.
  let messages: String?
  let showsProgress: Bool

  /// The run that is asked for; nil in ordinary tests.
  static let requested: FullRun? = {
    let environment = ProcessInfo.processInfo.environment
    func number(_ name: String) -> Int? {
      environment["TESSERA_MUTATION_\(name)"].flatMap { Int($0) }
    }
    let generated = environment["TESSERA_MUTATION_GENERATED"]
    let independent = environment["TESSERA_MUTATION_INDEPENDENT"]
    guard generated != nil || independent != nil else { return nil }
    return FullRun(
      correct: number("CORRECT") ?? 1000, mutated: number("COUNT") ?? 1000,
      level: environment["TESSERA_MUTATION_LEVEL"].flatMap(CaseLevel.init) ?? .thorough,
      seed: UInt64(number("SEED") ?? 1),
      jobs: number("JOBS") ?? ProcessInfo.processInfo.activeProcessorCount,
      generated: generated, independent: independent,
      messages: environment["TESSERA_MUTATION_MESSAGES"],
      showsProgress: environment["TESSERA_MUTATION_PROGRESS"] == "1")
  }()

  /// The levels up to the one that is asked for: what a lower one finds, a higher one does too.
  var levels: [CaseLevel] { CaseLevel.allCases.filter { $0 <= level } }

  /// Tells how far a part of the run is.
  func progress(_ what: String, of total: Int) -> @Sendable (Int) -> Void {
    let shows = showsProgress
    return { done in
      guard shows else { return }
      FileHandle.standardError.write(Data("\r\(what): \(done) of \(total) ".utf8))
      if done == total { FileHandle.standardError.write(Data("\n".utf8)) }
    }
  }
}
