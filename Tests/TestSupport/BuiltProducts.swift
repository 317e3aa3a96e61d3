import Foundation

/// Build products, beside the test bundle.
package enum BuiltProducts {
  package static let folder: URL = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let worker = folder.appendingPathComponent("tessera-worker").path
      if FileManager.default.fileExists(atPath: worker) {
        return folder
      }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }()

  package static var command: URL { folder.appendingPathComponent("tessera") }

  /// The library of an engine that ships: "Flow" for libTesseraFlow.so.
  package static func engine(_ name: String) -> URL {
    folder.appendingPathComponent("libTessera\(name).so")
  }

  package static var engineFolders: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        at: repository.appendingPathComponent("Plugins"),
        includingPropertiesForKeys: [.isDirectoryKey]
      ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
        .map(\.lastPathComponent).sorted()
    }
  }

  /// Whether an engine in Rust is missing for lack of rustc.
  package static func isLeftOut(_ folder: String) -> Bool {
    let source = "Plugins/\(folder)/\(folder.lowercased()).rs"
    return !RustToolchain.isExpected
      && !FileManager.default.fileExists(atPath: engine(folder).path)
      && FileManager.default.fileExists(atPath: repository.appendingPathComponent(source).path)
  }

  package static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Modules to link with TesseraHost.
  package static let hostModules = [
    "TesseraHost", "TesseraWorker", "TesseraRuntime", "TesseraCatalog", "TesseraGeometry",
    "CTessera", "CTesseraSystem", "CTesseraNumbers",
  ]

  /// A module's object files, without stale ones.
  package static func objects(of module: String) -> [String] {
    let sources = names(below: repository.appendingPathComponent("Sources/\(module)"))
    let objects = folder.appendingPathComponent("\(module).build")
    return names(below: objects).filter {
      $0.hasSuffix(".o")
        && sources.map { ($0 as NSString).lastPathComponent }
          .contains(String(($0 as NSString).lastPathComponent.dropLast(2)))
    }.map { objects.appendingPathComponent($0).path }
  }

  private static func names(below folder: URL) -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
  }
}
