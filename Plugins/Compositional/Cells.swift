import TesseraSDK

/// Where the cells of a section are.
struct SectionCells {
  /// The start of a group in a section with measured items.
  struct Start {
    let item: Int
    let position: Double
    /// How far the groups before it reach.
    let reach: Point
    /// The greatest thickness of the groups before it.
    let thickness: Double
  }

  let style: SectionStyle
  /// The corner of the first group.
  let origin: Point
  let count: Int
  let template: Template
  /// The groups, if items are measured; else they are alike.
  fileprivate(set) var starts: [Start]?
  /// The length that the cells take on the scroll axis.
  fileprivate(set) var length = 0.0
  /// The farthest that a cell reaches.
  fileprivate(set) var reach = Point.zero

  /// Whether the cells of another prepare with the same nodes are where these are, as far as they were
  /// not measured.
  func isLike(_ other: SectionCells) -> Bool {
    style.group == other.style.group && template.sizes == other.template.sizes
      && origin == other.origin && style.spacing == other.style.spacing
      && style.isAlongX == other.style.isAlongX
  }

  /// From one group to the next if they are alike.
  var step: Double { template.size.length(horizontally: style.isAlongX) + style.spacing }

  /// The number of groups if they are alike.
  var groupCount: Int { (count + template.leaves.count - 1) / template.leaves.count }

  /// The corner of a group.
  func corner(at position: Double) -> Point {
    origin.moved(by: position, horizontally: style.isAlongX)
  }
}

extension Compositional {
  /// Places the cells of a section, except for those whose frames are unchanged.
  ///
  /// - Parameters:
  ///   - main: The start of the groups on the scroll axis.
  ///   - earlier: The section in the last prepare; nil if nodes differ.
  func addCells(
    ofSection section: Int, _ style: SectionStyle, at main: Double, _ template: Template,
    earlier: SectionCells?, _ input: Input, to output: Output
  ) throws(LayoutFailure) -> SectionCells {
    let items = input.items(inSection: section)
    let origin =
      style.isHorizontal
      ? Point(x: main, y: style.insets.top) : Point(x: style.insets.left, y: main)
    var cells = SectionCells(style: style, origin: origin, count: items.count, template: template)
    guard !items.isEmpty else { return cells }
    let rows = try output.add(.cells(inSection: section, items: 0..<items.count))
    let sizes = MeasuredSizes(column: size[items])
    let earlier = earlier.flatMap { cells.isLike($0) ? $0 : nil }
    func progress(_ placed: Int) throws(LayoutFailure) {
      try output.progress(Double(items.lowerBound + placed) / Double(input.itemCount))
    }
    if template.isElastic, !sizes.areUnknown {
      try check(sizes, section)
      let unchanged = min(rows.kept, input.change.unchangedItems(inSection: section))
      output.leave(rows, first: cells.resume(earlier, before: unchanged))
      try cells.place(rows, sizes, progress)
    } else {
      let kept = earlier?.starts == nil && earlier != nil ? min(rows.kept, items.count) : 0
      output.leave(rows, first: kept)
      try cells.repeatTemplate(rows, from: kept, progress)
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
    _ rows: Rows, from first: Int, _ progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    let known = template.leaves.count
    let groups = groupCount
    length =
      style.isOrthogonal
      ? template.size.length(horizontally: style.isHorizontal)
      : Double(groups) * step - style.spacing
    let last = corner(at: Double(groups - 1) * step)
    for leaf in template.leaves.prefix(count - (groups - 1) * known) {
      reach.extend(to: last.moved(by: leaf.corner))
    }
    if groups > 1 {
      let full = corner(at: Double(groups - 2) * step)
      reach.extend(to: full.moved(by: template.reach))
    }
    let (leaves, frames) = (template.leaves, rows.frame)
    var (group, place) = first.quotientAndRemainder(dividingBy: leaves.count)
    var corner = corner(at: Double(group) * step)
    for item in first..<count {
      if place == leaves.count {
        (group, place) = (group + 1, 0)
        corner = self.corner(at: Double(group) * step)
      }
      frames[item] = leaves[place].moved(to: corner)
      place += 1
      if item & 0xFFFF == 0xFFFF { try progress(item) }
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
    _ rows: Rows, _ sizes: MeasuredSizes, _ progress: (Int) throws(LayoutFailure) -> Void
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
        frames[item] = leaf.moved(to: corner)
        reach.extend(to: frames[item].corner)
        item += 1
      }
      position += size.length(horizontally: style.isAlongX) + style.spacing
      thickness = max(thickness, size.length(horizontally: style.isHorizontal))
      if starts.count & 0xFFF == 0 { try progress(item) }
    }
    length = style.isOrthogonal ? thickness : position - style.spacing
    self.starts = starts
  }
}

