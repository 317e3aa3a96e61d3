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
}

/// What a node is: a place for an item, or a group with its children side by side or one below the
/// other.
enum NodeKind: String, Choice { case item, horizontal, vertical }

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
        for child in children[group[next].record] { group.append(nodes[child]) }
        group[next].children = first..<group.count
        next += 1
      }
      reached += group.count
      groups[place] = group
    }
    guard reached == nodes.count else { throw cycle(parents) }
    for place in nodes.indices where !nodes[place].isItem && children[place].isEmpty {
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
    let insets = records.contentInsets
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
      guard parent == -1 || kinds[parent] != .item else {
        throw .invalidValue(
          "parent of nodes record \(place) is record \(parent), which is an item; it must be a "
            + "horizontal or vertical group")
      }
      guard parent >= 0 || kind != .item else {
        throw .invalidValue(
          "nodes record \(place) is an item without a parent; its parent must be a horizontal or "
            + "vertical group")
      }
      nodes.append(
        GroupNode(
          record: place, kind: kind, widthIs: widthIs[place], heightIs: heightIs[place],
          size: Size(width: widths[place], height: heights[place]), count: counts[place],
          spacing: spacings[place], isSpacingFlexible: flexible[place], insets: insets[place]))
    }
    return nodes
  }

  /// Names the first record that is its own ancestor; there is one.
  private func cycle(_ parents: Column<Int>) -> LayoutFailure {
    let reached = Set(groups.values.flatMap { $0.map(\.record) })
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
struct GroupNode: Equatable {
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
  /// The places of its children in the root group.
  var children = 0..<0

  var isItem: Bool { kind == .item }
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

  /// Moves the point as far as another on each axis, if that is further.
  mutating func extend(to other: Point) {
    self = Point(x: max(x, other.x), y: max(y, other.y))
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
