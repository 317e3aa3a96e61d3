import Foundation
import TestSupport
import Testing

struct NewProject {
  enum Language: String, CaseIterable, CustomTestStringConvertible {
    case c, cpp, rust, swift

    var testDescription: String { rawValue }
  }

  let language: Language
  let isDerived: Bool
  private let parent: TemporaryFolder

  var path: String { parent.path("brick-wall") }

  init(_ language: Language, isDerived: Bool) throws {
    self.language = language
    self.isDerived = isDerived
    parent = try TemporaryFolder()
    try make()
  }

  /// Replaces the project by a derived one, reusing its build.
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

  var library: String {
    language == .swift ? ".build/debug/libBrickWall.so" : "build/libbrick-wall.so"
  }

  func run(_ name: String, _ arguments: String...) throws -> ProgramResult {
    try Program.run(
      name, arguments, in: path,
      environment: RustToolchain.environment.merging(["LEVEL": "quick"]) { $1 })
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  var files: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: path).filter {
        let kind = try FileManager.default.attributesOfItem(atPath: "\(path)/\($0)")[.type]
        return kind as? FileAttributeType != .typeDirectory
      }
    }
  }
}
