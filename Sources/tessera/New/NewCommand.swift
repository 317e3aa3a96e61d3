import ArgumentParser
import Foundation
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

/// What there is to do with a new project.
struct NextSteps {
  private let project: Project

  init(_ project: Project) { self.project = project }

  /// The steps, each with what it does, and what is missing for them here.
  var text: String {
    let (language, name) = (project.language, project.name)
    let library = language.library(of: name)
    let what = project.base.map { "an engine in \(language.name), derived from \($0.id)" }
    var steps = [
      ("cd \(name.kebab)", ""),
      (language.commands.build, "builds \(library)"),
      (language.commands.test, "proves it, by the conformance suite"),
      (".tessera/tessera layout \(library)", "lays something out"),
    ]
    if !project.isDrawn, let base = project.base {
      steps += [
        (language.commands.picture, "draws the README's picture, with \(base.id)"),
        (
          language.commands.goldens,
          "stores the layouts of goldens; look at them before you keep them"
        ),
      ]
    }
    let width = steps.map(\.0.count).max() ?? 0
    var lines = ["made \(name.kebab), \(what ?? "an engine in \(language.name)"); now:", ""]
    lines += steps.map { step, effect in
      effect.isEmpty
        ? "  \(step)"
        : "  \(step)\(String(repeating: " ", count: width - step.count))  # \(effect)"
    }
    lines += ["", "Then change \(language.source(of: name)); its comments say what to begin with."]
    for tool in language.missingTools {
      lines.append("Building needs \(tool.name), which is not in PATH: \(tool.installation)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// `tessera link`: a project's links to this Tessera.
struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Makes the links of a project to this Tessera anew.",
    discussion: """
      Projects that tessera new makes are built against the headers, the file of Rust or the Swift \
      package that the folder .tessera in them links to. Use it after cloning one, or to build one \
      against another Tessera: the one whose command this is.

      EXAMPLES
        tessera link
        tessera link ~/engines/brick-wall
      """)

  @Argument(help: "The project's folder.", completion: .directory)
  var folder = "."

  func run() throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
    else {
      throw CommandFailure(.noInput, "there is no folder \(folder) to link; give that of a project")
    }
    try ProjectLinks(installation: .found()).make(in: folder)
  }
}
