import CTessera

/// How an attribute changes while a layout turns into another.
public enum Interpolation: Sendable {
  /// In proportion.
  case linear
  /// At once, halfway.
  case step
  /// Not at all.
  case none
}

/// A column of the layout's own beside the frames.
///
/// ```swift
/// let maskingValue = Attribute("How grey the cell is.", initial: 0.0, when: .adjusted)
/// ```
///
/// `rows[maskingValue]` is then the column of a run.
public final class Attribute<Value: LayoutValue> {
  /// When the column exists; one that only adjust writes costs nothing for rows off screen.
  public enum When: Sendable {
    /// In prepare, queries and adjust.
    case prepared
    /// In queries of lazy layouts and in adjust only.
    case adjusted
  }

  let help: String
  let initial: Value
  let interpolation: Interpolation
  let when: When
  private let name: String?
  /// The attribute's number for this engine, known once the layout is bound to its engine.
  var number = 0

  /// An attribute under the name of the property that holds it, or under `name`.
  ///
  /// - Parameters:
  ///   - help: One sentence for the user.
  ///   - initial: What every row starts as.
  public init(
    _ help: String, named name: String? = nil, initial: Value,
    interpolation: Interpolation = .linear, when: When = .prepared
  ) {
    self.name = name
    self.help = help
    self.initial = initial
    self.interpolation = interpolation
    self.when = when
  }
}

extension Attribute: DeclaredAttribute {
  func contractAttribute(named name: UnsafePointer<CChar>) -> tessera_attribute {
    tessera_attribute(
      name: name, help: permanentText(help), choices: permanentArray(Value.choiceNames),
      choice_count: UInt32(Value.choiceNames.count), type: Value.contractType,
      interpolation: interpolation.contractInterpolation,
      when: when == .prepared ? TESSERA_PREPARED : TESSERA_ADJUSTED,
      initial: tessera_value(initial))
  }

  func declare(as name: String, in declarations: inout Declarations) {
    number = declarations.attributes.count
    declarations.attributes.append((self.name ?? name, self))
  }
}

extension Interpolation {
  var contractInterpolation: tessera_interpolation {
    switch self {
    case .linear: TESSERA_LINEAR
    case .step: TESSERA_STEP
    case .none: TESSERA_NONE
    }
  }
}
