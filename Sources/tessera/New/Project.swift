import Foundation
import TesseraHost

/// A project that is about to be made: what it is called, and what it is made from.
struct Project {
  let name: ProjectName
  let language: ProjectLanguage
  let id: String
  let author: String
  let licence: String
  /// The engine that it is derived from.
  let base: EngineDescription?
  let templates: String

  /// Whether the template's picture and stored layouts are what the engine will lay out.
  ///
  /// A derived one's depend on its base, and a template was drawn with the one that it names.
  let isDrawn: Bool

  init(
    name: ProjectName, language: ProjectLanguage, id: String?, author: String, licence: String,
    base: EngineDescription?, templates: String
  ) throws {
    self.name = name
    self.language = language
    self.id = try Self.checked(id: id ?? "org.example.\(name.kebab)")
    self.author = try Self.checked(author: author)
    self.licence = licence
    self.base = base
    self.templates = templates
    let drawn = try? String(
      contentsOfFile: "\(templates)/\(language.rawValue)-derived/\(Self.drawnWith)", encoding: .utf8
    )
    isDrawn = base == nil || drawn?.trimmingCharacters(in: .whitespacesAndNewlines) == base?.id
    _ = try Licences(folder: "\(templates)/licences").text(of: licence)
  }

  /// The files of the project by their paths in it.
  func files() throws -> [String: [UInt8]] {
    var raw = try TemplateFolder("\(templates)/\(language.rawValue)").files()
    if base != nil {
      raw.merge(try TemplateFolder("\(templates)/\(language.rawValue)-derived").files()) { $1 }
      raw[Self.drawnWith] = nil
    }
    if !isDrawn {
      raw = raw.filter { !$0.key.hasSuffix("/expected.json") && !$0.key.hasSuffix(".svg") }
    }
    if let text = try Licences(folder: "\(templates)/licences").text(of: licence) {
      raw["LICENSE"] = Array(text.replacing("YEAR", with: Self.year).utf8)
    }
    let text = TemplateText(replacements)
    return Dictionary(
      uniqueKeysWithValues: raw.map { (text.replaced($0.key), text.replaced($0.value)) })
  }

  private var replacements: [String: String] {
    var names = [
      "org.example.example-layout": id, "example-layout": name.kebab,
      "example_layout": name.identifier, "ExampleLayout": name.type, "Example Layout": name.title,
      "Example Author": author, "LicenseRef-Example": licence,
    ]
    if let base {
      names["org.example.base"] = base.id
      names["9.8.7"] = base.version
    }
    return names
  }

  /// The file of a template that names the base with which its picture was drawn.
  private static let drawnWith = "drawn-with.txt"

  private static var year: String {
    String(Calendar(identifier: .gregorian).component(.year, from: Date()))
  }

  private static func checked(id: String) throws -> String {
    guard EngineDescription.isID(id) else {
      throw CommandFailure(
        .data,
        "--id is \(OptionText.quoted(id)); expected parts of letters, digits and inner hyphens between "
          + "dots, such as org.example.brick-wall")
    }
    return id
  }

  /// An author is part of string literals in every language, and of what terminals show.
  private static func checked(author: String) throws -> String {
    let isPlain = author.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: $0 != "\"" && $0 != "\\"
      }
    }
    guard isPlain, author.contains(where: { !$0.isWhitespace }), author.utf8.count <= 200 else {
      throw CommandFailure(
        .data,
        "--author is \(OptionText.quoted(author)); expected a name of at most 200 "
          + "bytes without quotation marks, backslashes and control characters")
    }
    return author
  }
}
