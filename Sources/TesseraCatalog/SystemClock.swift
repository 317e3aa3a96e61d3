import Glibc

// `ContinuousClock` is in a library that a worker would load for it alone.

/// The coarse clock has milliseconds and costs a tenth.
@inline(__always)
package func monotonicNanoseconds(isCoarse: Bool = false) -> Int64 {
  var time = timespec()
  clock_gettime(isCoarse ? CLOCK_MONOTONIC_COARSE : CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

package func monotonicSeconds(isCoarse: Bool = false) -> Double {
  Double(monotonicNanoseconds(isCoarse: isCoarse)) / 1e9
}

package var nanosecondsSince1970: Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

package var secondsSince1970: Int64 { nanosecondsSince1970 / 1_000_000_000 }
