import TesseraHost
import TestSupport
import Testing

@Suite struct EvenFlowTests {
  @Test(arguments: 1...150) func randomLayoutIsPlacedByTheRules(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = EvenFlowRules()
    rules.flow.bounds = random.extent(in: 100...1200)
    rules.flow.contentInsets = random.edges(upTo: 20)
    rules.flow.scale = random.pick([1, 2, 3])
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      var section = FlowRules.Section()
      section.inset = random.edges(upTo: 40)
      section.lineSpacing = random.number(in: 2...30)
      section.interitemSpacing = random.number(in: 0...30)
      section.header = random.pick([.zero, random.extent(in: 0...60)])
      section.footer = random.pick([.zero, random.extent(in: 0...60)])
      let isUniform = Bool.random(using: &random)
      let size = random.extent(in: 3...160)
      section.sizes = (0..<Int.random(in: 0...random.pick([1, 4, 40, 200]), using: &random)).map {
        _ in isUniform ? size : random.extent(in: 3...160)
      }
      rules.flow.sections.append(section)
    }
    try check(rules, try ShippedEngines.session("org.tessera.even-flow"))
  }

  private func check(_ rules: EvenFlowRules, _ session: Session) throws {
    try rules.apply(to: session)
    var expected = rules.places()
    let content = try session.contentSize()
    var cells: [Int: [Rect]] = [:]
    var binders: [Int: Element] = [:]
    for element in try session.elements() {
      let (identity, frame) = (element.identity, element.frame)
      if identity.kind == "binder" {
        binders[identity.section] = element
        continue
      }
      guard let place = expected.removeValue(forKey: identity),
        isMet(place, by: frame), element.zIndex == 0
      else { throw Placement.Deviation("elements lie where the rules say", (rules, element)) }
      if identity.category == .cell { cells[identity.section, default: []].append(frame) }
    }
    guard expected.isEmpty else {
      throw Placement.Deviation("no element is missing", (rules, expected))
    }
    for section in rules.flow.sections.indices {
      let frame = rules.binder(
        ofSection: section, behind: cells[section] ?? [], contentWidth: content.width)
      guard binders[section]?.frame == frame, frame == nil || binders[section]?.zIndex == -1 else {
        throw Placement.Deviation(
          "binders lie behind their sections", (rules, binders[section] as Any))
      }
    }
    let height = rules.flow.place().contentSize.height
    let furthest = cells.values.joined().map(\.maxY).max() ?? 0
    guard content.width == rules.flow.place().contentSize.width,
      abs(content.height - max(height, furthest)) < 1e-6
    else { throw Placement.Deviation("the content ends behind the last element", (rules, content)) }
  }

  /// Edges within 1e-9 of a whole point may round either way.
  private func isMet(_ place: EvenFlowRules.Place, by found: Rect) -> Bool {
    let frame = place.frame
    let numbers = [
      (frame.minX, found.minX, -1.0), (frame.minY, found.minY, -1), (frame.maxX, found.maxX, 1),
      (frame.maxY, found.maxY, 1),
    ]
    return numbers.allSatisfy { expected, found, outward in
      let slack = 1e-9 * max(1, abs(expected))
      guard place.isIntegral else { return abs(expected - found) <= slack }
      let edges = [expected - slack, expected + slack].map {
        outward < 0 ? $0.rounded(.down) : $0.rounded(.up)
      }
      return edges.contains(found)
    }
  }
}

@Suite struct EvenFlowUpdateTests {
  private func tracks(
    _ operations: [UpdateOperation], before: [Int], after: [Int],
    direction: LayoutDirection = .leftToRight
  ) throws -> (tracks: [AnimationTrack], width: Double) {
    let session = try ShippedEngines.session("org.tessera.even-flow")
    session.bounds = Size(width: 768, height: 660)
    session.direction = direction
    try session.setSections(before)
    let batch = try UpdateBatch(operations, before: before, after: after)
    let animation = try session.update(batch) { _ in }
    return (Array(animation.tracks), animation.contentSizeAfter.width)
  }

