import ArgumentParser
import TesseraHost

/// `tessera uninstall`: one engine less in the user's own folder.
struct UninstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Takes an engine out of your own folder.",
    discussion: """
      Only what lies in ~/.local/lib/tessera goes; who uses it meanwhile goes on with it. A library \
      that cannot be used is named by its file.

      EXAMPLES
        tessera uninstall org.example.spiral
        tessera uninstall spiral
        tessera uninstall libspiral.so
      """)

  @Argument(
    help: ArgumentHelp(
      "An engine's id, the last part of one, or the name of a library's file.", valueName: "engine")
  )
  var engine: String

  @Flag(name: .long, help: "Take the library away even where it holds other engines, too.")
  var force = false

  func run() throws {
    let folder = try Surroundings.engineFolder()
    let host = Host(
      searchPath: Surroundings.searchPath(first: []),
      configuration: .standard(environment: Surroundings.environment, home: Surroundings.home))
    let removals = try folder.uninstall(engine, force: force, host: host)
    try OutputFile.write(to: nil) { output in
      for removal in removals {
        let engines = removal.engines.map { "\($0.id) \($0.version)" }.joined(separator: " and ")
        try output.write(
          engines.isEmpty
            ? "removed \(removal.library)\n" : "removed \(engines), \(removal.library)\n")
      }
      let ids = Set(removals.flatMap(\.engines).map(\.id))
      for entry in host.listing().engines
      where ids.contains(entry.description.id) && entry.shadowedBy == nil {
        try output.write("\(entry.description.id) is now found in \(entry.library)\n")
      }
    }
  }
}
