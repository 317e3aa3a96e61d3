/// One call to a session as plain data: something that is set, or a question.
public enum SessionCall: Equatable, Sendable {
  /// The viewport's size.
  case bounds(Size)
  /// Where the viewport is scrolled to.
  case offset(Point)
  /// What lies around the content inside the bounds.
  case contentInsets(Insets)
  /// How far the display's unsafe edges reach into the bounds.
  case safeAreaInsets(Insets)
  /// How far content should keep from the edges of the bounds.
  case layoutMargins(Insets)
  /// Device pixels a point.
  case scale(Double)
  /// Which way the content reads.
  case direction(LayoutDirection)
  /// A parameter's value; nil is the one that it starts with.
  case parameter(String, Value?)
  /// The records of a list.
  case list(String, RecordList)
  /// How many items each section has; the values of sections and items are forgotten.
  case sections([Int])
  /// A value for each section.
  case sectionValues(String, ValueColumn)
  /// A value for each item of all sections.
  case itemValues(String, ValueColumn)
  /// The answer of a delegate function, as a scenario has it; nil removes it.
  case delegate(String, JSONNode?)
  /// The size of each item, as a scenario has it; nil removes it.
  case measure(JSONNode?)
  /// How large the content is.
  case contentSize
  /// The elements that meet a rect; nil: all.
  case elements(in: Rect?)
  /// The elements that the viewport meets.
  case visibleElements
  /// One element.
  case element(ElementIdentity)
  /// Where a scroll comes to rest.
  case snap(Point, velocity: Point)
  /// A function that the engine publishes, with its arguments as a person writes them.
  case function(String, [String])
  /// A batch of changes, the counts that it ends with, and what is set of the new data.
  indirect case update([UpdateOperation], counts: [Int], changes: [SessionCall])
  /// The end: the engine destroys its layout.
  case close
  /// A case of the conformance suite, which makes sessions of its own.
  case check(SuiteCall)

  /// Whether it asks the engine for something.
  public var isQuestion: Bool {
    switch self {
    case .contentSize, .elements, .visibleElements, .element, .snap, .function, .update, .check:
      true
    default: false
    }
  }
}

/// A case of the conformance suite with its input, as far as a recording knows of it.
public struct SuiteCall: Equatable, Sendable {
  /// The case's id.
  public var id: String
  /// How much it examines: quick, standard or thorough.
  public var level: String
  /// What its random numbers begin with, in digits: a double cannot hold all of them.
  public var seed: String
  /// The input as a scenario in JSON; nil where it depends on none.
  public var sample: JSON?

  /// A case with its input.
  public init(id: String, level: String, seed: String, sample: JSON?) {
    (self.id, self.level, self.seed, self.sample) = (id, level, seed, sample)
  }
}

extension SessionCall {
  /// Examines cases of the conformance suite, which this module knows nothing of.
  typealias Examination = (SuiteCall) throws(HostError) -> SuiteVerdict

  /// Makes the call.
  ///
  /// Throws what the session throws, and `.invalidInput` for what does not fit its engine.
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
          for change in changes { try change.set(on: session) }
        })
    case .close:
      try session.close()
      return .done
    case .check(let suite): return .verdict(try examining(suite))
    default:
      try set(on: session)
      return .done
    }
  }

  /// Sets what the call sets; a question sets nothing.
  func set(on session: Session) throws(HostError) {
    switch self {
    case .bounds(let size): session.bounds = size
    case .offset(let point): session.offset = point
    case .contentInsets(let insets): session.contentInsets = insets
    case .safeAreaInsets(let insets): session.safeAreaInsets = insets
    case .layoutMargins(let insets): session.layoutMargins = insets
    case .scale(let scale): session.scale = scale
    case .direction(let direction): session.direction = direction
    case .parameter(let name, let value?): try session.setParameter(name, to: value)
    case .parameter(let name, nil): try session.resetParameter(name)
    case .list(let name, let records): try session.setList(name, to: records)
    case .sections(let counts): try session.setSections(counts)
    case .sectionValues(let name, let column): try session.setSectionValues(name, column)
    case .itemValues(let name, let column): try session.setItemValues(name, column)
    case .delegate(let name, nil): try session.setDelegate(name, nil)
    case .delegate(let name, let answer?):
      let declared = try Vocabulary(session.engine.chain).delegateFunction(name, for: answer)
      let function = try CompiledFunction(declared, answer)
      try session.setDelegate(
        name, try function.delegate(session.environment, itemCounts: session.itemCounts))
    case .measure(nil): session.measure = nil
    case .measure(let size?):
      session.measure = try CompiledMeasure(size)
        .closure(session.environment, itemCounts: session.itemCounts)
    case .contentSize, .elements, .visibleElements, .element, .snap, .function, .update, .close,
      .check:
      break
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

extension Session {
  /// The variables that the answers of delegate functions may use.
  fileprivate var environment: ExpressionEnvironment {
    ExpressionEnvironment(viewport, sections: itemCounts.count)
  }
}

extension [AttributeDescription] {
  fileprivate var firstOfEachName: [AttributeDescription] {
    var known = Set<String>()
    return filter { known.insert($0.name).inserted }
  }
}

extension SessionCall {
  /// Makes a scenario state what the call sets; a question states nothing.
  func state(_ scenario: inout Scenario) {
    func node(_ value: JSON, _ name: String) -> JSONNode { JSONNode(value, source: name) }
    switch self {
    case .bounds(let size): scenario.bounds = size
    case .offset(let point): scenario.offset = point
    case .contentInsets(let insets): scenario.contentInsets = insets
    case .safeAreaInsets(let insets): scenario.safeAreaInsets = insets
    case .layoutMargins(let insets): scenario.layoutMargins = insets
    case .scale(let scale): scenario.scale = scale
    case .direction(let direction): scenario.direction = direction
    case .parameter(let name, let value):
      scenario.parameters[name] = value.map { node(JSON($0), name) }
    case .list(let name, let records): scenario.lists[name] = node(JSON(records), name)
    case .sections(let counts): scenario.content = .sections(counts.map { .init(items: $0) })
    case .sectionValues(let name, let column):
      var sections = scenario.sections
      for index in sections.indices where index < column.count ?? .max {
        sections[index].values[name] = node(JSON(column[index]), name)
      }
      scenario.content = .sections(sections)
    case .itemValues(let name, let column):
      var sections = scenario.sections
      var start = 0
      for index in sections.indices {
        let items = start..<start + sections[index].items
        start = items.upperBound
        if column.count == nil {
          sections[index].itemValues[name] = node(JSON(column[0]), name)
        } else if items.upperBound <= column.count ?? 0 {
          sections[index].itemValues[name] = node(.list(items.map { JSON(column[$0]) }), name)
        }
      }
      scenario.content = .sections(sections)
    case .delegate(let name, let answer): scenario.delegate[name] = answer
    case .measure(let size): scenario.measure = size
    case .update(_, let counts, let changes):
      SessionCall.sections(counts).state(&scenario)
      for change in changes { change.state(&scenario) }
    case .check(let suite):
      if let sample = suite.sample.flatMap({ try? Scenario($0) }) { scenario = sample }
    default: break
    }
  }
}
