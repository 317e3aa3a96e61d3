import Foundation
import TestSupport
import Testing

@Suite struct ArrowTests {
  private static let allowed: [String: Set<String>] = [
    "CTessera": [],
    "CTesseraNote": ["CTessera"],
    "CTesseraSystem": [],
    "CTesseraNumbers": [],
    "CTesseraExamination": ["CTesseraSystem"],
    "CTesseraBuild": [],
    "TesseraGeometry": [],
    "TesseraSDK": ["CTessera", "CTesseraNote", "TesseraGeometry"],
    "Bindings": ["CTessera", "TesseraSDK"],
    "TesseraCatalog": system.union(["CTesseraNumbers"]),
    "TesseraRuntime": system.union(["CTesseraNumbers", "TesseraCatalog"]),
    "TesseraWorker": system.union(["TesseraCatalog", "TesseraRuntime"]),
    "TesseraHost": system.union(["TesseraCatalog", "TesseraRuntime", "TesseraWorker"]),
    "TesseraExamination": system.union([
      "CTesseraExamination", "TesseraCatalog", "TesseraRuntime", "TesseraWorker",
    ]),
    "CTesseraHost": [],
    "TesseraLibrary": ["CTesseraHost", "CTesseraSystem", "TesseraGeometry", "TesseraHost"],
    "TesseraScenario": ["TesseraHost", "TesseraGeometry"],
    "TesseraDrawing": ["TesseraHost", "TesseraGeometry"],
    "TesseraConformance": [
      "TesseraHost", "TesseraExamination", "TesseraScenario", "TesseraGeometry",
    ],
    "tessera-worker": ["TesseraWorker", "TesseraExamination"],
    "TesseraCommand": [
      "TesseraHost", "TesseraCatalog", "TesseraScenario", "TesseraDrawing", "TesseraGeometry",
      "CTesseraSystem", "CTesseraBuild",
    ],
    "tessera": [
      "TesseraHost", "TesseraScenario", "TesseraDrawing", "TesseraCommand", "TesseraConformance",
      "TesseraGeometry", "CTesseraSystem",
    ],
  ]
  private static let system: Set<String> = ["CTessera", "CTesseraSystem", "TesseraGeometry"]
  private static let engine: Set<String> = ["CTessera", "TesseraSDK", "TesseraGeometry"]
  /// Modules without Foundation, to stay small when embedded.
  private static let lean: Set<String> = [
    "TesseraGeometry", "TesseraSDK", "TesseraCatalog", "TesseraRuntime", "TesseraWorker",
    "TesseraExamination", "TesseraHost", "TesseraLibrary", "tessera-worker",
  ]
  private static let accessLevels = ["public", "package", "internal", "fileprivate", "private"]

  @Test func sourcesImportOnlyAllowedModules() throws {
    let modules = try Self.folders(in: "Sources")
    #expect(modules.count >= 8)
    for module in modules {
      let allowed = try #require(
        Self.allowed[module], "\(module) is not listed; add what it may import")
      for file in try Self.files(in: "Sources/\(module)") {
        try Self.check(file, of: module, allowed)
      }
    }
  }

  @Test func enginesImportOnlyTheSDKOrTheContract() throws {
    for folder in try Self.folders(in: "Plugins") {
      for file in try Self.files(in: "Plugins/\(folder)") {
        try Self.check(file, of: folder, Self.engine)
      }
    }
  }

  @Test func leanModulesAndEnginesImportNoFoundation() throws {
    let folders =
      Self.lean.map { "Sources/\($0)" } + (try Self.folders(in: "Plugins").map { "Plugins/\($0)" })
    for folder in folders {
      for file in try Self.files(in: folder) {
        let imports = try Self.imports(of: file)
        #expect(!imports.contains { $0.hasPrefix("Foundation") }, "\(file.path)")
      }
    }
  }

  /// Folders of each layer, in order: each uses only earlier ones.
  ///
  /// "" is the module's root.
  private static let layers: [String: [String]] = [
    "TesseraCatalog": [
      "", "JSON", "Values", "Description", "File", "Discovery", "Cache",
      "Errors",
    ],
    "TesseraRuntime": ["Functions", "Input", "Rows", "Loading", "Chain"],
    "TesseraWorker": ["Memory", "Messages", "Process", "Serving", ""],
    "TesseraHost": ["Update", "", "Session"],
  ]

  @Test(arguments: layers.keys.sorted())
  func foldersOfALayerUseOnlyTypesOfThoseBefore(_ module: String) throws {
    let order = try #require(Self.layers[module])
    let sources = try Self.files(in: "Sources/\(module)").map { file in
      let folder = file.deletingLastPathComponent().lastPathComponent
      return (folder: folder == module ? "" : folder, file: file, code: try Self.code(of: file))
    }
    let declaration =
      /^(?:(?:public|package|final|indirect) )*(?:struct|class|enum|protocol|typealias) (\w+)/
      .anchorsMatchLineEndings()
    var owners: [String: Int] = [:]
    for source in sources {
      let place = try #require(
        order.firstIndex(of: source.folder), "\(source.folder) is new: add it to the order")
      for match in source.code.matches(of: declaration) { owners[String(match.output.1)] = place }
    }
    #expect(owners.count > order.count)
    for source in sources {
      let place = try #require(order.firstIndex(of: source.folder))
      let text = source.code.replacing(/"(?:\\.|[^"\\])*"/, with: "")
      for name in Set(text.matches(of: /\b[A-Z]\w+/).map { String($0.output) }) {
        guard let owner = owners[name], owner > place else { continue }
        Issue.record("\(source.file.path) uses \(name), which lies in \(order[owner])")
      }
    }
  }

  // MARK: - Reading

  private static let root = BuiltProducts.repository

  private static func folders(in path: String) throws -> [String] {
    let folder = root.appendingPathComponent(path)
    return try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey]
    ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
      .map(\.lastPathComponent).sorted()
  }

  private static func files(in path: String) throws -> [URL] {
    let all = FileManager.default.enumerator(
      at: root.appendingPathComponent(path), includingPropertiesForKeys: nil)
    return (all?.allObjects as? [URL] ?? []).filter {
      ["swift", "c", "cpp", "h", "hpp", "rs"].contains($0.pathExtension)
    }
  }

  /// The modules that a Swift file imports, or whose headers a C file includes.
  private static func imports(of file: URL) throws -> [String] {
    try lines(of: file).compactMap { line in
      if line.hasPrefix("#include <tessera/tessera_host.h>") { return "CTesseraHost" }
      if line.hasPrefix("#include <tessera/") { return "CTessera" }
      let words = line.split(separator: " ").drop {
        $0.hasPrefix("@") || accessLevels.contains(String($0))
      }
      guard words.first == "import", let last = words.last else { return nil }
      return last.split(separator: ".").first.map(String.init)
    }
  }

  private static func lines(of file: URL) throws -> [String] {
    let bytes = try Data(contentsOf: file)
    return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func check(_ file: URL, of module: String, _ allowed: Set<String>) throws {
    let ours = Set(Self.allowed.keys).union(try Self.folders(in: "Plugins").map { "\($0)Engine" })
    for imported in try imports(of: file) where imported != module && ours.contains(imported) {
      #expect(
        allowed.contains(imported), "\(module) may not import \(imported), see \(file.path)")
    }
  }

  /// The lines of a source that are not comments.
  private static func code(of file: URL) throws -> String {
    let lines = try lines(of: file).filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    return lines.joined(separator: "\n")
  }
}
