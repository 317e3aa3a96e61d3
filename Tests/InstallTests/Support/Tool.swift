import TestSupport

/// A program that tests use where a machine has it.
enum Tool {
  /// Whether it lies on PATH.
  static func isPresent(_ name: String) -> Bool {
    (try? Program.run("bash", ["-c", "command -v \"$0\"", name]).status) == 0
  }
}
