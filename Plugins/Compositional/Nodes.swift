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

/// What a node is: a place for an item, a group with its children side by side or one below the other,
/// or an element beside the items: on an item or group, or at the edge of a section.
enum NodeKind: String, Choice {
  case item, horizontal, vertical, badge, separator, boundary

  var isGroup: Bool { self == .horizontal || self == .vertical }

  fileprivate var name: String {
    self == .item ? "an item" : "a \(rawValue)\(isGroup ? " group in another" : "")"
  }
}

/// The edge or corner at which an element is; the middle for `none`.
enum Alignment: String, Choice {
  case top, topLeading, leading, bottomLeading, bottom, bottomTrailing, trailing, topTrailing, none

  /// How much of the free space is before the element on each axis.
  var position: Point {
    func part(_ isFirst: Bool, _ isLast: Bool) -> Double { isFirst ? 0 : isLast ? 1 : 0.5 }
    return Point(
      x: part(
        [.topLeading, .leading, .bottomLeading].contains(self),
        [.topTrailing, .trailing, .bottomTrailing].contains(self)),
      y: part(
        [.top, .topLeading, .topTrailing].contains(self),
        [.bottom, .bottomLeading, .bottomTrailing].contains(self)))
  }

  /// The direction in which a boundary lies outside: that of its edge, up or down in a corner.
  var edge: Point {
    let y = 2 * position.y - 1
    return Point(x: y == 0 ? 2 * position.x - 1 : 0, y: y)
  }

  /// Whether a boundary is after the cells.
  var isFooter: Bool { edge.x + edge.y > 0 }
}

/// What a width or height is: a part of the container's width or height, or points.
enum Dimension: String, Choice { case fractionalWidth, fractionalHeight, absolute, estimated }

/// The root groups of all nodes.
struct NodeForest: Equatable {
  /// The nodes of each root group by its place in the list: the group first, the children of a node side
  /// by side, behind it and in order.
  private(set) var groups: [Int: [GroupNode]] = [:]

  /// Reads the list; an empty one stands for rows of one item, 44 high.
  ///
  /// - Throws: If a record is invalid.
  init(_ records: Records<Node>) throws(LayoutFailure) {
    guard !records.isEmpty else {
      groups = [0: Self.row]
      return
    }
    let nodes = try Self.read(records)
    let parents = records.parent
    var children = Array(repeating: [Int](), count: nodes.count)
    for place in nodes.indices where parents[place] >= 0 { children[parents[place]].append(place) }
    var reached = 0
    for place in nodes.indices where parents[place] == -1 {
      var group = [nodes[place]]
      var next = 0
      while next < group.count {
        let first = group.count
        for child in children[group[next].record] {
          if nodes[child].isContent {
            group.append(nodes[child])
          } else {
            group[next].attached.append(nodes[child])
          }
        }
        group[next].children = first..<group.count
        reached += 1 + group[next].attached.count
        next += 1
      }
      groups[place] = group
    }
    guard reached == nodes.count else { throw cycle(parents) }
    for place in nodes.indices
    where nodes[place].kind.isGroup && !children[place].contains(where: { nodes[$0].isContent }) {
      throw .invalidValue(
        "nodes record \(place) is a \(nodes[place].kind.rawValue) group without children; "
          + "it must be the parent of another record")
    }
  }

  /// One item, as wide as the container and 44 high.
  private static let row = [
    GroupNode(
      record: 0, kind: .horizontal, heightIs: .absolute, size: Size(width: 1, height: 44),
      children: 1..<2),
    GroupNode(record: 0, kind: .item),
  ]

