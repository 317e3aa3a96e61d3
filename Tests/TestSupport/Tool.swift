/// A program that tests use where a machine has it.
public enum Tool {
  /// Whether it lies on PATH.
  public static func isPresent(_ name: String) -> Bool {
    (try? Program.run("bash", ["-c", "command -v \"$0\"", name]).status) == 0
  }

  /// Whether tests use it: in the first ring where it is present, in the second always.
  public static func isExpected(_ name: String) -> Bool { Ring.isSecond || isPresent(name) }
}
