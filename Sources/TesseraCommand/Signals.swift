import Glibc

/// Handles signals.
///
/// Handlers may only call async-signal-safe functions, so what they need is prepared in advance.
enum Signals {
  /// Turns SIGPIPE and SIGXFSZ into write errors, and makes interrupts remove an unfinished file.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let interrupts = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    unblock(interrupts + [SIGALRM])
    for number in interrupts where !isIgnored(number) { signal(number, endByInterrupt) }
  }

  /// Whether the parent process made this one ignore a signal, as nohup does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Unblocks signals that a parent process may have blocked in its threads.
  private static func unblock(_ numbers: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Sets the file that an interrupt removes, until `forgetUnfinishedFile`.
  static func rememberUnfinishedFile(_ path: String) { unfinishedFile = strdup(path) }

  /// Call this when the file has been renamed or removed.
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

/// Ends the command if an engine inside it does not return.
///
/// An engine that hangs in this process cannot be stopped separately, so a timer signal ends the whole
/// command, with the status of an engine that broke the contract. Engines in workers do not need this.
public struct Watchdog: Sendable {
  /// The time limit of one call in seconds; nil if no engine runs in this process.
  public let seconds: Double?

  /// - Parameter seconds: The time limit of one call; nil if no engine runs in this process.
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

  /// Restarts the time limit, when a call begins or has returned.
  public func rearm() {
    if let seconds { setTimer(seconds) }
  }

  /// Suspends the time limit until the next `rearm`.
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
  _exit(CommandFailure.Status.software.rawValue)
}