  private func shift(_ x: Double) -> Transform {
    var transform = Transform.identity
    transform.m41 = x
    return transform
  }

  @Test(arguments: LayoutDirection.allCases)
  func anInsertedSectionComesInFromBothSides(_ direction: LayoutDirection) throws {
    let (tracks, width) = try tracks(
      [.insertSection(1)], before: [3, 2], after: [3, 4, 2], direction: direction)
    let sign: Double = direction == .leftToRight ? 1 : -1
    let appearing = tracks.filter { $0.before == nil }
    #expect(appearing.count == 6 && width == 768)
    for track in appearing {
      #expect(track.from.frame == track.to.frame && track.to.alpha == 1)
      #expect(track.to.transform == .identity)
      switch track.to.identity.category {
      case .cell:
        #expect(track.from.transform == shift(sign * 768) && track.from.alpha == 1)
      case .decoration:
        #expect(track.from.transform == shift(sign * -768) && track.from.alpha == 0)
      case .supplementary:
        #expect(track.from.transform == .identity && track.from.alpha == 0)
      }
    }
  }

  @Test func itemsThatAreInsertedComeInFromTheRight() throws {
    let (tracks, _) = try tracks(
      [.insert(ItemPath(section: 0, item: 1)), .delete(ItemPath(section: 1, item: 0))],
      before: [2, 3], after: [3, 2])
    let appearing = tracks.filter { $0.before == nil }
    #expect(appearing.map(\.to.identity) == [.cell(section: 0, item: 1)])
    #expect(appearing.map(\.from.transform) == [shift(768)])
    let leaving = tracks.filter { $0.after == nil }
    #expect(leaving.map(\.to.alpha) == [0] && leaving.map(\.to.transform) == [.identity])
  }
}

/// Over FlowRules.
///
/// Lines must be more than a pixel apart.
struct EvenFlowRules {
  var flow = FlowRules()

  struct Place {
    var frame: Rect
    var zIndex = 0
    var isIntegral = false
  }

  func places() -> [ElementIdentity: Place] {
    let placement = flow.place()
    var places: [ElementIdentity: Place] = [:]
    for entry in placement.entries { places[entry.identity] = Place(frame: entry.frame) }
    for (number, section) in flow.sections.enumerated() {
      let entries = placement.entries.filter {
        $0.identity.section == number && $0.identity.category == .cell
      }
      let width = placement.contentSize.width - section.inset.left - section.inset.right
      // Before rounding, the cells of a line share a centre.
      var lines: [[Placement.Entry]] = []
      for entry in entries {
        if let last = lines.last?.last, abs(last.frame.midY - entry.frame.midY) < 1e-6 {
          lines[lines.count - 1].append(entry)
        } else {
          lines.append([entry])
        }
      }
      for line in lines {
        let f = width / (2 * Double(line.count))
        for (j, entry) in line.enumerated() {
          var frame = entry.frame
          let centre = section.inset.left + f + 2 * f * Double(j)
          frame.x = centre - frame.width / 2
          frame.y = (frame.y * flow.scale + 0.5).rounded(.down) / flow.scale
          places[entry.identity] = Place(frame: frame, isIntegral: true)
        }
      }
    }
    return places
  }

  func binder(ofSection section: Int, behind cells: [Rect], contentWidth: Double) -> Rect? {
    let header = flow.sections[section].header.height
    guard header > 0, var tallest = cells.first else { return nil }
    for cell in cells where cell.height > tallest.height { tallest = cell }
    let height = tallest.height + header
    return Rect(
      x: 0, y: tallest.y + tallest.height / 2 - height / 2, width: contentWidth, height: height)
  }

  func apply(to session: Session) throws { try flow.applyValues(to: session) }
}
