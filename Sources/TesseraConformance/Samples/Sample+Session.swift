import TesseraHost
import TesseraScenario

extension Sample {
  /// Gives a session all of it, and takes back every parameter and answer that another sample set.
  ///
  /// - Throws: `.invalidInput` for what the engine does not declare or does not take.
  public func apply(to session: Session) throws(HostError) {
    session.bounds = bounds
    session.offset = offset
    session.contentInsets = contentInsets
    session.safeAreaInsets = safeAreaInsets
    session.layoutMargins = layoutMargins
    session.scale = scale
    session.direction = direction
    for name in session.engine.settableParameters.map(\.name) where parameters[name] == nil {
      try session.resetParameter(name)
    }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      try session.setParameter(name, to: value)
    }
    try session.setSections(counts)
    try applyValues(to: session)
    try applyAnswers(to: session)
  }

  /// Gives a session the section and item values, and nothing else.
  func applyValues(to session: Session) throws(HostError) {
    for (name, values) in sectionValues.sorted(by: { $0.key < $1.key }) {
      if let column = values.column { try session.setSectionValues(name, column) }
    }
    for (name, values) in itemValues.sorted(by: { $0.key < $1.key }) {
      if let column = values.column { try session.setItemValues(name, column) }
    }
  }

  private func applyAnswers(to session: Session) throws(HostError) {
    for name in Set(session.engine.chain.flatMap { $0.delegateFunctions.map(\.name) }) {
      try session.setDelegate(name, nil)
    }
    session.measure = nil
    guard !delegate.isEmpty || measure != nil else { return }
    var scenario = Scenario()
    scenario.bounds = bounds
    scenario.scale = scale
    for (name, text) in delegate {
      scenario.delegate[name] = Setting(text: text, source: "delegate.\(name)")
    }
    scenario.measure = measure.map { Setting(text: $0, source: "measure") }
    scenario.content = .sections(counts.map { Scenario.Section(items: $0) })
    try scenario.supplyAnswers(to: session)
  }
}
