import ArgumentParser

/// Whether what happens is recorded.
struct RecordOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Store every call to the engine's layout, and what it was answered, for `tessera replay`.",
      discussion: "The file is written where the engine fails, too.", valueName: "file"),
    completion: .file())
  var record: String?
}
