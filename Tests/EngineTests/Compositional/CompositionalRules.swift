import TesseraHost

/// Without measured items; each group separately, child by child.
struct CompositionalRules: EngineRules {
  struct Node {
    var kind = "item"
    var parent = -1
    var widthIs = "fractionalWidth"
    var heightIs = "fractionalHeight"
    var width = 1.0
    var height = 1.0
    var count = 0
    var spacing = 0.0
    var isSpacingFlexible = false
    var contentInsets = Insets.zero
    var edgeSpacing = Insets.zero
    var alignment = "top"
    var absoluteOffset = Point.zero
    var fractionalOffset = Point.zero
    var extendsBoundary = true
    var pinToVisibleBounds = false
    var zIndex = 1

    var isContent: Bool { ["item", "horizontal", "vertical"].contains(kind) }
    var isAtLeading: Bool { alignment.lowercased().hasSuffix("leading") }
    var isAtTrailing: Bool { alignment.lowercased().hasSuffix("trailing") }
    var isAtTop: Bool { alignment.hasPrefix("top") }
    var isAtBottom: Bool { alignment.hasPrefix("bottom") }
    var isFooter: Bool { isAtBottom || alignment == "trailing" }
  }

  struct Section {
    var count = 0
    var group = 0
    var interGroupSpacing = 0.0
    var contentInsets = Insets.zero
    var headerReferenceSize = Size.zero
    var footerReferenceSize = Size.zero
    var headerPins = false
    var background = false
    var backgroundInsets = Insets.zero
    var orthogonal = "none"
    var orthogonalOffset = 0.0
  }

  var bounds = Size(width: 400, height: 300)
  var contentInsets = Insets.zero
  var offset = Point.zero
  var isHorizontal = false
  var nodes: [Node] = []
  var sections: [Section] = []

  var extent: Size {
    Rect(origin: .zero, size: bounds).inset(by: contentInsets).size
  }

  var axis: Axis { isHorizontal ? .x : .y }

  private func length(_ dimension: String, _ number: Double, in container: Size) -> Double {
    switch dimension {
    case "fractionalWidth": container.width * number
    case "fractionalHeight": container.height * number
    default: number
    }
  }

  private func size(_ node: Node, in container: Size) -> Size {
    Size(
      width: length(node.widthIs, node.width, in: container),
      height: length(node.heightIs, node.height, in: container))
  }

  /// A position relative to the root group.
  struct Box {
    let node: Int
    let frame: Rect
    let parent: Int?
    /// Item ranges: before it, and before the next box outside it.
    let first: Int
    var end = 0
  }

  func boxes(_ root: Int, in container: Size, items: Int) -> [Box] {
    let (nodes, left) = (effectiveNodes, items)
    var boxes: [Box] = []
    var taken = 0
    func place(_ number: Int, _ size: Size, at origin: Point, in parent: Int?) {
      let (node, index) = (nodes[number], boxes.count)
      let corner = Point(
        x: origin.x + node.edgeSpacing.left, y: origin.y + node.edgeSpacing.top)
      boxes.append(
        Box(
          node: number, frame: Rect(origin: corner, size: size), parent: parent, first: taken))
      defer { boxes[index].end = taken }
      guard node.kind != "item" else { return taken += 1 }
      let line: Axis = node.kind == "horizontal" ? .x : .y
      let inner = Rect(origin: corner, size: size).inset(by: node.contentInsets)
      let room = inner.size[line]
      let children = nodes.indices.filter { nodes[$0].parent == number && nodes[$0].isContent }
      func around(_ child: Int) -> Double { nodes[child].edgeSpacing.length(line) }
      let sizes = children.map { child in
        var size = self.size(nodes[child], in: inner.size)
        guard node.count > 0 else { return size }
        let share = (room - Double(node.count - 1) * node.spacing) / Double(node.count)
        size[line] = max(0, share - around(child))
        return size
      }
      let lengths = zip(sizes, children).map { $0[line] + around($1) }
      var (count, end) = (0, 0.0)
      let isTiny = lengths.reduce(0) { $0 + $1 + node.spacing } <= 1e-6
      while node.count > 0
        ? count < node.count
        : count == 0
          || (!isTiny || count < lengths.count)
            && end + node.spacing + lengths[count % lengths.count] <= room + 1e-6
      {
        end += (count == 0 ? 0 : node.spacing) + lengths[count % lengths.count]
        count += 1
      }
      let total = (0..<count).reduce(0) { $0 + lengths[$1 % lengths.count] }
      let gap =
        node.isSpacingFlexible && count > 1
        ? max(node.spacing, (room - total) / Double(count - 1)) : node.spacing
      var at = 0.0
      for child in 0..<count where taken < left {
        place(
          children[child % sizes.count], sizes[child % sizes.count],
          at: inner.origin + Point(at, along: line), in: index)
        at += lengths[child % lengths.count] + gap
      }
    }
    place(root, size(nodes[root], in: container), at: .zero, in: nil)
    return boxes
  }

