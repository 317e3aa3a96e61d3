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
