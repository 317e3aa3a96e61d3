import TesseraSDK

/// Where the cells of a section are.
struct SectionCells {
  /// What their frames depend on, in addition to the nodes and to what was measured.
  struct Basis: Equatable {
    let group: Int
    /// The sizes of the nodes, with estimates.
    let sizes: [Size]
    /// The corner of the first group.
    let origin: Point
    let spacing: Double
    let isAlongX: Bool
  }

  /// The start of a group in a section with measured items.
  struct Start {
    let item: Int
    let position: Double
    /// How far the groups before it reach.
    let reach: Point
    /// The greatest thickness of the groups before it.
    let thickness: Double
  }

  let basis: Basis
  let isOrthogonal: Bool
  let count: Int
  let template: Template
  /// The groups, if items are measured; else they are alike.
  fileprivate(set) var starts: [Start]?
  /// The length that the cells take on the scroll axis.
  fileprivate(set) var length = 0.0
  /// The farthest that a cell reaches.
  fileprivate(set) var reach = Point.zero

  /// Extends what the content must reach to.
  func extend(_ content: inout Point, isHorizontal: Bool) {
    if !isOrthogonal || isHorizontal { content.x = max(content.x, reach.x) }
    if !isOrthogonal || !isHorizontal { content.y = max(content.y, reach.y) }
  }

  /// From one group to the next if they are alike.
  var step: Double { template.size.length(horizontally: basis.isAlongX) + basis.spacing }

  /// The number of groups if they are alike.
  var groupCount: Int { (count + template.leaves.count - 1) / template.leaves.count }

  /// The corner of a group.
  func corner(at position: Double) -> Point {
    basis.isAlongX
      ? Point(x: basis.origin.x + position, y: basis.origin.y)
      : Point(x: basis.origin.x, y: basis.origin.y + position)
  }
}

extension Compositional {
  /// Places the cells of a section, except for those whose frames are unchanged.
  ///
  /// - Parameters:
  ///   - main: The start of the groups on the scroll axis.
  ///   - earlier: The section in the last prepare; nil if nodes differ.
  func addCells(
    ofSection section: Int, _ style: SectionStyle, at main: Double, _ trail: Trail,
    template: Template, earlier: SectionCells?, _ input: Input, to output: Output
  ) throws(LayoutFailure) -> SectionCells {
    let items = input.items(inSection: section)
    var cells = SectionCells(
      basis: SectionCells.Basis(
        group: style.group, sizes: template.sizes,
        origin: trail.isHorizontal
          ? Point(x: main, y: style.insets.top) : Point(x: style.insets.left, y: main),
        spacing: style.spacing, isAlongX: style.isAlongX),
      isOrthogonal: style.isOrthogonal, count: items.count, template: template)
    guard !items.isEmpty else { return cells }
    let rows = try output.add(.cells(inSection: section, items: 0..<items.count))
    let sizes = MeasuredSizes(size[items])
    let earlier = earlier?.basis == cells.basis ? earlier : nil
    func progress(_ placed: Int) throws(LayoutFailure) {
      try output.progress(Double(items.lowerBound + placed) / Double(input.itemCount))
    }
    if template.isElastic, !sizes.isEmpty {
      try check(sizes, section)
      let unchanged = min(rows.kept, input.change.unchangedItems(inSection: section))
      output.leave(rows, first: cells.resume(earlier, before: unchanged))
      try cells.place(rows, sizes, isHorizontal: trail.isHorizontal, progress)
    } else {
      let kept = earlier?.starts == nil && earlier != nil ? min(rows.kept, items.count) : 0
      output.leave(rows, first: kept)
      try cells.repeatTemplate(rows, from: kept, isHorizontal: trail.isHorizontal, progress)
    }
    guard cells.reach.isFinite, cells.length.isFinite, cells.step.isFinite else {
      throw .invalidValue(
        "the groups of section \(section) would reach further than numbers do; give smaller sizes "
          + "and spacings")
    }
    return cells
  }

  private func check(_ sizes: MeasuredSizes, _ section: Int) throws(LayoutFailure) {
    for item in 0..<sizes.count {
      guard let size = sizes[item] else { continue }
      guard size.isFinite, size.width >= 0, size.height >= 0 else {
        throw .invalidValue(
          "size of item \(item) in section \(section) is \(describe(size)); it must have a width and a "
            + "height that are finite and not negative")
      }
    }
  }
}

