import Foundation

/// Where the tests find what they run: the folder in the environment's PAGES_PRODUCTS, which `Extras/Pages/test`
/// fills, or else the products of `Extras/Pages/build`.
enum Built {
  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../..").standardizedFileURL
  static let fixtures = repository.appendingPathComponent("Extras/Pages/Tests/Fixtures")
  static let folder =
    ProcessInfo.processInfo.environment["PAGES_PRODUCTS"].map { URL(fileURLWithPath: $0) }
    ?? repository.appendingPathComponent(".build/release")
  static let command = folder.appendingPathComponent("tessera-figure")
}

/// The result of a program that has ended.
struct ProgramResult: Sendable {
  let status: Int32
  let output: String
  let errors: String
}

/// Runs programs and waits for them.
enum Program {
  /// A home that keeps the descriptions of engines.
  private static let home = Result { try TemporaryFolder() }

  /// Runs a program, by its path or by a name in PATH, in a new folder where none is given.
  static func run(
    _ name: String, _ arguments: [String], in folder: String? = nil,
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    // Streams are files: a pipe that nobody reads would stop the program once it is full.
    let streams = try TemporaryFolder()
    for stream in ["out", "err"] { try streams.write(stream, "") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: try folder ?? streams.makeFolder("work"))
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "TMPDIR": try streams.makeFolder("tmp"), "HOME": try home.get().path,
    ].merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = FileHandle(forWritingAtPath: streams.path("out"))
    let errors = FileHandle(forWritingAtPath: streams.path("err"))
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    process.waitUntilExit()
    for handle in [output, errors] { try handle?.close() }
    return ProgramResult(
      status: process.terminationStatus, output: try streams.read("out"),
      errors: try streams.read("err"))
  }

  static func figure(
    _ arguments: String..., in folder: TemporaryFolder? = nil, environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(Built.command.path, arguments, in: folder?.path, environment: environment)
  }

  static func figure(
    _ arguments: [String], in folder: TemporaryFolder? = nil, environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(Built.command.path, arguments, in: folder?.path, environment: environment)
  }

  /// Runs the command of the core, or another program beside it.
  static func tessera(
    _ arguments: [String], as name: String = "tessera", in folder: TemporaryFolder? = nil,
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(
      Built.folder.appendingPathComponent(name).path, arguments, in: folder?.path,
      environment: environment)
  }

  /// Runs lines of shell.
  static func shell(_ lines: String, in folder: TemporaryFolder) throws -> ProgramResult {
    try run("bash", ["-c", lines], in: folder.path)
  }
}

/// A folder that is deleted, with all its contents, when this object is released.
final class TemporaryFolder: Sendable {
  /// The absolute path, symlinks resolved.
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("tessera-pages-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  @discardableResult
  func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  /// Writes a file, and its folders if they are missing, and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return path(name)
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// The text of a file, with what is not UTF-8 repaired.
  func read(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

  /// The names in the folder, in their order.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
