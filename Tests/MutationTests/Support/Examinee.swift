import TesseraConformance
import TestSupport

/// A configuration, as it is or mutated, that the suite is run over.
struct Examinee: Sendable, CustomStringConvertible {
  let configuration: Configuration
  let mutation: Mutation?

  /// Correct engines by chance.
  static func correct(_ count: Int, seed: UInt64) -> [Examinee] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      Examinee(configuration: Configuration(random: &random), mutation: nil)
    }
  }

  /// Engines with one of some faults each, one after the other, in configurations by chance.
  static func mutated(_ count: Int, seed: UInt64, by mutations: [Mutation]) -> [Examinee] {
    var random = SeededGenerator(seed: seed)
    var order: [Mutation] = []
    return (0..<count).map { _ in
      if order.isEmpty { order = mutations.shuffled(using: &random) }
      return mutated(by: order.removeLast(), random: &random)
    }
  }

  /// An engine with a fault of each kind that the quick level reaches, in configurations by chance.
  static func oneOfEachKind(seed: UInt64) -> [Examinee] {
    var random = SeededGenerator(seed: seed)
    return MutationKind.allCases.compactMap { kind in
      let mutations = Mutation.allCases.filter { $0.kind == kind && $0.isVisibleAtQuick }
      return mutations.randomElement(using: &random).map { mutated(by: $0, random: &random) }
    }
  }

  private static func mutated(by mutation: Mutation, random: inout SeededGenerator) -> Examinee {
    while true {
      let configuration = Configuration(random: &random)
      if mutation.matters(in: configuration) {
        return Examinee(configuration: configuration, mutation: mutation)
      }
    }
  }

  /// What the compiler is told, to be compiled by hand.
  var description: String { flags.joined(separator: " ") }

  private var flags: [String] {
    configuration.flags + (mutation.map { ["-DMUTATION=\($0.rawValue)"] } ?? [])
  }

  /// Compiles the engine and runs the suite over it, sandboxed, level by level until one finds
  /// something.
  func examined(upTo levels: [CaseLevel]) throws -> Verdict {
    let folder = try TemporaryFolder()
    let library = folder.path("libconfigured.so")
    try CCompiler("gcc").compile(
      FixtureEngine.source("configurable"), to: library,
      flags: ["-std=c11", "-O0", "-shared", "-fPIC"] + CCompiler.strictness + flags + ["-lm"])
    // Of a mutated engine whether anything is found is all that counts.
    return try Verdict(library, upTo: levels, stopsAtFailure: mutation != nil)
  }
}
