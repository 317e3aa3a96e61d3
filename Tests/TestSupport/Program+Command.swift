import Foundation

extension Program {
  /// The path of the built command.
  public static let tessera = BuiltProducts.command.path

  /// Runs the built command, by default in a new folder.
  public static func tessera(
    _ arguments: String..., in folder: TemporaryFolder? = nil, input: String = "",
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try tessera(arguments, in: folder, input: input, environment: environment)
  }

  /// Runs the built command with arguments from a list.
  public static func tessera(
    _ arguments: [String], in folder: TemporaryFolder? = nil, input: String = "",
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(tessera, arguments, in: folder?.path, input: input, environment: environment)
  }

  /// Runs a shell script.
  public static func shell(_ lines: String, in folder: TemporaryFolder) throws -> ProgramResult {
    try run("bash", ["-c", lines], in: folder.path)
  }
}

extension TemporaryFolder {
  /// The text of a file in the folder.
  public func read(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  /// Names in the folder.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
