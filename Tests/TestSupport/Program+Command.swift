import Foundation

extension Program {
  package static let tessera = BuiltProducts.command.path

  /// Runs the built command, by default in a new folder.
  package static func tessera(
    _ arguments: String..., in folder: TemporaryFolder? = nil, input: String = "",
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try tessera(arguments, in: folder, input: input, environment: environment)
  }

  package static func tessera(
    _ arguments: [String], in folder: TemporaryFolder? = nil, input: String = "",
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(tessera, arguments, in: folder?.path, input: input, environment: environment)
  }

  package static func shell(_ lines: String, in folder: TemporaryFolder) throws -> ProgramResult {
    try run("bash", ["-c", lines], in: folder.path)
  }
}

extension TemporaryFolder {
  package func read(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
