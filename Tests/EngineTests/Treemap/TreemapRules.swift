import TesseraGeometry
import TesseraHost

/// The rules of the treemap engine as they are written down, by recursion, with edges instead of
/// lengths, and every choice made by trying all.
struct TreemapRules {
  enum Tiling: String, CaseIterable { case squarified, binary, slice, dice, sliceDice }

  struct Item {
    var weight = 1.0
    var parent = -1
  }

  var bounds = Size(width: 320, height: 480)
  var contentInsets = Insets.zero
  var tiling = Tiling.squarified
  var ratio = (1 + 5.0.squareRoot()) / 2
  var paddingInner = 0.0
  var paddingOuter = 0.0
  var paddingTop = 0.0
  var sectionHeaderHeight = 0.0
  var sections: [[Item]] = []

  /// Edges.
  struct Box {
    var x0, y0, x1, y1: Double

    var rect: Rect { Rect(x: x0, y: y0, width: x1 - x0, height: y1 - y0) }
    var origin: Box { Box(x0: x0, y0: y0, x1: x0, y1: y0) }

    /// The box less its edges; a side that turns inside out is its middle, within other edges.
    func less(_ top: Double, _ left: Double, _ bottom: Double, _ right: Double, within other: Box)
      -> Box
    {
      var result = Box(x0: x0 + left, y0: y0 + top, x1: x1 - right, y1: y1 - bottom)
      if result.x1 < result.x0 {
        let middle = min(max((result.x0 + result.x1) / 2, other.x0), other.x1)
        (result.x0, result.x1) = (middle, middle)
      }
      if result.y1 < result.y0 {
        let middle = min(max((result.y0 + result.y1) / 2, other.y0), other.y1)
        (result.y0, result.y1) = (middle, middle)
      }
      return result
    }
  }

  func place() -> Placement {
    var placement = Placement()
    let extent = Size(
      width: max(0, bounds.width - contentInsets.left - contentInsets.right),
      height: max(0, bounds.height - contentInsets.top - contentInsets.bottom))
    placement.contentSize = extent
    let all = Box(x0: 0, y0: 0, x1: extent.width, y1: extent.height)
    let totals = sections.indices.map { section in
      children(of: -1, in: section).map { total(of: $0, in: section) }.reduce(0, +)
    }
    let boxes =
      totals.count { $0 > 0 } == 1
      ? totals.map { $0 > 0 ? all : all.origin } : tile(totals, all, depth: 0)
    for (section, box) in boxes.enumerated() {
      var box = box
      let header = min(sectionHeaderHeight, box.y1 - box.y0)
      if header > 0 {
        placement.entries.append(
          Placement.Entry(
            identity: ElementIdentity(
              category: .supplementary, kind: "header", section: section, item: 0),
            frame: Rect(x: box.x0, y: box.y0, width: box.x1 - box.x0, height: header)))
        box.y0 += header
      }
      place(childrenOf: -1, in: section, box, depth: 1, &placement)
    }
    return placement
  }

  private func place(
    childrenOf parent: Int, in section: Int, _ box: Box, depth: Int, _ placement: inout Placement
  ) {
    let items = children(of: parent, in: section)
    let boxes = tile(items.map { total(of: $0, in: section) }, box, depth: depth)
    for (item, box) in zip(items, boxes) {
      placement.entries.append(
        Placement.Entry(identity: .cell(section: section, item: item), frame: box.rect))
      let inner = box.less(
        max(paddingOuter, paddingTop), paddingOuter, paddingOuter, paddingOuter, within: box)
      place(childrenOf: item, in: section, inner, depth: depth + 1, &placement)
    }
  }

  func children(of parent: Int, in section: Int) -> [Int] {
    sections[section].indices.filter { sections[section][$0].parent == parent }
  }

  func total(of item: Int, in section: Int) -> Double {
    children(of: item, in: section).map { total(of: $0, in: section) }
      .reduce(sections[section][item].weight, +)
  }

  /// How many are above an item, itself included.
  func depth(of item: Int, in section: Int) -> Int {
    let parent = sections[section][item].parent
    return parent < 0 ? 1 : depth(of: parent, in: section) + 1
  }

