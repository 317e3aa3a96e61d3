import TesseraSDK

/// Where the cells of a section are.
struct SectionCells {
  /// The start of a group in a section with measured items.
  struct Start {
    /// The first item of the group, and the numbers of its first badge and its first separator.
    let firsts: InlineArray<3, Int>
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
  /// The length of the groups along their axis, spacing between them included.
  fileprivate(set) var groupsLength = 0.0
  /// The farthest that a cell, badge or separator reaches.
  fileprivate(set) var reach = Point.zero
  /// How far badges and separators reach ahead of their group.
  fileprivate(set) var lead = Point.zero
  /// The badges and the separators, if items are measured.
  fileprivate(set) var marks: [[Mark]] = [[], []]

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

  /// The number of cells, badges or separators: those of the layer 0, 1 or 2.
  func total(_ layer: Int) -> Int {
    guard layer > 0, count > 0 else { return count }
    guard starts == nil else { return marks[layer - 1].count }
    let (marks, full) = (template.marks[layer - 1], groupCount - 1)
    return full * marks.count + marks.count { full * template.leaves.count + $0.leaf < count }
  }

  /// A badge or separator by its number.
  func mark(_ layer: Int, _ number: Int) -> Mark {
    guard starts == nil else { return marks[layer - 1][number] }
    let marks = template.marks[layer - 1]
    let (group, place) = number.quotientAndRemainder(dividingBy: marks.count)
    return contained(marks[place].moved(to: corner(at: Double(group) * step)))
  }

  /// A badge or separator with its frame in the content.
  func contained(_ mark: Mark) -> Mark {
    let frame = style.contained(mark.frame, end: mark.end, isFree: style.isOrthogonal)
    return Mark(node: mark.node, frame: frame, end: mark.end, leaf: mark.leaf)
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
    var cells = SectionCells(
      style: style, origin: origin, count: items.count, template: template, lead: template.lead)
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
    let isLike = earlier != nil && earlier?.starts == nil && cells.starts == nil
    for (layer, kind) in [(1, badge), (2, separator)] where cells.total(layer) > 0 {
      let total = cells.total(layer)
      let rows = try output.add(.elements(kind, inSection: section, items: 0..<total))
      let kept = isLike && earlier?.style.extent == style.extent ? min(rows.kept, total) : 0
      output.leave(rows, first: kept)
      for number in kept..<total {
        let mark = cells.mark(layer, number)
        guard mark.frame.isFinite else {
          throw .invalidValue(
            "nodes record \(mark.node.record) would reach further than numbers do; give smaller sizes and "
              + "offsets")
        }
        (rows.frame[number], rows.zIndex[number]) = (mark.frame, mark.node.zIndex)
        if number & 0xFFFF == 0xFFFF { try progress(items.count) }
      }
    }
    return cells
  }

  private func check(_ sizes: MeasuredSizes, _ section: Int) throws(LayoutFailure) {
    for item in 0..<sizes.count {
      guard let size = sizes[item], !size.isValid else { continue }
      throw .invalidValue(
        "size of item \(item) in section \(section) is \(describe(size)); it must have a width and a "
          + "height that are finite and not negative")
    }
  }
}

extension SectionCells {
  /// Places all items from one on; all groups are alike.
  fileprivate mutating func repeatTemplate(
    _ rows: Rows, from first: Int, _ progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    let (leaves, frames, groups) = (template.leaves, rows.frame, groupCount)
    let thickness = template.size.length(horizontally: style.isHorizontal)
    groupsLength = Double(groups) * step - style.spacing
    length = style.isOrthogonal ? thickness : groupsLength
    for group in max(0, groups - 2)..<groups {
      let corner = corner(at: Double(group) * step)
      for leaf in leaves.prefix(count - group * leaves.count) {
        reach.extend(to: corner.moved(by: leaf.corner))
      }
      for mark in template.marks.joined() where group * leaves.count + mark.leaf < count {
        reach.extend(to: contained(mark.moved(to: corner)).frame.corner)
      }
    }
    var (group, place) = first.quotientAndRemainder(dividingBy: leaves.count)
    var item = first
    while item < count {
      let corner = corner(at: Double(group) * step)
      let (start, end) = (item, min(count, item + leaves.count - place, item + 0x1_0000))
      frames.withMutableSpan { frames in
        let leaves = leaves.span
        precondition(end <= frames.count && place + end - start <= leaves.count)
        for leaf in 0..<end - start {
          frames[unchecked: start &+ leaf] = leaves[unchecked: place &+ leaf].moved(to: corner)
        }
      }
      (item, place) = (end, place + end - start)
      if place == leaves.count { (group, place) = (group + 1, 0) }
      if start >> 16 < item >> 16 { try progress(item) }
    }
  }

