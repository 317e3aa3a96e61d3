/// Finds a smaller thing that still fails, by trying smaller ones one after the other.
///
/// Each step takes the first candidate that fails, and begins again from it; it ends where none
/// does, so what comes out is smallest as far as single steps go. The same failing thing and the
/// same predicate come to the same end, unless time runs out.
public struct Shrinker: Sendable {
  /// The most candidates that are tried.
  public var tries: Int
  /// The most time that it takes, if one try takes none.
  public var time: Duration

  /// A shrinker of so many tries and so much time.
  public init(tries: Int = 600, time: Duration = .seconds(4)) {
    self.tries = tries
    self.time = time
  }

  /// The smallest thing found.
  ///
  /// - Parameters:
  ///   - start: What fails.
  ///   - smaller: Candidates that are smaller than a thing, the smallest first. There must be no
  ///     endless descent.
  ///   - fails: Whether a candidate fails in the same way.
  public func smallest<Thing: Hashable>(
    from start: Thing, smaller: (Thing) -> [Thing], fails: (Thing) -> Bool
  ) -> Thing {
    let end = ContinuousClock.now + time
    var (best, tried, left) = (start, Set([start]), tries)
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for candidate in smaller(best) where tried.insert(candidate).inserted {
        guard left > 0, ContinuousClock.now < end else { return best }
        left -= 1
        guard fails(candidate) else { continue }
        best = candidate
        hasChanged = true
        break
      }
    }
    return best
  }
}
