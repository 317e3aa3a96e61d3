import ArgumentParser
import TesseraHost

/// `tessera new`: a project for an engine.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Makes a project for an engine of your own, which lays something out already.",
    discussion: """
      It makes a folder with an engine, its tests and stored layouts, a README with a picture, a \
      licence and a workflow that runs the suite. What is in it is yours to change. In C, C++ and \
      Rust it is built with make, in Swift with swift build.

      The folder .tessera in it holds links to this Tessera, so the project itself names no place on \
      this machine. git passes it over; tessera link makes it anew.

      EXAMPLES
        tessera new brick-wall --language swift
        tessera new brick-wall --language c --licence Apache-2.0 --author 'Ada Example'
        tessera new fading-flow --language rust --base flow
      """)

  @Argument(help: "What to call it: letters, digits and hyphens, such as brick-wall.")
  var name: String

  @Option(name: .shortAndLong, parsing: .unconditional, help: "The language of its source.")
  var language: ProjectLanguage

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Derive it from this engine: it changes what that one lays out.", valueName: "engine"))
  var base: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The engine's id. (default: org.example.NAME)", valueName: "id"))
  var id: String?

  @Option(
    name: [.long, .customLong("license")], parsing: .unconditional,
    help: ArgumentHelp(
      "The licence: MIT, Apache-2.0, BSD-3-Clause, 0BSD or none.", valueName: "licence"))
  var licence = "MIT"

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Who writes it. (default: the name that git has, or that of the login)", valueName: "name"))
  var author: String?

  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  func run() throws {
    let installation = try Installation.found()
    let project = try Project(
      name: ProjectName(name), language: language, id: id, author: author ?? ProjectAuthor.standard,
      licence: licence, base: try base.map { try engineOptions.engine($0).description },
      templates: installation.templates)
    let folder = ProjectFolder(path: project.name.kebab)
    try folder.write(project.files(), ProjectLinks(installation: installation))
    try OutputFile.write(to: nil) { try $0.write(NextSteps(project).text) }
  }
}
