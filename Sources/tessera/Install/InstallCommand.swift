import ArgumentParser
import TesseraCommand
import TesseraConformance
import TesseraHost

struct InstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Installs an engine in your own folder, if it passes the conformance suite.",
    discussion: """
      The library is loaded in the sandbox, tested with the quick cases of tessera check, and copied \
      to ~/.local/lib/tessera, where tessera finds it. If a case fails, nothing is copied and the exit \
      status is 1, as for tessera check.

      An installed library of the same engines is replaced atomically, whatever its name. Other \
      engines and newer versions are replaced only with --force. The command reports if another \
      engine with the same id comes first on the search path.

      EXAMPLES
        tessera install ./libspiral.so
        tessera install --level thorough ./libspiral.so
        tessera install --no-check --force ./libspiral.so
      """)

  @Argument(
    help: ArgumentHelp("The library's file; its name ends in .so.", valueName: "file"),
    completion: .file(extensions: ["so"]))
  var file: String

  @Option("How much to test: quick takes seconds, thorough takes minutes.")
  var level = CaseLevel.quick

  @Flag(
    name: .customLong("no-check"),
    help: "Skip the conformance suite; only read the engine's description.")
  var skipsCheck = false

  @Flag(name: .long, help: "Also replace other engines and newer versions.")
  var force = false

  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  func run() throws {
    let folder = try EngineFolder.own()
    let host = try engineOptions.host()
    let library = try engineOptions.watchdog.guarding(engineOptions.hanging("loading \(file)")) {
      () throws(HostError) in try EngineFile(path: file, host: host)
    }
    if !skipsCheck { try check(library) }
    let installation = try folder.install(library, force: force, host: host)
    try BufferedOutput.write(to: nil) { output in
      for engine in library.engines {
        try output.writeLine("installed \(engine.id) \(engine.version) as \(installation.library)")
      }
      for replaced in installation.replaced where replaced != installation.library {
        try output.writeLine("removed \(replaced), which contained the same engines")
      }
      let listing = host.listing()
      for engine in library.engines {
        if let note = listing.note(on: engine.id, in: installation.library) {
          try output.writeLine(note)
        }
      }
    }
  }

  private func check(_ library: EngineFile) throws {
    for engine in library.engines {
      let name = library.engines.count == 1 ? file : "\(file)#\(engine.id)"
      let subject = try engineOptions.subject(name)
      var options = ConformanceSuite.Options()
      options.level = level
      let suite = try ConformanceSuite(subject, options)
      let progress = ProgressLine("checking \(subject.name)")
      let report = try suite.run { done, total, _ in
        progress.update(Double(done) / Double(max(1, total)))
      }
      progress.erase()
      guard !report.isPassed else { continue }
      try BufferedOutput.write(to: nil) {
        try $0.write(report.text(isColoured: Terminal.isColoured))
      }
      Diagnostics.say(
        "\(file) was not installed, because the suite found a failure; fix it, or give --no-check")
      throw ExitCode(1)
    }
  }
}

extension Listing {
  fileprivate func note(on id: String, in library: String) -> String? {
    let entries = engines.filter { $0.description.id == id }
    guard let own = entries.first(where: { $0.library == library }) else {
      return "\(library) is not on the search path; name it by its path"
    }
    if let first = own.shadowedBy {
      return "\(first) comes first on the search path and is used instead"
    }
    let hidden = entries.filter { $0.library != library }.map(\.library)
    return hidden.isEmpty ? nil : "it is used instead of \(hidden.joined(separator: " and "))"
  }
}

struct UninstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall",
    abstract: "Removes an engine from your own folder.",
    discussion: """
      Only libraries in ~/.local/lib/tessera are removed. Programs that are running an engine can \
      continue. A library that cannot be loaded is named by its file.

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

  @Flag(name: .long, help: "Remove the library even if it contains other engines.")
  var force = false

  func run() throws {
    let folder = try EngineFolder.own()
    let host = Host(
      searchPath: ProcessEnvironment.searchPath(first: []),
      configuration: ProcessEnvironment.hostConfiguration)
    let removals = try folder.uninstall(engine, force: force, host: host)
    try BufferedOutput.write(to: nil) { output in
      for removal in removals {
        let engines = removal.engines.map { "\($0.id) \($0.version)" }.joined(separator: " and ")
        try output.writeLine(
          engines.isEmpty
            ? "removed \(removal.path)" : "removed \(engines), \(removal.path)")
      }
      let ids = Set(removals.flatMap(\.engines).map(\.id))
      for entry in host.listing().engines
      where ids.contains(entry.description.id) && entry.shadowedBy == nil {
        try output.writeLine("\(entry.description.id) is now found in \(entry.library)")
      }
    }
  }
}