extension SectionCells {
  /// Places all items from one on; all groups are alike.
  fileprivate mutating func repeatTemplate(
    _ rows: Rows, from first: Int, isHorizontal: Bool,
    _ progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    let known = template.leaves.count
    let (groups, thickness) = (groupCount, template.size.length(horizontally: isHorizontal))
    length = isOrthogonal ? thickness : Double(groups) * step - basis.spacing
    let last = corner(at: Double(groups - 1) * step)
    for leaf in template.leaves.prefix(count - (groups - 1) * known) {
      reach = Point(x: max(reach.x, last.x + leaf.maxX), y: max(reach.y, last.y + leaf.maxY))
    }
    if groups > 1 {
      let full = corner(at: Double(groups - 2) * step)
      reach = Point(
        x: max(reach.x, full.x + template.reach.x), y: max(reach.y, full.y + template.reach.y))
    }
    var next = first
    while next < count {
      let end = min(count, next + Self.itemsBetweenReports)
      rows.frame.withMutableSpan { copyTemplate(to: &$0, next..<end) }
      next = end
      try progress(next)
    }
  }

  private static let itemsBetweenReports = 1 << 16

  private func copyTemplate(to frames: inout MutableSpan<Rect>, _ items: Range<Int>) {
    let (leaves, step) = (template.leaves.span, step)
    var (group, leaf) = items.lowerBound.quotientAndRemainder(dividingBy: leaves.count)
    var item = items.lowerBound
    while item < items.upperBound {
      let corner = corner(at: Double(group) * step)
      let end = min(leaves.count, leaf + items.upperBound - item)
      while leaf < end {
        let place = leaves[leaf]
        frames[item] = Rect(
          x: corner.x + place.x, y: corner.y + place.y, width: place.width, height: place.height)
        leaf += 1
        item += 1
      }
      (group, leaf) = (group + 1, 0)
    }
  }

  /// Takes over the groups of the last prepare whose items are unchanged, but for the last of them: what
  /// a group holds depends on the item after it.
  ///
  /// - Returns: The first item that has no place yet.
  fileprivate mutating func resume(_ earlier: SectionCells?, before unchanged: Int) -> Int {
    starts = [Start(item: 0, position: 0, reach: .zero, thickness: 0)]
    guard let known = earlier?.starts, let last = known.lastIndex(where: { $0.item < unchanged })
    else { return 0 }
    starts = Array(known[...last])
    return known[last].item
  }

  /// Places all groups from the last known start on.
  fileprivate mutating func place(
    _ rows: Rows, _ sizes: MeasuredSizes, isHorizontal: Bool,
    _ progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    var group = MeasuredGroup(template, sizes)
    var starts = starts ?? []
    guard let first = starts.popLast() else { return }
    var (item, position, thickness) = (first.item, first.position, first.thickness)
    reach = first.reach
    let frames = rows.frame
    while item < count {
      starts.append(Start(item: item, position: position, reach: reach, thickness: thickness))
      let size = group.place(from: item)
      let corner = corner(at: position)
      for leaf in group.leaves.prefix(count - item) {
        let frame = Rect(
          x: corner.x + leaf.x, y: corner.y + leaf.y, width: leaf.width, height: leaf.height)
        frames[item] = frame
        reach = Point(x: max(reach.x, frame.maxX), y: max(reach.y, frame.maxY))
        item += 1
      }
      position += size.length(horizontally: basis.isAlongX) + basis.spacing
      thickness = max(thickness, size.length(horizontally: isHorizontal))
      if starts.count & 0xFFF == 0 { try progress(item) }
    }
    length = isOrthogonal ? thickness : position - basis.spacing
    self.starts = starts
  }
}

extension Compositional {
  /// Moves the cells of orthogonal sections that a query returns to where they are scrolled, and adds
  /// those that are scrolled into it.
  func moveCells(_ rect: Rect, _ output: Output) throws(LayoutFailure) {
    guard let trail, trail.sections.contains(where: \.isOrthogonal) else { return }
    let isAlongX = !trail.isHorizontal
    let asked = Query(rect, trail)
    // The look-up of one element gives its own frame as the rectangle, and finds it wherever it is. A
    // query for the frame of one cell looks alike, so the cells that move into it are added in any case.
    let count = output.runCount
    var mayBeLookUp = false
    if count == 1 {
      let rows = try output.get(0).rows
      mayBeLookUp = rows.count == 1 && rows.frame[0] == rect
    }
    var known: [Int: Set<Int>] = [:]
    for index in 0..<count {
      let (run, rows) = try output.get(index)
      guard run.category == .cell, trail.sections[run.section].isOrthogonal else { continue }
      let offset = offset(ofSection: run.section, trail)
      let frames = rows.frame
      for row in 0..<rows.count {
        if isAlongX { frames[row].x -= offset } else { frames[row].y -= offset }
        guard !asked.isEverything else { continue }
        known[run.section, default: []].insert(run.items.lowerBound + row)
        guard !mayBeLookUp else { continue }
        // No query returns an element without a size.
        if !frames[row].intersects(asked.visible) { frames[row].width = 0 }
      }
    }
    guard !asked.isEverything else { return }
    for (section, cells) in trail.sections.enumerated() where cells.isOrthogonal {
      let offset = offset(ofSection: section, trail)
      var moved = asked.visible
      if isAlongX { moved.x += offset } else { moved.y += offset }
      for item in cells.items(in: moved) where known[section]?.contains(item) != true {
        let rows = try output.add(.cells(inSection: section, items: item..<item + 1))
        guard rows.count > 0 else { continue }
        if isAlongX { rows.frame[0].x -= offset } else { rows.frame[0].y -= offset }
        if !rows.frame[0].intersects(asked.visible) { rows.frame[0].width = 0 }
      }
    }
  }

