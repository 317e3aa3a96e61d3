import TesseraSDK

/// One repetition of a root group in which items are measured.
///
/// A measured item is as long as it measured, its insets added, where its node is estimated. A group
/// whose length is estimated too is then as long as its children need, and children that are estimated
/// across such a group all get the length of the longest. Fractions are those of estimates.
struct MeasuredGroup {
  let template: Template
  /// The sizes of the section's items; an item without one has the size 0×0.
  let sizes: MeasuredSizes
  /// The frames of the items, relative to the group.
  private(set) var leaves: [Rect] = []
  /// The badges and separators.
  private(set) var marks: [Mark] = []
  /// The section's next item.
  private var next = 0

  init(_ template: Template, _ sizes: MeasuredSizes) {
    self.template = template
    self.sizes = sizes
  }

  /// Lays out the group with the items from one on, and returns its size.
  mutating func place(from item: Int) -> Size {
    leaves.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: true)
    next = item
    // The item after the last one could be too long to fit until it is measured.
    let items = item..<min(sizes.count, item + template.leaves.count + 1)
    guard items.contains(where: { sizes[$0] != nil }) else {
      leaves += template.leaves
      marks += template.marks.joined()
      return template.size
    }
    return place(0, share: nil, at: .zero).size
  }

  /// A node in its place.
  private struct Placed {
    var size: Size
    /// Whether an item in it was measured, in each dimension.
    var isWide = false
    var isHigh = false
  }

  /// Places a node with all nodes in it.
  ///
  /// - Parameter share: Whether its group gives it its width or its height.
  private mutating func place(
    _ place: Int, share: (isWidth: Bool, isHeight: Bool)?, at origin: Point
  ) -> Placed {
    let node = template.nodes[place]
    let origin = origin.moved(by: node.edges.corner)
    var placed = Placed(size: template.sizes[place])
    let isWide = node.widthIs == .estimated && share?.isWidth != true
    let isHigh = node.heightIs == .estimated && share?.isHeight != true
    guard !node.isItem else {
      if next < sizes.count, let size = sizes[next] {
        if isWide { placed.size.width = size.width + node.insets.length(horizontally: true) }
        if isHigh { placed.size.height = size.height + node.insets.length(horizontally: false) }
        (placed.isWide, placed.isHigh) = (isWide, isHigh)
      }
      next += 1
      leaves.append(Rect(origin: origin, size: placed.size).inset(by: node.insets))
      marks += node.marks(on: leaves.last!, leaves.count - 1..<leaves.count)
      placed.size = node.slot(placed.size)
      return placed
    }
    let (sequence, isHorizontal) = (template.sequences[place], node.isHorizontal)
    let (along, across) = isHorizontal ? (isWide, isHigh) : (isHigh, isWide)
    let room = placed.size.inset(by: node.insets).length(horizontally: isHorizontal)
    let (start, firstLeaf) = (origin.moved(by: node.insets.corner), leaves.count)
    let share = node.count > 0 ? (isWidth: isHorizontal, isHeight: !isHorizontal) : nil
    let isFixed = along || node.count > 0
    /// The first leaves and marks of the children.
    var firstLeaves: [(leaf: Int, mark: Int)] = []
    var (total, offset, longest, round) = (0.0, 0.0, 0.0, 0.0)
    while next < sizes.count {
      let count = firstLeaves.count
      guard count < sequence.count || !isFixed else { break }
      if count > 0, count % node.children.count == 0 {
        guard isFixed || round > Template.tolerance else { break }
        round = 0
      }
      let child = node.children.lowerBound + count % node.children.count
      let before = (leaf: leaves.count, mark: marks.count, next: next)
      let found = self.place(
        child, share: share, at: start.moved(by: offset, horizontally: isHorizontal))
      let length = found.size.length(horizontally: isHorizontal)
      if !isFixed, count > 0, offset + length > room + Template.tolerance {
        leaves.removeLast(leaves.count - before.leaf)
        marks.removeLast(marks.count - before.mark)
        next = before.next
        break
      }
      firstLeaves.append((before.leaf, before.mark))
      placed.isWide = placed.isWide || found.isWide
      placed.isHigh = placed.isHigh || found.isHigh
      total += length
      offset += length + node.spacing
      round += length + node.spacing
      longest = max(longest, found.size.length(horizontally: !isHorizontal))
    }
    // Those that no item is left for count with their estimates.
    let count = max(firstLeaves.count, next < sizes.count ? 0 : sequence.count)
    total += sequence.length(ofFirst: count) - sequence.length(ofFirst: firstLeaves.count)
    for index in firstLeaves.count..<min(count, firstLeaves.count + node.children.count) {
      let child = node.children.lowerBound + index % node.children.count
      longest = max(longest, template.slot(child).length(horizontally: !isHorizontal))
    }
    if along, node.count == 0, isHorizontal ? placed.isWide : placed.isHigh {
      placed.size.setLength(
        total + Double(count - 1) * node.spacing + node.insets.length(horizontally: isHorizontal),
        horizontally: isHorizontal)
    } else if node.isSpacingFlexible, count > 1 {
      spread((room - total) / Double(count - 1) - node.spacing, firstLeaves, isHorizontal)
    }
    if across, isHorizontal ? placed.isHigh : placed.isWide {
      placed.size.setLength(
        longest + node.insets.length(horizontally: !isHorizontal), horizontally: !isHorizontal)
      stretch(to: longest, firstLeaves, of: node)
    }
    let frame = Rect(origin: origin, size: placed.size).inset(by: node.insets)
    marks += node.marks(on: frame, firstLeaf..<leaves.count)
    placed.size = node.slot(placed.size)
    return placed
  }

  /// Moves the children of a group apart.
  private mutating func spread(
    _ space: Double, _ firstLeaves: [(leaf: Int, mark: Int)], _ isHorizontal: Bool
  ) {
    guard space > 0 else { return }
    for (child, first) in firstLeaves.enumerated() {
      let isLast = child + 1 == firstLeaves.count
      let end = isLast ? (leaves.count, marks.count) : firstLeaves[child + 1]
      for leaf in first.leaf..<end.0 {
        leaves[leaf].move(by: Double(child) * space, horizontally: isHorizontal)
      }
      let point = Point.zero.moved(by: Double(child) * space, horizontally: isHorizontal)
      for mark in first.mark..<end.1 { marks[mark] = marks[mark].moved(to: point) }
    }
  }

  /// Gives the items of a group that are estimated across it one length there.
  private mutating func stretch(
    to length: Double, _ firstLeaves: [(leaf: Int, mark: Int)], of group: GroupNode
  ) {
    for (index, first) in firstLeaves.enumerated() {
      let node = template.nodes[group.children.lowerBound + index % group.children.count]
      guard node.isItem, node.isEstimated(horizontally: !group.isHorizontal) else { continue }
      let edges = node.edges.length(horizontally: !group.isHorizontal)
      let inner = max(0, length - edges - node.insets.length(horizontally: !group.isHorizontal))
      if group.isHorizontal {
        leaves[first.leaf].height = inner
      } else {
        leaves[first.leaf].width = inner
      }
      let moved = node.marks(on: leaves[first.leaf], first.leaf..<first.leaf + 1)
      marks.replaceSubrange(first.mark..<first.mark + moved.count, with: moved)
    }
  }
}

/// The sizes that the items of a section were measured at.
struct MeasuredSizes {
  let column: Column<Size>

  /// What the host supplies for an item that has not been measured: no item measures this.
  static let estimate = Size(
    width: .leastNonzeroMagnitude, height: .leastNonzeroMagnitude)

  var count: Int { column.count }

  /// Whether no item is measured; 0×0 for all of them means that, too.
  var areUnknown: Bool { column.constant == .zero || column.constant == Self.estimate }

  /// The size of an item, or nil until it is measured.
  subscript(item: Int) -> Size? { column[item] == Self.estimate ? nil : column[item] }
}
