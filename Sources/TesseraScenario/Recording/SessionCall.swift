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

extension SessionCall {
  /// This module doesn't know the conformance suite.
  typealias Examination = (SuiteCall) throws(HostError) -> LayoutDifference?

  func perform(
    on session: Session, examining: Examination
  ) throws(HostError) -> CallAnswer {
    switch self {
    case .contentSize: return .size(try session.contentSize())
    case .elements(nil): return .elements(try session.elements())
    case .elements(let rect?): return .elements(try session.elements(in: rect))
    case .visibleElements: return .elements(try session.visibleElements())
    case .element(let identity):
      return .element(
        try session.element(identity), session.engine.chain.flatMap(\.attributes).firstOfEachName)
    case .snap(let proposed, let velocity):
      return .point(try session.restingOffset(for: proposed, velocity: velocity))
    case .function(let name, let texts):
      return .value(try session.call(name, try Self.arguments(texts, of: name, session.engine)))
    case .update(let operations, let counts, let changes):
      let batch = try UpdateBatch(operations, before: session.itemCounts, after: counts)
      return .animation(
        try session.update(batch) { session throws(HostError) in
          for change in changes { try session.set(change) }
        })
    case .close:
      try session.close()
      return .done
    case .check(let suite): return .verdict(try examining(suite))
    case .set(let change):
      try session.set(change)
      return .done
    }
  }

  private static func arguments(
    _ texts: [String], of name: String, _ engine: Engine
  ) throws(HostError) -> [Value] {
    let functions = engine.chain.flatMap(\.publishedFunctions)
    guard let function = functions.first(where: { $0.name == name }) else { return [] }
    let types = try function.parsedSignature.arguments
    guard types.count == texts.count else {
      throw HostError(
        .wrongCount,
        "\(name) takes \(counted(types.count, "argument")) but was given \(texts.count)")
    }
    var values: [Value] = []
    for (text, type) in zip(texts, types) {
      guard let value = Value(type: type, text: text) else {
        throw HostError(
          .invalidValue, "an argument of \(name) is \(quoted(text)); expected \(type.expectation)")
      }
      values.append(value)
    }
    return values
  }
}

extension [AttributeDescription] {
  fileprivate var firstOfEachName: [AttributeDescription] {
    var known = Set<String>()
    return filter { known.insert($0.name).inserted }
  }
}
