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
