import Foundation
import Testing

/// The two rings of tests: `Tools/test` runs the first, and `Tools/test --all` both.
///
/// The first needs a compiler of C and C++, and Python. The second needs what `Tools/setup --tests all`
/// installs, and fails where a program is missing. Its tests are in Tests/SecondRing; a few are marked
/// with `.secondRing` beside others of the first, or take more arguments in it.
public enum Ring {
  /// Whether the second ring runs, too.
  public static let isSecond =
    ProcessInfo.processInfo.environment["TESSERA_SECOND_RING"] == "1" || Soak.isFull
}

extension Trait where Self == ConditionTrait {
  /// Leaves a test to the second ring; `Tools/test` does not count it as skipped.
  public static var secondRing: Self {
    .enabled(if: Ring.isSecond, "it belongs to the second ring")
  }
}