  /// Takes over the groups of the last prepare whose items are unchanged, but for the last of them: what
  /// a group holds depends on the item after it.
  ///
  /// - Returns: The first item that has no place yet.
  fileprivate mutating func resume(_ earlier: SectionCells?, before unchanged: Int) -> Int {
    starts = [Start(firsts: [0, 0, 0], position: 0, reach: .zero, thickness: 0)]
    guard let earlier, earlier.style.extent == style.extent, let known = earlier.starts,
      let last = known.lastIndex(where: { $0.firsts[0] < unchanged })
    else { return 0 }
    starts = Array(known[...last])
    marks = (0...1).map { Array(earlier.marks[$0].prefix(known[last].firsts[$0 + 1])) }
    lead = earlier.lead
    return known[last].firsts[0]
  }

  /// Places all groups from the last known start on.
  fileprivate mutating func place(
    _ rows: Rows, _ sizes: MeasuredSizes, _ progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    var group = MeasuredGroup(template, sizes)
    var starts = starts ?? []
    guard let first = starts.popLast() else { return }
    var (item, position, thickness) = (first.firsts[0], first.position, first.thickness)
    reach = first.reach
    let frames = rows.frame
    while item < count {
      let firsts: InlineArray = [item, marks[0].count, marks[1].count]
      starts.append(
        Start(firsts: firsts, position: position, reach: reach, thickness: thickness))
      let size = group.place(from: item)
      let corner = corner(at: position)
      for (layer, kind) in [NodeKind.badge, .separator].enumerated() where !group.marks.isEmpty {
        for mark in group.marks.numbered(kind) where item + mark.leaf < count {
          lead.retreat(to: mark.frame.origin)
          marks[layer].append(contained(mark.moved(to: corner)))
          reach.extend(to: marks[layer].last!.frame.corner)
        }
      }
      for leaf in group.leaves.prefix(count - item) {
        frames[item] = leaf.moved(to: corner)
        reach.extend(to: frames[item].corner)
        item += 1
      }
      position += size.length(horizontally: style.isAlongX) + style.spacing
      thickness = max(thickness, size.length(horizontally: style.isHorizontal))
      if starts.count & 0xFFF == 0 { try progress(item) }
    }
    groupsLength = position - style.spacing
    length = style.isOrthogonal ? thickness : groupsLength
    self.starts = starts
  }
}

extension Compositional {
  /// Which of the layers that scroll with a section has the elements of a run: 0 for cells, 1 for badges, 2 for
  /// separators.
  private func layer(of run: Run) -> Int? {
    run.category == .cell ? 0 : run.isKind(badge) ? 1 : run.isKind(separator) ? 2 : nil
  }

  /// Moves the cells of orthogonal sections that a query returns to where they are scrolled, and adds
  /// those that are scrolled into it.
  func moveCells(_ rect: Rect, _ output: Output) throws(LayoutFailure) {
    guard let trail, !trail.orthogonal.isEmpty else { return }
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
    var known: [Int: [Set<Int>]] = [:]
    for index in 0..<count {
      let (run, rows) = try output.get(index)
      guard trail.sections[run.section].style.isOrthogonal, let layer = layer(of: run) else {
        continue
      }
      let (offset, frames) = (offset(ofSection: run.section, trail), rows.frame)
      for row in 0..<rows.count {
        move(&frames[row], by: offset, isLookUp: isEverything || mayBeLookUp)
      }
      if !isEverything { known[run.section, default: [[], [], []]][layer].formUnion(run.items) }
    }
    guard !isEverything else { return }
    for section in trail.orthogonal {
      let cells = trail.sections[section]
      let offset = offset(ofSection: section, trail)
      var moved = asked
      moved.move(by: offset, horizontally: isAlongX)
      for layer in 0..<3 {
        let known = known[section]?[layer] ?? []
        for number in cells.elements(layer, in: moved) where !known.contains(number) {
          let items = number..<number + 1
          let rows = try output.add(
            layer == 0
              ? .cells(inSection: section, items: items)
              : .elements(layer == 1 ? badge : separator, inSection: section, items: items))
          if rows.count > 0 { move(&rows.frame[0], by: offset, isLookUp: false) }
        }
      }
    }
  }

  /// How far the cells of a section are moved.
  private func offset(ofSection section: Int, _ trail: Trail) -> Double {
    let (cells, offset) = (trail.sections[section], orthogonalOffsets[section])
    switch cells.style.orthogonal {
    case .none, .continuous: return offset
    case .continuousGroupLeadingBoundary, .groupPaging, .groupPagingCentered:
      return cells.rest(offset, velocity: 0, in: trail.breadth)
    case .paging:
      let page = trail.breadth
      guard page > 0 else { return 0 }
      let rounded = (offset / page + 0.5).rounded(.down) * page
      // In a tiny extent, the number of the page may not be finite.
      return rounded.isFinite ? rounded : offset
    }
  }

