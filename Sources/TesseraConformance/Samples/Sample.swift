import TesseraGeometry
import TesseraHost
import TesseraScenario

/// The complete input of a layout, as plain data that can be generated and shrunk.
///
/// The default sample equals the default scenario: bounds 375×667, scale 2, one section of 20 items,
/// and the engine's defaults for everything else.
public struct Sample: Hashable, Sendable {
  /// The viewport's size in points.
  public var bounds = Size(width: 375, height: 667)
  /// Where the viewport is scrolled to.
  public var offset = Point.zero
  /// The insets around the content, inside the bounds.
  public var contentInsets = Insets.zero
  /// How far the unsafe edges of the display reach into the bounds.
  public var safeAreaInsets = Insets.zero
  /// How far content should keep from the edges of the bounds.
  public var layoutMargins = Insets.zero
  /// Device pixels per point.
  public var scale = 2.0
  /// The direction in which the content is read.
  public var direction = LayoutDirection.leftToRight
  /// The item count of each section.
  public var counts = [20]
  /// Parameters by name; others have their initial values.
  public var parameters: [String: Value] = [:]
  /// Section values by name.
  public var sectionValues: [String: SampleColumn] = [:]
  /// Item values by name, for the items of all sections in sequence.
  public var itemValues: [String: SampleColumn] = [:]
  /// Delegate functions by name, as expressions in a scenario's syntax.
  public var delegate: [String: String] = [:]
  /// The measured size of every item, as two expressions with a comma, or nil.
  public var measure: String?

  /// The default sample.
  public init() {}

  /// The default sample with other item counts.
  public init(counts: [Int]) { self.counts = counts }

  /// The number of items in all sections.
  public var itemCount: Int { counts.reduce(0, +) }

  /// The size that an engine can fill without scrolling: the bounds minus the content insets.
  public var extent: Size {
    Size(
      width: max(0, bounds.width - contentInsets.left - contentInsets.right),
      height: max(0, bounds.height - contentInsets.top - contentInsets.bottom))
  }
}

/// The values of all sections or items of a sample: the same value for all, or one for each.
public enum SampleColumn: Hashable, Sendable {
  /// The same value for all.
  case constant(Value)
  /// A value for each.
  case each([Value])

  /// The column for a session; nil if the values are not all of one type.
  var column: ValueColumn? {
    switch self {
    case .constant(let value): return .constant(value)
    case .each(let values): return ValueColumn(values)
    }
  }
}

extension ValueColumn {
  /// A column of values of one type; nil if the values have different types.
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
  /// Only the first items, with their values; later sections are removed.
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

  /// The sample with other item counts; separate values of sections and items are dealt out again in
  /// order.
  func with(counts: [Int]) -> Sample {
    var result = self
    result.counts = counts
    result.sectionValues = sectionValues.compactMapValues { $0.dealt(to: counts.count) }
    result.itemValues = itemValues.compactMapValues { $0.dealt(to: result.itemCount) }
    return result
  }
}

extension SampleColumn {
  /// The values for so many places, repeated from the first if there are more places than values.
  ///
  /// Nil if there are no values.
  fileprivate func dealt(to count: Int) -> SampleColumn? {
    guard case .each(let values) = self else { return self }
    guard !values.isEmpty, count > 0 else { return nil }
    return .each((0..<count).map { values[$0 % values.count] })
  }
}

extension Sample {
  /// Applies the sample to a session, and resets parameters and delegate functions of other samples.
  ///
  /// - Throws: `.invalidInput` for anything that the engine does not declare or accept.
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
    try applyDelegate(to: session)
  }

  /// Applies only the section and item values to a session.
  func applyValues(to session: Session) throws(HostError) {
    for (name, values) in sectionValues.sorted(by: { $0.key < $1.key }) {
      if let column = values.column { try session.setSectionValues(name, column) }
    }
    for (name, values) in itemValues.sorted(by: { $0.key < $1.key }) {
      if let column = values.column { try session.setItemValues(name, column) }
    }
  }

  private func applyDelegate(to session: Session) throws(HostError) {
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
  /// The calls that `apply(to:)` makes on a new session.
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
