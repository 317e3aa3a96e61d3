import CTessera

/// Columns of the contract's own that an engine writes beside the frames.
public struct BuiltInColumns: OptionSet, Sendable {
  /// The bits of the contract.
  public let rawValue: UInt32

  /// Columns from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A matrix for each element, acting about its frame's centre; starts as identity.
  public static let transform = BuiltInColumns(rawValue: TESSERA_COLUMN_TRANSFORM)
  /// Opacity, 0…1; starts as 1.
  public static let alpha = BuiltInColumns(rawValue: TESSERA_COLUMN_ALPHA)
  /// What lies above what, higher in front; starts as 0.
  public static let zIndex = BuiltInColumns(rawValue: TESSERA_COLUMN_Z_INDEX)
  /// Whether the element is not shown; starts as false.
  public static let hidden = BuiltInColumns(rawValue: TESSERA_COLUMN_HIDDEN)
}
