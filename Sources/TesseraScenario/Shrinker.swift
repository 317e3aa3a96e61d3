/// Finds a smaller value that still fails: a sample of the conformance suite, or a recording.
///
/// The result is deterministic unless the time runs out.
public struct Shrinker: Sendable {
  /// The maximum number of candidates to try.
  public var tries: Int
  /// The time after which no further candidate is tried; nil for no limit.
  public var time: Duration?

  /// A shrinker with limits.
  public init(tries: Int = 600, time: Duration? = .seconds(4)) {
    (self.tries, self.time) = (tries, time)
  }

  /// The smallest value found, by steps that are repeated until none of them helps.
  ///
  /// A step takes the first of its candidates that fails, and continues from it until no candidate fails.
  ///
  /// - Parameters:
  ///   - start: A value that fails.
  ///   - steps: Returns the steps for a value. A step returns candidates that are smaller than a value, the
  ///     smallest first. Every descent must end.
  ///   - failing: Returns the part of a candidate that fails in the same way, or nil if it does not fail.
  public func smallest<Value: Hashable>(
    from start: Value, steps: (Value) -> [(Value) -> [Value]], failing: (Value) -> Value?
  ) -> Value {
    let end = time.map { ContinuousClock.now + $0 }
    var (best, tried, left) = (start, Set([start]), tries)
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for step in steps(best) {
        var candidates = step(best)[...]
        while let candidate = candidates.popFirst() {
          guard tried.insert(candidate).inserted else { continue }
          guard left > 0, end.map({ ContinuousClock.now < $0 }) ?? true else { return best }
          left -= 1
          guard let smaller = failing(candidate) else { continue }
          best = smaller
          candidates = step(best)[...]
          hasChanged = true
        }
      }
    }
    return best
  }

  /// The smallest value found by one step.
  ///
  /// - Parameter fails: Whether a candidate fails in the same way.
  public func smallest<Value: Hashable>(
    from start: Value, smaller: @escaping (Value) -> [Value], fails: (Value) -> Bool
  ) -> Value {
    smallest(from: start, steps: { _ in [smaller] }, failing: { fails($0) ? $0 : nil })
  }
}
