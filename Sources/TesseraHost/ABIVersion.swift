import CTessera

/// A version of the contract between host and engine.
public struct ABIVersion: Equatable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Raised when an engine of an older major no longer works.
  public let major: UInt32
  /// Raised when something is added.
  public let minor: UInt32

  /// A version by its two numbers.
  public init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }

  /// The newest version that this host speaks: the one of the header that it was built with.
  public static let current = ABIVersion(
    major: UInt32(TESSERA_ABI_MAJOR), minor: UInt32(TESSERA_ABI_MINOR))

  /// The versions whose engines this host can run.
  public static let supported = ABIVersion(major: 0, minor: 3)...current

  /// Orders by major, then by minor.
  public static func < (left: ABIVersion, right: ABIVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  /// The version as "major.minor".
  public var description: String { "\(major).\(minor)" }
}
