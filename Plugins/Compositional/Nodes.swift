import TesseraSDK

/// A record of the list `nodes`.
struct Node: Record {
  @RecordValue("What the node is.", initial: NodeKind.item) var kind
  @RecordValue(
    "The place of the group that holds the node; -1: none, the root group of sections.",
    initial: -1, in: (-1)...)
  var parent
  @RecordValue("What width is.", initial: Dimension.fractionalWidth) var widthIs
  @RecordValue("What height is.", initial: Dimension.fractionalHeight) var heightIs
  @RecordValue("The width, in points or as a part of the container.", initial: 1.0, in: 0...)
  var width
  @RecordValue("The height, in points or as a part of the container.", initial: 1.0, in: 0...)
  var height
  @RecordValue(
    "How many children a group has, which share it equally; 0: as many as fit.", initial: 0,
    in: 0...)
  var count
  @RecordValue("Space between the children of a group.", initial: 0.0, unit: "pt", in: 0...)
  var spacing
  @RecordValue("Whether the children of a group spread over all of it.", initial: false)
  var isSpacingFlexible
  @RecordValue("Room within the node.", initial: Insets.zero, unit: "pt", in: 0...)
  var contentInsets
  @RecordValue("Room around an item or a group.", initial: Insets.zero, unit: "pt", in: 0...)
  var edgeSpacing
  @RecordValue(
    "Where on its parent a badge or separator is, or at which edge of the section a boundary is.",
    initial: Alignment.top)
  var alignment
  @RecordValue("How far the node is moved from there.", initial: Point.zero, unit: "pt")
  var absoluteOffset
  @RecordValue("How far, in parts of its own size.", initial: Point.zero) var fractionalOffset
  @RecordValue("Whether a boundary has room of its own at the edge.", initial: true)
  var extendsBoundary
  @RecordValue("Whether a boundary stays in sight while the section is.", initial: false)
  var pinToVisibleBounds
  @RecordValue(
    "The z index of a badge, separator or boundary.", initial: 1,
    in: Int(Int32.min)...Int(Int32.max))
  var zIndex
}

/// An item, a group, or an element at an item, a group or a section's edge.
enum NodeKind: String, Choice {
  case item, horizontal, vertical, badge, separator, boundary

  var isGroup: Bool { self == .horizontal || self == .vertical }
  var isContent: Bool { self == .item || isGroup }

  fileprivate var name: String {
    self == .item ? "an item" : "a \(rawValue)\(isGroup ? " group in another" : "")"
  }
}

/// The middle for `none`.
enum Alignment: String, Choice {
  case top, topLeading, leading, bottomLeading, bottom, bottomTrailing, trailing, topTrailing, none

  /// The fraction of free space before the element on each axis.
  var position: Point {
    let x =
      switch self {
      case .topLeading, .leading, .bottomLeading: 0.0
      case .top, .bottom, .none: 0.5
      case .topTrailing, .trailing, .bottomTrailing: 1.0
      }
    let y =
      switch self {
      case .topLeading, .top, .topTrailing: 0.0
      case .leading, .none, .trailing: 0.5
      case .bottomLeading, .bottom, .bottomTrailing: 1.0
      }
    return Point(x: x, y: y)
  }

  /// Where a boundary lies outside: at its edge, or up or down in a corner.
  var edge: Point {
    let y = 2 * position.y - 1
    return Point(x: y == 0 ? 2 * position.x - 1 : 0, y: y)
  }
}

/// The unit of a width or height: a fraction of the container, or points.
enum Dimension: String, Choice {
  case fractionalWidth, fractionalHeight, absolute, estimated

  func length(_ number: Double, in container: Size) -> Double {
    switch self {
    case .fractionalWidth: number * container.width
    case .fractionalHeight: number * container.height
    case .absolute, .estimated: number
    }
  }
}

struct GroupNode {
  /// The index in the list.
  let record: Int
  let kind: NodeKind
  var widthIs = Dimension.fractionalWidth
  var heightIs = Dimension.fractionalHeight
  var size = Size(width: 1, height: 1)
  var count = 0
  var spacing = 0.0
  var isSpacingFlexible = false
  var insets = Insets.zero
  var edges = Insets.zero
  var position = Point.zero
  var edge = Point.zero
  var absoluteOffset = Point.zero
  var fractionalOffset = Point.zero
  var extendsBoundary = true
  var isPinned = false
  var zIndex: Int32 = 1
  /// Indices in the root group: children, badges and separators, boundaries of the section.
  var children = 0..<0
  var attached = 0..<0

  var isItem: Bool { kind == .item }
  var isFooter: Bool { edge.x + edge.y > 0 }
  /// The axis along which a group places its children.
  var axis: Axis { kind == .horizontal ? .x : .y }

  func isEstimated(_ axis: Axis) -> Bool { (axis == .x ? widthIs : heightIs) == .estimated }

  /// With estimates.
  func size(in container: Size) -> Size {
    Size(
      width: widthIs.length(size.width, in: container),
      height: heightIs.length(size.height, in: container))
  }

