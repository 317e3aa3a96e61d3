import ArgumentParser
import FoundationEssentials
import TesseraCommand
import TesseraHost

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Creates a project for a new engine, which already lays something out.",
    discussion: """
      The project is a folder with an engine, its tests and stored layouts, a README with a picture, \
      a licence and a workflow that runs the conformance suite. Everything in it is yours to change. \
      Projects in C, C++ and Rust build with make, those in Swift with swift build.

      The project's folder .tessera contains links to this installation, so that no other file \
      contains a path of this machine. git ignores it; tessera link recreates it.

      EXAMPLES
        tessera new brick-wall --language swift
        tessera new brick-wall --language c --licence Apache-2.0 --author 'Ada Example'
        tessera new fading-flow --language rust --base flow
      """)

  @Argument(help: "The project's name: letters, digits and hyphens, such as brick-wall.")
  var name: String

  @Option("The programming language.", name: .shortAndLong)
  var language: ProjectLanguage

  @Option(
    "Derive the engine from this one, whose layout it changes.", "engine", completion: .engine)
  var base: String?

  @Option("The engine's id. (default: org.example.NAME)", "id")
  var id: String?

  @Option(
    "The licence: MIT, Apache-2.0, BSD-3-Clause, 0BSD or none.", "licence",
    name: [.long, .customLong("license")],
    completion: .list(["MIT", "Apache-2.0", "BSD-3-Clause", "0BSD", "none"]))
  var licence = "MIT"

  @Option("The author. (default: the user name of git, or of the login)", "name")
  var author: String?

  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  func run() throws {
    let installation = try Installation.found()
    let project = try Project(
      name: ProjectName(name), language: language, id: id, author: author ?? Project.standardAuthor,
      licence: licence, base: try base.map { try engineOptions.engine($0).description },
      templates: installation.templates)
    try project.write(linkingTo: installation)
    try BufferedOutput.write(to: nil) { try $0.write(project.nextSteps) }
  }
}

extension Project {
  fileprivate var nextSteps: String {
    let library = language.library(of: name)
    let what = base.map { "an engine in \(language.name), derived from \($0.id)" }
    var steps = [
      ("cd \(name.kebab)", ""),
      (language.commands.build, "builds \(library)"),
      (language.commands.test, "tests it with the conformance suite"),
      (".tessera/tessera layout \(library)", "lays out some items"),
    ]
    if !isDrawn, let base {
      steps += [
        (language.commands.picture, "draws the README's picture, with \(base.id)"),
        (
          language.commands.goldens,
          "stores the layouts of goldens; check them before you keep them"
        ),
      ]
    }
    let width = steps.map(\.0.count).max() ?? 0
    var lines = ["created \(name.kebab), \(what ?? "an engine in \(language.name)"); now:", ""]
    lines += steps.map { step, effect in
      effect.isEmpty
        ? "  \(step)"
        : "  \(step)\(String(repeating: " ", count: width - step.count))  # \(effect)"
    }
    lines += ["", "Then change \(language.source(of: name)); its comments say where to begin."]
    for tool in language.missingTools {
      lines.append(
        "Building needs \(tool.name), which is not in PATH; install it with: \(tool.installation)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Recreates a project's links to this installation.",
    discussion: """
      Projects created by tessera new are built against the headers, the Rust file or the Swift \
      package that their folder .tessera links to. Run this command after cloning a project, or to \
      build it against another installation: the one that the command belongs to.

      EXAMPLES
        tessera link
        tessera link ~/engines/brick-wall
      """)

  @Argument(help: "The project's folder.", completion: .directory)
  var folder = "."

  func run() throws {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder
    else {
      throw HostError(.fileNotFound, "there is no folder \(folder); give the folder of a project")
    }
    try Installation.found().link(folder)
  }
}
