/// Finds a smaller value that still fails; deterministic unless the time runs out.
public struct Shrinker: Sendable {
  /// The maximum number of candidates.
  public var tries: Int
  /// The time limit, if any.
  public var time: Duration?

  /// Creates a shrinker.
  public init(tries: Int = 600, time: Duration? = .seconds(4)) {
    (self.tries, self.time) = (tries, time)
  }

  /// The smallest value, by steps repeated until none helps.
  ///
  /// - Parameters:
  ///   - start: A failing value.
  ///   - steps: A step returns smaller candidates, smallest first, and must end.
  ///   - failing: The part of a candidate that fails in the same way, or nil.
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

  /// The smallest value found by one step; `fails` tests for the same failure.
  public func smallest<Value: Hashable>(
    from start: Value, smaller: @escaping (Value) -> [Value], fails: (Value) -> Bool
  ) -> Value {
    smallest(from: start, steps: { _ in [smaller] }, failing: { fails($0) ? $0 : nil })
  }
}