  var effectiveNodes: [Node] {
    nodes.isEmpty
      ? [Node(kind: "horizontal", heightIs: "absolute", height: 44), Node(parent: 0)] : nodes
  }

  func place() -> Placement {
    var placement = Placement()
    var main = 0.0
    var reach = Point(extent[axis.other], along: axis.other)
    func across(_ start: Double, _ length: Double) -> Rect {
      Rect(along: axis, start: start, length: length, breadth: extent[axis.other])
    }
    for (number, section) in sections.enumerated() {
      var counts: [String: Int] = [:]
      func add(_ kind: String, _ frame: Rect, _ category: ElementCategory = .supplementary) {
        placement.add(category, kind, number, counts[kind, default: 0], frame)
        counts[kind, default: 0] += 1
      }
      let (start, insets) = (main, self.insets(of: section))
      let header = section.headerReferenceSize[axis]
      let footer = section.footerReferenceSize[axis]
      let edge = offset[axis] + contentInsets[axis].start
      main += header + insets[axis].start
      placeCells(number, &main, &placement, &reach)
      main += insets[axis].end
      if header > 0 {
        let pinned = min(max(edge, start), main - header)
        add("header", across(section.headerPins ? pinned : start, header))
      }
      if footer > 0 { add("footer", across(main, footer)) }
      let box = across(start + header, main - start - header)
      for node in boundaries(of: section) {
        var frame = frame(of: node, of: section, in: box)
        reach.x = max(reach.x, frame.maxX)
        reach.y = max(reach.y, frame.maxY)
        if node.pinToVisibleBounds {
          let (length, natural) = (frame.size[axis], frame.origin[axis])
          let last = offset[axis] + bounds[axis] - contentInsets[axis].end
          frame.origin[axis] =
            node.isFooter
            ? max(min(last - length, natural), min(start + header, natural))
            : min(max(edge, natural), max(main - length, natural))
        }
        add(node.isFooter ? "footer" : "header", frame)
      }
      main += footer
      if section.background {
        add(
          "background", across(start, main - start).inset(by: section.backgroundInsets), .decoration
        )
      }
    }
    placement.contentSize = Size(width: reach.x, height: reach.y)
    placement.contentSize[axis] = max(main, reach[axis])
    return placement
  }

  private func placeCells(
    _ number: Int, _ main: inout Double, _ placement: inout Placement, _ reach: inout Point
  ) {
    let section = sections[number]
    let insets = insets(of: section)
    let isOrthogonal = section.orthogonal != "none"
    let container = Rect(origin: .zero, size: extent).inset(by: insets).size
    let along = isOrthogonal ? axis.other : axis
    var corner = Point(main, along: axis) + Point(insets[axis.other].start, along: axis.other)
    var (frames, groups) = ([Rect](), [(start: Double, end: Double)]())
    var (item, thickness) = (0, 0.0)
    func extend(_ frame: Rect) {
      for axis in isOrthogonal ? [axis] : [.x, .y] {
        reach[axis] = max(reach[axis], frame.corner[axis])
      }
    }
    var marks: [(kind: String, leaf: Int, record: Int, frame: Rect)] = []
    while item < section.count {
      let boxes = boxes(section.group, in: container, items: section.count - item)
      let (rootEdges, first) = (effectiveNodes[section.group].edgeSpacing, item)
      let size = Size(
        width: boxes[0].frame.width + rootEdges.left + rootEdges.right,
        height: boxes[0].frame.height + rootEdges.top + rootEdges.bottom)
      if item > 0 { corner[along] += section.interGroupSpacing }
      for box in boxes {
        for (record, node) in nodes.enumerated() where node.parent == box.node {
          let anchor = box.frame.inset(by: nodes[box.node].contentInsets).moved(by: corner)
          let leaf = first + (node.kind == "badge" ? box.first : box.end)
          guard ["badge", "separator"].contains(node.kind), leaf < section.count else { continue }
          let frame = contained(
            align(node, in: anchor, anchor.size), reaching: anchor, isFree: isOrthogonal)
          extend(frame)
          marks.append((node.kind, leaf, record, frame))
        }
      }
      for box in boxes where effectiveNodes[box.node].kind == "item" {
        let insets = effectiveNodes[box.node].contentInsets
        let frame = box.frame.inset(by: insets).moved(by: corner)
        extend(frame)
        frames.append(frame)
        item += 1
      }
      groups.append((corner[along], corner[along] + size[along]))
      thickness = size[axis]
      corner[along] += size[along]
    }
    let shift = Point(isOrthogonal ? -offset(of: section, groups) : 0, along: along)
    for (item, frame) in frames.enumerated() {
      placement.addCell(number, item, frame.moved(by: shift))
    }
    for (kind, category) in [("badge", ElementCategory.supplementary), ("separator", .decoration)] {
      let all = marks.filter { $0.kind == kind }
        .sorted { ($0.leaf, $0.record) < ($1.leaf, $1.record) }
      for (item, mark) in all.enumerated() {
        placement.add(category, kind, number, item, mark.frame.moved(by: shift))
      }
    }
    main = isOrthogonal || item == 0 ? main + thickness : corner[axis]
  }
}

