import CTessera

/// Promises about the elements that an engine gives.
///
/// Answering lazily and following the viewport are not among them: conforming to `LazyLayout` and
/// `AdjustingLayout` says that.
public struct Traits: OptionSet, Sendable {
  /// The bits of the contract.
  public let rawValue: UInt32

  /// Traits from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Right-to-left is the exact mirror of left-to-right.
  ///
  /// The host then mirrors what comes back, and the engine lays out left to right always.
  public static let mirrors = Traits(rawValue: TESSERA_TRAIT_MIRRORS)
  /// Every element's origin lies on the pixel grid of the input's scale.
  public static let pixelAligned = Traits(rawValue: TESSERA_TRAIT_PIXEL_ALIGNED)
  /// Reads `change` and `kept`, and redoes only what follows from what changed.
  ///
  /// Without it rows never hold what the last prepare left there.
  public static let incremental = Traits(rawValue: TESSERA_TRAIT_INCREMENTAL)
  /// Left to right, the cells of the first items lie where they would without the items after them.
  public static let flows = Traits(rawValue: TESSERA_TRAIT_FLOWS)
  /// Left to right, an empty section more at the end moves nothing that is there without it.
  public static let appends = Traits(rawValue: TESSERA_TRAIT_APPENDS)
  /// The scale only rounds: every edge lies less than a pixel from where it lies at a finer scale.
  public static let scales = Traits(rawValue: TESSERA_TRAIT_SCALES)
}
