import Testing

@testable import TesseraWorker

@Suite struct SpinningTests {
  private var spinning = Spinning(isPossible: true)
  private var time = 1.0

  private mutating func call(_ count: Int, taking sleeping: Double, or awake: Double) {
    for _ in 0..<count {
      spinning.callBegins(at: time)
      time += spinning.isOn ? awake : sleeping
      spinning.callEnded(at: time)
    }
  }

  @Test(arguments: [0, 1e-3]) mutating func shortCallsThatBecomeFasterGoOn(_ pause: Double) {
    call(50, taking: 10e-6, or: 3e-6)
    #expect(!spinning.isOn && spinning.nanoseconds == 0)
    call(1_000, taking: 10e-6, or: 3e-6)
    #expect(spinning.isOn && spinning.nanoseconds > 0)
    time += pause
    call(1, taking: 10e-6, or: pause > 0 ? 3e-6 : 1e-3)
    #expect(!spinning.isOn)
  }

  @Test mutating func trialsThatAreNotFasterBecomeRare() {
    var trials = 0
    for _ in 0..<100_000 {
      let before = spinning.isOn
      call(1, taking: 10e-6, or: 9e-6)
      if spinning.isOn, !before { trials += 1 }
    }
    #expect((5...15).contains(trials), "\(trials)")
  }

  @Test(arguments: [(true, 100e-6), (false, 10e-6)])
  mutating func longOrImpossibleTrialsAreNotMade(_ isPossible: Bool, _ sleeping: Double) {
    spinning = Spinning(isPossible: isPossible)
    call(10_000, taking: sleeping, or: 3e-6)
    #expect(!spinning.isOn)
  }
}
