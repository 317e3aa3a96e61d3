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
    case .sections(let counts): try session.setSections(counts)
    case .sectionValues(let name, let column): try session.setSectionValues(name, column)
    case .itemValues(let name, let column): try session.setItemValues(name, column)
    case .delegate(let name, nil): try session.setDelegate(name, nil)
    case .delegate(let name, let answer?):
      var scenario = Scenario(around: session)
      scenario.delegate[name] = Setting(answer, source: "the answer of \(name)")
      try scenario.supplyAnswers(to: session)
    case .measure(nil): session.measure = nil
    case .measure(let size?):
      var scenario = Scenario(around: session)
      scenario.measure = Setting(size, source: "the measured size")
      try scenario.supplyAnswers(to: session)
    case .contentSize, .elements, .visibleElements, .element, .snap, .function, .update, .close,
      .check:
      break
    }
  }

  private static func arguments(
    _ texts: [String], of name: String, _ engine: Engine
  ) throws(HostError) -> [CallValue] {
    let functions = engine.chain.flatMap(\.publishedFunctions)
    guard let function = functions.first(where: { $0.name == name }) else { return [] }
    let types = try function.parsedSignature.arguments
    guard types.count == texts.count else {
      throw HostError(
        .invalidInput,
        "\(name) takes \(counted(types.count, "argument")) but was given \(texts.count)")
    }
    var values: [CallValue] = []
    for (text, type) in zip(texts, types) {
      guard let value = CallValue(type: type, text: text) else {
        throw HostError(
          .invalidInput, "an argument of \(name) is \(quoted(text)); expected \(type.expectation)")
      }
      values.append(value)
    }
    return values
  }
}

extension Scenario {
  /// What the answers' expressions may use, as a session has it.
  fileprivate init(around session: Session) {
    self.init()
    bounds = session.bounds
    scale = session.scale
    content = .sections(session.itemCounts.map { Section(items: $0) })
  }
}

extension [AttributeDescription] {
  fileprivate var firstOfEachName: [AttributeDescription] {
    var known = Set<String>()
    return filter { known.insert($0.name).inserted }
  }
}
