import FoundationEssentials
import Glibc
import TesseraCommand
import TesseraHost
import TesseraScenario

struct Project {
  let name: ProjectName
  let language: ProjectLanguage
  let id: String
  let author: String
  let licence: String
  let base: EngineDescription?
  let templates: String

  /// A derived engine's pictures depend on its base.
  let isDrawn: Bool

  init(
    name: ProjectName, language: ProjectLanguage, id: String?, author: String, licence: String,
    base: EngineDescription?, templates: String
  ) throws {
    (self.name, self.language) = (name, language)
    self.id = try Self.checked(id: id ?? "org.example.\(name.kebab)")
    self.author = try Self.checked(author: author)
    (self.licence, self.base, self.templates) = (licence, base, templates)
    let drawn = try? String(
      contentsOfFile: "\(templates)/derived/\(Self.drawnWith)", encoding: .utf8)
    isDrawn = base == nil || drawn?.trimmed == base?.id
    _ = try Self.text(ofLicence: licence, in: "\(templates)/licences")
  }

  func files() throws -> [String: [UInt8]] {
    var raw: [String: [UInt8]] = [:]
    var parts: [String: String] = [:]
    for folder in folders {
      var files = try Self.files(in: "\(templates)/\(folder)")
      if let list = files.removeValue(forKey: Self.partsFile) {
        parts.merge(Self.parts(list)) { $1 }
      }
      raw.merge(files) { $1 }
    }
    raw[Self.drawnWith] = nil
    raw = raw.mapValues(Self.replacer(parts))
    if !isDrawn {
      raw = raw.filter { !$0.key.hasSuffix("/expected.json") && !$0.key.hasSuffix(".svg") }
    }
    if let text = try Self.text(ofLicence: licence, in: "\(templates)/licences") {
      raw["LICENSE"] = Array(text.replacing("YEAR", with: Self.year).utf8)
    }
    let replaced = Self.replacer(replacements)
    return Dictionary(
      uniqueKeysWithValues: raw.map { name, bytes in
        (String(decoding: replaced(Array(name.utf8)), as: UTF8.self), replaced(bytes))
      })
  }

  /// Later folders replace files and parts of earlier ones.
  private var folders: [String] {
    ["shared", base == nil ? "plain" : "derived"] + language.templateFolders
      + [language.rawValue] + (base == nil ? [] : ["\(language.rawValue)-derived"])
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

  /// Names the base in the template's picture.
  private static let drawnWith = "drawn-with.txt"

  private static var year: String {
    var (now, date) = (time(nil), tm())
    localtime_r(&now, &date)
    return String(1900 + date.tm_year)
  }

  private static func checked(id: String) throws -> String {
    guard EngineDescription.isID(id) else {
      throw HostError(
        .invalidValue,
        "--id is \(quoted(id)); expected parts of letters, digits and inner hyphens between "
          + "dots, such as org.example.brick-wall")
    }
    return id
  }

  private static func checked(author: String) throws -> String {
    let isPlain = author.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: $0 != "\"" && $0 != "\\"
      }
    }
    guard isPlain, author.contains(where: { !$0.isWhitespace }), author.utf8.count <= 200 else {
      throw HostError(
        .invalidValue,
        "--author is \(quoted(author)); expected a name of at most 200 "
          + "bytes without quotation marks, backslashes and control characters")
    }
    return author
  }
}

extension Project {
  private static let made: Set<String> = [".tessera", ".build", "build", "Package.resolved"]

  /// By relative path.
  private static func files(in folder: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder)
      where !made.contains(name) {
        let path = "\(folder)/\(name)"
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if isFolder {
          for (rest, bytes) in try files(in: path) { found["\(name)/\(rest)"] = bytes }
        } else {
          found[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
      }
    } catch {
      if error is HostError { throw error }
      throw HostError(.fileNotFound, "cannot read the template \(folder): \(error.systemReason)")
    }
    return found
  }

  /// Of git, or else of the login.
  static var standardAuthor: String {
    let user = getpwuid(getuid())?.pointee
    // An office and numbers follow the full name.
    let fullName = user.map { String(cString: $0.pw_gecos).prefix { $0 != "," } }.map(String.init)
    let names = [gitName, fullName, user.map { String(cString: $0.pw_name) }]
    return names.lazy.compactMap { $0?.trimmed }.first { !$0.isEmpty } ?? "unknown"
  }

  private static var gitName: String {
    var text: [UInt8] = []
    let ending = try? ChildProcess.run("git", ["config", "--get", "user.name"]) { text += $0 }
    return ending == .status(0) ? String(decoding: text, as: UTF8.self) : ""
  }
}

extension Project {
  private static let noLicence = "none"

  /// Nil for `none`; licences are named by SPDX identifier.
  private static func text(ofLicence name: String, in folder: String) throws -> String? {
    let names = try files(in: folder).keys.sorted() + [noLicence]
    guard names.contains(name) else {
      let near = similarNames(to: String(name.prefix(100)), among: names).first
      throw HostError(
        .invalidValue,
        "there is no licence \(quoted(name)); "
          + (near.map { "did you mean \($0)?" } ?? "expected \(list(names, "or"))"))
    }
    return name == noLicence
      ? nil : try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }
}

extension Project {
  private static let partsFile = "parts.txt"

  /// `@name@` in a shared file stands for the text under `[name]` in `parts.txt`.
  private static func parts(_ list: [UInt8]) -> [String: String] {
    var parts: [String: String] = [:]
    for part in "\n\(String(decoding: list, as: UTF8.self))\n".split(separator: "\n[") {
      guard let end = part.firstRange(of: "]\n") else { continue }
      var text = part[end.upperBound...]
      while text.last == "\n" { text.removeLast() }
      parts["@\(part[..<end.lowerBound])@"] = String(text)
    }
    return parts
  }

  /// Replaces longer names first, and doesn't search replacements again.
  private static func replacer(_ replacements: [String: String]) -> ([UInt8]) -> [UInt8] {
    let replacements = replacements.map { (old: Array($0.utf8), new: Array($1.utf8)) }
      .sorted { $0.old.count > $1.old.count }
    let beginnings = Set(replacements.compactMap(\.old.first))
    return { bytes in
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var rest = bytes[...]
      while let byte = rest.first {
        if beginnings.contains(byte),
          let found = replacements.first(where: { rest.starts(with: $0.old) })
        {
          result += found.new
          rest = rest.dropFirst(found.old.count)
        } else {
          result.append(byte)
          rest = rest.dropFirst()
        }
      }
      return result
    }
  }
}
