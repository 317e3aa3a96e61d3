/// Decides when host and worker wait for each other without sleeping, on two processors.
///
/// If another processor is idle, that takes a fraction of the time of two switches on one, and far more
/// if not. So it is tried while short calls follow each other closely, and kept as long as they are
/// faster than before.
struct Spinning {
  /// Whether both wait without sleeping.
  private(set) var isOn = false
  /// How long each side waits before it sleeps.
  var nanoseconds: UInt32 { isOn ? 20_000 : 0 }

  private let isPossible: Bool
  /// The calls of the running window, and the seconds that they took together.
  private var calls = 0
  private var seconds = 0.0
  /// The seconds of a call in the last window with sleeping.
  private var sleeping = 0.0
  /// The windows since `isOn` changed, and how many with sleeping come before a trial; doubled by each
  /// trial that fails.
  private var windows = 0
  private var patience = 4
  /// When the last call began and ended.
  private var begin = 0.0
  private var end = 0.0

  /// The calls of a window.
  private static let window = 16
  /// The longest call, and the longest time between two, with which spinning is worth its while.
  private static let longest = 50e-6
  private static let mostPatience = 1 << 12

  /// - Parameter isPossible: Whether both share a word in memory, and may run on two processors.
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
    // The first call of a trial moves the worker, and wakes a processor.
    if !isOn || windows > 0 || calls > 1 { seconds += time - begin }
    // A few calls that waited for a busy processor cost more than a window saves.
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
