import TestSupport
import Testing

/// A folder for the compiled engines of all tests, each compiled once, which goes away after them.
struct Workshop: SuiteTrait, TestScoping {
  /// The folder.
  @TaskLocal static var folder = ""

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try await Self.$folder.withValue(folder.path) { try await function() }
    _ = consume folder
  }
}

/// All that needs compiled engines.
@Suite(Workshop()) struct HostileEngineTests {}
