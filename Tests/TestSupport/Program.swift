import Foundation

/// The result of a program that has ended.
package struct ProgramResult: Sendable {
  /// The exit status, or the signal's number.
  package let status: Int32
  package let wasKilled: Bool
  package let output: String
  package let errors: String

  package init(status: Int32, wasKilled: Bool, output: String, errors: String) {
    (self.status, self.wasKilled, self.output, self.errors) = (status, wasKilled, output, errors)
  }
}

/// Runs programs and waits for them.
package enum Program {
  /// - Parameters:
  ///   - folder: The working folder; by default new and empty.
  ///   - environment: Variables besides PATH, TMPDIR and HOME. HOME is by default a new folder with
  ///     cached descriptions of shipped engines.
  package static func run(
    _ name: String, _ arguments: [String], in folder: String? = nil, input: String = "",
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    // Streams are files: an unread full pipe would block the program.
    let streams = try TemporaryFolder()
    for (name, text) in [("in", input), ("out", ""), ("err", "")] { try streams.write(name, text) }
    let home = streams.path("home")
    if environment["HOME"] == nil {
      try FileManager.default.copyItem(atPath: homeWithDescriptions.get().path, toPath: home)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: try folder ?? streams.makeFolder("work"))
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "TMPDIR": try streams.makeFolder("tmp"), "HOME": home,
    ].merging(environment) { $1 }
    let standardInput = FileHandle(forReadingAtPath: streams.path("in"))
    let standardOutput = FileHandle(forWritingAtPath: streams.path("out"))
    let standardError = FileHandle(forWritingAtPath: streams.path("err"))
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError
    try process.run()
    process.waitUntilExit()
    // Foundation may close them later, and tests count descriptors.
    for handle in [standardInput, standardOutput, standardError] { try handle?.close() }
    return ProgramResult(
      status: process.terminationStatus,
      wasKilled: process.terminationReason == .uncaughtSignal,
      output: String(decoding: try streams.bytes("out"), as: UTF8.self),
      errors: String(decoding: try streams.bytes("err"), as: UTF8.self))
  }

  /// Without them, each program starts a process per shipped engine.
  private static let homeWithDescriptions: Result<TemporaryFolder, any Error> = Result {
    let folder = try TemporaryFolder()
    _ = try run(BuiltProducts.command.path, ["list"], environment: ["HOME": folder.path])
    atexit { try? FileManager.default.removeItem(atPath: homeWithDescriptions.get().path) }
    return folder
  }
}
