import Foundation

/// What a program that has ended gave.
struct ProgramResult {
  let status: Int32
  /// Whether a signal ended it, whose number is then the status.
  let wasKilled: Bool
  let output: String
  let errors: String
}

/// Runs other programs and waits for them.
enum Program {
  /// Where this package's sources lie.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// Where the command and the engines were built: beside these tests.
  static let products = URL(fileURLWithPath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().path

  /// The built command.
  static let tessera = "\(products)/tessera"

  /// Runs a program in a folder, which is also its home, with nothing else of the surroundings than
  /// PATH.
  static func run(
    _ path: String, _ arguments: [String], in folder: Folder, input: String = "",
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let streams = try Folder()
    try streams.write("in", input)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.path,
    ].merging(environment) { $1 }
    try streams.write("out", "")
    try streams.write("err", "")
    process.standardInput = FileHandle(forReadingAtPath: streams.path("in"))
    process.standardOutput = FileHandle(forWritingAtPath: streams.path("out"))
    process.standardError = FileHandle(forWritingAtPath: streams.path("err"))
    try process.run()
    process.waitUntilExit()
    return ProgramResult(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      output: try streams.read("out"), errors: try streams.read("err"))
  }

  /// Runs the built command, in a folder of its own where none is given.
  static func tessera(
    _ arguments: String..., in folder: Folder? = nil, input: String = "",
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(
      tessera, arguments, in: folder ?? Folder(), input: input, environment: environment)
  }

  /// Runs a line of shell.
  static func shell(_ line: String, in folder: Folder) throws -> ProgramResult {
    try run("/bin/bash", ["-c", line], in: folder)
  }
}