  /// The size with the space around it.
  func slot(_ size: Size) -> Size {
    Size(width: size.width + edges.length(.x), height: size.height + edges.length(.y))
  }

  /// Inside an edge of a rectangle.
  ///
  /// - Parameter push: An additional offset in parts of its size.
  func frame(at anchor: Rect, in container: Size, push: Point = .zero) -> Rect {
    var frame = Rect(origin: .zero, size: size(in: container))
    for axis in [Axis.x, .y] {
      let length = frame.size[axis]
      frame.origin[axis] =
        anchor.origin[axis] + (anchor.size[axis] - length) * position[axis] + absoluteOffset[axis]
        + (fractionalOffset[axis] + push[axis]) * length
    }
    return frame.inset(by: insets)
  }
}

extension Point {
  mutating func extend(to other: Point) { self = Point(x: max(x, other.x), y: max(y, other.y)) }

  mutating func retreat(to other: Point) { self = Point(x: min(x, other.x), y: min(y, other.y)) }
}

extension Records<Node> {
  /// The root groups by record: the group, then each node's children in order, then its
  /// attachments.
  ///
  /// An empty list stands for rows of one item, 44 high.
  func rootGroups() throws(LayoutFailure) -> [Int: [GroupNode]] {
    guard !isEmpty else {
      let row = GroupNode(
        record: 0, kind: .horizontal, heightIs: .absolute, size: Size(width: 1, height: 44),
        children: 1..<2)
      return [0: [row, GroupNode(record: 0, kind: .item)]]
    }
    let (kinds, parents) = (self.kind, self.parent)
    let children = try children(parents, in: "nodes")
    for place in indices { try check(place, kinds, parents) }
    for place in indices
    where kinds[place].isGroup && !children[place].contains(where: { kinds[$0].isContent }) {
      throw .invalidValue(
        "nodes record \(place) is a \(kinds[place].rawValue) group without children; it must be the "
          + "parent of another record")
    }
    let nodes = nodes()
    var groups: [Int: [GroupNode]] = [:]
    for root in nodes.indices where parents[root] == -1 {
      var group = [nodes[root]]
      func append(of node: GroupNode, content: Bool) -> Range<Int> {
        let first = group.count
        group += children[node.record].lazy.map { nodes[$0] }
          .filter { $0.kind.isContent == content }
        return first..<group.count
      }
      var next = 0
      while next < group.count {
        group[next].children = append(of: group[next], content: true)
        next += 1
      }
      for place in 0..<next { group[place].attached = append(of: group[place], content: false) }
      groups[root] = group
    }
    return groups
  }

  /// Without their places in root groups.
  private func nodes() -> [GroupNode] {
    let (kinds, widthIs, heightIs) = (self.kind, self.widthIs, self.heightIs)
    let (widths, heights, counts) = (self.width, self.height, self[\.count])
    let (spacings, areFlexible) = (self.spacing, self.isSpacingFlexible)
    let (insets, edges, alignments) = (self.contentInsets, self.edgeSpacing, self.alignment)
    let (absoluteOffsets, fractionalOffsets) = (self.absoluteOffset, self.fractionalOffset)
    let (extend, arePinned, zIndexes) = (self.extendsBoundary, self.pinToVisibleBounds, self.zIndex)
    return indices.map { place in
      GroupNode(
        record: place, kind: kinds[place], widthIs: widthIs[place], heightIs: heightIs[place],
        size: Size(width: widths[place], height: heights[place]), count: counts[place],
        spacing: spacings[place], isSpacingFlexible: areFlexible[place], insets: insets[place],
        edges: edges[place], position: alignments[place].position, edge: alignments[place].edge,
        absoluteOffset: absoluteOffsets[place], fractionalOffset: fractionalOffsets[place],
        extendsBoundary: extend[place], isPinned: arePinned[place],
        zIndex: Int32(clamping: zIndexes[place]))
    }
  }

  /// Throws if a record cannot be where it is.
  private func check(
    _ place: Int, _ kinds: Column<NodeKind>, _ parents: Column<Int>
  ) throws(LayoutFailure) {
    let (kind, parent) = (kinds[place], parents[place])
    let isOnItem = kind == .badge || kind == .separator
    var rule: String {
      kind == .boundary
        ? "a group whose parent is -1"
        : (isOnItem ? "an item or " : "") + "a horizontal or vertical group"
    }
    guard parent >= 0 else {
      guard !kind.isGroup else { return }
      throw .invalidValue(
        "nodes record \(place) is \(kind.name) without a parent; its parent must be \(rule)")
    }
    guard kinds[parent].isGroup || (isOnItem && kinds[parent] == .item),
      kind != .boundary || parents[parent] == -1
    else {
      throw .invalidValue(
        "parent of nodes record \(place) is record \(parent), which is \(kinds[parent].name); it must "
          + "be \(rule)")
    }
  }
}

extension GroupNode {
  /// Throws if its frame, or the end of its children, is not finite.
  func check(_ isNear: Bool, _ others: String = "spacings") throws(LayoutFailure) {
    guard !isNear else { return }
    throw .invalidValue(
      "nodes record \(record) would reach further than numbers do; give smaller sizes and \(others)"
    )
  }
}
