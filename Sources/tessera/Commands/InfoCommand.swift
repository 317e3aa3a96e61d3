import ArgumentParser
import TesseraHost

/// `tessera info`: what one engine says about itself.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describes an engine: what it takes, what it gives, where it lies.",
    discussion: """
      The library is asked in a process of its own, unless it is known from before.

      EXAMPLES
        tessera info flow
        tessera info org.example.spiral --format json
        tessera info ./libspiral.so
      """)

  @Argument(help: .engine)
  var engine: String
  @OptionGroup var engineOptions: EngineOptions
  @Option(name: .long, parsing: .unconditional, help: "How to print.")
  var format = DescriptionFormat.table

  func run() throws {
    let facts = EngineFacts(try engineOptions.engine(engine))
    try OutputFile.write(to: nil) { output in
      switch format {
      case .table: try facts.write(to: output)
      case .json: try output.write(facts.json.text + "\n")
      }
    }
  }
}

extension ArgumentHelp {
  /// How an engine is named on the command line.
  static var engine: ArgumentHelp {
    "An engine: its id, the last part of its id where that is unique, or the path of a library."
  }
}
