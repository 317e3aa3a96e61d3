/// A session call as plain data: a field to set, or a query.
public enum SessionCall: Hashable, Sendable {
  case set(InputChange)
  case contentSize
  /// The elements in a rect; nil for all.
  case elements(in: Rect?)
  case visibleElements
  case element(ElementIdentity)
  /// Where a scroll comes to rest.
  case snap(Point, velocity: Point)
  /// A published function, with its arguments as text.
  case function(String, [String])
  /// A batch of changes, the resulting counts, and changes of the new data.
  case update([UpdateOperation], counts: [Int], changes: [InputChange])
  /// The engine destroys its layout.
  case close
  case check(SuiteCall)

  /// Whether it queries the engine.
  public var isQuestion: Bool {
    switch self {
    case .contentSize, .elements, .visibleElements, .element, .snap, .function, .update, .check:
      true
    default: false
    }
  }
}

/// A case of the conformance suite with its input.
public struct SuiteCall: Hashable, Sendable {
  /// The case's id.
  public var id: String
  /// Quick, standard or thorough.
  public var level: String
  /// The random seed, as digits: a double can't hold all of them.
  public var seed: String
  /// The input as a scenario in JSON; nil if the case needs no input.
  public var sample: JSON?

  /// Creates a case.
  public init(id: String, level: String, seed: String, sample: JSON?) {
    (self.id, self.level, self.seed, self.sample) = (id, level, seed, sample)
  }
}
