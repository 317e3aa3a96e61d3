import TesseraGeometry
import TesseraHost
import TesseraScenario

/// All that a layout is made for, as plain data: what a case examines an engine with, and what a
/// failure is shrunk to.
///
/// It starts as what a scenario starts from: bounds 375×667, scale 2, one section of 20 items, and
/// everything else as the engine has it.
public struct Sample: Hashable, Sendable {
  /// The viewport's size in points.
  public var bounds = Size(width: 375, height: 667)
  /// Where the viewport is scrolled to.
  public var offset = Point.zero
  /// What lies around the content inside the bounds.
  public var contentInsets = Insets.zero
  /// How far the display's unsafe edges reach into the bounds.
  public var safeAreaInsets = Insets.zero
  /// How far content should keep from the edges of the bounds.
  public var layoutMargins = Insets.zero
  /// Device pixels a point.
  public var scale = 2.0
  /// Which way the content reads.
  public var direction = LayoutDirection.leftToRight
  /// The item count of each section.
  public var counts = [20]
  /// Parameters by name; those left out are as they start.
  public var parameters: [String: Value] = [:]
  /// Section values by name.
  public var sectionValues: [String: SampleColumn] = [:]
  /// Item values by name, for the items of all sections one after the other.
  public var itemValues: [String: SampleColumn] = [:]
  /// What answers delegate functions by name: expressions as a scenario has them.
  public var delegate: [String: String] = [:]
  /// What every item measures, two expressions with a comma, or nil.
  public var measure: String?

  /// The sample that everything starts from.
  public init() {}

  /// The sample that everything starts from, of other item counts.
  public init(counts: [Int]) { self.counts = counts }

  /// How many items there are in all sections.
  public var itemCount: Int { counts.reduce(0, +) }

  /// What an engine may fill without scrolling: the bounds less the content insets.
  public var extent: Size {
    Size(
      width: max(0, bounds.width - contentInsets.left - contentInsets.right),
      height: max(0, bounds.height - contentInsets.top - contentInsets.bottom))
  }
}

/// The values of all sections or items of a sample: one for all, or one for each.
public enum SampleColumn: Hashable, Sendable {
  /// The same value for all.
  case constant(Value)
  /// A value for each.
  case each([Value])

  /// As a session takes it; nil where the values are not all of one type.
  var column: ValueColumn? {
    switch self {
    case .constant(let value): return .constant(value)
    case .each(let values): return ValueColumn(values)
    }
  }
}

extension ValueColumn {
  /// A column of values of one type; nil where they are not.
  fileprivate init?(_ values: [Value]) {
    guard let type = values.first?.type else { return nil }
    func all<Item>(_ item: (Value) -> Item?) -> [Item]? {
      let items = values.compactMap(item)
      return items.count == values.count ? items : nil
    }
    let column: ValueColumn? =
      switch type {
      case .bool:
        all { if case .bool(let value) = $0 { value } else { nil } }.map { .bools($0) }
      case .integer:
        all { if case .integer(let value) = $0 { value } else { nil } }.map { .integers($0) }
      case .number:
        all { if case .number(let value) = $0 { value } else { nil } }.map { .numbers($0) }
      case .choice:
        all { if case .choice(let value) = $0 { value } else { nil } }.map { .choices($0) }
      case .point:
        all { if case .point(let value) = $0 { value } else { nil } }.map { .points($0) }
      case .size:
        all { if case .size(let value) = $0 { value } else { nil } }.map { .sizes($0) }
      case .rect:
        all { if case .rect(let value) = $0 { value } else { nil } }.map { .rects($0) }
      case .insets:
        all { if case .insets(let value) = $0 { value } else { nil } }.map { .insets($0) }
      }
    guard let column else { return nil }
    self = column
  }
}

extension Sample {
  /// The first items alone, with the values that they have; sections behind them are gone.
  func prefix(items count: Int) -> Sample {
    var result = self
    result.counts = []
    for section in counts where result.itemCount < count {
      result.counts.append(min(section, count - result.itemCount))
    }
    result.sectionValues = sectionValues.compactMapValues {
      $0.dealt(to: result.counts.count)
    }
    result.itemValues = itemValues.compactMapValues { $0.dealt(to: result.itemCount) }
    return result
  }

  /// The same for other item counts; values that each section or item has of its own are dealt out
  /// again from the first, in turn.
  func with(counts: [Int]) -> Sample {
    var result = self
    result.counts = counts
    result.sectionValues = sectionValues.compactMapValues { $0.dealt(to: counts.count) }
    result.itemValues = itemValues.compactMapValues { $0.dealt(to: result.itemCount) }
    return result
  }
}

extension SampleColumn {
  /// The values for so many places, again from the first where there are more places than values.
  ///
  /// Nil where there is no value to give.
  fileprivate func dealt(to count: Int) -> SampleColumn? {
    guard case .each(let values) = self else { return self }
    guard !values.isEmpty, count > 0 else { return nil }
    return .each((0..<count).map { values[$0 % values.count] })
  }
}

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

extension Sample {
  /// What `apply(to:)` sets in a session that nothing was set in, as calls.
  public var calls: [SessionCall] {
    var calls: [SessionCall] = [
      .bounds(bounds), .offset(offset), .contentInsets(contentInsets),
      .safeAreaInsets(safeAreaInsets), .layoutMargins(layoutMargins), .scale(scale),
      .direction(direction),
    ]
    calls += parameters.sorted { $0.key < $1.key }.map { .parameter($0.key, $0.value) }
    calls.append(.sections(counts))
    for (name, values) in sectionValues.sorted(by: { $0.key < $1.key }) {
      if let column = values.column { calls.append(.sectionValues(name, column)) }
    }
    for (name, values) in itemValues.sorted(by: { $0.key < $1.key }) {
      if let column = values.column { calls.append(.itemValues(name, column)) }
    }
    calls += delegate.sorted { $0.key < $1.key }.map { .delegate($0.key, .string($0.value)) }
    if let measure { calls.append(.measure(.string(measure))) }
    return calls
  }
}
