/// Spinning is much faster with an idle processor and much slower without: tried while short calls
/// follow closely, kept while it is faster.
struct Spinning {
  private(set) var isOn = false
  var nanoseconds: UInt32 { isOn ? 20_000 : 0 }

  private let isPossible: Bool
  private var calls = 0
  private var seconds = 0.0
  /// Seconds per call in the last window with sleeping.
  private var sleeping = 0.0
  /// Since `isOn` changed; a trial follows `patience` sleeping windows, and doubles it if it fails.
  private var windows = 0
  private var patience = 4
  private var begin = 0.0
  private var end = 0.0

  private static let window = 16
  /// Spinning pays off only for calls and pauses shorter than this, in seconds.
  private static let longest = 50e-6
  private static let mostPatience = 1 << 12

  init(isPossible: Bool) { self.isPossible = isPossible }

  mutating func callBegins(at time: Double) {
    guard isPossible else { return }
    if time - end > Self.longest {
      (isOn, calls, seconds) = (false, 0, 0)
    } else if calls == Self.window {
      finishWindow(seconds / Double(calls))
      (calls, seconds) = (0, 0)
    }
    begin = time
  }

  mutating func callEnded(at time: Double) {
    end = time
    calls += 1
    // The first call of a trial migrates the worker and wakes a processor.
    if !isOn || windows > 0 || calls > 1 { seconds += time - begin }
    // A few waits for a busy processor cost more than a window saves.
    if isOn, seconds > Double(Self.window) * sleeping { giveUp() }
  }

  private mutating func finishWindow(_ mean: Double) {
    windows += 1
    if !isOn {
      sleeping = mean
      if mean < Self.longest, windows >= patience { (isOn, windows) = (true, 0) }
    } else if mean < 0.8 * sleeping {
      patience = 4
    } else {
      giveUp()
    }
  }

  private mutating func giveUp() {
    (isOn, calls, seconds, windows) = (false, 0, 0, 0)
    patience = min(2 * patience, Self.mostPatience)
  }
}
