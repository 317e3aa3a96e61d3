import TesseraHost
import TestSupport
import Testing

@Suite struct JustifiedTests {
  private static let id = "org.tessera.justified"

  @Test(arguments: 1...80, [false, true])
  func randomLayoutIsPlacedByTheRules(_ seed: UInt64, _ isBalanced: Bool) throws {
    var random = SeededGenerator(seed: seed)
    let rules = JustifiedRules.random(isBalanced: isBalanced, using: &random)
    try check(rules, try ShippedEngines.session(Self.id))
  }

  @Test(arguments: [0.0, -1.5]) func invalidItemIsReportedWithItsPlace(_ ratio: Double) throws {
    for method in ["greedy", "balanced"] {
      let session = try ShippedEngines.session(Self.id)
      try session.setParameter("method", to: .choice(method))
      try session.setSections([1, 3])
      try session.setItemValues("aspectRatio", .numbers([1, 1, ratio, 1]))
      session.expectRefusal(
        "aspectRatio of item 1 in section 1 is \(ratio.shortText); it must be finite and above 0")
    }
  }

  /// Bitwise equal, also where balanced rows break far before the change.
  @Test(arguments: 1...10) func balancedRowsAreContinued(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var ratios = (0..<1500).map { _ in random.pick([1.5, 0.75, 1, 4.0 / 3]) }
    let session = try session(ratios)
    for _ in 0..<6 {
      let item = Int.random(in: 900..<ratios.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: ratios[item] = Double.random(in: 0.3...3, using: &random)
      case 1: ratios.removeSubrange(item...)
      default: ratios += (0..<200).map { _ in random.pick([1.5, 0.75, 1, 4.0 / 3]) }
      }
      try session.setSections([ratios.count])
      try session.setItemValues("aspectRatio", .numbers(ratios))
      let fresh = try self.session(ratios)
      #expect(try Snapshot(session) == Snapshot(fresh))
    }
  }

  private func session(_ ratios: [Double]) throws -> Session {
    let session = try ShippedEngines.session(Self.id)
    session.bounds.width = 700
    try session.set([
      "targetRowHeight": .number(90), "method": .choice("balanced"),
      "minimumInteritemSpacing": .number(0), "minimumLineSpacing": .number(0),
      "sectionInset": .insets(.zero),
    ])
    try session.setSections([ratios.count])
    try session.setItemValues("aspectRatio", .numbers(ratios))
    return session
  }
}

/// Balanced rows try all breaks, so sections must be small.
struct JustifiedRules: EngineRules {
  struct Section {
    var inset = Insets.zero
    var header = 0.0
    var footer = 0.0
    var ratios: [Double] = []
  }

  var bounds = Size(width: 375, height: 667)
  var contentInsets = Insets.zero
  var target = 120.0
  var tolerance = 0.25
  var interitemSpacing = 10.0
  var lineSpacing = 10.0
  var lastRow = "leading"
  var isBalanced = false
  var sections: [Section] = []

  func place() -> Placement {
    let extent = max(0, bounds.width - contentInsets.left - contentInsets.right)
    return Placement(stacking: stacked, in: extent) { number, y in
      frames(of: sections[number], from: y, extent: extent)
    }
  }

  private var stacked: [(header: Double, inset: Insets, footer: Double)] {
    sections.map { ($0.header, $0.inset, $0.footer) }
  }

  private typealias Break = (rows: [Range<Int>], isOpen: Bool)

  private func frames(of section: Section, from start: Double, extent: Double) -> [Rect] {
    let (ratios, inset) = (section.ratios, section.inset)
    let available = max(0, extent - inset.left - inset.right)
    let (rows, isOpen) =
      isBalanced ? balanced(ratios, available) : greedy(ratios, available)
    var frames: [Rect] = []
    var (y, before) = (start, target)
    for row in rows {
      let natural = natural(row, ratios, available)
      var (x, height, scale) = (inset.left, min(max(natural, target / 2), 2 * target), natural)
      if isOpen, row == rows.last, lastRow != "fill" {
        height = min(before, natural)
        scale = height
        let width =
          ratios[row].reduce(0, +) * height + Double(row.count - 1) * interitemSpacing
        let rest = max(0, available - width)
        x += lastRow == "center" ? rest / 2 : lastRow == "trailing" ? rest : 0
      }
      for ratio in ratios[row] {
        frames.append(Rect(x: x, y: y, width: ratio * scale, height: height))
        x += ratio * scale + interitemSpacing
      }
      before = height
      y += height + lineSpacing
    }
    return frames
  }

