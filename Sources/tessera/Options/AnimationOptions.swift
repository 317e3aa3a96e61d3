import ArgumentParser

/// How an animation is printed or drawn, and which moment of it.
struct AnimationOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "One moment, 0 to 1, in any format.",
      discussion: """
        Without it svg and html play the whole way, json tells the track of each element from \
        where to where it goes, and a table those in short.
        """, valueName: "fraction"))
  var progress: Double?

  @OptionGroup(title: "Output") var output: OutputOptions

  mutating func validate() throws {
    if let progress, !(0...1).contains(progress) {
      throw ValidationError("--progress is \(progress); give a number from 0 to 1")
    }
    let format = output.chosenFormat
    guard progress != nil || format != .ndjson && format != .csv else {
      throw ValidationError(
        "\(format) tells one moment: give --progress 0 to 1, or another format")
    }
  }

  /// Prints or draws an animation where it is wanted.
  func write(_ animation: FinishedAnimation) throws {
    try OutputFile.write(to: output.output) { file in
      try animation.write(
        as: output.chosenFormat, at: progress, to: file,
        isOnTerminal: output.output == nil && Terminal.showsResults)
    }
  }
}
