import Glibc

/// The time of day.
enum WallClock {
  /// Since 1970.
  static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Since 1970.
  static var seconds: Int64 { nanoseconds / 1_000_000_000 }
}