extension CompositionalRules {
  func boundaries(of section: Section) -> [Node] {
    nodes.filter { $0.kind == "boundary" && $0.parent == section.group }
  }

  private func space(of section: Section) -> Size {
    Rect(origin: .zero, size: extent).inset(by: section.contentInsets).size
  }

  /// Space of the boundaries at each edge: the thickest wins.
  private func bands(of section: Section) -> Insets {
    var bands = Insets.zero
    for node in boundaries(of: section) where node.extendsBoundary {
      let size = size(node, in: space(of: section))
      if node.isAtTop { bands.top = max(bands.top, size.height) }
      if node.isAtBottom { bands.bottom = max(bands.bottom, size.height) }
      if node.alignment == "leading" { bands.left = max(bands.left, size.width) }
      if node.alignment == "trailing" { bands.right = max(bands.right, size.width) }
    }
    return bands
  }

  func insets(of section: Section) -> Insets {
    section.contentInsets.combined(with: bands(of: section), +)
  }

  private func frame(of node: Node, of section: Section, in box: Rect) -> Rect {
    let (bands, insets) = (bands(of: section), insets(of: section))
    let size = size(node, in: space(of: section))
    var frame = align(node, in: box.inset(by: insets), space(of: section), without: true)
    let edge = Rect(
      x: box.x + bands.left, y: box.y + bands.top, width: box.width - bands.left - bands.right,
      height: box.height - bands.top - bands.bottom)
    let isOut = node.extendsBoundary
    if node.isAtTop {
      frame.y = edge.minY - (isOut ? size.height : 0)
    } else if node.isAtBottom {
      frame.y = max(edge.minY, edge.maxY) - (isOut ? 0 : size.height)
    } else if node.alignment == "leading" {
      frame.x = edge.minX - (isOut ? size.width : 0)
    } else if node.alignment == "trailing" {
      frame.x = max(edge.minX, edge.maxX) - (isOut ? 0 : size.width)
    }
    frame.x += node.absoluteOffset.x + node.fractionalOffset.x * size.width
    frame.y += node.absoluteOffset.y + node.fractionalOffset.y * size.height
    return contained(frame.inset(by: node.contentInsets), reaching: .zero, isFree: false)
  }

  private func align(
    _ node: Node, in rect: Rect, _ container: Size, without: Bool = false
  ) -> Rect {
    let size = size(node, in: container)
    var frame = Rect(
      x: rect.midX - size.width / 2, y: rect.midY - size.height / 2, width: size.width,
      height: size.height)
    if node.isAtLeading { frame.x = rect.minX }
    if node.isAtTrailing { frame.x = rect.maxX - size.width }
    if node.isAtTop { frame.y = rect.minY }
    if node.isAtBottom { frame.y = rect.maxY - size.height }
    guard !without else { return frame }
    frame.x += node.absoluteOffset.x + node.fractionalOffset.x * size.width
    frame.y += node.absoluteOffset.y + node.fractionalOffset.y * size.height
    return frame.inset(by: node.contentInsets)
  }