  /// How far the cells of a section are moved.
  private func offset(ofSection section: Int, _ trail: Trail) -> Double {
    let offset = orthogonalOffsets[section]
    guard orthogonals[section] == .paging else { return offset }
    let page = trail.extent.length(horizontally: !trail.isHorizontal)
    return page > 0 ? (offset / page + 0.5).rounded(.down) * page : 0
  }
}

/// What a query asks of cells that were moved.
private struct Query {
  /// The part of the rectangle that lies in the extent across the scroll axis.
  let visible: Rect
  /// Whether all elements are asked for, wherever they are.
  let isEverything: Bool

  init(_ rect: Rect, _ trail: Trail) {
    let far = 1e12
    isEverything = rect.x <= -far && rect.y <= -far && rect.maxX >= far && rect.maxY >= far
    func cut(_ start: Double, _ length: Double, _ extent: Double) -> (Double, Double) {
      let first = max(0, start)
      return (first, max(0, min(start + length, extent) - first))
    }
    var visible = rect
    if trail.isHorizontal {
      (visible.y, visible.height) = cut(rect.y, rect.height, trail.extent.height)
    } else {
      (visible.x, visible.width) = cut(rect.x, rect.width, trail.extent.width)
    }
    self.visible = visible
  }
}

extension SectionCells {
  /// The items whose prepared frames meet a rectangle, and maybe others.
  fileprivate func items(in rect: Rect) -> [Int] {
    guard count > 0, rect.width > 0, rect.height > 0 else { return [] }
    let isAlongX = basis.isAlongX
    let (start, length) = isAlongX ? (rect.x, rect.width) : (rect.y, rect.height)
    let (across, thickness) = isAlongX ? (rect.y, rect.height) : (rect.x, rect.width)
    guard across < (isAlongX ? reach.y : reach.x),
      across + thickness > (isAlongX ? basis.origin.y : basis.origin.x)
    else { return [] }
    let first = start - (isAlongX ? basis.origin.x : basis.origin.y)
    return starts == nil
      ? alike(from: first, to: first + length, rect) : measured(from: first, to: first + length)
  }

  private func alike(from first: Double, to end: Double, _ rect: Rect) -> [Int] {
    let groups = Double(groupCount)
    let depth = basis.isAlongX ? template.reach.x : template.reach.y
    func group(_ position: Double) -> Int {
      step > 0 ? Int(min(max(0, (position / step).rounded(.down)), groups)) : 0
    }
    let lower = max(0, group(first - depth) - 1)
    let upper = step > 0 ? min(groupCount, group(end) + 2) : groupCount
    guard lower < upper else { return [] }
    var items: [Int] = []
    for group in lower..<upper {
      let corner = corner(at: Double(group) * step)
      for (place, leaf) in template.leaves.enumerated() {
        let item = group * template.leaves.count + place
        guard item < count else { break }
        let frame = Rect(
          x: corner.x + leaf.x, y: corner.y + leaf.y, width: leaf.width, height: leaf.height)
        if frame.intersects(rect) { items.append(item) }
      }
    }
    return items
  }

  private func measured(from first: Double, to end: Double) -> [Int] {
    guard let starts else { return [] }
    // An item may be longer than its group: those before may reach into the rectangle.
    let origin = basis.isAlongX ? basis.origin.x : basis.origin.y
    let upper = starts.firstPlace { $0.position >= end }
    let lower = max(
      0, starts.firstPlace { (basis.isAlongX ? $0.reach.x : $0.reach.y) - origin > first } - 1)
    let past = upper < starts.count ? starts[upper].item : count
    return lower < upper ? Array(starts[lower].item..<past) : []
  }
}

extension [SectionCells.Start] {
  /// The place of the first for which `belongs` is true, given that it stays true after that.
  fileprivate func firstPlace(where belongs: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongs(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
