import Foundation
import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// That the other tests here look at all engines that ship.
@Suite struct ShippedEnginesTests {
  @Test func everyFolderOfPluginsIsALibraryThatLoads() throws {
    let folders = try ShippedEngines.folders
    #expect(!folders.isEmpty)
    for folder in folders {
      let library = BuiltProducts.engine(folder).path
      let engines = ShippedEngines.listing.engines.filter { $0.library == library }
      let refusal = ShippedEngines.listing.refused.first { $0.file == library }
      let reason = refusal?.error.message ?? "there is no such library; build with Tools/test"
      #expect(!engines.isEmpty, "\(folder): \(reason)")
    }
  }

  /// By the system's own programs: the entry is the one name that others can use, the note the one
  /// that the host looks for.
  @Test func everyLibraryExportsItsEntryAndHasItsNote() throws {
    for folder in try ShippedEngines.folders {
      let library = BuiltProducts.engine(folder).path
      let symbols = try Program.run("nm", ["-D", "--defined-only", "--extern-only", "-j", library])
      #expect(symbols.status == 0, "\(symbols.errors)")
      #expect(symbols.output == "tessera_register\n", "\(folder)")
      let notes = try Program.run("readelf", ["--notes", "--wide", library])
      #expect(notes.output.matches(of: /(?m)^ +Tessera +0x/).count == 1, "\(folder)")
    }
  }

  /// Deleting an engine leaves no trace: only its own folders and CONTRIBUTING's exceptions name it.
  @Test func noOtherFileNamesAnEngine() throws {
    let contributing = try String(
      contentsOf: BuiltProducts.repository.appendingPathComponent("CONTRIBUTING.md"),
      encoding: .utf8)
    let list = try #require(contributing.firstMatch(of: /tests use as examples: ([^.]+)\./)).1
    let examples = list.matches(of: /`([a-z-]+)`/).map { String($0.1) }
    let files = try SourceFile.all()
    #expect(examples.count >= 4 && files.count > 300)
    for id in ShippedEngines.ids {
      let engine = try #require(id.split(separator: ".").last)
      if examples.contains(String(engine)) { continue }
      let folder = engine.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        .joined()
      let name = try Regex("\\b(?:Tessera)?\(folder)(?:Engine)?\\b|\\b\(engine)\\b")
      let words = [folder, String(engine)].map { Data($0.utf8) }
      for file in files where !file.mayName(folder, engine: String(engine)) {
        // Expressions are slow, and few files have a word of the name at all.
        guard words.contains(where: { file.bytes.range(of: $0) != nil }) else { continue }
        #expect(file.text.firstMatch(of: name) == nil, "\(file.path) names \(engine)")
      }
    }
  }

  @Test func everyEngineHasAnIdAndASummaryOfItsOwn() {
    let engines = ShippedEngines.listing.engines.map(\.description)
    #expect(Set(engines.map(\.id)).count == engines.count)
    #expect(Set(engines.map(\.summary)).count == engines.count)
  }

  /// Or the size has no effect: a derived engine may have sizes of its own.
  @Test(arguments: ShippedEngines.ids)
  func negativeSizeIsRejectedByName(_ id: String) throws {
    let session = try ShippedEngines.session(id)
    for description in session.engine.settableValues where description.type == .size {
      let sizes = [Size(width: 10, height: 10), Size(width: 10, height: -1)]
      try session.setSections(description.scope == .item ? [2] : [1, 1])
      let before = try Snapshot(session)
      switch description.scope {
      case .section: try session.setSectionValues(description.name, .sizes(sizes))
      case .item: try session.setItemValues(description.name, .sizes(sizes))
      }
      do { #expect(try Snapshot(session) == before) } catch let error as HostError {
        #expect(error.kind == .refused)
        for part in [description.name, "-1"] {
          #expect(error.message.contains(part), "\(part): \(error)")
        }
      }
    }
  }
}

/// A text file of the repository.
private struct SourceFile {
  let path: String
  let bytes: Data

  /// The text without its pictures, which may be those of any engine, and without what Tools/docs writes.
  var text: String {
    // A published fault is cited with its repository, whose name may be a common word.
    let text = String(decoding: bytes, as: UTF8.self)
      .replacing(/after [\w.-]+\/[\w.-]+#\d+/, with: "").replacing(/<img [^>]*>/, with: "")
    guard path == "Plugins/README.md",
      let gallery = text.firstRange(of: "<!-- Tools/docs writes"),
      let end = text.firstRange(of: "<!-- up to here -->")
    else { return text }
    return String(text[..<gallery.lowerBound]) + String(text[end.upperBound...])
  }

  /// Whether a file belongs to an engine, or may name every engine.
  func mayName(_ folder: String, engine: String) -> Bool {
    let own = [
      "Plugins/\(folder)/", "Tests/EngineTests/\(folder)/", "Tests/Fixtures/goldens/\(engine)",
      // Engines of their own, some of them of the same kind.
      "Tests/IndependentEngines/",
    ]
    return own.contains { path.hasPrefix($0) }
  }

  /// The files that are written by hand.
  static func all() throws -> [SourceFile] {
    let root = BuiltProducts.repository
    let pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(root.appendingPathComponent)
    let inFolders = ["Sources", "Plugins", "Tests", "Tools", "Documentation"].flatMap {
      let folder = root.appendingPathComponent($0)
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      return files?.allObjects as? [URL] ?? []
    }
    return try (pages + inFolders).compactMap { file in
      let path = String(file.path.dropFirst(root.path.count + 1))
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
        !isFolder.boolValue, path != "Documentation/Performance.md",
        // These compare engines with other libraries.
        path != "Documentation/Comparison.md", path != "Tools/compare",
        !path.contains("/.build/"), !path.contains("/__pycache__/")
      else { return nil }
      return SourceFile(path: path, bytes: try Data(contentsOf: file))
    }
  }
}
