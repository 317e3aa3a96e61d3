import Glibc

/// The clock that nobody sets, counted from a start of its own.
///
/// The standard library's `ContinuousClock` is in a library that a worker would load for it alone.
package enum MonotonicClock {
  /// The time in nanoseconds.
  ///
  /// - Parameter isCoarse: Whether a few milliseconds do not matter: the coarse clock costs a tenth.
  @inline(__always)
  package static func nanoseconds(isCoarse: Bool = false) -> Int64 {
    var time = timespec()
    clock_gettime(isCoarse ? CLOCK_MONOTONIC_COARSE : CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The time in seconds.
  package static func seconds(isCoarse: Bool = false) -> Double {
    Double(nanoseconds(isCoarse: isCoarse)) / 1e9
  }
}
