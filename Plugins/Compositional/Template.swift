import TesseraSDK

/// The places of a root group in a container, the same for each repetition as long as no item in it
/// was measured.
struct Template {
  /// The nodes of the root group.
  let nodes: [GroupNode]
  /// The number of leaves after which none matters.
  private let limit: Int
  /// The sizes of the nodes, with estimates.
  private(set) var sizes: [Size]
  /// How the children of each node follow one another.
  private(set) var sequences: [Sequence]
  /// The frames of the items, relative to the group.
  private(set) var leaves: [Rect] = []
  /// The badges and the separators, in the order of their numbers.
  private(set) var marks: [[Mark]] = []
  /// How far the items and marks reach from the group's corner, ahead of it and behind it.
  private(set) var reach = Point.zero
  private(set) var lead = Point.zero
  /// Whether measured items change the group.
  private(set) var isElastic = false
  /// The node of each of the items.
  private var leafNodes: [Int] = []
  /// The size that is proposed to the item of each node; 0 is unlimited.
  private var proposals: [Size]
  /// The smallest of the lengths that are proposed to measured items; 0 where none is.
  private var leastProposal = Size.zero
  /// Whether it depends on measured items which item is at which node.
  private var isUneven = false

  /// The tolerance by which children may be too long: three thirds can add up to more than one.
  static let tolerance = 1e-6

  var size: Size { slot(0) }

  /// Whether it is what another limit would give: the same one, or one that none of its leaves reaches, too.
  func isWhole(upTo other: Int) -> Bool { limit == other || leaves.count < min(limit, other) }

  /// The size of a node with the space around it.
  func slot(_ place: Int) -> Size { nodes[place].slot(sizes[place]) }

  /// Resolves a root group.
  ///
  /// - Parameter limit: The number of leaves after which none matters.
  /// - Throws: If a node is too large.
  init(_ nodes: [GroupNode], in container: Size, limit: Int) throws(LayoutFailure) {
    (self.nodes, self.limit) = (nodes, limit)
    sizes = Array(repeating: .zero, count: nodes.count)
    proposals = sizes
    sequences = Array(repeating: Sequence(), count: nodes.count)
    sizes[0] = nodes[0].size(in: container)
    var origins = Array(repeating: Point.zero, count: nodes.count)
    var depths = Array(repeating: 0, count: nodes.count)
    // Whether the group of a node gives it its width, or its height; nil if neither.
    var isShared: [Bool?] = Array(repeating: nil, count: nodes.count)
    origins[0] = nodes[0].edges.corner
    try check(slot(0).isFinite, nodes[0])
    // Containers come before the nodes within them.
    for (place, node) in nodes.enumerated() where !node.isItem {
      let (room, isHorizontal) = (sizes[place].inset(by: node.insets), node.isHorizontal)
      let length = room.length(horizontally: isHorizontal)
      for child in node.children {
        if node.count > 0 { isShared[child] = isHorizontal }
        sizes[child] = nodes[child].size(in: room)
        if node.count > 0 {
          let share = (length - Double(node.count - 1) * node.spacing) / Double(node.count)
          let edges = nodes[child].edges.length(horizontally: isHorizontal)
          sizes[child].setLength(max(0, share - edges), horizontally: isHorizontal)
        }
        try check(slot(child).isFinite, nodes[child])
        depths[child] = depths[place] + 1
        if nodes[child].isItem { propose(sizes[child], to: child, in: room, of: node) }
      }
      // A group that is as long as its children need, or has a number of them, always has as many.
      let follows = node.isEstimated(horizontally: isHorizontal) && isShared[place] != isHorizontal
      if node.count == 0, !follows,
        node.children.contains(where: { nodes[$0].isEstimated(horizontally: isHorizontal) })
      {
        isUneven = true
      }
      sequences[place] = Sequence(
        node.children.map { slot($0).length(horizontally: isHorizontal) }, of: node, in: length)
      try check(sequences[place].end.isFinite, node)
      let inner = origins[place].moved(by: node.insets.corner)
      var offset = 0.0
      for (child, length) in zip(node.children, sequences[place].lengths) {
        origins[child] = inner.moved(by: offset, horizontally: isHorizontal)
          .moved(by: nodes[child].edges.corner)
        offset += length + sequences[place].gap
      }
    }
    if isElastic, let deep = depths.firstIndex(where: { $0 > 500 }) {
      throw .unsupported(
        "nodes record \(nodes[deep].record) lies in more than 500 groups; with items of estimated "
          + "size, use fewer")
    }
    flatten(origins, limit)
    for leaf in leaves { reach.extend(to: leaf.corner) }
    for mark in marks.joined() {
      try check(mark.frame.isFinite, mark.node)
      reach.extend(to: mark.frame.corner)
      lead.retreat(to: mark.frame.origin)
    }
  }

  /// Notes what an item is offered, and whether its size is measured.
  private mutating func propose(
    _ size: Size, to place: Int, in room: Size, of parent: GroupNode
  ) {
    let node = nodes[place]
    let isWide = node.widthIs == .estimated && !(parent.count > 0 && parent.isHorizontal)
    let isHigh = node.heightIs == .estimated && !(parent.count > 0 && !parent.isHorizontal)
    let inner = size.inset(by: node.insets)
    proposals[place] = Size(
      width: isWide
        ? isHigh ? room.inset(by: node.edges).inset(by: node.insets).width : 0 : inner.width,
      height: isHigh ? 0 : inner.height)
    guard isWide || isHigh else { return }
    isElastic = true
    func least(_ known: Double, _ length: Double) -> Double {
      known == 0 ? length : min(known, length)
    }
    if isHigh {
      leastProposal.width = least(leastProposal.width, proposals[place].width)
    } else {
      leastProposal.height = least(leastProposal.height, proposals[place].height)
    }
  }

