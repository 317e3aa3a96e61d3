/// What an engine promises about itself.
public struct EngineTraits: OptionSet, Hashable, Sendable {
  /// The bits of the contract's TESSERA_TRAIT constants.
  public let rawValue: UInt32

  /// Traits by the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It answers queries itself and is never asked for all rows.
  public static let lazy = EngineTraits(rawValue: 1)
  /// What it answers depends on where the viewport is scrolled to.
  public static let viewport = EngineTraits(rawValue: 2)
  /// Its right-to-left layout is the exact mirror, made by the host.
  public static let mirrors = EngineTraits(rawValue: 4)
  /// Its origins lie on the display's pixel grid.
  public static let pixelAligned = EngineTraits(rawValue: 8)

  /// It redoes only what follows from what changed.
  public static let incremental = EngineTraits(rawValue: 16)
  /// The cells of the first items lie where they would without the items after them.
  public static let flows = EngineTraits(rawValue: 32)
  /// An empty section more at the end moves nothing that is there without it.
  public static let appends = EngineTraits(rawValue: 64)
  /// The display's scale only rounds: every edge lies less than a pixel from where it lies at a finer
  /// scale.
  public static let scales = EngineTraits(rawValue: 128)

  /// The names of the traits that are set, in the order of the contract.
  public var names: [String] {
    [
      (EngineTraits.lazy, "lazy"), (.viewport, "viewport"), (.mirrors, "mirrors"),
      (.pixelAligned, "pixelAligned"), (.incremental, "incremental"), (.flows, "flows"),
      (.appends, "appends"), (.scales, "scales"),
    ].filter { contains($0.0) }.map(\.1)
  }
}

/// Columns that the contract knows beside the frame.
public struct BuiltInColumns: OptionSet, Hashable, Sendable {
  /// The bits of the contract's TESSERA_COLUMN constants.
  public let rawValue: UInt32

  /// Columns by the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A 3D transform about the frame's centre.
  public static let transform = BuiltInColumns(rawValue: 1)
  /// Opacity, 0...1.
  public static let alpha = BuiltInColumns(rawValue: 2)
  /// The order of drawing: higher lies in front.
  public static let zIndex = BuiltInColumns(rawValue: 4)
  /// Whether the element is not shown.
  public static let hidden = BuiltInColumns(rawValue: 8)
  /// All of them.
  public static let all: BuiltInColumns = [.transform, .alpha, .zIndex, .hidden]

  /// The names of the columns that are set, in the order of the contract.
  public var names: [String] {
    [
      (BuiltInColumns.transform, "transform3D"), (.alpha, "alpha"), (.zIndex, "zIndex"),
      (.hidden, "hidden"),
    ].filter { contains($0.0) }.map(\.1)
  }
}
