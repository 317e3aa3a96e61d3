import ArgumentParser
import TesseraCommand

/// Options that `tessera layout` had, and that a command of its own has now.
enum MovedOptions {
  private static let names: Set = [
    "--figure", "--title", "--subtitle", "--source", "--caption", "--color", "--text", "--theme",
    "--paper", "--fit", "--embed", "--widths", "--thumbnails", "--images", "--recursive",
    "--elements", "--width", "--columns",
  ]

  /// Rejects an option of `tessera layout` that moved, in a sentence with the command that has it.
  static func check() throws(ValidationError) {
    let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
    guard words.first == "layout" else { return }
    for word in words.dropFirst() {
      let option = String(word.prefix { $0 != "=" })
      if option == "--wireframe" {
        throw ValidationError("--wireframe is what tessera layout always draws; remove it")
      }
      guard names.contains(option) else { continue }
      let engine = words.dropFirst().first.flatMap { $0.hasPrefix("-") ? nil : $0 } ?? "ENGINE"
      let use = option == "--figure" ? "" : " \(option) …"
      throw ValidationError(
        "\(option) is an option of tessera figure; tessera figure \(engine.visible)\(use) draws it")
    }
  }
}