  /// Where the groups of an orthogonal section come to rest.
  func restingOffset(
    _ section: UInt32, _ proposed: Double, _ velocity: Double
  ) throws(LayoutFailure) -> Double {
    guard let trail else { throw .failed("nothing is prepared yet; lay out first") }
    guard section < trail.sections.count, trail.sections[Int(section)].style.isOrthogonal else {
      throw .invalidValue(
        "section \(section) does not scroll; give one of the \(trail.sections.count) sections, whose "
          + "orthogonal is not none")
    }
    guard proposed.isFinite, velocity.isFinite else {
      throw .invalidValue(
        "the proposed offset is \(describe(proposed)) and the velocity \(describe(velocity)); give finite "
          + "numbers")
    }
    return trail.sections[Int(section)].rest(proposed, velocity: velocity, in: trail.breadth)
  }
}

extension SectionCells {
  /// Where an orthogonal section comes to rest: at an offset in its range, and at one of its stops if it
  /// has any.
  ///
  /// The result is a stop at which the section stays. What the user proposes to a section that is not
  /// paged contains the velocity; pages and groups are turned in its direction.
  fileprivate func rest(_ proposed: Double, velocity: Double, in extent: Double) -> Double {
    guard count > 0 else { return 0 }
    let insets =
      style.isAlongX
      ? (style.insets.left, style.insets.right) : (style.insets.top, style.insets.bottom)
    let whole = insets.0 + groupsLength + insets.1
    let end = max(0, whole - extent)
    let groups = starts?.count ?? groupCount
    /// The middle of a group is half-way between its start and its end.
    func middle(_ group: Int) -> Double {
      let next = group + 1 < groups ? position(ofGroup: group + 1) : groupsLength + style.spacing
      return insets.0 + (position(ofGroup: group) + next - style.spacing) / 2
    }
    let stops: (count: Int, place: (Int) -> Double)
    switch style.orthogonal {
    case .none, .continuous: return min(max(0, proposed), end)
    case .paging:
      let pages = extent > 0 ? ((whole - Template.tolerance) / extent).rounded(.up) : 1
      stops = (Int(min(max(1, pages), 0x1p52)), { Double($0) * extent })
    case .continuousGroupLeadingBoundary, .groupPaging:
      stops = (groups, { min(position(ofGroup: $0), end) })
    case .groupPagingCentered: stops = (groups, { middle($0) - extent / 2 })
    }
    let next = Self.first(of: stops.count) { stops.place($0) >= proposed }
    guard next > 0 else { return stops.place(0) }
    let low = stops.place(next - 1)
    guard next < stops.count else { return low }
    let high = stops.place(next)
    let turns = style.orthogonal != .continuousGroupLeadingBoundary && velocity != 0
    // At a stop, it stays.
    if high == proposed { return high }
    return (turns ? velocity > 0 : high - proposed <= proposed - low) ? high : low
  }
}

extension Trail {
  /// The extent across the scroll axis.
  fileprivate var breadth: Double { extent.length(horizontally: !isHorizontal) }

  /// The part of a rectangle that lies in the extent across the scroll axis, or in the content if that is wider.
  fileprivate func visiblePart(of rect: Rect) -> Rect {
    var visible = rect
    let extent = Size(
      width: max(extent.width, reach.x), height: max(extent.height, reach.y))
    if isHorizontal {
      visible.y = max(0, rect.y)
      visible.height = max(0, min(rect.maxY, extent.height) - visible.y)
    } else {
      visible.x = max(0, rect.x)
      visible.width = max(0, min(rect.maxX, extent.width) - visible.x)
    }
    return visible
  }
}

extension SectionCells {
  /// The numbers of a layer's elements whose prepared frames meet a rectangle, and maybe others.
  fileprivate func elements(_ layer: Int, in rect: Rect) -> [Int] {
    let total = total(layer)
    guard total > 0, rect.width > 0, rect.height > 0 else { return [] }
    let isAlongX = style.isAlongX
    let across = rect.origin.position(horizontally: !isAlongX)
    guard across < reach.position(horizontally: !isAlongX),
      across + rect.size.length(horizontally: !isAlongX)
        > origin.moved(by: lead).position(horizontally: !isAlongX)
    else { return [] }
    let start = origin.position(horizontally: isAlongX)
    let begin = rect.origin.position(horizontally: isAlongX) - start
    let end = begin + rect.size.length(horizontally: isAlongX)
    let known = layer == 0 ? template.leaves.count : template.marks[layer - 1].count
    let (groups, lead) = (starts?.count ?? groupCount, lead.position(horizontally: isAlongX))
    // One group more at each end, because sums are rounded.
    let upper = min(groups, Self.first(of: groups) { position(ofGroup: $0) + lead >= end } + 1)
    let lower = Self.first(of: groups) { group in
      (starts.map { $0[group].reach.position(horizontally: isAlongX) - start }
        ?? position(ofGroup: group - 1) + template.reach.position(horizontally: isAlongX)) > begin
    }
    func first(_ group: Int) -> Int {
      group < groups ? starts?[group].firsts[layer] ?? group * known : total
    }
    let numbers = first(max(0, min(lower, upper) - 2))..<first(upper)
    guard starts == nil else { return Array(numbers) }
    return numbers.filter {
      guard layer == 0 else { return mark(layer, $0).frame.intersects(rect) }
      let corner = corner(at: position(ofGroup: $0 / known))
      return template.leaves[$0 % known].moved(to: corner).intersects(rect)
    }
  }

  private func position(ofGroup group: Int) -> Double {
    starts?[group].position ?? Double(group) * step
  }

  /// The first number for which `belongs` is true, given that it stays true after that.
  private static func first(of count: Int, where belongs: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongs(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
