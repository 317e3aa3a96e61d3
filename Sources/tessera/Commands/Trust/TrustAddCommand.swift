import ArgumentParser
import TesseraHost

/// `tessera trust add`: more libraries for the allowlist.
struct TrustAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Puts libraries on the allowlist, as they are now.",
    discussion: """
      A file is inspected, and nothing of it runs. What is no engine library is not added.

      EXAMPLES
        tessera trust add ./libspiral.so
        tessera trust add --allowlist allowed.txt engines/*.so
      """)

  @Argument(
    help: ArgumentHelp("A library's file.", valueName: "file"), completion: .file())
  var files: [String]
  @OptionGroup var options: AllowlistOptions

  func run() throws {
    let list = try options.file
    try OutputFile.write(to: nil) { output in
      for file in files {
        let addition: Allowlist.Addition
        do {
          addition = try Allowlist.add(library: file, to: list)
        } catch {
          try output.flush()
          throw error
        }
        let entry = addition.entry
        try output.write(
          addition.isNew
            ? "added \(entry.path) with the sum \(entry.digest)\n"
            : "\(entry.path) is on the allowlist already, with the sum \(entry.digest)\n")
      }
    }
  }
}
