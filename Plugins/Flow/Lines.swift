import TesseraSDK

/// The lines of one section.
struct Lines<Axis: ScrollAxis> {
  let section: Int
  let style: SectionStyle
  /// The sizes of the section's items.
  let sizes: Column<Size>

  /// The tolerance by which a line may be too long: three columns of (390 - 2·5)/3 add up to
  /// 390.00000000000006.
  private static var tolerance: Double { 1e-6 }

  /// Items that share a line.
  struct Line {
    let items: Range<Int>
    /// The sum of their lengths.
    let length: Double
    /// The greatest of their lengths along the scroll axis, and their sum.
    let thickness, thicknesses: Double
    /// The least length in either direction.
    let least: Double
  }

  /// Gives every item its frame and moves the cursor behind the last line.
  ///
  /// - Parameters:
  ///   - first: The first item that has no frame yet; a line begins there.
  ///   - checkpoints: Receives a start of a line at intervals.
  ///   - progress: Called at intervals with the number of placed items.
  func fill(
    _ frames: inout MutableSpan<Rect>, from first: Int, at cursor: inout Cursor,
    noting checkpoints: inout [Trail.Checkpoint],
    progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    switch style.grid.method {
    case .multiplying(let grid):
      try fill(
        &frames, from: first, at: &cursor, on: grid, noting: &checkpoints, progress: progress)
    case .dividing(let grid):
      try fill(
        &frames, from: first, at: &cursor, on: grid, noting: &checkpoints, progress: progress)
    }
  }

  private func fill(
    _ frames: inout MutableSpan<Rect>, from first: Int, at cursor: inout Cursor,
    on grid: some Grid, noting checkpoints: inout [Trail.Checkpoint],
    progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    let isUniform = sizes.constant != nil
    var next = first
    while next < frames.count {
      if isUniform {
        try repeatLine(at: &next, &frames, at: &cursor, on: grid)
      } else {
        try placeLines(from: &next, &frames, at: &cursor, on: grid)
      }
      guard next < frames.count else { break }
      checkpoints.append(Trail.Checkpoint(item: next, cursor: cursor))
      if checkpoints.count % Self.notesBetweenReports == 0 { try progress(next) }
    }
  }

  /// Places lines of at least `itemsBetweenNotes` items, or all that are left.
  private func placeLines(
    from first: inout Int, _ frames: inout MutableSpan<Rect>, at place: inout Cursor,
    on grid: some Grid
  ) throws(LayoutFailure) {
    let end = min(frames.count, first + Self.itemsBetweenNotes)
    // Most lines stay below this, whatever the space between their items.
    let room = style.grid.end - abs(style.leadingCross) - 2 * abs(style.available)
    var (next, cursor) = (first, place)
    while next < end {
      let line = breakLine(at: next)
      // Numbers that are not finite fail this too.
      if line.items.upperBound < sizes.count, line.least >= 0,
        3 * line.length + abs(cursor.main) + line.thicknesses < room
      {
        let (start, gap) = spreadFully(line)
        put(line, &frames, at: cursor.main, from: start, gap, on: grid)
      } else {
        try placeWithCare(lineFrom: next, &frames, at: cursor.main, on: grid)
      }
      next = line.items.upperBound
      cursor.pass(line.thickness)
      if next < sizes.count { cursor.advance(by: style.lineSpacing) }
    }
    (first, place) = (next, cursor)
  }

  static var itemsBetweenNotes: Int { 4096 }
  private static var notesBetweenReports: Int { 16 }

  /// The items that fit from `first` on, at least one.
  @inline(__always)
  private func breakLine(at first: Int) -> Line {
    let (limit, spacing) = (style.available + Self.tolerance, style.interitemSpacing)
    let size = sizes[first]
    var (length, thickness) = (Axis.cross(size), Axis.main(size))
    var (least, thicknesses, gaps) = (min(length, thickness), thickness, 0.0)
    var next = first + 1
    while next < sizes.count {
      let size = sizes[next]
      let (cross, main) = (Axis.cross(size), Axis.main(size))
      let longer = length + cross
      gaps += spacing
      guard longer + gaps <= limit else { break }
      length = longer
      // One instruction, other than `max`.
      thickness = thickness < main ? main : thickness
      thicknesses += main
      least = min(least, cross, main)
      next += 1
    }
    return Line(
      items: first..<next, length: length, thickness: thickness, thicknesses: thicknesses,
      least: least)
  }

