import Glibc
import Synchronization
import TesseraHost

/// Properties of the terminal.
public enum Terminal {
  /// Whether results go to a terminal.
  public static let showsResults = isatty(STDOUT_FILENO) == 1

  /// Whether diagnostics go to a terminal.
  public static let showsDiagnostics = isatty(STDERR_FILENO) == 1

  /// How many characters a line of results may have: `Int.max` unless they go to a terminal.
  public static var width: Int {
    var size = winsize()
    guard showsResults, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else {
      return .max
    }
    return Int(size.ws_col)
  }

  /// The sequence that moves to the start of the line and erases it.
  static let eraseLine = "\r\u{1B}[K"

  /// Whether results may be coloured: on a terminal, unless NO_COLOR is set or TERM is dumb.
  public static let isColoured: Bool = {
    guard showsResults else { return false }
    if let value = getenv("NO_COLOR"), value[0] != 0 { return false }
    if let value = getenv("TERM"), strcmp(value, "dumb") == 0 { return false }
    return true
  }()
}

/// A line on the terminal that shows the progress of long work.
///
/// It appears only if diagnostics go to a terminal, and only after a delay.
public final class ProgressLine: Sendable {
  private let title: String
  private let state: Mutex<(isShown: Bool, nextUpdate: Double)>

  private static let delay = 0.5
  private static let interval = 0.1

  /// - Parameter title: A description of the work.
  public init(_ title: String) {
    self.title = title
    state = Mutex((isShown: false, nextUpdate: monotonicSeconds() + Self.delay))
  }

  /// Updates the progress, 0...1; may be called often.
  public func update(_ fraction: Double) {
    let percent = fraction.isFinite ? Int(min(1, max(0, fraction)) * 100) : 0
    update("\(percent) %")
  }

  /// Updates what is shown after the title; may be called often.
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
