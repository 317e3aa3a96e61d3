import ArgumentParser
import TesseraConformance
import TesseraHost

/// `tessera install`: one engine more in the user's own folder.
struct InstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Puts an engine into your own folder, once it has passed the suite.",
    discussion: """
      The library is copied to ~/.local/lib/tessera, where every tessera of yours finds it. Before, \
      it is asked in the sandbox what it holds, and proven with the quick cases of tessera check. \
      Nothing is copied where that fails; the status is then 1, as of tessera check.

      A library of the same engines that lies there already is replaced, whatever its name, and nobody \
      sees half of one. Other engines and newer versions are replaced only with --force. Where an \
      engine of the same id comes first on the search path, you are told.

      EXAMPLES
        tessera install ./libspiral.so
        tessera install --level thorough ./libspiral.so
        tessera install --no-check --force ./libspiral.so
      """)

  @Argument(
    help: ArgumentHelp("The library's file; its name ends in .so.", valueName: "file"),
    completion: .file(extensions: ["so"]))
  var file: String

  @Option(
    name: .long, parsing: .unconditional,
    help: "How much is examined: quick in seconds, standard, or thorough in minutes.")
  var level = CaseLevel.quick

  @Flag(name: .customLong("no-check"), help: "Leave the suite out; it is only asked what it holds.")
  var skipsCheck = false

  @Flag(name: .long, help: "Take the place of other engines and of newer versions, too.")
  var force = false

  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  func run() throws {
    let folder = try ProcessEnvironment.engineFolder()
    let host = try engineOptions.host()
    let library = try engineOptions.watchdog.guarding(engineOptions.hanging("loading \(file)")) {
      () throws(HostError) in try EngineFile(path: file, host: host)
    }
    if !skipsCheck { try check(library) }
    let installation = try folder.install(library, force: force, host: host)
    try OutputFile.write(to: nil) { output in
      for engine in library.engines {
        try output.write("installed \(engine.id) \(engine.version) as \(installation.library)\n")
      }
      for replaced in installation.replaced where replaced != installation.library {
        try output.write("took \(replaced) away, which held the same\n")
      }
      let listing = host.listing()
      for engine in library.engines {
        if let note = listing.note(on: engine.id, in: installation.library) {
          try output.write("\(note)\n")
        }
      }
    }
  }

  /// Runs the suite over every engine of the library; ends the command where one fails.
  private func check(_ library: EngineFile) throws {
    let host = try engineOptions.host(refusesCrashing: false)
    for engine in library.engines {
      let name = library.engines.count == 1 ? file : "\(file)#\(engine.id)"
      let subject = try CheckSubject(name, host: host, hostOptions: engineOptions.repeated)
      var options = ConformanceSuite.Options()
      options.level = level
      let suite = try ConformanceSuite(subject, options)
      let progress = ProgressLine("checking \(subject.name)")
      let report = suite.run { progress.update(Double($0.done) / Double(max(1, $0.total))) }
      progress.erase()
      guard !report.isPassed else { continue }
      try OutputFile.write(to: nil) {
        try $0.write(TextReport(report, isColoured: Terminal.isColoured).text)
      }
      Diagnostics.say(
        "\(file) was not installed, because the suite found a failure; mend it, or give --no-check")
      throw ExitCode(1)
    }
  }
}

extension Listing {
  /// What somebody who installed an engine should know of others with its id; nil where there are none.
  ///
  /// - Parameter library: Where it was installed.
  fileprivate func note(on id: String, in library: String) -> String? {
    let entries = engines.filter { $0.description.id == id }
    guard let own = entries.first(where: { $0.library == library }) else {
      return "\(library) is not on the search path here, so name it by its path"
    }
    if let first = own.shadowedBy {
      return "\(first) comes before it on the search path and is the one that is used"
    }
    let hidden = entries.filter { $0.library != library }.map(\.library)
    return hidden.isEmpty ? nil : "it is used in place of \(hidden.joined(separator: " and "))"
  }
}

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
    let folder = try ProcessEnvironment.engineFolder()
    let host = Host(
      searchPath: ProcessEnvironment.searchPath(first: []),
      configuration: ProcessEnvironment.hostConfiguration)
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
