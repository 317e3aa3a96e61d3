/// Which functions of its own an engine has; what it has not, its bases do for it.
public struct EngineAbilities: OptionSet, Hashable, Sendable {
  /// One bit for each ability; the contract has no constants for them.
  public let rawValue: UInt32

  /// Abilities by their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It makes a layout object of its own.
  public static let create = EngineAbilities(rawValue: 1)
  /// It places elements.
  public static let prepare = EngineAbilities(rawValue: 2)
  /// It re-shapes what a query is about to return.
  public static let adjust = EngineAbilities(rawValue: 4)
  /// It answers itself which elements meet a rect.
  public static let elementsInRect = EngineAbilities(rawValue: 8)
  /// It answers itself for one element.
  public static let element = EngineAbilities(rawValue: 16)
  /// It says whether its layout still holds under other bounds.
  public static let stillValid = EngineAbilities(rawValue: 32)
  /// It is told of batches of changes (`tessera.updates/1`).
  public static let updates = EngineAbilities(rawValue: 64)
  /// It says where a scroll comes to rest (`tessera.snapping/1`).
  public static let snapping = EngineAbilities(rawValue: 128)
  /// It asks for measured sizes (`tessera.sizing/1`).
  public static let sizing = EngineAbilities(rawValue: 256)
  /// It says where a dragged item goes (`tessera.reordering/1`).
  public static let reordering = EngineAbilities(rawValue: 512)
  /// All of them.
  public static let all = EngineAbilities(rawValue: 1023)
}