  /// The sizes that are proposed to items of a section; one if it is the same for all.
  ///
  /// Where it depends on measured items at which node an item is, all are offered the least.
  func proposals(to items: Range<Int>) -> [Size] {
    guard !isUneven, !leafNodes.isEmpty else { return [leastProposal] }
    let offered = leafNodes.map { proposals[$0] }
    guard offered.contains(where: { $0 != offered[0] }) else { return [offered[0]] }
    return items.map { offered[$0 % offered.count] }
  }

  private func check(_ isNear: Bool, _ node: GroupNode) throws(LayoutFailure) {
    guard !isNear else { return }
    throw .invalidValue(
      "nodes record \(node.record) would reach further than numbers do; give smaller sizes and "
        + "spacings")
  }
}

extension Template {
  /// How the children of a group follow one another, again and again.
  struct Sequence {
    /// How many children there are, repetitions included.
    private(set) var count = 0
    /// The space between two.
    private(set) var gap = 0.0
    /// The lengths of the first ones, before they are repeated.
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

    /// The sum of the lengths of the first children.
    func length(ofFirst count: Int) -> Double {
      let (rounds, rest) = count.quotientAndRemainder(dividingBy: lengths.count)
      return Double(rounds) * total + lengths[..<rest].reduce(0, +)
    }

    /// From one round of children to the next.
    var round: Double { total + Double(lengths.count) * gap }

    /// The end of the last child.
    var end: Double { length(ofFirst: count) + Double(count - 1) * gap }

    /// The number of children before the first that does not fit, at least one.
    private func fitting(in room: Double) -> Int {
      let round = round
      guard round > Template.tolerance else { return lengths.count }
      let limit = room + Template.tolerance
      let rounds = ((limit + gap) / round).rounded(.down)
      guard rounds < Self.most / Double(lengths.count) else { return Int(Self.most) }
      var (index, start) = (max(0, Int(rounds) - 1), 0.0)
      while true {
        start = Double(index) * round
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

  /// Places the items of all nodes: those of the children of a group, and then copies of them.
  ///
  /// - Parameter origins: Where each node is first.
  private mutating func flatten(_ origins: [Point], _ limit: Int) {
    var leavesOfNodes: [[(frame: Rect, node: Int)]] = Array(repeating: [], count: nodes.count)
    var marksOfNodes: [[Mark]] = Array(repeating: [], count: nodes.count)
    // Children come behind their groups.
    for (place, node) in nodes.enumerated().reversed() {
      let frame = Rect(origin: origins[place], size: sizes[place]).inset(by: node.insets)
      guard !node.isItem else {
        leavesOfNodes[place] = [(frame, place)]
        marksOfNodes[place] = node.marks(on: frame, 0..<1)
        continue
      }
      let sequence = sequences[place]
      let (rounds, rest) = sequence.count.quotientAndRemainder(dividingBy: node.children.count)
      var (leaves, endOfRest) = ([(frame: Rect, node: Int)](), 0)
      var (marks, marksOfRest) = ([Mark](), 0)
      for child in node.children.prefix(sequence.count) {
        if child - node.children.lowerBound == rest {
          (endOfRest, marksOfRest) = (leaves.count, marks.count)
        }
        // The first child's are taken over, not copied: groups can lie in one another by the thousand.
        if leaves.isEmpty {
          swap(&leaves, &leavesOfNodes[child])
          swap(&marks, &marksOfNodes[child])
        }
        for mark in marksOfNodes[child] where mark.leaf + leaves.count < limit {
          marks.append(mark.moved(to: .zero, leaf: leaves.count))
        }
        leaves += leavesOfNodes[child]
        (leavesOfNodes[child], marksOfNodes[child]) = ([], [])
      }
      let (end, endOfMarks, isHorizontal) = (leaves.count, marks.count, node.isHorizontal)
      var round = 1
      while round <= rounds, leaves.count < limit {
        let distance = Double(round) * sequence.round
        for mark in 0..<(round < rounds ? endOfMarks : marksOfRest)
        where marks[mark].leaf + round * end < limit {
          let point = Point.zero.moved(by: distance, horizontally: isHorizontal)
          marks.append(marks[mark].moved(to: point, leaf: round * end))
        }
        for leaf in 0..<(round < rounds ? end : endOfRest) {
          var copy = leaves[leaf]
          copy.frame.move(by: distance, horizontally: isHorizontal)
          leaves.append(copy)
        }
        round += 1
      }
      leaves.removeLast(max(0, leaves.count - limit))
      leavesOfNodes[place] = leaves
      marks += node.marks(on: frame, 0..<leaves.count)
      marksOfNodes[place] = marks
    }
    marks = [.badge, .separator].map { marksOfNodes[0].numbered($0) }
    leaves = leavesOfNodes[0].map(\.frame)
    leafNodes = leavesOfNodes[0].map(\.node)
  }
}
