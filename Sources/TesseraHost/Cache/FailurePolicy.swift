/// When a library that keeps dying is refused for a while.
enum FailurePolicy {
  /// So many deaths are too many.
  static let deathLimit = 3
  /// Within so many seconds; and as long after the last one it is refused.
  static let window: Int64 = 60

  /// Why a library is refused now.
  struct Refusal: Error, Equatable, Sendable {
    /// How many times it died in the window before its last death.
    let count: Int
    /// What it died of last.
    let cause: String
    /// How many seconds it stays refused.
    let remaining: Int64

    /// One sentence that speaks of the library as "it".
    var sentence: String {
      "it crashed \(count) times within a minute, last by \(cause); it is refused for another "
        + "\(remaining) s, or until its file changes"
    }

    /// The same as an error.
    var error: HostError { HostError(.brokenContract, sentence) }
  }

  /// Decides by the deaths of one library, in any order; those after `now`, from before a clock was
  /// set back, do not count.
  static func refusal(_ deaths: [Death], now: Int64) -> Refusal? {
    let past = deaths.filter { $0.seconds <= now }
    // Of two in the same second the one recorded later.
    guard let last = past.reversed().max(by: { $0.seconds < $1.seconds }) else { return nil }
    let count = past.filter { $0.seconds > last.seconds - window }.count
    let remaining = last.seconds + window - now
    guard count >= deathLimit, remaining > 0 else { return nil }
    return Refusal(count: count, cause: last.cause, remaining: remaining)
  }
}
