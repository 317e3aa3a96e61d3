import Glibc
import Synchronization
import TesseraHost

/// The terminal.
public enum Terminal {
  /// Whether results go to a terminal.
  public static let showsResults = isatty(STDOUT_FILENO) == 1

  /// Whether diagnostics go to a terminal.
  public static let showsDiagnostics = isatty(STDERR_FILENO) == 1

  /// The maximum line length of results; `Int.max` without a terminal.
  public static var width: Int {
    var size = winsize()
    guard showsResults, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else {
      return .max
    }
    return Int(size.ws_col)
  }

  static let eraseLine = "\r\u{1B}[K"

  /// Whether to colour results: on a terminal, unless NO_COLOR is set or TERM is dumb.
  public static let isColoured: Bool = {
    guard showsResults else { return false }
    if let value = getenv("NO_COLOR"), value[0] != 0 { return false }
    if let value = getenv("TERM"), strcmp(value, "dumb") == 0 { return false }
    return true
  }()
}

/// A progress line for long work, shown after a delay and only on a terminal.
public final class ProgressLine: Sendable {
  private let title: String
  private let state: Mutex<(isShown: Bool, nextUpdate: Double)>

  private static let delay = 0.5
  private static let interval = 0.1

  /// Creates a line with a title.
  public init(_ title: String) {
    self.title = title
    state = Mutex((isShown: false, nextUpdate: monotonicSeconds() + Self.delay))
  }

  /// Updates the progress, 0...1; may be called often.
  public func update(_ fraction: Double) {
    let percent = fraction.isFinite ? Int(min(1, max(0, fraction)) * 100) : 0
    update("\(percent) %")
  }

  /// Updates the text after the title; may be called often.
  public func update(_ text: @autoclosure () -> String) {
    guard Terminal.showsDiagnostics else { return }
    let now = monotonicSeconds()
    state.withLock { state in
      guard now >= state.nextUpdate else { return }
      state.nextUpdate = now + Self.interval
      state.isShown = true
      Diagnostics.write("\(Terminal.eraseLine)\(title) \(text())")
    }
  }

  /// Erases the line.
  public func erase() {
    state.withLock { state in
      if state.isShown { Diagnostics.write(Terminal.eraseLine) }
      state.isShown = false
    }
  }
}