extension Compositional {
  /// Moves the cells of orthogonal sections that a query returns to where they are scrolled, and adds
  /// those that are scrolled into it.
  func moveCells(_ rect: Rect, _ output: Output) throws(LayoutFailure) {
    guard let trail, trail.sections.contains(where: \.style.isOrthogonal) else { return }
    let isAlongX = !trail.isHorizontal
    let far = 1e12
    let isEverything = rect.x <= -far && rect.y <= -far && rect.maxX >= far && rect.maxY >= far
    let asked = trail.visiblePart(of: rect)
    // The look-up of one element gives its own frame as the rectangle, and finds it wherever it is. A
    // query for the frame of one cell looks alike, so the cells that move into it are added in any case.
    let count = output.runCount
    var mayBeLookUp = false
    if count == 1 {
      let rows = try output.get(0).rows
      mayBeLookUp = rows.count == 1 && rows.frame[0] == rect
    }
    /// Moves a cell; one that is then out of sight gets no width, for no query returns such a cell.
    func move(_ frame: inout Rect, by offset: Double, isLookUp: Bool) {
      frame.move(by: -offset, horizontally: isAlongX)
      if !isLookUp, !frame.intersects(asked) { frame.width = 0 }
    }
    var known: [Int: Set<Int>] = [:]
    for index in 0..<count {
      let (run, rows) = try output.get(index)
      guard run.category == .cell, trail.sections[run.section].style.isOrthogonal else { continue }
      let (offset, frames) = (offset(ofSection: run.section, trail), rows.frame)
      for row in 0..<rows.count {
        move(&frames[row], by: offset, isLookUp: isEverything || mayBeLookUp)
      }
      if !isEverything { known[run.section, default: []].formUnion(run.items) }
    }
    guard !isEverything else { return }
    for (section, cells) in trail.sections.enumerated() where cells.style.isOrthogonal {
      let offset = offset(ofSection: section, trail)
      var moved = asked
      moved.move(by: offset, horizontally: isAlongX)
      for item in cells.items(in: moved) where known[section]?.contains(item) != true {
        let rows = try output.add(.cells(inSection: section, items: item..<item + 1))
        if rows.count > 0 { move(&rows.frame[0], by: offset, isLookUp: false) }
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

extension Trail {
  /// The part of a rectangle that lies in the extent across the scroll axis.
  fileprivate func visiblePart(of rect: Rect) -> Rect {
    func cut(_ start: Double, _ length: Double, _ extent: Double) -> (Double, Double) {
      let first = max(0, start)
      return (first, max(0, min(start + length, extent) - first))
    }
    var visible = rect
    if isHorizontal {
      (visible.y, visible.height) = cut(rect.y, rect.height, extent.height)
    } else {
      (visible.x, visible.width) = cut(rect.x, rect.width, extent.width)
    }
    return visible
  }
}

extension SectionCells {
  /// The items whose prepared frames meet a rectangle, and maybe others.
  fileprivate func items(in rect: Rect) -> [Int] {
    guard count > 0, rect.width > 0, rect.height > 0 else { return [] }
    let isAlongX = style.isAlongX
    let across = rect.origin.position(horizontally: !isAlongX)
    guard across < reach.position(horizontally: !isAlongX),
      across + rect.size.length(horizontally: !isAlongX)
        > origin.position(horizontally: !isAlongX)
    else { return [] }
    let first =
      rect.origin.position(horizontally: isAlongX) - origin.position(horizontally: isAlongX)
    let end = first + rect.size.length(horizontally: isAlongX)
    return starts.map { measured($0, from: first, to: end) } ?? alike(from: first, to: end, rect)
  }

  private func alike(from first: Double, to end: Double, _ rect: Rect) -> [Int] {
    let groups = Double(groupCount)
    let depth = template.reach.position(horizontally: style.isAlongX)
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
        if leaf.moved(to: corner).intersects(rect) { items.append(item) }
      }
    }
    return items
  }

  private func measured(_ starts: [Start], from first: Double, to end: Double) -> [Int] {
    // An item may be longer than its group: those before may reach into the rectangle.
    let origin = origin.position(horizontally: style.isAlongX)
    let upper = starts.firstPlace { $0.position >= end }
    let lower = max(
      0,
      starts.firstPlace { $0.reach.position(horizontally: style.isAlongX) - origin > first } - 1)
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
