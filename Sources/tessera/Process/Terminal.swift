import Glibc
import Synchronization

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

/// A line on the terminal that tells how far long work has come, and goes away with it.
///
/// It appears only where diagnostics go to a terminal, and only for work that takes a while.
final class ProgressLine: Sendable {
  private struct State {
    var isShown = false
    var nextUpdate: Double
  }

  private let title: String
  private let state: Mutex<State>

  private static let delay = 0.5
  private static let interval = 0.1

  /// - Parameter title: what is being done.
  init(_ title: String) {
    self.title = title
    state = Mutex(State(nextUpdate: Self.now() + Self.delay))
  }

  /// Tells how much is done, 0...1; cheap enough to be called often.
  func update(_ fraction: Double) {
    guard Terminal.showsDiagnostics else { return }
    let now = Self.now()
    state.withLock { state in
      guard now >= state.nextUpdate else { return }
      state.nextUpdate = now + Self.interval
      state.isShown = true
      let percent = fraction.isFinite ? Int(min(1, max(0, fraction)) * 100) : 0
      Diagnostics.write("\(Terminal.eraseLine)\(title) \(percent) %")
    }
  }

  /// Takes the line away.
  func erase() {
    state.withLock { state in
      if state.isShown { Diagnostics.write(Terminal.eraseLine) }
      state.isShown = false
    }
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