  /// Places a line that may be invalid, or so far out that doubles are too coarse for pixels.
  @inline(never)
  private func placeWithCare(
    lineFrom first: Int, _ frames: inout MutableSpan<Rect>, at main: Double, on grid: some Grid
  ) throws(LayoutFailure) {
    let line = breakLine(at: first)
    // A size that is not finite makes a sum not finite, as do very large sizes.
    let isPlain = line.least >= 0 && line.length.isFinite && line.thicknesses.isFinite
    if !isPlain, let refusal = refusal(of: line.items) { throw refusal }
    let (start, gap) = spread(line)
    let reach = reach(of: line, from: start, gap)
    // A value that is not finite stays so.
    guard reach.isFinite, main.isFinite else { throw unreachable(line) }
    if max(reach, abs(main) + line.thickness) < style.grid.end {
      put(line, &frames, at: main, from: start, gap, on: grid)
    } else {
      put(line, &frames, at: main, from: start, gap, on: NoGrid())
    }
  }

  @inline(__always)
  private func put(
    _ line: Line, _ frames: inout MutableSpan<Rect>, at main: Double, from start: Double,
    _ gap: Double, on grid: some Grid
  ) {
    let sizes = sizes[line.items]
    var cross = start
    for index in 0..<sizes.count {
      let size = sizes[index]
      let origin = grid.round(
        AxisVector(main: main + (line.thickness - Axis.main(size)) / 2, cross: cross))
      frames[line.items.lowerBound + index] = Axis.rect(origin, size: size)
      cross += Axis.cross(size) + gap
    }
  }

  /// The greatest position of a line across the scroll axis.
  private func reach(of line: Line, from start: Double, _ gap: Double) -> Double {
    abs(start) + line.length + Double(line.items.count) * abs(gap)
  }

  /// The start and the space between items of a line that is not the last.
  @inline(__always)
  private func spreadFully(_ line: Line) -> (start: Double, gap: Double) {
    let left = style.available - line.length
    guard line.items.count > 1 else { return (style.leadingCross + left / 2, 0) }
    return (style.leadingCross, left / Double(line.items.count - 1))
  }

  /// The start of a line's first item, and the space between its items.
  private func spread(_ line: Line) -> (start: Double, gap: Double) {
    let count = line.items.count
    let length = Axis.cross(sizes[line.items.lowerBound])
    var places = Double(count)
    if line.items.upperBound == sizes.count {
      guard isUniform(line) else { return (style.leadingCross, style.interitemSpacing) }
      // As if items of the same size filled the line.
      let step = length + style.interitemSpacing
      let room = style.available + Self.tolerance + style.interitemSpacing
      if step > 0 { places = max(places, (room / step).rounded(.down)) }
      guard places.isFinite else { return (style.leadingCross, style.interitemSpacing) }
    }
    guard places > 1 else {
      return (style.leadingCross + (style.available - length) / 2, 0)
    }
    let total = places > Double(count) ? places * length : line.length
    return (style.leadingCross, (style.available - total) / (places - 1))
  }

  private func isUniform(_ line: Line) -> Bool {
    let first = sizes[line.items.lowerBound]
    return line.items.allSatisfy { sizes[$0] == first }
  }

  /// The failure of the first item with an invalid size, or nil if there is none.
  private func refusal(of items: Range<Int>) -> LayoutFailure? {
    for item in items {
      let size = sizes[item]
      if size.isFinite, size.width >= 0, size.height >= 0 { continue }
      return .invalidValue(
        "size of item \(item) in section \(section) is \(describe(size)); width and height must be "
          + "finite and not negative")
    }
    return nil
  }

