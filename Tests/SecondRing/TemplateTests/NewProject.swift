import Foundation
import TestSupport
import Testing

/// A project as `tessera new` makes it, in a folder of its own outside of the repository.
struct NewProject {
  /// A language that there are templates in, as the command line names it.
  enum Language: String, CaseIterable, CustomTestStringConvertible {
    case c, cpp, rust, swift

    var testDescription: String { rawValue }
  }

  let language: Language
  let isDerived: Bool
  private let parent: TemporaryFolder

  /// The folder.
  var path: String { parent.path("brick-wall") }

  /// A project that is called brick-wall, derived from flow where `isDerived`.
  init(_ language: Language, isDerived: Bool) throws {
    self.language = language
    self.isDerived = isDerived
    parent = try TemporaryFolder()
    try make()
  }

  /// The project, derived from flow, in the place of this one, whose build it goes on with.
  func derivedInPlace() throws -> NewProject {
    let files = FileManager.default
    try files.moveItem(atPath: "\(path)/.build", toPath: parent.path("build"))
    try files.removeItem(atPath: path)
    let derived = NewProject(language: language, isDerived: true, parent: parent)
    try derived.make()
    try files.moveItem(atPath: parent.path("build"), toPath: "\(path)/.build")
    return derived
  }

  private init(language: Language, isDerived: Bool, parent: TemporaryFolder) {
    self.language = language
    self.isDerived = isDerived
    self.parent = parent
  }

  private func make() throws {
    let base = isDerived ? ["--base", "flow"] : []
    let result = try Program.run(
      BuiltProducts.command.path,
      ["new", "BrickWall", "--language", language.rawValue, "--author", "Ada Example"] + base,
      in: parent.path)
    try #require(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("created brick-wall, an engine in "))
  }

  /// The library that building makes, by its path in the project.
  var library: String {
    language == .swift ? ".build/debug/libBrickWall.so" : "build/libbrick-wall.so"
  }

  /// Runs a program in the project.
  func run(_ name: String, _ arguments: String...) throws -> ProgramResult {
    try Program.run(
      name, arguments, in: path,
      environment: RustToolchain.environment.merging(["LEVEL": "quick"]) { $1 })
  }

  /// The text of a file.
  func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  /// The paths of all files, and of links as such.
  var files: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: path).filter {
        let kind = try FileManager.default.attributesOfItem(atPath: "\(path)/\($0)")[.type]
        return kind as? FileAttributeType != .typeDirectory
      }
    }
  }
}
