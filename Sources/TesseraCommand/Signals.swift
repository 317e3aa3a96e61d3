import Glibc
import TesseraHost

/// Handlers may only call async-signal-safe functions; everything else is prepared.
enum Signals {
  /// Turns SIGPIPE and SIGXFSZ into write errors.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let interrupts = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    unblock(interrupts + [SIGALRM])
    for number in interrupts where !isIgnored(number) { signal(number, endByInterrupt) }
  }

  /// Whether the parent ignores the signal, as nohup does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The parent may have blocked signals.
  private static func unblock(_ numbers: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  static func rememberUnfinishedFile(_ path: String) { unfinishedFile = strdup(path) }

  /// Call this after the file is renamed or removed.
  static func forgetUnfinishedFile() {
    let path = unfinishedFile
    unfinishedFile = nil
    free(path)
  }
}

private nonisolated(unsafe) var unfinishedFile: UnsafeMutablePointer<CChar>?

private func endByInterrupt(_ number: Int32) {
  if let unfinishedFile { unlink(unfinishedFile) }
  signal(number, SIG_DFL)
  raise(number)
}

/// Ends the command with the status of a broken contract if an engine inside it hangs.
public struct Watchdog: Sendable {
  /// The limit of one call in seconds; nil for no engine in this process.
  public let seconds: Double?

  /// Creates a watchdog.
  public init(seconds: Double?) { self.seconds = seconds }

  /// Runs `work` with the time limit of one call, which each `rearm` restarts.
  public func guarding<Result, Failure: Error>(
    _ sentence: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard seconds != nil else { return try work() }
    let erased = Terminal.showsDiagnostics ? Terminal.eraseLine : ""
    timeoutMessage = strdup("\(erased)tessera: \(sentence)\n")
    signal(SIGALRM, endByTimeout)
    rearm()
    defer {
      setTimer(0)
      signal(SIGALRM, SIG_DFL)
      free(timeoutMessage)
      timeoutMessage = nil
    }
    return try work()
  }

  /// Restarts the time limit, at the start or end of a call.
  public func rearm() {
    if let seconds { setTimer(seconds) }
  }

  package func disarm() { setTimer(0) }

  private func setTimer(_ seconds: Double) {
    var timer = itimerval()
    timer.it_value.tv_sec = Int(seconds)
    timer.it_value.tv_usec = Int((seconds - seconds.rounded(.down)) * 1_000_000)
    setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil)
  }
}

private nonisolated(unsafe) var timeoutMessage: UnsafeMutablePointer<CChar>?

private func endByTimeout(_ number: Int32) {
  if let unfinishedFile { unlink(unfinishedFile) }
  if let timeoutMessage { _ = write(STDERR_FILENO, timeoutMessage, strlen(timeoutMessage)) }
  _exit(HostError.Kind.died.status)
}
