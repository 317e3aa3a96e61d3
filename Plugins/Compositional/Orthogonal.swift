import TesseraSDK

enum Orthogonal: String, Choice {
  case none, continuous, paging, continuousGroupLeadingBoundary, groupPaging, groupPagingCentered
}

extension Compositional {
  /// 0 for cells, 1 for badges, 2 for separators.
  private func layer(of run: Run) -> Int? {
    run.category == .cell ? 0 : run.isKind(badge) ? 1 : run.isKind(separator) ? 2 : nil
  }

  /// Moves orthogonal cells to their scrolled places, and adds cells scrolled into the query.
  func moveCells(_ rect: Rect, _ output: Output) throws(LayoutFailure) {
    guard let trail, !trail.orthogonal.isEmpty else { return }
    let far = 1e12
    let isEverything = rect.x <= -far && rect.y <= -far && rect.maxX >= far && rect.maxY >= far
    let asked = trail.visiblePart(of: rect)
    // A look-up of one element passes its frame as the rectangle, and finds it anywhere. A query
    // for one cell's frame looks alike: cells that move into it are added in any case.
    let count = output.runCount
    var isLookUp = isEverything
    if count == 1 {
      let rows = try output.get(0).rows
      isLookUp = isLookUp || rows.count == 1 && rows.frame[0] == rect
    }
    /// An invisible cell gets no width: no query then returns it.
    func move(_ frame: inout Rect, by offset: Double, isLookUp: Bool) {
      frame.origin[trail.axis.other] -= offset
      if !isLookUp, !frame.intersects(asked) { frame.width = 0 }
    }
    var known: [Int: [Set<Int>]] = [:]
    for index in 0..<count {
      let (run, rows) = try output.get(index)
      guard trail.sections[run.section].style.isOrthogonal, let layer = layer(of: run) else {
        continue
      }
      let (offset, frames) = (offset(ofSection: run.section, trail), rows.frame)
      for row in 0..<rows.count { move(&frames[row], by: offset, isLookUp: isLookUp) }
      if !isEverything { known[run.section, default: [[], [], []]][layer].formUnion(run.items) }
    }
    guard !isEverything else { return }
    for section in trail.orthogonal {
      let offset = offset(ofSection: section, trail)
      var moved = asked
      moved.origin[trail.axis.other] += offset
      for layer in 0..<3 {
        let known = known[section]?[layer] ?? []
        for number in trail.sections[section].elements(layer, in: moved)
        where !known.contains(number) {
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

  private func offset(ofSection section: Int, _ trail: Trail) -> Double {
    let (cells, offset, page) = (trail.sections[section], orthogonalOffsets[section], trail.breadth)
    switch cells.style.orthogonal {
    case .none, .continuous: return offset
    case .continuousGroupLeadingBoundary, .groupPaging, .groupPagingCentered:
      return cells.rest(offset, velocity: 0, in: page)
    case .paging:
      guard page > 0 else { return 0 }
      let rounded = (offset / page + 0.5).rounded(.down) * page
      // In a tiny extent, the page number may not be finite.
      return rounded.isFinite ? rounded : offset
    }
  }

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

extension Trail {
  fileprivate var breadth: Double { extent[axis.other] }

  /// The part across within the extent, or within wider content.
  fileprivate func visiblePart(of rect: Rect) -> Rect {
    let (across, end) = (axis.other, max(breadth, reach[axis.other]))
    var visible = rect
    visible.origin[across] = max(0, rect.origin[across])
    visible.size[across] = max(0, min(rect.corner[across], end) - visible.origin[across])
    return visible
  }
}

extension SectionCells {
  /// Where an orthogonal section comes to rest: within its range, at a stop if it has any.
  ///
  /// The result is a fixed point. Without paging, the proposal already contains the velocity; pages
  /// and groups turn in its direction.
  fileprivate func rest(_ proposed: Double, velocity: Double, in extent: Double) -> Double {
    guard count > 0 else { return 0 }
    let (insets, groups) = (style.insets[style.groupAxis], groupCount)
    let whole = insets.start + groupsLength + insets.end
    let end = max(0, whole - extent)
    /// Half-way between its start and end.
    func middle(_ group: Int) -> Double {
      let next =
        group + 1 < groups ? start(ofGroup: group + 1).position : groupsLength + style.spacing
      return insets.start + (start(ofGroup: group).position + next - style.spacing) / 2
    }
    let stops: (count: Int, place: (Int) -> Double)
    switch style.orthogonal {
    case .none, .continuous: return min(max(0, proposed), end)
    case .paging:
      let pages = extent > 0 ? ((whole - Template.tolerance) / extent).rounded(.up) : 1
      stops = (Int(min(max(1, pages), 0x1p52)), { Double($0) * extent })
    case .continuousGroupLeadingBoundary, .groupPaging:
      stops = (groups, { min(start(ofGroup: $0).position, end) })
    case .groupPagingCentered: stops = (groups, { middle($0) - extent / 2 })
    }
    let next = (0..<stops.count).partitioningIndex { stops.place($0) >= proposed }
    guard next > 0 else { return stops.place(0) }
    let low = stops.place(next - 1)
    guard next < stops.count else { return low }
    let high = stops.place(next)
    // At a stop, it stays.
    if high == proposed { return high }
    let turns = style.orthogonal != .continuousGroupLeadingBoundary && velocity != 0
    return (turns ? velocity > 0 : high - proposed <= proposed - low) ? high : low
  }

  /// A superset of a layer's elements whose prepared frames intersect a rectangle.
  fileprivate func elements(_ layer: Int, in rect: Rect) -> [Int] {
    let (total, groups, axis) = (total(layer), groupCount, style.groupAxis)
    let (ahead, across) = (origin + lead, axis.other)
    guard total > 0, rect.width > 0, rect.height > 0, rect.origin[across] < reach[across],
      rect.corner[across] > ahead[across]
    else { return [] }
    let start = origin[axis]
    let begin = rect.origin[axis] - start
    let end = begin + rect.size[axis]
    // One more group at each end, because sums are rounded.
    let upper = (0..<groups).partitioningIndex {
      self.start(ofGroup: $0).position + lead[axis] >= end
    }
    let lower = (0..<groups).partitioningIndex {
      self.start(ofGroup: $0).reach[axis] - start > begin
    }
    func first(_ group: Int) -> Int {
      group < groups ? self.start(ofGroup: group).firsts[layer] : total
    }
    let numbers = first(max(0, min(lower, upper + 1, groups) - 2))..<first(upper + 1)
    guard starts == nil else { return Array(numbers) }
    return numbers.filter { part(layer, $0).frame.intersects(rect) }
  }
}
