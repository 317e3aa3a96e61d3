import Glibc

// The clocks of the system: one that nobody sets, counted from a start of its own, and the time of day.
// The standard library's `ContinuousClock` is in a library that a worker would load for it alone.

/// The time in nanoseconds.
///
/// - Parameter isCoarse: Whether a few milliseconds do not matter: the coarse clock costs a tenth.
@inline(__always)
package func monotonicNanoseconds(isCoarse: Bool = false) -> Int64 {
  var time = timespec()
  clock_gettime(isCoarse ? CLOCK_MONOTONIC_COARSE : CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The time in seconds.
package func monotonicSeconds(isCoarse: Bool = false) -> Double {
  Double(monotonicNanoseconds(isCoarse: isCoarse)) / 1e9
}

/// The time of day, in nanoseconds since 1970.
package var nanosecondsSince1970: Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

/// The time of day, in seconds since 1970.
package var secondsSince1970: Int64 { nanosecondsSince1970 / 1_000_000_000 }