  private func unreachable(_ line: Line) -> LayoutFailure {
    .invalidValue(
      "items \(line.items) of section \(section) would lie further out than numbers reach; give "
        + "smaller sizes, spacings and insets")
  }
}

extension Lines {
  /// The number of items between two checkpoints or progress reports: repeating is so fast that
  /// more of them would cost time.
  private static var itemsBetweenStops: Int { 65536 }

  /// Places a line of a section whose items all have one size, and those after it, which differ only
  /// in their position along the scroll axis.
  private func repeatLine(
    at first: inout Int, _ frames: inout MutableSpan<Rect>, at place: inout Cursor,
    on grid: some Grid
  ) throws(LayoutFailure) {
    let line = breakLine(at: first)
    try placeWithCare(lineFrom: first, &frames, at: place.main, on: grid)
    var (next, cursor) = (line.items.upperBound, place)
    cursor.pass(line.thickness)
    let count = repetitions(of: line, from: cursor, in: frames.count)
    if line.items.count == 1, cursor.isExact(with: style.lineSpacing, line.thickness, times: count)
    {
      // One sum a line rather than two that wait for each other.
      var (frame, main) = (frames[first], cursor.main + style.lineSpacing)
      for item in next..<next + count {
        Axis.setMain(grid.round(main), of: &frame)
        frames[item] = frame
        main += style.lineSpacing + line.thickness
      }
      cursor.pass(line.thickness, after: style.lineSpacing, times: count)
      next += count
    } else {
      for _ in 0..<count {
        cursor.advance(by: style.lineSpacing)
        let main = grid.round(cursor.main)
        // Copies of the first line: a copy of the line before would wait until that is written.
        for item in line.items {
          var frame = frames[item]
          Axis.setMain(main, of: &frame)
          frames[next] = frame
          next += 1
        }
        cursor.pass(line.thickness)
      }
    }
    if next < sizes.count { cursor.advance(by: style.lineSpacing) }
    (first, place) = (next, cursor)
  }

  /// How often to repeat a line at once: always with items after it, because the last line may be
  /// spread differently, and not where doubles are too coarse for pixels.
  private func repetitions(of line: Line, from cursor: Cursor, in itemCount: Int) -> Int {
    let next = line.items.upperBound
    let end = min(itemCount - line.items.count, next + Self.itemsBetweenStops)
    guard next < end else { return 0 }
    let count = (end - next - 1) / line.items.count + 1
    let (start, gap) = spread(line)
    let stride = abs(style.lineSpacing) + line.thickness
    let furthest = abs(cursor.main) + Double(count) * stride + line.thickness
    return max(reach(of: line, from: start, gap), furthest) < style.grid.end ? count : 0
  }
}

/// The current position along the scroll axis.
struct Cursor: Equatable {
  /// The start of the next element; never rounded.
  private(set) var main = 0.0
  /// The furthest end of an element: negative spacing may lead back from it.
  private(set) var furthest = 0.0

  /// Advances by a space, which may be negative.
  mutating func advance(by space: Double) {
    main += space
  }

  /// Advances past elements of this length.
  mutating func pass(_ length: Double) {
    main += length
    furthest = furthest < main ? main : furthest
  }

  /// Whether sums of these lengths are exact, so that their order does not matter: all are small
  /// multiples of 1/1024.
  func isExact(with space: Double, _ length: Double, times count: Int) -> Bool {
    let far = abs(main) + Double(count) * (abs(space) + abs(length))
    let parts = SIMD4(main, space, length, 0) * 1024
    return far < 0x1p41 && parts.rounded(.down) == parts
  }

  /// Advances by a space and past elements of a length, again and again; the sums must be exact.
  mutating func pass(_ length: Double, after space: Double, times count: Int) {
    guard count > 0 else { return }
    let first = main + space + length
    main += Double(count) * (space + length)
    furthest = max(furthest, first, main)
  }
}
