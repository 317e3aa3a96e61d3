import Foundation
import TestSupport

struct Installation: Sendable {
  let path: String

  init(in folder: TemporaryFolder, as name: String = "prefix") throws {
    try self.init(at: folder.path(name))
  }

  private init(at path: String) throws {
    self.path = path
    let result = try Self.install([path])
    guard result.status == 0 else { throw Failure(description: result.errors) }
  }

  /// Setup failure: an expectation would fail only the first of the tests that share it.
  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Shared by tests that don't modify it.
  static func shared() throws -> Installation { try common.get() }

  private static let common = Result {
    let prefix = BuiltProducts.folder.appendingPathComponent("installed")
    try? FileManager.default.removeItem(at: prefix)
    return try Installation(at: prefix.path)
  }

  static func install(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try tool("install", ["--products", BuiltProducts.folder.path] + arguments, environment)
  }

  static func uninstall(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ProgramResult {
    // Keeps the user's caches.
    try tool(
      "uninstall", arguments,
      ["XDG_CACHE_HOME": "/nonexistent"].merging(environment) { _, given in given })
  }

  private static func tool(
    _ name: String, _ arguments: [String], _ environment: [String: String]
  ) throws -> ProgramResult {
    // A umask that would leave files group-writable.
    let line = "umask 002 && exec \"$0\" \"$@\""
    let tool = BuiltProducts.repository.appendingPathComponent("Tools/\(name)").path
    return try Program.run("bash", ["-c", line, tool] + arguments, environment: environment)
  }

  func tessera(_ arguments: String...) throws -> ProgramResult {
    try tessera(arguments: arguments)
  }

  func tessera(arguments: [String]) throws -> ProgramResult {
    try Program.run("\(path)/bin/tessera", arguments)
  }
}
