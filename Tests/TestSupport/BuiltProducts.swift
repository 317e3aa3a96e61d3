import Foundation

/// Where the build put the command and the engine libraries: beside the test bundle.
public enum BuiltProducts {
  /// The folder of the products of the build that these tests belong to.
  public static let folder: URL = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.appendingPathComponent("tessera").path) {
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

  /// The root of the repository.
  public static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
