import Glibc

/// What the process does when it is interrupted.
///
/// Handlers may only call what is safe in a signal handler, so all that they need is made ready in
/// plain memory beforehand.
enum Signals {
  /// Turns a reader that went away into a failed write, and leaves no half-written file behind where
  /// the user interrupts.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    unblock([SIGINT, SIGTERM, SIGHUP, SIGALRM])
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      signal(number, endByInterrupt)
    }
  }

  /// Whether whoever started us wants a signal ignored, as nohup does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Programs that start others from a pool of threads hand down that pool's blocked signals.
  private static func unblock(_ numbers: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Names the file that an interrupt removes, until `forgetUnfinishedFile`.
  static func rememberUnfinishedFile(_ path: String) {
    unfinishedFile = strdup(path)
  }

  /// To be called when the file has got its name or is gone.
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

/// Ends the command when an engine inside it does not come back.
///
/// An engine that hangs inside this process cannot be stopped by itself: the whole command ends,
/// with the status of an engine that broke the contract. A timer signal does it, because it arrives
/// whatever the engine is doing. One in a process of its own needs none of this.
struct Watchdog: Sendable {
  /// How long one call into the engine may take, in seconds; nil where no engine runs in here.
  let seconds: Double?

  /// Runs `work`, allowing it the time of one call, and as much again after each `rearm`.
  ///
  /// - Parameter sentence: what to say where the time runs out.
  func guarding<Result, Failure: Error>(
    _ sentence: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard seconds != nil else { return try work() }
    let erased = Terminal.showsDiagnostics ? Terminal.eraseLine : ""
    lastWords = strdup("\(erased)tessera: \(sentence)\n")
    signal(SIGALRM, endByTimeout)
    rearm()
    defer {
      setTimer(0)
      signal(SIGALRM, SIG_DFL)
      free(lastWords)
      lastWords = nil
    }
    return try work()
  }

  /// Starts the time anew: a call has come back, or the next one begins.
  func rearm() {
    if let seconds { setTimer(seconds) }
  }

  /// Lets time pass until the next `rearm`.
  func disarm() {
    setTimer(0)
  }

  private func setTimer(_ seconds: Double) {
    var timer = itimerval()
    timer.it_value.tv_sec = Int(seconds)
    timer.it_value.tv_usec = Int((seconds - seconds.rounded(.down)) * 1_000_000)
    setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil)
  }
}

private nonisolated(unsafe) var lastWords: UnsafeMutablePointer<CChar>?

private func endByTimeout(_ number: Int32) {
  if let lastWords { _ = write(STDERR_FILENO, lastWords, strlen(lastWords)) }
  _exit(CommandFailure.Status.software.rawValue)
}
