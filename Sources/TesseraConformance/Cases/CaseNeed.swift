import TesseraHost

/// What an engine must declare for a rule to mean anything; a case whose need is not met is skipped
/// with the reason.
public struct CaseNeed: Sendable {
  /// Why a case is skipped: "it does not declare the trait lazy".
  public let reason: String
  /// The traits that the rule is tied to; a report counts them as exercised when the case ran.
  public let traits: EngineTraits
  private let isMet: @Sendable (Engine) -> Bool

  /// A need of one's own.
  public init(
    reason: String, traits: EngineTraits = [], isMet: @escaping @Sendable (Engine) -> Bool
  ) {
    self.reason = reason
    self.traits = traits
    self.isMet = isMet
  }

  /// Whether an engine declares it.
  public func isMet(by engine: Engine) -> Bool { isMet(engine) }

  /// The rule holds for every engine.
  public static let nothing = CaseNeed(reason: "") { _ in true }

  /// The engine, with its bases, has a trait.
  public static func trait(_ trait: EngineTraits) -> CaseNeed {
    CaseNeed(
      reason: "it does not declare the trait \(trait.names.joined(separator: ", "))",
      traits: trait
    ) { $0.traits.contains(trait) }
  }

  /// The engine, with its bases, does without a trait.
  public static func withoutTrait(_ trait: EngineTraits) -> CaseNeed {
    CaseNeed(reason: "it declares the trait \(trait.names.joined(separator: ", "))") {
      $0.traits.isDisjoint(with: trait)
    }
  }

  /// The engine writes a built-in column.
  public static func column(_ column: BuiltInColumns) -> CaseNeed {
    CaseNeed(reason: "it does not declare the column \(column.names.joined(separator: ", "))") {
      $0.builtInColumns.contains(column)
    }
  }

  /// The engine has kinds of supplementary or decoration elements.
  public static let kinds = CaseNeed(reason: "it declares no kinds") { !$0.kinds.isEmpty }

  /// The engine has attributes of its own.
  public static let attributes = CaseNeed(reason: "it declares no attributes") {
    $0.chain.contains { !$0.attributes.isEmpty }
  }

  /// The engine has parameters that a user can set.
  public static let parameters = CaseNeed(reason: "it declares no parameters") {
    !$0.settableParameters.isEmpty
  }

  /// The engine has parameters with a limit that is not infinite.
  public static let limits = CaseNeed(reason: "no parameter of it declares a limit") {
    $0.settableParameters.contains { parameter in
      (parameter.minimum + parameter.maximum).contains(where: \.isFinite)
    }
  }

  /// The engine takes values for sections or items.
  public static let values = CaseNeed(reason: "it declares no section or item values") {
    !$0.settableValues.isEmpty
  }

  /// The engine shapes how elements appear and disappear.
  public static let updates = CaseNeed(reason: "it has no tessera.updates") {
    $0.chain.contains { $0.abilities.contains(.updates) }
  }

  /// The engine is asked in queries, and not the host alone.
  public static let queries = CaseNeed(reason: "the host alone answers its queries") {
    !$0.traits.isDisjoint(with: [.lazy, .viewport])
  }

  /// The engine calls delegate functions.
  public static let delegate = CaseNeed(reason: "it declares no delegate functions") {
    !$0.delegateFunctions.isEmpty
  }
}
