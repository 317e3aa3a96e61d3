import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

/// The laws at the ends of what a layout may be given: no items and very many, bounds of nothing and
/// very large ones, parameters at their limits.
@Suite struct ExtremeTests {
  private static let bounds = [
    Size.zero, Size(width: 1, height: 1), Size(width: 375, height: 0), Size(width: 0, height: 667),
    Size(width: 1e-9, height: 1e-9), Size(width: 1e7, height: 1e7),
    Size(width: 375, height: 1e7), Size(width: 1e7, height: 667),
  ]

  @Test(arguments: ShippedEngines.ids)
  func anyBoundsAndCountsGiveALayout(_ id: String) throws {
    let engine = try ShippedEngines.host.engine(id)
    let session = try Session(engine)
    for count in [0, 1, 2, 3, 10, 1000] {
      for bounds in Self.bounds + [Size(width: 375, height: 667)] {
        var given = LayoutCase()
        given.bounds = bounds
        given.counts = [count]
        try check(session, given)
      }
    }
  }

  @Test(arguments: ShippedEngines.ids)
  func aHundredThousandItemsGiveALayout(_ id: String) throws {
    var given = LayoutCase()
    given.counts = [50_000, 1, 49_999]
    let session = try given.session(of: ShippedEngines.host.engine(id))
    let elements = try session.elements()
    #expect(elements.lazy.filter { $0.identity.category == .cell }.count == 100_000)
    let content = try session.contentSize()
    var random = SeededGenerator(seed: 1)
    // A filter by hand, over the frames alone: there are many.
    for _ in 0..<10 {
      let rect = Rect(
        x: random.number(in: 0...content.width), y: random.number(in: 0...content.height),
        width: 300, height: 300)
      let expected = elements.indices.filter { elements.frame(at: $0).intersects(rect) }
      let found = try session.elements(in: rect)
      #expect(found.map(\.identity) == expected.map { elements.identity(at: $0) }, "\(rect)")
    }
    for place in (0..<100).map({ _ in Int.random(in: elements.indices, using: &random) }) {
      #expect(try session.element(elements.identity(at: place)) == elements[place])
    }
  }

  @Test(arguments: ShippedEngines.ids)
  func emptySectionsLieAnywhere(_ id: String) throws {
    let session = try ShippedEngines.session(id)
    for counts in (0...4).flatMap({ lists(of: [0, 1, 3], count: $0) }) {
      var given = LayoutCase()
      given.counts = counts
      try check(session, given)
    }
    var given = LayoutCase()
    given.counts = Array(repeating: 0, count: 1000) + [1]
    try check(session, given)
  }

  @Test(arguments: ShippedEngines.ids)
  func insetsLargerThanTheBoundsProduceALayout(_ id: String) throws {
    let session = try ShippedEngines.session(id)
    for edge in [-500.0, 400, 1e9] {
      var given = LayoutCase()
      given.contentInsets = Insets(top: edge, left: edge, bottom: edge, right: edge)
      given.safeAreaInsets = given.contentInsets
      try check(session, given)
      given.contentInsets = .zero
      given.layoutMargins = given.safeAreaInsets
      try check(session, given)
    }
  }

  /// A value at a limit gives a layout or is refused; nothing else happens.
  @Test(arguments: ShippedEngines.ids)
  func parametersAtTheirLimitsGiveALayoutOrAreRefused(_ id: String) throws {
    let session = try ShippedEngines.session(id)
    var laidOut = 0
    for parameter in session.engine.settableParameters {
      for value in Self.limits(of: parameter) {
        for counts in [[0], [1], [7, 0, 5]] {
          var given = LayoutCase()
          given.counts = counts
          given.parameters = [parameter.name: value]
          laidOut += try checkUnlessRefused(session, given) ? 1 : 0
        }
      }
    }
    #expect(laidOut > 0)
  }

  @Test(arguments: ShippedEngines.ids, UInt64(1)...40)
  func extremeParametersTogetherGiveALayoutOrAreRefused(_ id: String, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let session = try ShippedEngines.session(id)
    var given = LayoutCase()
    given.bounds = random.pick(Self.bounds)
    given.counts = random.pick([[1], [20], [7, 0, 5]])
    for parameter in session.engine.settableParameters {
      given.parameters[parameter.name] = random.pick(Self.limits(of: parameter))
    }
    _ = try checkUnlessRefused(session, given)
  }

  private func check(_ session: Session, _ given: LayoutCase) throws {
    try given.apply(to: session)
    let elements = try session.elements()
    try Laws.checkItems(elements, given.counts)
    let content = try session.contentSize()
    #expect(content.isFinite && content.width >= 0 && content.height >= 0)
    try Laws.checkQuery(session, session.visibleRect, Array(elements))
  }

  /// Whether a layout came about; a refusal must name a parameter or value that was given.
  private func checkUnlessRefused(_ session: Session, _ given: LayoutCase) throws -> Bool {
    do { try check(session, given) } catch let error as HostError {
      #expect(error.kind == .refused, "\(given.parameters): \(error)")
      let names = session.engine.settableParameters.map(\.name)
      let isNamed = (names + session.engine.settableValues.map(\.name)).contains {
        error.message.contains($0)
      }
      #expect(isNamed || error.message.contains("item"), "\(given.parameters): \(error)")
      return false
    }
    return true
  }

  /// Values at the ends of what a parameter allows, and about them.
  private static func limits(of parameter: ParameterDescription) -> [Value] {
    if parameter.type == .bool { return [.bool(false), .bool(true)] }
    if parameter.type == .choice { return parameter.choices.map { .choice($0) } }
    let wanted = [0, 1, -1, 0.5, 1e-300, 1e-9, 1e9, -1e9, 1e18, 1e300, -1e300]
    var values = [parameter.initial]
    for index in parameter.minimum.indices {
      let limits = [parameter.minimum[index], parameter.maximum[index]].filter(\.isFinite)
      for number in wanted + limits {
        var numbers = parameter.initial.numbers
        numbers[index] = min(max(number, parameter.minimum[index]), parameter.maximum[index])
        values += [Value(type: parameter.type, numbers: numbers)].compactMap(\.self)
      }
    }
    return values
  }
}