  private func tile(_ totals: [Double], _ box: Box, depth: Int) -> [Box] {
    let half = paddingInner / 2
    let grown = Box(x0: box.x0 - half, y0: box.y0 - half, x1: box.x1 + half, y1: box.y1 + half)
    var result = totals.map { _ in box.origin }
    let filled = totals.indices.filter { totals[$0] > 0 }
    let weights = filled.map { totals[$0] }
    let tiles =
      switch tiling {
      case .squarified: squarified(weights, grown)
      case .binary: binary(weights, grown)
      case .slice: stacked(weights, grown)
      case .dice: beside(weights, grown)
      case .sliceDice: depth % 2 == 1 ? stacked(weights, grown) : beside(weights, grown)
      }
    for (index, tile) in zip(filled, tiles) {
      result[index] = half > 0 ? tile.less(half, half, half, half, within: box) : tile
    }
    return result
  }

  private func beside(_ weights: [Double], _ box: Box) -> [Box] {
    let sum = weights.reduce(0, +)
    var before = 0.0
    return weights.map { weight in
      var part = box
      part.x0 = box.x0 + (box.x1 - box.x0) * before / sum
      before += weight
      part.x1 = box.x0 + (box.x1 - box.x0) * before / sum
      return part
    }
  }

  private func stacked(_ weights: [Double], _ box: Box) -> [Box] {
    func turned(_ box: Box) -> Box { Box(x0: box.y0, y0: box.x0, x1: box.y1, y1: box.x1) }
    return beside(weights, turned(box)).map(turned)
  }

  private func squarified(_ weights: [Double], _ box: Box) -> [Box] {
    guard !weights.isEmpty else { return [] }
    let (width, height) = (box.x1 - box.x0, box.y1 - box.y0)
    let all = weights.reduce(0, +)
    func worst(_ count: Int) -> Double {
      let row = weights.prefix(count)
      let alpha = max(height / width, width / height) / (all * ratio)
      let square = row.reduce(0, +) * row.reduce(0, +) * alpha
      guard width > 0, height > 0 else { return .infinity }
      return max((row.max() ?? 0) / square, square / (row.min() ?? 0))
    }
    var count = 1
    while count < weights.count, !(worst(count + 1) > worst(count)) { count += 1 }
    let (row, rest) = (Array(weights.prefix(count)), Array(weights.dropFirst(count)))
    let part = row.reduce(0, +) / all
    var (near, far) = (box, box)
    if width < height {
      near.y1 = rest.isEmpty ? box.y1 : box.y0 + height * part
      far.y0 = near.y1
      return beside(row, near) + squarified(rest, far)
    }
    near.x1 = rest.isEmpty ? box.x1 : box.x0 + width * part
    far.x0 = near.x1
    return stacked(row, near) + squarified(rest, far)
  }

  private func binary(_ weights: [Double], _ box: Box) -> [Box] {
    guard weights.count > 1 else { return weights.map { _ in box } }
    let all = weights.reduce(0, +)
    func distance(_ count: Int) -> Double {
      (weights.prefix(count).reduce(0, +) - all / 2).magnitude
    }
    var count = 1
    for other in 2..<max(2, weights.count) where distance(other) <= distance(count) {
      count = other
    }
    let (left, right) = (Array(weights.prefix(count)), Array(weights.dropFirst(count)))
    let sums = [left.reduce(0, +), right.reduce(0, +)]
    let halves =
      box.x1 - box.x0 > box.y1 - box.y0 ? beside(sums, box) : stacked(sums, box)
    return binary(left, halves[0]) + binary(right, halves[1])
  }

  /// Gives a session of the engine what the rules are followed for.
  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    try session.setParameter("tiling", to: .choice(tiling.rawValue))
    try session.setParameter("ratio", to: .number(ratio))
    try session.setParameter("paddingInner", to: .number(paddingInner))
    try session.setParameter("paddingOuter", to: .number(paddingOuter))
    try session.setParameter("paddingTop", to: .number(paddingTop))
    try session.setParameter("sectionHeaderHeight", to: .number(sectionHeaderHeight))
    try session.setSections(sections.map(\.count))
    let items = sections.flatMap { $0 }
    try session.setItemValues("weight", .numbers(items.map(\.weight)))
    try session.setItemValues(
      "parent", ValueColumn(items.map { .integer(Int64($0.parent)) }, type: .integer))
  }
}