  /// Clamps a frame to the scrollable range, unless the section scrolls across.
  private func contained(_ frame: Rect, reaching anchor: Rect, isFree: Bool) -> Rect {
    var frame = frame
    frame.origin[axis] = max(0, frame.origin[axis])
    guard !isFree else { return frame }
    let other = axis.other
    let last = max(extent[other], anchor.corner[other]) - frame.size[other]
    frame.origin[other] = max(0, min(frame.origin[other], last))
    return frame
  }

  /// Stops of a section with groups side by side, from its insets; nil: anywhere.
  func stops(of section: Section, _ groups: [(start: Double, end: Double)]) -> [Double]? {
    let (insets, page) = (insets(of: section)[axis.other], extent[axis.other])
    let before = insets.start
    let end = (groups.last?.end ?? before) + insets.end
    switch section.orthogonal {
    case "paging":
      let pages = (0..<1000).map { Double($0) * page }
      return [0] + pages.filter { $0 > 0 && $0 < end - 1e-6 }
    case "continuousGroupLeadingBoundary", "groupPaging":
      return groups.map { min($0.start - before, max(0, end - page)) }
    case "groupPagingCentered": return groups.map { ($0.start + $0.end) / 2 - page / 2 }
    default: return nil
    }
  }

  private func offset(
    of section: Section, _ groups: [(start: Double, end: Double)]
  ) -> Double {
    let (offset, page) = (section.orthogonalOffset, extent[axis.other])
    // Extra pages at both ends.
    if section.orthogonal == "paging" {
      return page > 0 ? (offset / page + 0.5).rounded(.down) * page : 0
    }
    guard let stops = stops(of: section, groups) else { return offset }
    // Ties go to the farther stop.
    return stops.reversed().min { ($0 - offset).magnitude < ($1 - offset).magnitude } ?? 0
  }

  var records: RecordList? {
    guard !nodes.isEmpty else { return nil }
    func column(_ type: ValueType, _ value: (Node) -> Value) -> ValueColumn {
      ValueColumn(nodes.map(value), type: type)
    }
    return RecordList(
      count: nodes.count,
      columns: [
        "kind": column(.choice) { .choice($0.kind) },
        "parent": column(.integer) { .integer(Int64($0.parent)) },
        "widthIs": column(.choice) { .choice($0.widthIs) },
        "heightIs": column(.choice) { .choice($0.heightIs) },
        "width": column(.number) { .number($0.width) },
        "height": column(.number) { .number($0.height) },
        "count": column(.integer) { .integer(Int64($0.count)) },
        "spacing": column(.number) { .number($0.spacing) },
        "isSpacingFlexible": column(.bool) { .bool($0.isSpacingFlexible) },
        "contentInsets": column(.insets) { .insets($0.contentInsets) },
        "edgeSpacing": column(.insets) { .insets($0.edgeSpacing) },
        "alignment": column(.choice) { .choice($0.alignment) },
        "absoluteOffset": column(.point) { .point($0.absoluteOffset) },
        "fractionalOffset": column(.point) { .point($0.fractionalOffset) },
        "extendsBoundary": column(.bool) { .bool($0.extendsBoundary) },
        "pinToVisibleBounds": column(.bool) { .bool($0.pinToVisibleBounds) },
        "zIndex": column(.integer) { .integer(Int64($0.zIndex)) },
      ])
  }

  func apply(to session: Session) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    session.offset = offset
    try session.setParameter(
      "scrollDirection", to: .choice(isHorizontal ? "horizontal" : "vertical"))
    try session.setList("nodes", to: records)
    try session.setSections(sections.map(\.count))
    func set(_ name: String, _ type: ValueType, _ value: (Section) -> Value) throws {
      try session.setSectionValues(name, ValueColumn(sections.map(value), type: type))
    }
    try set("group", .integer) { .integer(Int64($0.group)) }
    try set("interGroupSpacing", .number) { .number($0.interGroupSpacing) }
    try set("contentInsets", .insets) { .insets($0.contentInsets) }
    try set("headerReferenceSize", .size) { .size($0.headerReferenceSize) }
    try set("footerReferenceSize", .size) { .size($0.footerReferenceSize) }
    try set("headerPins", .bool) { .bool($0.headerPins) }
    try set("background", .bool) { .bool($0.background) }
    try set("backgroundInsets", .insets) { .insets($0.backgroundInsets) }
    try set("orthogonal", .choice) { .choice($0.orthogonal) }
    try set("orthogonalOffset", .number) { .number($0.orthogonalOffset) }
  }
}
