import TesseraSDK

/// An item, or a badge or separator on a node.
struct Part {
  /// The index in the root group.
  let node: Int
  /// Relative to the group's corner.
  var frame: Rect
  /// The far corner of a badge's or separator's parent.
  var end: Point
  /// An item's number in the group; a badge's first item, or a separator's next one.
  var leaf: Int

  /// The part in a later copy of its group.
  func moved(by distance: Point, leaf first: Int = 0) -> Part {
    var part = self
    part.frame = frame.moved(by: distance)
    part.end = distance + end
    part.leaf += first
    return part
  }
}

extension [GroupNode] {
  func marks(on place: Int, _ frame: Rect, _ leaves: Range<Int>) -> some Sequence<Part> {
    self[place].attached.lazy.filter { self[$0].kind != .boundary }.map {
      Part(
        node: $0, frame: self[$0].frame(at: frame, in: frame.size), end: frame.corner,
        leaf: self[$0].kind == .badge ? leaves.lowerBound : leaves.upperBound)
    }
  }

  /// Sorted as they are numbered.
  func numbered(_ kind: NodeKind, _ parts: [Part]) -> [Part] {
    var found = parts.filter { self[$0.node].kind == kind }
    found.sort { ($0.leaf, self[$0.node].record) < ($1.leaf, self[$1.node].record) }
    return found
  }
}

/// A root group in a container, the same for each repetition without measured items.
struct Template {
  let nodes: [GroupNode]
  /// Later leaves do not matter.
  private let limit: Int
  /// With estimates.
  private(set) var sizes: [Size]
  /// The sequence of each node's children.
  private(set) var sequences: [Sequence]
  private(set) var parts: [Part] = []
  /// Items, badges and separators, each by number.
  private(set) var layers: [[Part]] = []
  private(set) var leaves: [Rect] = []
  /// How far parts extend before and after the group's corner.
  private(set) var reach = Point.zero
  private(set) var lead = Point.zero
  private var shares: [Axis?]

  /// Children may be too long by this: three thirds can add up to more than one.
  static let tolerance = 1e-6

  var size: Size { slot(0) }

  /// With the space around it.
  func slot(_ place: Int) -> Size { nodes[place].slot(sizes[place]) }

  /// Whether measured items determine the node's length on an axis.
  func isMeasured(_ place: Int, _ axis: Axis) -> Bool {
    nodes[place].isEstimated(axis) && shares[place] != axis
  }

  /// Resolves a root group; throws if a node is too large.
  ///
  /// - Parameter limit: Later leaves do not matter.
  init(_ nodes: [GroupNode], in container: Size, limit: Int) throws(LayoutFailure) {
    (self.nodes, self.limit) = (nodes, limit)
    sizes = nodes.map { _ in .zero }
    shares = nodes.map { _ in nil }
    sequences = nodes.map { _ in Sequence() }
    sizes[0] = nodes[0].size(in: container)
    var origins = nodes.map { _ in nodes[0].edges.origin }
    var depths = nodes.map { _ in 0 }
    try nodes[0].check(slot(0).isFinite)
    // Containers come before the nodes within them.
    for (place, node) in nodes.enumerated() where node.kind.isGroup {
      let (room, axis) = (sizes[place].inset(by: node.insets), node.axis)
      for child in node.children {
        sizes[child] = nodes[child].size(in: room)
        if node.count > 0 {
          let share = (room[axis] - Double(node.count - 1) * node.spacing) / Double(node.count)
          shares[child] = axis
          sizes[child][axis] = max(0, share - nodes[child].edges.length(axis))
        }
        try nodes[child].check(slot(child).isFinite)
        depths[child] = depths[place] + 1
      }
      sequences[place] = Sequence(node.children.map { slot($0)[axis] }, of: node, in: room[axis])
      try node.check(sequences[place].end.isFinite)
      let inner = origins[place] + node.insets.origin
      var offset = 0.0
      for (child, length) in zip(node.children, sequences[place].lengths) {
        origins[child] = inner + Point(offset, along: axis) + nodes[child].edges.origin
        offset += length + sequences[place].gap
      }
    }
    if isElastic, let deep = depths.firstIndex(where: { $0 > 500 }) {
      throw .unsupported(
        "nodes record \(nodes[deep].record) lies in more than 500 groups; with items of estimated "
          + "size, use fewer")
    }
    parts = parts(origins)
    layers = [NodeKind.item, .badge, .separator].map { nodes.numbered($0, parts) }
    leaves = layers[0].map(\.frame)
    for part in parts { reach.extend(to: part.frame.corner) }
    for mark in layers[1...].joined() {
      try nodes[mark.node].check(mark.frame.isFinite)
      lead.retreat(to: mark.frame.origin)
    }
  }
}

extension Template {
  /// Whether measured items change the group.
  var isElastic: Bool {
    nodes.indices.contains { nodes[$0].isItem && (isMeasured($0, .x) || isMeasured($0, .y)) }
  }

