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
    /// The greatest of their lengths along the scroll axis.
    let thickness: Double
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
    var next = first
    var nextNote = next + Self.itemsBetweenNotes
    while next < frames.count {
      let line = try breakLine(at: next)
      next = line.items.upperBound
      let main = cursor.main
      try place(line, &frames, at: main)
      cursor.pass(line.thickness)
      if sizes.constant != nil { repeatLine(line, placedAt: main, &frames, &next, at: &cursor) }
      if next < frames.count { cursor.advance(by: style.lineSpacing) }
      if next >= nextNote {
        checkpoints.append(Trail.Checkpoint(item: next, cursor: cursor))
        if checkpoints.count % Self.notesBetweenReports == 0 { try progress(next) }
        nextNote = next + Self.itemsBetweenNotes
      }
    }
  }

  static var itemsBetweenNotes: Int { 4096 }
  private static var notesBetweenReports: Int { 16 }

  /// The items that fit from `first` on, at least one.
  private func breakLine(at first: Int) throws(LayoutFailure) -> Line {
    let limit = style.available + Self.tolerance
    let size = Axis.vector(sizes[first])
    var (total, least, most) = (size, size, size)
    var gaps = 0.0
    var next = first + 1
    while next < sizes.count {
      let size = Axis.vector(sizes[next])
      let longer = total + size
      gaps += style.interitemSpacing
      guard longer.cross + gaps <= limit else { break }
      total = longer
      least = least.replacing(with: size, where: size .< least)
      most = most.replacing(with: size, where: size .> most)
      next += 1
    }
    // A size that is not finite makes the total not finite, as do very large sizes.
    let isPlain = least.main >= 0 && least.cross >= 0 && total.main.isFinite && total.cross.isFinite
    if !isPlain, let refusal = refusal(of: first..<next) { throw refusal }
    return Line(items: first..<next, length: total.cross, thickness: most.main)
  }

  private func place(
    _ line: Line, _ frames: inout MutableSpan<Rect>, at main: Double
  ) throws(LayoutFailure) {
    let (start, gap) = spread(line)
    let reach = reach(of: line, from: start, gap)
    // A value that is not finite stays so.
    guard reach.isFinite, main.isFinite else { throw unreachable(line) }
    switch style.grid.method(below: max(reach, abs(main) + line.thickness)) {
    case .multiplying(let grid): place(line, &frames, at: main, from: start, gap, on: grid)
    case .dividing(let grid): place(line, &frames, at: main, from: start, gap, on: grid)
    case .none: place(line, &frames, at: main, from: start, gap, on: NoGrid())
    }
  }

  @inline(__always)
  private func place(
    _ line: Line, _ frames: inout MutableSpan<Rect>, at main: Double, from start: Double,
    _ gap: Double, on grid: some Grid
  ) {
    var cross = start
    for item in line.items {
      let size = sizes[item]
      let origin = grid.round(
        AxisVector(main: main + (line.thickness - Axis.main(size)) / 2, cross: cross))
      frames[item] = Axis.rect(origin, size: size)
      cross += Axis.cross(size) + gap
    }
  }

  /// The greatest position of a line across the scroll axis.
  func reach(of line: Line, from start: Double, _ gap: Double) -> Double {
    abs(start) + line.length + Double(line.items.count) * abs(gap)
  }

  /// The start of a line's first item, and the space between its items.
  func spread(_ line: Line) -> (start: Double, gap: Double) {
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

  /// Repeats a line of a section whose items all have one size, as long as more items follow: such
  /// lines differ only in their position along the scroll axis.
  ///
  /// - Parameters:
  ///   - main: The position of the line.
  ///   - next: The item after the line; afterwards the first item that is not placed.
  func repeatLine(
    _ line: Line, placedAt main: Double, _ frames: inout MutableSpan<Rect>, _ next: inout Int,
    at cursor: inout Cursor
  ) {
    let (start, gap) = spread(line)
    let reach = reach(of: line, from: start, gap)
    func rounded(_ main: Double) -> Double? {
      style.grid.method(below: max(reach, abs(main) + line.thickness)).round(main)
    }
    // Beyond the precision of doubles, place lines one by one.
    guard rounded(main) != nil else { return }
    let count = line.items.count
    let end = min(frames.count - count, next + Self.itemsBetweenStops)
    while next < end, let place = rounded(cursor.main + style.lineSpacing) {
      cursor.advance(by: style.lineSpacing)
      for item in next..<next + count {
        var frame = frames[item - count]
        Axis.setMain(place, of: &frame)
        frames[item] = frame
      }
      cursor.pass(line.thickness)
      next += count
    }
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
    furthest = max(furthest, main)
  }
}
