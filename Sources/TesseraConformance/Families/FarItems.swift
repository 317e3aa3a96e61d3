import TesseraGeometry
import TesseraHost

/// Items around powers of two reveal integers with too few bits.
@Sendable func farItemsAgree(_ trial: Trial) throws {
  guard try trial.sample.itemCount <= 1_000_003 || trial.preparesInConstantTime() else { return }
  let session = try trial.session()
  let rowLimit = session.rowLimit
  session.rowLimit = 4096
  defer { session.rowLimit = rowLimit }
  let content = try session.contentSize()
  var far: [Element] = []
  for (section, count) in trial.sample.counts.enumerated() {
    for item in trial.chosenItems(among: count) where trial.hasTime {
      let element = try trial.lookUp(section, item)
      try trial.requireInContent(element, content)
      try trial.checkNeighbourhood(of: element)
      far.append(element)
    }
  }
  try trial.requirePrecision(far, content)
}

/// The most rows to read from an oversized answer.
private let farRows = 2_000_000

/// Longer lengths need more digits than a float has.
private let longForFloat = 67_108_864.0

extension Trial {
  fileprivate func preparesInConstantTime() throws -> Bool {
    func time(_ count: Int, below limit: Double) throws -> Double {
      let session = try freshSession(for: LayoutInput(counts: [count]))
      let calls = CallLog()
      session.trace = { calls.append($0) }
      defer { session.trace = nil }
      var least = Double.infinity
      // Noise only adds time, hence the minimum.
      for step in 0..<20 where least > limit {
        session.bounds.width = 375 + Double(step)
        calls.clear()
        _ = try session.contentSize()
        if calls.hasPrepared { least = min(least, calls.microseconds(of: "prepare")) }
      }
      return least
    }
    let limit = try 2 * time(10, below: 50) + 150
    return try time(1_000_000, below: limit) <= limit
  }

  /// Items at both ends, in the middle, and around the limits of 8, 16, 24, 31 and 32 bits.
  fileprivate func chosenItems(among count: Int) -> [Int] {
    guard count > 0 else { return [] }
    var items = [0, 1, count / 2, count - 2, count - 1]
    for power in [8, 16, 24, 31, 32] { items += [1 << power - 1, 1 << power] }
    for _ in 0..<8 { items.append(Int.random(in: 0..<count, using: &random)) }
    return Set(items).filter { (0..<count).contains($0) }.sorted()
  }

  func lookUp(_ section: Int, _ item: Int) throws -> Element {
    let identity = ElementIdentity.cell(section: section, item: item)
    guard let element = try session().element(identity) else {
      throw Violation(expected: "\(identity)", found: "nothing when looked up alone")
    }
    return element
  }

  fileprivate func requireInContent(_ element: Element, _ content: Size) throws {
    guard try !engine.hasNegativeLength(in: sample) else { return }
    let (frame, extent) = (element.frame, sample.extent)
    func holds(_ low: Double, _ high: Double, _ end: Double, _ extent: Double) -> Bool {
      let slack = 0.5 / sample.scale + 1e-6 + 4 * end.ulp
      return end <= extent || low >= -slack && high <= end + slack
    }
    try require(
      holds(frame.minX, frame.maxX, content.width, extent.width)
        && holds(frame.minY, frame.maxY, content.height, extent.height),
      expected: "\(element.identity) within the content size \(Value.size(content))",
      found: "its frame \(frame.text)")
  }

  fileprivate func checkNeighbourhood(of element: Element) throws {
    let (frame, identity) = (element.frame, element.identity)
    guard frame.width > 0, frame.height > 0, frame.x + frame.width / 4 > frame.x,
      frame.y + frame.height / 4 > frame.y
    else { return }
    let count = sample.counts[identity.section]
    let neighbours = try (identity.item - 2...identity.item + 2)
      .filter { (0..<count).contains($0) }.map { try lookUp(identity.section, $0) }
    for rect in [
      Rect(
        x: frame.x + frame.width / 4, y: frame.y + frame.height / 4, width: frame.width / 2,
        height: frame.height / 2),
      Rect(
        x: frame.x - 37.3, y: frame.y - 37.3, width: frame.width + 74.6,
        height: frame.height + 74.6),
    ] + frame.strips {
      // A rect may match more elements than fit into an answer.
      guard let found = try answer(around: rect) else { continue }
      let cells = found.filter { $0.identity.category == .cell }
      for neighbour in neighbours
      where rect.isThin ? neighbour.frame.intersects(rect) : neighbour.frame.clearlyMeets(rect) {
        let returned = cells.first { $0.identity == neighbour.identity }
        try require(
          returned == neighbour,
          expected: "\(neighbour.identity) at \(neighbour.frame.text) in the rect \(rect.text), as "
            + "when looked up alone",
          found: returned.map { $0.differing(from: neighbour) }
            ?? "\(found.count) elements without it")
      }
      for cell in cells.prefix(12) {
        let alone = try lookUp(cell.identity.section, cell.identity.item)
        try require(
          alone == cell,
          expected: "in the rect \(rect.text) \(alone.differing(from: cell)), as when looked up "
            + "alone", found: cell.differing(from: alone))
      }
    }
  }

  private func answer(around rect: Rect) throws -> Elements? {
    let session = try session()
    let few = session.rowLimit
    do throws(HostError) { return try session.elements(in: rect) } catch {
      guard error.kind == .invalidInput else { throw error }
    }
    session.rowLimit = farRows
    defer { session.rowLimit = few }
    guard let all = try? session.elements(in: rect), all.count <= few else { return nil }
    throw Violation(
      expected: "\(all.count) elements for the rect \(rect.text), which they intersect",
      found: "more than \(few) elements, of which the host drops those outside the rect",
      remedy:
        "In elements_in_rect, calculate or search for the first line that reaches into the rect")
  }

  /// Throws if every distant position fits in a float, which means lost precision.
  fileprivate func requirePrecision(_ elements: [Element], _ content: Size) throws {
    func isLost(_ lengths: [Double]) -> Bool {
      let long = Set(lengths.filter { $0.magnitude > longForFloat })
      return long.count >= 6 && long.allSatisfy { Double(Float($0)) == $0 }
    }
    let frames = elements.map(\.frame)
    guard isLost(frames.map(\.x)) || isLost(frames.map(\.y)),
      let last = elements.last(where: { max($0.frame.x, $0.frame.y) > longForFloat })
    else { return }
    throw Violation(
      expected: "positions with the precision of double",
      found: "\(last.identity) at \(last.frame.text), where every position has that of a float")
  }
}

extension Rect {
  fileprivate var strips: [Rect] {
    let (right, bottom) = (maxX.nextDown, maxY.nextDown)
    return [
      Rect(x: x, y: y, width: width / 2, height: y.nextUp - y),
      Rect(x: x, y: bottom, width: width / 2, height: maxY - bottom),
      Rect(x: right, y: y, width: maxX - right, height: height / 2),
    ]
  }

  fileprivate var isThin: Bool { min(width, height) < 1e-3 }

  fileprivate func clearlyMeets(_ other: Rect) -> Bool {
    let slack = 1e-3 + 8 * max(maxX.magnitude, maxY.magnitude).ulp
    return minX + slack < other.maxX && other.minX + slack < maxX && minY + slack < other.maxY
      && other.minY + slack < maxY
  }
}