  /// The sizes proposed to items, 0 for unlimited; one if it is the same for all.
  func proposals(to items: Range<Int>) -> [Size] {
    var offered = Array(repeating: Size.zero, count: nodes.count)
    // The minimum proposed; 0 for unlimited.
    var least = Size.zero
    // Whether measured items decide the node of an item: then all get the minimum.
    var isUneven = false
    for (place, group) in nodes.enumerated() where group.kind.isGroup {
      let (room, axis) = (sizes[place].inset(by: group.insets), group.axis)
      // A group with a `count`, or as long as its children need, has a fixed number.
      if group.count == 0, !isMeasured(place, axis),
        group.children.contains(where: { nodes[$0].isEstimated(axis) })
      {
        isUneven = true
      }
      for child in group.children where nodes[child].isItem {
        let (node, isWide, isHigh) = (nodes[child], isMeasured(child, .x), isMeasured(child, .y))
        var size = sizes[child].inset(by: node.insets)
        if isWide {
          size.width = isHigh ? room.inset(by: node.edges).inset(by: node.insets).width : 0
        }
        if isHigh { size.height = 0 }
        offered[child] = size
        guard isWide || isHigh else { continue }
        let axis: Axis = isHigh ? .x : .y
        least[axis] = least[axis] == 0 ? size[axis] : min(least[axis], size[axis])
      }
    }
    guard !isUneven, let first = layers[0].first else { return [least] }
    guard layers[0].contains(where: { offered[$0.node] != offered[first.node] }) else {
      return [offered[first.node]]
    }
    return items.map { offered[layers[0][$0 % layers[0].count].node] }
  }
}

extension Template {
  /// How the children of a group repeat.
  struct Sequence {
    /// With repetitions.
    private(set) var count = 0
    private(set) var gap = 0.0
    /// Of one round.
    private(set) var lengths: [Double] = []
    private var total = 0.0

    init() {}

    init(_ lengths: [Double], of node: GroupNode, in room: Double) {
      self.lengths = lengths
      total = lengths.reduce(0, +)
      gap = node.spacing
      count = node.count > 0 ? node.count : fitting(in: room)
      // With so many children, next to nothing is left for each.
      guard node.isSpacingFlexible, count > 1, node.count > 0 || count < Int(Self.most) else {
        return
      }
      gap = max(gap, (room - length(ofFirst: count)) / Double(count - 1))
    }

    func length(ofFirst count: Int) -> Double {
      let (rounds, rest) = count.quotientAndRemainder(dividingBy: lengths.count)
      return Double(rounds) * total + lengths[..<rest].reduce(0, +)
    }

    /// From one round of children to the next.
    var round: Double { total + Double(lengths.count) * gap }

    var end: Double { length(ofFirst: count) + Double(count - 1) * gap }

    private func fitting(in room: Double) -> Int {
      guard round > Template.tolerance else { return lengths.count }
      let limit = room + Template.tolerance
      let rounds = ((limit + gap) / round).rounded(.down)
      guard rounds < Self.most / Double(lengths.count) else { return Int(Self.most) }
      var index = max(0, Int(rounds) - 1)
      while true {
        var start = Double(index) * round
        for (place, length) in lengths.enumerated() {
          guard start + length <= limit else { return max(1, index * lengths.count + place) }
          start += length + gap
        }
        index += 1
      }
    }

    /// More children than there are items.
    private static let most = 0x1p52
  }

  /// Places each group's children and their copies.
  ///
  /// - Parameter origins: The first place of each node.
  private func parts(_ origins: [Point]) -> [Part] {
    var found: [(parts: [Part], leaves: Int)] = nodes.map { _ in ([], 0) }
    // Children come after their groups.
    for (place, node) in nodes.enumerated().reversed() where node.kind.isContent {
      let frame = Rect(origin: origins[place], size: sizes[place]).inset(by: node.insets)
      var (parts, leaves) = ([Part](), 0)
      if node.isItem {
        parts = [Part(node: place, frame: frame, end: frame.corner, leaf: 0)]
        leaves = 1
      } else {
        let sequence = sequences[place]
        let (rounds, rest) = sequence.count.quotientAndRemainder(dividingBy: node.children.count)
        var ofRest = (parts: 0, leaves: 0)
        for child in node.children.prefix(sequence.count) {
          if child - node.children.lowerBound == rest { ofRest = (parts.count, leaves) }
          if parts.isEmpty {
            // Moved, not copied: groups can nest by the thousand.
            swap(&parts, &found[child].parts)
          } else {
            for part in found[child].parts where part.leaf + leaves < limit {
              parts.append(part.moved(by: .zero, leaf: leaves))
            }
            found[child].parts = []
          }
          leaves += found[child].leaves
        }
        let ofRound = (parts: parts.count, leaves: leaves)
        var round = 1
        while round <= rounds, leaves < limit {
          let copied = round < rounds ? ofRound : ofRest
          let distance = Point(Double(round) * sequence.round, along: node.axis)
          let first = round * ofRound.leaves
          for part in 0..<copied.parts where parts[part].leaf + first < limit {
            parts.append(parts[part].moved(by: distance, leaf: first))
          }
          leaves += copied.leaves
          round += 1
        }
      }
      leaves = min(leaves, limit)
      parts += nodes.marks(on: place, frame, 0..<leaves)
      found[place] = (parts, leaves)
    }
    return found[0].parts
  }
}
