import Glibc

/// How long things take.
enum Clock {
  /// Seconds since some moment.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The median of what some runs take, each of so many calls: seconds a call.
  static func median(
    of rounds: Int, calls: Int = 1, _ body: () throws -> Void
  ) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = now()
      for _ in 0..<calls { try body() }
      times.append((now() - start) / Double(calls))
    }
    return times.sorted()[rounds / 2]
  }
}

extension Double {
  /// Seconds, for people.
  var asTime: String {
    let (number, unit) =
      self < 1e-6 ? (self * 1e9, "ns") : self < 1e-3 ? (self * 1e6, "µs") : (self * 1e3, "ms")
    return "\((number * 100).rounded() / 100) \(unit)"
  }
}