  private static func read(_ records: Records<Node>) throws(LayoutFailure) -> [GroupNode] {
    let (kinds, parents) = (records.kind, records.parent)
    let (widthIs, heightIs) = (records.widthIs, records.heightIs)
    let (widths, heights, counts) = (records.width, records.height, records[\.count])
    let (spacings, flexible) = (records.spacing, records.isSpacingFlexible)
    let (insets, edges) = (records.contentInsets, records.edgeSpacing)
    var nodes: [GroupNode] = []
    for place in records.indices {
      let (kind, parent) = (kinds[place], parents[place])
      for (name, length) in [("width", widths[place]), ("height", heights[place])]
      where !length.isFinite || length < 0 {
        throw .invalidValue(
          "\(name) of nodes record \(place) is \(describe(length)); it must be finite and not "
            + "negative")
      }
      guard parent >= -1, parent < records.count else {
        throw .invalidValue(
          "parent of nodes record \(place) is \(parent); it must be -1 or the place of a record, "
            + "at most \(records.count - 1)")
      }
      let (isOn, isAt) = (kind == .badge || kind == .separator, kind == .boundary)
      let rule =
        isAt
        ? "a group whose parent is -1"
        : isOn ? "an item or a horizontal or vertical group" : "a horizontal or vertical group"
      guard parent >= 0 || kind.isGroup else {
        throw .invalidValue(
          "nodes record \(place) is \(kind.name) without a parent; its parent must be \(rule)")
      }
      guard parent == -1 || (isOn && kinds[parent] == .item) || kinds[parent].isGroup,
        !isAt || parents[parent] == -1
      else {
        throw .invalidValue(
          "parent of nodes record \(place) is record \(parent), which is \(kinds[parent].name); it must "
            + "be \(rule)")
      }
      var node = GroupNode(
        record: place, kind: kind, widthIs: widthIs[place], heightIs: heightIs[place],
        size: Size(width: widths[place], height: heights[place]), count: counts[place],
        spacing: spacings[place], isSpacingFlexible: flexible[place], insets: insets[place],
        edges: edges[place])
      if !node.isContent {
        let record = records[place]
        (node.alignment, node.zIndex) = (record.alignment, Int32(clamping: record.zIndex))
        (node.absoluteOffset, node.fractionalOffset) = (
          record.absoluteOffset, record.fractionalOffset
        )
        (node.extendsBoundary, node.isPinned) = (record.extendsBoundary, record.pinToVisibleBounds)
      }
      for (name, offset) in [
        ("absoluteOffset", node.absoluteOffset), ("fractionalOffset", node.fractionalOffset),
      ] where !offset.x.isFinite || !offset.y.isFinite {
        throw .invalidValue(
          "\(name) of nodes record \(place) is \(describe(offset.x)) \(describe(offset.y)); it must be "
            + "finite")
      }
      nodes.append(node)
    }
    return nodes
  }

  /// Names the first record that is its own ancestor; there is one.
  private func cycle(_ parents: Column<Int>) -> LayoutFailure {
    let reached = Set(groups.values.joined().flatMap { [$0.record] + $0.attached.map(\.record) })
    var place = 0
    while reached.contains(place) { place += 1 }
    // So many steps up from a record that no root group has lead into a cycle.
    for _ in 0..<parents.count { place = parents[place] }
    var (first, next) = (place, parents[place])
    while next != place { (first, next) = (min(first, next), parents[next]) }
    return .invalidValue(
      "nodes record \(first) is its own ancestor; its parents must lead to a group whose parent "
        + "is -1")
  }
}

/// A node of a root group.
struct GroupNode: Equatable, Sendable {
  /// Its place in the list.
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
  var alignment = Alignment.top
  var absoluteOffset = Point.zero
  var fractionalOffset = Point.zero
  var extendsBoundary = true
  var isPinned = false
  var zIndex: Int32 = 1
  /// The places of its children in the root group.
  var children = 0..<0
  /// The badges and separators on it, and the boundaries of its section.
  var attached: [GroupNode] = []

  var isItem: Bool { kind == .item }
  /// Whether it takes part in the sequence of its group.
  var isContent: Bool { isItem || kind.isGroup }
  var isHorizontal: Bool { kind == .horizontal }

  func isEstimated(horizontally: Bool) -> Bool {
    (horizontally ? widthIs : heightIs) == .estimated
  }

