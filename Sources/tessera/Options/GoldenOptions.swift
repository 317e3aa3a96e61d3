import ArgumentParser
import TesseraConformance

/// Layouts that were stored, to be compared or to be stored anew.
struct GoldenOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Compare with the layouts stored in this folder.",
      discussion: """
        Each folder in it is a case: scenario.json is what is laid out, expected.json the layout as \
        `tessera layout --format json` prints it, and tolerance.txt, where there is one, how far a \
        number may be off in points.
        """, valueName: "dir"), completion: .directory)
  var golden: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Store the layout of every scenario.json in this folder, tell what changed, and examine nothing.",
      valueName: "dir"), completion: .directory)
  var recordGolden: String?

  mutating func validate() throws {
    guard golden == nil || recordGolden == nil else {
      throw ValidationError("give --golden or --record-golden, not both")
    }
  }

  /// Stores layouts where that was asked for, and tells what changed.
  ///
  /// - Returns: Whether it was asked for.
  func record(_ subject: CheckSubject) throws -> Bool {
    guard let recordGolden else { return false }
    let lines = try Goldens(folder: recordGolden).record(subject)
    try OutputFile.write(to: nil) { try $0.write(lines.joined(separator: "\n") + "\n") }
    return true
  }

  /// What comparing with stored layouts came to, nothing where that was not asked for.
  func results(_ subject: CheckSubject) throws -> [CaseResult] {
    guard let golden else { return [] }
    return try Goldens(folder: golden).compare(subject)
  }
}
