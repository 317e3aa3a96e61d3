import Foundation

/// Programs under test: PAGES_PRODUCTS from `Extras/Pages/test`, or the products of
/// `Extras/Pages/build`.
enum Built {
  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../..").standardizedFileURL
  static let fixtures = repository.appendingPathComponent("Extras/Pages/Tests/Fixtures")
  static let folder =
    ProcessInfo.processInfo.environment["PAGES_PRODUCTS"].map { URL(fileURLWithPath: $0) }
    ?? repository.appendingPathComponent(".build/release")
  static let command = folder.appendingPathComponent("tessera-figure")
}

struct ProgramResult: Sendable {
  let status: Int32
  let output: String
  let errors: String
}

enum Program {
  /// Keeps engine descriptions.
  private static let home = Result { try TemporaryFolder() }

  /// Runs a program by path or name, in a new folder by default.
  static func run(
    _ name: String, _ arguments: [String], in folder: String? = nil,
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    // Files, as a full pipe would block the program.
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

  static func tessera(
    _ arguments: [String], as name: String = "tessera", in folder: TemporaryFolder? = nil,
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(
      Built.folder.appendingPathComponent(name).path, arguments, in: folder?.path,
      environment: environment)
  }

  static func shell(_ lines: String, in folder: TemporaryFolder) throws -> ProgramResult {
    try run("bash", ["-c", lines], in: folder.path)
  }
}

final class TemporaryFolder: Sendable {
  /// Absolute, with symlinks resolved.
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

  /// Creates missing folders; returns the path.
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

  func read(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
