import Foundation
import Testing

/// The two rings of tests: `Tools/test` runs the first, `Tools/test --all` both.
///
/// The first needs C and C++ compilers and Python; the second what `Tools/setup --tests all`
/// installs. A missing program is a failure. It has Tests/SecondRing, `.secondRing` tests, and more
/// arguments.
package enum Ring {
  package static let isSecond =
    ProcessInfo.processInfo.environment["TESSERA_SECOND_RING"] == "1" || Soak.isFull
}

extension Trait where Self == ConditionTrait {
  /// Marks a test of the second ring; `Tools/test` does not count it as skipped.
  package static var secondRing: Self {
    .enabled(if: Ring.isSecond, "it belongs to the second ring")
  }
}
