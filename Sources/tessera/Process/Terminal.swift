import Glibc

/// What is known of the terminal that a person reads on.
enum Terminal {
  /// Whether results go to a terminal.
  static let showsResults = isatty(STDOUT_FILENO) == 1

  /// Whether diagnostics go to a terminal.
  static let showsDiagnostics = isatty(STDERR_FILENO) == 1

  /// Goes to the start of the line and empties it.
  static let eraseLine = "\r\u{1B}[K"

  /// Whether results may be coloured: on a terminal, unless NO_COLOR or a dumb terminal says no.
  static let isColoured: Bool = {
    guard showsResults else { return false }
    if let value = getenv("NO_COLOR"), value[0] != 0 { return false }
    if let value = getenv("TERM"), strcmp(value, "dumb") == 0 { return false }
    return true
  }()
}
