import ArgumentParser
import FoundationEssentials
import TesseraCommand

enum ProjectLanguage: String, CaseIterable, ExpressibleByArgument {
  case swift, c, cpp, rust

  init?(argument: String) {
    self.init(
      rawValue: ["c++": "cpp", "rs": "rust"][argument.lowercased()] ?? argument.lowercased())
  }

  private var facts: (name: String, ending: String, templates: [String]) {
    switch self {
    case .swift: ("Swift", "swift", ["version-script"])
    case .c: ("C", "c", ["make"])
    case .cpp: ("C++", "cpp", ["make", "version-script"])
    case .rust: ("Rust", "rs", ["make"])
    }
  }

  var name: String { facts.name }
  var templateFolders: [String] { facts.templates }

  var commands: (build: String, test: String, picture: String, goldens: String) {
    self == .swift
      ? ("swift build", "swift test", "./picture", "./picture goldens")
      : ("make", "make test", "make picture", "make goldens")
  }

  func library(of name: ProjectName) -> String {
    self == .swift ? ".build/debug/lib\(name.type).so" : "build/lib\(name.kebab).so"
  }

  func source(of name: ProjectName) -> String {
    self == .swift
      ? "Sources/\(name.type)/\(name.type).swift" : "\(name.kebab).\(facts.ending)"
  }

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

  var missingTools: [(name: String, installation: String)] {
    let folders = (ProcessEnvironment.values["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return tools.filter { tool in
      !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool.name)") }
    }
  }
}
