import Foundation
import TestSupport

/// A prefix that Tools/install put the products of this build into.
struct Installation: Sendable {
  let path: String

  /// Installs into a folder of a folder, and expects that it goes well.
  init(in folder: TemporaryFolder, as name: String = "prefix") throws {
    try self.init(at: folder.path(name))
  }

  private init(at path: String) throws {
    self.path = path
    let result = try Self.install([path])
    guard result.status == 0 else { throw Failure(description: result.errors) }
  }

  /// Why nothing was installed: an expectation that failed would count for one test of those that share it.
  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// One for all tests that change nothing in it: files of the build like others.
  static func shared() throws -> Installation { try common.get() }

  private static let common = Result {
    let prefix = BuiltProducts.folder.appendingPathComponent("installed")
    try? FileManager.default.removeItem(at: prefix)
    return try Installation(at: prefix.path)
  }

  /// Runs Tools/install over the products of this build.
  static func install(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try tool("install", ["--products", BuiltProducts.folder.path] + arguments, environment)
  }

  /// Runs Tools/uninstall.
  static func uninstall(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ProgramResult {
    // The caches of whoever runs the tests stay.
    try tool(
      "uninstall", arguments,
      ["XDG_CACHE_HOME": "/nonexistent"].merging(environment) { _, given in given })
  }

  private static func tool(
    _ name: String, _ arguments: [String], _ environment: [String: String]
  ) throws -> ProgramResult {
    // A mask that would leave what is made open to the group.
    let line = "umask 002 && exec \"$0\" \"$@\""
    let tool = BuiltProducts.repository.appendingPathComponent("Tools/\(name)").path
    return try Program.run("bash", ["-c", line, tool] + arguments, environment: environment)
  }

  /// Runs the installed command.
  func tessera(_ arguments: String...) throws -> ProgramResult {
    try tessera(arguments: arguments)
  }

  /// Runs the installed command with arguments from a list.
  func tessera(arguments: [String]) throws -> ProgramResult {
    try Program.run("\(path)/bin/tessera", arguments)
  }
}
