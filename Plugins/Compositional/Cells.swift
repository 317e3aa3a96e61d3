import TesseraSDK

struct SectionCells {
  struct Start {
    /// The numbers of the first item, badge and separator.
    let firsts: InlineArray<3, Int>
    let position: Double
    /// The far corner of the groups before it.
    let reach: Point
    /// The maximum thickness before it.
    let thickness: Double
  }

  let style: SectionStyle
  let origin: Point
  let count: Int
  let template: Template
  /// Nil if no item is measured: the groups are then alike.
  private(set) var starts: [Start]?
  /// Includes the spacing between groups.
  private(set) var groupsLength = 0.0
  fileprivate(set) var thickness = 0.0
  /// The far corner of cells, badges and separators.
  private(set) var reach = Point.zero
  /// How far badges and separators extend before their group.
  var lead = Point.zero
  /// Badges and separators, if items are measured.
  private(set) var marks: [[Part]] = [[], []]

  var length: Double { style.isOrthogonal ? thickness : groupsLength }

  /// Whether unmeasured cells of the same nodes are alike.
  fileprivate func isLike(_ other: SectionCells) -> Bool {
    style.group == other.style.group && template.sizes == other.template.sizes
      && origin == other.origin && style.spacing == other.style.spacing
      && style.groupAxis == other.style.groupAxis
  }

  /// From one group to the next if they are alike.
  fileprivate var step: Double { template.size[style.groupAxis] + style.spacing }

  var groupCount: Int {
    starts?.count ?? (count + template.leaves.count - 1) / template.leaves.count
  }

  func start(ofGroup group: Int) -> Start {
    if let starts { return starts[group] }
    let counts = template.layers.map(\.count)
    return Start(
      firsts: [group * counts[0], group * counts[1], group * counts[2]],
      position: Double(group) * step, reach: corner(at: Double(group - 1) * step) + template.reach,
      thickness: thickness)
  }

  private func corner(at position: Double) -> Point {
    origin + Point(position, along: style.groupAxis)
  }

  /// The layers are cells, badges and separators.
  func total(_ layer: Int) -> Int {
    guard layer > 0, count > 0 else { return count }
    guard starts == nil else { return marks[layer - 1].count }
    let (parts, full) = (template.layers[layer], groupCount - 1)
    return full * parts.count + parts.count { full * template.leaves.count + $0.leaf < count }
  }

  /// Not for cells if items are measured.
  func part(_ layer: Int, _ number: Int) -> Part {
    guard starts == nil else { return marks[layer - 1][number] }
    let parts = template.layers[layer]
    let (group, place) = number.quotientAndRemainder(dividingBy: parts.count)
    let corner = corner(at: Double(group) * step)
    return layer == 0 ? parts[place].moved(by: corner) : contained(parts[place], at: corner)
  }

  /// Moves a badge or separator to where users can scroll.
  private func contained(_ mark: Part, at corner: Point) -> Part {
    var mark = mark.moved(by: corner)
    mark.frame = style.contained(mark.frame, end: mark.end, isFree: style.isOrthogonal)
    return mark
  }

  /// For groups that are alike.
  fileprivate mutating func repeatTemplate(
    _ rows: Rows, from first: Int, _ progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    let (leaves, groups, step) = (template.leaves, groupCount, step)
    thickness = template.size[style.axis]
    groupsLength = Double(groups) * step - style.spacing
    for group in max(0, groups - 2)..<groups {
      let corner = corner(at: Double(group) * step)
      for leaf in leaves.prefix(count - group * leaves.count) {
        reach.extend(to: corner + leaf.corner)
      }
      for mark in template.layers[1...].joined() where group * leaves.count + mark.leaf < count {
        reach.extend(to: contained(mark, at: corner).frame.corner)
      }
    }
    var (group, place) = first.quotientAndRemainder(dividingBy: leaves.count)
    var item = first
    while item < count {
      let stop = min(count, item + 0x1_0000)
      rows.frame.withMutableSpan { frames in
        let leaves = leaves.span
        while item < stop {
          let corner = corner(at: Double(group) * step)
          let (start, end) = (item, min(stop, item + leaves.count - place))
          precondition(end <= frames.count && place + end - start <= leaves.count)
          for leaf in 0..<end - start {
            frames[unchecked: start &+ leaf] = leaves[unchecked: place &+ leaf].moved(by: corner)
          }
          (item, place) = (end, place + end - start)
          if place == leaves.count { (group, place) = (group + 1, 0) }
        }
      }
      if item < count { try progress(item) }
    }
  }