  private func free(_ count: Int, _ available: Double) -> Double {
    max(0, available - Double(count - 1) * interitemSpacing)
  }

  private func natural(_ row: Range<Int>, _ ratios: [Double], _ available: Double) -> Double {
    free(row.count, available) / ratios[row].reduce(0, +)
  }

  private func greedy(_ ratios: [Double], _ available: Double) -> Break {
    let least = available / target * (1 - tolerance)
    let most = available / target * (1 + tolerance)
    var rows: [Range<Int>] = []
    var first = 0
    var item = 0
    while item < ratios.count {
      let count = item - first + 1
      let sum = ratios[first...item].reduce(0, +)
      let before = sum - ratios[item]
      item += 1
      if sum < least { continue }
      if sum > most, count > 1,
        abs(sum - free(count, available) / target)
          > abs(before - free(count - 1, available) / target)
      {
        item -= 1
      }
      rows.append(first..<item)
      first = item
    }
    guard first < ratios.count else { return (rows, false) }
    return (rows + [first..<ratios.count], true)
  }

  /// The best break: ties within 1e-9 go to fewer rows, then to longer first rows.
  private func balanced(_ ratios: [Double], _ available: Double) -> Break {
    guard !ratios.isEmpty else { return ([], false) }
    var found: [(cost: Double, break: Break)] = []
    for bits in 0..<(1 << (ratios.count - 1)) {
      let ends = (1...ratios.count).filter { $0 == ratios.count || bits >> ($0 - 1) & 1 == 1 }
      let rows = zip([0] + ends, ends).map { $0..<$1 }
      if let cost = cost(of: rows, ratios, available) { found.append(cost) }
    }
    let least = found.map(\.cost).min() ?? 0
    let best = found.filter { $0.cost <= least + 1e-9 }.map(\.break).min { left, right in
      if left.rows.count != right.rows.count { return left.rows.count < right.rows.count }
      return right.rows.map(\.count).lexicographicallyPrecedes(left.rows.map(\.count))
    }
    return best ?? ([], false)
  }

  private func cost(
    of rows: [Range<Int>], _ ratios: [Double], _ available: Double
  ) -> (cost: Double, break: Break)? {
    var cost = 0.0
    for row in rows {
      let height = natural(row, ratios, available)
      if row == rows.last, height >= target { return (cost, (rows, true)) }
      guard row.count == 1 || height >= target / 2 && height <= 2 * target else { return nil }
      cost += (height - target) / target * ((height - target) / target)
    }
    return (cost, (rows, false))
  }

  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.set([
      "targetRowHeight": .number(target), "rowHeightTolerance": .number(tolerance),
      "minimumInteritemSpacing": .number(interitemSpacing),
      "minimumLineSpacing": .number(lineSpacing), "lastRow": .choice(lastRow),
      "method": .choice(isBalanced ? "balanced" : "greedy"),
    ])
    try session.setSections(sections.map(\.ratios.count))
    try session.set(stacked)
    try session.setItemValues("aspectRatio", .numbers(sections.flatMap(\.ratios)))
  }
}

extension JustifiedRules {
  /// Balanced sections have at most 14 items, since all breaks are tried.
  static func random(
    isBalanced: Bool, using random: inout some RandomNumberGenerator
  ) -> JustifiedRules {
    var rules = JustifiedRules()
    rules.isBalanced = isBalanced
    rules.bounds.width = random.number(in: 0...random.pick([100, 1200]))
    rules.contentInsets.left = random.number(in: 0...30)
    rules.target = random.pick([120, 320, Double.random(in: 20...400, using: &random)])
    rules.tolerance = random.pick([0, 0.25, 0.9, Double.random(in: 0...0.9, using: &random)])
    rules.interitemSpacing = random.pick([0, 10, random.number(in: 0...50)])
    rules.lineSpacing = random.pick([0, 10, random.number(in: 0...50)])
    rules.lastRow = random.pick(["leading", "center", "trailing", "fill"])
    let palette = random.pick([[1], [1.5, 1.5, 0.75], []])
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      var section = Section()
      section.inset = random.edges(upTo: 40)
      section.header = random.pick([0, random.number(in: 0...50)])
      section.footer = random.pick([0, random.number(in: 0...50)])
      let most = isBalanced ? random.pick([4, 9, 12]) : random.pick([3, 300])
      section.ratios = (0..<Int.random(in: 0...most, using: &random)).map { _ in
        palette.randomElement(using: &random) ?? Double.random(in: 0.2...4, using: &random)
      }
      rules.sections.append(section)
    }
    return rules
  }
}