  /// The size in a container, with estimates.
  func size(in container: Size) -> Size {
    func length(_ dimension: Dimension, _ number: Double) -> Double {
      switch dimension {
      case .fractionalWidth: number * container.width
      case .fractionalHeight: number * container.height
      case .absolute, .estimated: number
      }
    }
    return Size(width: length(widthIs, size.width), height: length(heightIs, size.height))
  }

  /// What the node takes of its group if it has a size.
  func slot(_ size: Size) -> Size {
    Size(
      width: size.width + edges.length(horizontally: true),
      height: size.height + edges.length(horizontally: false))
  }

  /// The frame of a badge, separator or boundary at its edge of a rectangle, on the inside.
  ///
  /// - Parameter push: How far it is moved in addition, in parts of its size.
  func frame(at anchor: Rect, in container: Size, push: Point = .zero) -> Rect {
    let (size, position) = (size(in: container), alignment.position)
    return Rect(
      x: anchor.x + (anchor.width - size.width) * position.x + absoluteOffset.x
        + (fractionalOffset.x + push.x) * size.width,
      y: anchor.y + (anchor.height - size.height) * position.y + absoluteOffset.y
        + (fractionalOffset.y + push.y) * size.height,
      width: size.width, height: size.height
    ).inset(by: insets)
  }

  /// The badges and separators of the node with a frame and some of the group's items.
  func marks(on frame: Rect, _ leaves: Range<Int>) -> [Mark] {
    attached.filter { $0.kind != .boundary }.map {
      Mark(
        node: $0, frame: $0.frame(at: frame, in: frame.size), end: frame.corner,
        leaf: $0.kind == .badge ? leaves.lowerBound : leaves.upperBound)
    }
  }
}

/// A badge or separator in a group.
struct Mark {
  let node: GroupNode
  let frame: Rect
  /// The far corner of the item or group that it is on.
  let end: Point
  /// The item of the group without which it does not exist: the first one on which a badge is, or the next
  /// one after a separator.
  let leaf: Int

  /// The mark in a copy of the group.
  func moved(to point: Point, leaf first: Int = 0) -> Mark {
    Mark(node: node, frame: frame.moved(to: point), end: end.moved(by: point), leaf: leaf + first)
  }
}

extension [Mark] {
  /// Those of a kind, in the order in which they are numbered.
  func numbered(_ kind: NodeKind) -> [Mark] {
    filter { $0.node.kind == kind }.sorted {
      ($0.leaf, $0.node.record) < ($1.leaf, $1.node.record)
    }
  }
}

extension Size {
  func length(horizontally: Bool) -> Double { horizontally ? width : height }

  mutating func setLength(_ length: Double, horizontally: Bool) {
    if horizontally { width = length } else { height = length }
  }

  /// What insets leave of it.
  func inset(by insets: Insets) -> Size { Rect(origin: .zero, size: self).inset(by: insets).size }
}

extension Insets {
  /// Where what they leave begins.
  var corner: Point { Point(x: left, y: top) }

  /// The sum of the two insets on an axis.
  func length(horizontally: Bool) -> Double { horizontally ? left + right : top + bottom }
}

extension Point {
  func position(horizontally: Bool) -> Double { horizontally ? x : y }

  func moved(by distance: Double, horizontally: Bool) -> Point {
    Point(x: x + (horizontally ? distance : 0), y: y + (horizontally ? 0 : distance))
  }

  func moved(by other: Point) -> Point { Point(x: x + other.x, y: y + other.y) }

  /// Moves the point as far as another on each axis, if that is further, or back as far.
  mutating func extend(to other: Point) {
    self = Point(x: max(x, other.x), y: max(y, other.y))
  }

  mutating func retreat(to other: Point) {
    self = Point(x: min(x, other.x), y: min(y, other.y))
  }
}

extension Rect {
  var corner: Point { Point(x: maxX, y: maxY) }

  /// The rectangle seen from another origin, which is at a point here.
  func moved(to point: Point) -> Rect { Rect(origin: point.moved(by: origin), size: size) }

  mutating func move(by distance: Double, horizontally: Bool) {
    if horizontally { x += distance } else { y += distance }
  }
}
