import ArgumentParser
import FoundationEssentials
import TesseraCommand

/// A programming language of engines.
enum ProjectLanguage: String, CaseIterable, ExpressibleByArgument {
  case swift, c, cpp, rust

  init?(argument: String) {
    self.init(
      rawValue: ["c++": "cpp", "rs": "rust"][argument.lowercased()] ?? argument.lowercased())
  }

  /// The name, for texts.
  var name: String {
    switch self {
    case .swift: "Swift"
    case .c: "C"
    case .cpp: "C++"
    case .rust: "Rust"
    }
  }

  /// The folders of templates that this language shares with others.
  var templateFolders: [String] {
    switch self {
    case .swift: ["version-script"]
    case .c, .rust: ["make"]
    case .cpp: ["make", "version-script"]
    }
  }

  /// The commands that build a project, test it, draw its picture, and store its layouts.
  var commands: (build: String, test: String, picture: String, goldens: String) {
    self == .swift
      ? ("swift build", "swift test", "./picture", "./picture goldens")
      : ("make", "make test", "make picture", "make goldens")
  }

  /// The path of the built library of a project.
  func library(of name: ProjectName) -> String {
    self == .swift ? ".build/debug/lib\(name.type).so" : "build/lib\(name.kebab).so"
  }

  /// The path of the engine's source in a project.
  func source(of name: ProjectName) -> String {
    switch self {
    case .swift: "Sources/\(name.type)/\(name.type).swift"
    case .c: "\(name.kebab).c"
    case .cpp: "\(name.kebab).cpp"
    case .rust: "\(name.kebab).rs"
    }
  }

  /// The tools needed for building, each with the command that installs it.
  private var tools: [(name: String, installation: String)] {
    let make = ("make", "sudo apt-get install make")
    return switch self {
    case .swift:
      [("swift", "curl -L https://swiftlang.github.io/swiftly/swiftly-install.sh | bash")]
    case .c: [make, ("cc", "sudo apt-get install gcc")]
    case .cpp: [make, ("g++", "sudo apt-get install g++")]
    case .rust: [make, ("rustc", "curl https://sh.rustup.rs -sSf | sh")]
    }
  }

  /// The tools that are not in PATH, each with the command that installs it.
  var missingTools: [(name: String, installation: String)] {
    let folders = (ProcessEnvironment.values["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return tools.filter { tool in
      !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool.name)") }
    }
  }
}
