import TesseraSDK

/// The lines of one section.
struct Lines<Axis: ScrollAxis> {
  let section: Int
  let style: SectionStyle
  /// Of the section's items.
  let sizes: Column<Size>

  /// A whisker by which a line may be too long: three columns of (390 - 2·5)/3 add up to
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
  ///   - checkpoints: Where lines begin, noted now and then.
  ///   - progress: Called now and then with how many items are placed.
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

  /// The items that fit from `first` on, one at least.
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
    // A size that is not a number or not finite makes the total so, as do very great ones.
    let isPlain = least.main >= 0 && least.cross >= 0 && total.main.isFinite && total.cross.isFinite
    if !isPlain, let refusal = refusal(of: first..<next) { throw refusal }
    return Line(items: first..<next, length: total.cross, thickness: most.main)
  }

  private func place(
    _ line: Line, _ frames: inout MutableSpan<Rect>, at main: Double
  ) throws(LayoutFailure) {
    let (start, gap) = spread(line)
    let reach = reach(of: line, from: start, gap)
    // What is not finite stays so.
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

  /// How far across the scroll axis a line lies at most.
  func reach(of line: Line, from start: Double, _ gap: Double) -> Double {
    abs(start) + line.length + Double(line.items.count) * abs(gap)
  }

  /// Where a line's first item begins, and the space between its items.
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

  /// What is wrong with the first item of a senseless size, or nil where there is none.
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
