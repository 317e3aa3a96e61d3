import Foundation

/// Where the build put the command and the engine libraries: beside the test bundle.
public enum BuiltProducts {
  /// The folder of the products of the build that these tests belong to.
  public static let folder: URL = {
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

  /// The built command.
  public static var command: URL { folder.appendingPathComponent("tessera") }

  /// The library of an engine that ships: "Flow" for libTesseraFlow.so.
  public static func engine(_ name: String) -> URL {
    folder.appendingPathComponent("libTessera\(name).so")
  }

  /// The folders in `Plugins`, each of one engine.
  public static var engineFolders: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        at: repository.appendingPathComponent("Plugins"),
        includingPropertiesForKeys: [.isDirectoryKey]
      ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
        .map(\.lastPathComponent).sorted()
    }
  }

  /// Whether the engine of a folder is in Rust, and not built because this machine has no rustc.
  public static func isLeftOut(_ folder: String) -> Bool {
    let source = "Plugins/\(folder)/\(folder.lowercased()).rs"
    return !RustToolchain.isExpected
      && !FileManager.default.fileExists(atPath: engine(folder).path)
      && FileManager.default.fileExists(atPath: repository.appendingPathComponent(source).path)
  }

  /// The root of the repository.
  public static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The modules that a program which imports TesseraHost is linked with.
  public static let hostModules = [
    "TesseraHost", "TesseraWorker", "TesseraRuntime", "TesseraCatalog", "TesseraGeometry",
    "CTessera", "CTesseraSystem", "CTesseraNumbers",
  ]

  /// The object files of a module, without those of files that no longer exist.
  public static func objects(of module: String) -> [String] {
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
