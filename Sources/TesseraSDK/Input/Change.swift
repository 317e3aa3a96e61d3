import CTessera

/// What differs from the input of a layout's last successful prepare.
public struct Change: Sendable {
  /// What kinds of things changed.
  public struct Kinds: OptionSet, Sendable {
    /// The bits of the contract.
    public let rawValue: UInt32

    /// Kinds from the contract's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Anything: the first prepare, or the host does not know.
    public static let all = Kinds(rawValue: TESSERA_CHANGED_ALL)
    /// Size, insets, scale or direction.
    public static let bounds = Kinds(rawValue: TESSERA_CHANGED_BOUNDS)
    /// Parameters.
    public static let parameters = Kinds(rawValue: TESSERA_CHANGED_PARAMETERS)
    /// The number of sections or items.
    public static let counts = Kinds(rawValue: TESSERA_CHANGED_COUNTS)
    /// Values of sections or items.
    public static let values = Kinds(rawValue: TESSERA_CHANGED_VALUES)
  }

  /// What changed.
  public let what: Kinds
  /// The first section whose counts or values changed.
  public let firstSection: Int
  /// The first item of that section whose count or value changed.
  public let firstItem: Int

  init(_ change: tessera_change) {
    what = Kinds(rawValue: change.what)
    firstSection = Int(change.first_section)
    firstItem = Int(clamping: change.first_item)
  }

  /// How many of the first items of a section have the values that they had, and were there.
  ///
  /// Of a section before `firstSection` all; of one after it none. 0 where anything may have
  /// changed. Values of the section itself are as they were where this is not 0.
  public func unchangedItems(inSection section: Int) -> Int {
    guard !what.contains(.all), section <= firstSection else { return 0 }
    return section < firstSection ? .max : firstItem
  }
}
