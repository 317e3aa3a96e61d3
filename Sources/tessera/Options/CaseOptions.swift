import ArgumentParser
import TesseraConformance

/// Which cases are examined, and with what.
struct CaseOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: "How much is examined: quick in seconds, standard, or thorough in minutes.")
  var level = CaseLevel.standard

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only these cases: an id, a category, or a pattern with *; may be given more than once.",
      valueName: "pattern"))
  var filter: [String] = []

  @Flag(
    name: .long,
    help: "List the cases with their rules, as JSON with --format json, and examine nothing.")
  var list = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("What random inputs begin with.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How many cases are examined at once (default: one a processor).", valueName: "n"))
  var jobs: Int?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Examine only this input: a scenario in JSON, as a failure's command gives it.",
      valueName: "json"))
  var sample: String?

  mutating func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs is \(jobs); give a number from 1 to 256")
    }
  }
}

extension CaseLevel: ExpressibleByArgument {}
