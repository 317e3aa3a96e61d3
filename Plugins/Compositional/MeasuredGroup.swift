import TesseraSDK

/// One repetition of a root group with measured items.
///
/// A measured item has its measured length plus insets where its node is estimated. An estimated
/// group then fits its children; children estimated across it all get the maximum length. Fractions
/// refer to estimates.
struct MeasuredGroup {
  let template: Template
  let sizes: Column<Size>
  private(set) var parts: [Part] = []
  private var leaves = 0
  /// The section's first item in the group.
  private var first = 0

  init(_ template: Template, _ sizes: Column<Size>) {
    (self.template, self.sizes) = (template, sizes)
  }

  /// Returns the group's size.
  mutating func place(from item: Int) -> Size {
    // The next item could be too long to fit until it is measured.
    let items = item..<min(sizes.count, item + template.leaves.count + 1)
    guard items.contains(where: { sizes.measured($0) != nil }) else {
      parts = template.parts
      return template.size
    }
    parts.removeAll(keepingCapacity: true)
    (first, leaves) = (item, 0)
    return place(0, at: .zero).size
  }

  /// The number of items still to place.
  private var left: Int { sizes.count - first - leaves }

  /// Places a node and its descendants.
  ///
  /// Returns its size in its group, and the axes of measured items in it.
  private mutating func place(_ place: Int, at origin: Point) -> (size: Size, measured: Axes) {
    let node = template.nodes[place]
    let (origin, firstLeaf) = (origin + node.edges.origin, leaves)
    var (size, measured) = (template.sizes[place], Axes())
    if !node.isItem {
      measured = placeChildren(of: place, &size, at: origin + node.insets.origin)
    } else if let found = sizes.measured(first + leaves) {
      for axis in [Axis.x, .y] where template.isMeasured(place, axis) {
        size[axis] = found[axis] + node.insets.length(axis)
        measured.insert(Axes(axis))
      }
    }
    let frame = Rect(origin: origin, size: size).inset(by: node.insets)
    if node.isItem {
      parts.append(Part(node: place, frame: frame, end: frame.corner, leaf: leaves))
      leaves += 1
    }
    parts += template.nodes.marks(on: place, frame, firstLeaf..<leaves)
    return (node.slot(size), measured)
  }

  /// Also sizes the group to fit.
  private mutating func placeChildren(
    of place: Int, _ size: inout Size, at start: Point
  ) -> Axes {
    let (node, sequence) = (template.nodes[place], template.sequences[place])
    let (axis, room) = (node.axis, size.inset(by: node.insets)[node.axis])
    let isFollowing = template.isMeasured(place, axis)
    let isFixed = isFollowing || node.count > 0
    func child(_ index: Int) -> Int { node.children.lowerBound + index % node.children.count }
    var firsts: [Int] = []
    var measured = Axes()
    var (total, offset, longest, round) = (0.0, 0.0, 0.0, 0.0)
    while left > 0 {
      let count = firsts.count
      guard count < sequence.count || !isFixed else { break }
      if count > 0, count % node.children.count == 0 {
        guard isFixed || round > Template.tolerance else { break }
        round = 0
      }
      let before = (parts: parts.count, leaves: leaves)
      let found = self.place(child(count), at: start + Point(offset, along: axis))
      let length = found.size[axis]
      if !isFixed, count > 0, offset + length > room + Template.tolerance {
        parts.removeLast(parts.count - before.parts)
        leaves = before.leaves
        break
      }
      firsts.append(before.parts)
      measured.formUnion(found.measured)
      total += length
      offset += length + node.spacing
      round += length + node.spacing
      longest = max(longest, found.size[axis.other])
    }
    // Children without an item count with their estimates.
    let count = max(firsts.count, left > 0 ? 0 : sequence.count)
    total += sequence.length(ofFirst: count) - sequence.length(ofFirst: firsts.count)
    for index in firsts.count..<min(count, firsts.count + node.children.count) {
      longest = max(longest, template.slot(child(index))[axis.other])
    }
    if isFollowing, node.count == 0, measured.contains(Axes(axis)) {
      size[axis] = total + Double(count - 1) * node.spacing + node.insets.length(axis)
    } else if node.isSpacingFlexible, count > 1 {
      let space = (room - total) / Double(count - 1) - node.spacing
      if space > 0 { spread(firsts, by: space, along: axis) }
    }
    if template.isMeasured(place, axis.other), measured.contains(Axes(axis.other)) {
      size[axis.other] = longest + node.insets.length(axis.other)
      for (index, first) in firsts.enumerated() {
        stretch(child(index), first, to: longest, along: axis.other)
      }
    }
    return measured
  }

  private mutating func spread(_ firsts: [Int], by space: Double, along axis: Axis) {
    for (child, first) in firsts.enumerated() {
      let distance = Point(Double(child) * space, along: axis)
      for part in first..<(child + 1 < firsts.count ? firsts[child + 1] : parts.count) {
        parts[part] = parts[part].moved(by: distance)
      }
    }
  }

  /// Lengthens an item on an estimated axis, and moves its badges and separators.
  private mutating func stretch(
    _ place: Int, _ first: Int, to length: Double, along axis: Axis
  ) {
    let node = template.nodes[place]
    guard node.isItem, node.isEstimated(axis) else { return }
    parts[first].frame.size[axis] = max(
      0, length - node.edges.length(axis) - node.insets.length(axis))
    let (frame, leaf) = (parts[first].frame, parts[first].leaf)
    let marks = Array(template.nodes.marks(on: place, frame, leaf..<leaf + 1))
    parts.replaceSubrange(first + 1..<first + 1 + marks.count, with: marks)
  }
}

private struct Axes: OptionSet {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }
  init(_ axis: Axis) { rawValue = axis == .x ? 1 : 2 }
}

/// Stands for an unmeasured item: no measured item has this size.
let estimatedSize = Size(width: .leastNonzeroMagnitude, height: .leastNonzeroMagnitude)

extension Column<Size> {
  /// 0×0 for all also means this.
  var areUnknown: Bool { constant == .zero || constant == estimatedSize }

  /// Nil until the item is measured.
  func measured(_ item: Int) -> Size? { self[item] == estimatedSize ? nil : self[item] }
}