  /// Keeps the groups with unchanged items, except the last: a group depends on the next item.
  ///
  /// Returns the first item to place.
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

  fileprivate mutating func place(
    _ rows: Rows, _ sizes: Column<Size>, _ progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    var group = MeasuredGroup(template, sizes)
    var starts = starts ?? []
    guard let first = starts.popLast() else { return }
    var (item, position) = (first.firsts[0], first.position)
    (reach, thickness) = (first.reach, first.thickness)
    let frames = rows.frame
    while item < count {
      starts.append(
        Start(
          firsts: [item, marks[0].count, marks[1].count], position: position, reach: reach,
          thickness: thickness))
      let (size, first, corner) = (group.place(from: item), item, corner(at: position))
      for part in group.parts where template.nodes[part.node].isItem && item < count {
        frames[item] = part.frame.moved(by: corner)
        reach.extend(to: frames[item].corner)
        item += 1
      }
      for (layer, kind) in [NodeKind.badge, .separator].enumerated() {
        for mark in template.nodes.numbered(kind, group.parts) where first + mark.leaf < count {
          lead.retreat(to: mark.frame.origin)
          marks[layer].append(contained(mark, at: corner))
          reach.extend(to: marks[layer].last!.frame.corner)
        }
      }
      position += size[style.groupAxis] + style.spacing
      thickness = max(thickness, size[style.axis])
      if starts.count & 0xFFF == 0 { try progress(item) }
    }
    groupsLength = position - style.spacing
    self.starts = starts
  }
}

extension Compositional {
  /// Skips unchanged frames.
  ///
  /// - Parameters:
  ///   - main: The start of the groups on the scroll axis.
  ///   - earlier: The section in the last prepare; nil if nodes differ.
  func addCells(
    ofSection section: Int, _ style: SectionStyle, at main: Double, _ template: Template,
    earlier: SectionCells?, _ input: Input, to output: Output
  ) throws(LayoutFailure) -> SectionCells {
    let items = input.items(inSection: section)
    var origin = style.insets.origin
    origin[style.axis] = main
    var cells = SectionCells(
      style: style, origin: origin, count: items.count, template: template, lead: template.lead)
    guard !items.isEmpty else { return cells }
    let (rows, sizes) = (
      try output.add(.cells(inSection: section, items: 0..<items.count)), size[items]
    )
    let earlier = earlier.flatMap { cells.isLike($0) ? $0 : nil }
    func progress(_ placed: Int) throws(LayoutFailure) {
      try output.progress(Double(items.lowerBound + placed) / Double(input.itemCount))
    }
    let isMeasured = template.isElastic && !sizes.areUnknown
    let wereAlike = earlier != nil && earlier?.starts == nil
    if isMeasured {
      for item in 0..<sizes.count {
        try checkLengths(sizes[item], "size", ofSection: section, item: item)
      }
      let unchanged = min(rows.kept, input.change.unchangedItems(inSection: section))
      output.leave(rows, first: cells.resume(earlier, before: unchanged))
      try cells.place(rows, sizes, progress)
    } else {
      let kept = wereAlike ? min(rows.kept, items.count) : 0
      output.leave(rows, first: kept)
      try cells.repeatTemplate(rows, from: kept, progress)
    }
    guard cells.reach.isFinite, cells.length.isFinite, cells.step.isFinite else {
      throw .invalidValue(
        "the groups of section \(section) would reach further than numbers do; give smaller sizes "
          + "and spacings")
    }
    let isSame = wereAlike && !isMeasured && earlier?.style.extent == style.extent
    for (layer, kind) in [(1, badge), (2, separator)] where cells.total(layer) > 0 {
      let total = cells.total(layer)
      let rows = try output.add(.elements(kind, inSection: section, items: 0..<total))
      let kept = isSame ? min(rows.kept, total) : 0
      output.leave(rows, first: kept)
      for number in kept..<total {
        let mark = cells.part(layer, number)
        let node = template.nodes[mark.node]
        try node.check(mark.frame.isFinite, "offsets")
        (rows.frame[number], rows.zIndex[number]) = (mark.frame, node.zIndex)
        if number & 0xFFFF == 0xFFFF { try progress(items.count) }
      }
    }
    return cells
  }
}
