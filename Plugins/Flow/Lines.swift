import TesseraSDK

struct Lines {
  let section: Int
  let style: SectionStyle
  let sizes: Column<Size>
  let scale: Double
  let isTurned: Bool

  /// A line may be too long by this: three columns of (390 - 2·5)/3 add up to 390.00000000000006.
  private static let tolerance = 1e-6

  /// A checkpoint pays off after this many items.
  private static let itemsBetweenCheckpoints = 4096

  /// Beyond this position doubles are too coarse for half pixels, and nothing is rounded.
  private var end: Double { 0x1p51 / scale }

  private struct Line {
    let items: Range<Int>
    let length: Double
    let height: Double
  }

  /// Places lines of at least `itemsBetweenCheckpoints` items, or all remaining ones.
  ///
  /// - Parameter next: The first item without a frame, at the start of a line; advances.
  func place(
    from next: inout Int, _ frames: inout MutableSpan<Rect>, at cursor: inout Cursor
  ) throws(LayoutFailure) {
    let end = min(frames.count, next + Self.itemsBetweenCheckpoints)
    while next < end {
      let line = try breakLine(at: next)
      let isRounded = try place(line, &frames, at: cursor.y)
      next = line.items.upperBound
      cursor.pass(line.height)
      if isRounded, sizes.constant != nil {
        repeatLine(line, from: &next, to: end, &frames, at: &cursor)
      }
      if next < sizes.count { cursor.advance(by: style.lineSpacing) }
    }
  }

  /// Takes at least one item.
  private func breakLine(at first: Int) throws(LayoutFailure) -> Line {
    let (limit, spacing) = (style.room + Self.tolerance, style.interitemSpacing)
    let size = size(first)
    guard size.isValid else { throw refusal(first) }
    var (length, height, gaps) = (size.width, size.height, 0.0)
    var next = first + 1
    while next < sizes.count {
      let size = self.size(next)
      gaps += spacing
      guard length + size.width + gaps <= limit else { break }
      guard size.isValid else { throw refusal(next) }
      length += size.width
      // One instruction, unlike `max`, which orders equal numbers.
      height = height < size.height ? size.height : height
      next += 1
    }
    return Line(items: first..<next, length: length, height: height)
  }

  /// Turned if the content scrolls sideways.
  private func size(_ item: Int) -> Size { sizes[item].turned(isTurned) }

  /// Places a line like `spread`, inlined; returns whether frames are rounded.
  @inline(__always)
  private func place(
    _ line: Line, _ frames: inout MutableSpan<Rect>, at y: Double
  ) throws(LayoutFailure) -> Bool {
    let (start, gap) = spread(line)
    let reach = abs(start) + line.length + Double(line.items.count) * abs(gap)
    let isRounded = reach < end && abs(y) + line.height < end
    guard isRounded || reach.isFinite && y.isFinite else { throw unreachable(line) }
    var x = start
    for item in line.items {
      let size = size(item)
      var origin = Point(x: x, y: y + (line.height - size.height) / 2)
      if isRounded {
        origin = Point(
          x: roundedToPixel(origin.x, scale: scale), y: roundedToPixel(origin.y, scale: scale))
      }
      frames[item] = Rect(origin: origin, size: size)
      x += size.width + gap
    }
    // Afterwards, to keep the test out of the loop above.
    if isTurned { for item in line.items { frames[item] = frames[item].turned(true) } }
    return isRounded
  }

  /// Repeats a line of equal items, at a quarter of the cost of placing it.
  ///
  /// The section's last line may be spread differently and is left out. A separate function has
  /// enough registers for the loop.
  @inline(never)
  private func repeatLine(
    _ line: Line, from next: inout Int, to end: Int, _ frames: inout MutableSpan<Rect>,
    at cursor: inout Cursor
  ) {
    let count = line.items.count
    let copies = (min(end, sizes.count - count) - next + count - 1) / count
    let distance = Double(copies + 1) * (abs(style.lineSpacing) + line.height)
    guard copies > 0, abs(cursor.y) + distance < self.end else { return }
    for _ in 0..<copies {
      cursor.advance(by: style.lineSpacing)
      let y = roundedToPixel(cursor.y, scale: scale)
      cursor.pass(line.height)
      for original in line.items {
        frames[next] = frames[original]
        if isTurned { frames[next].x = y } else { frames[next].y = y }
        next += 1
      }
    }
  }

  /// The start of a line's first item, and the space between its items.
  @inline(__always)
  private func spread(_ line: Line) -> (start: Double, gap: Double) {
    var (places, total) = (Double(line.items.count), line.length)
    if line.items.upperBound == sizes.count {
      guard isUniform(line) else { return (style.left, style.interitemSpacing) }
      // As if items of the same size filled the line.
      let length = size(line.items.lowerBound).width
      let step = length + style.interitemSpacing
      let room = style.room + Self.tolerance + style.interitemSpacing
      let fitting = step > 0 ? (room / step).rounded(.down) : 0
      guard fitting.isFinite else { return (style.left, style.interitemSpacing) }
      if fitting > places { (places, total) = (fitting, fitting * length) }
    }
    guard places > 1 else { return (style.left + (style.room - total) / 2, 0) }
    return (style.left, (style.room - total) / (places - 1))
  }

  private func isUniform(_ line: Line) -> Bool {
    let first = sizes[line.items.lowerBound]
    return line.items.allSatisfy { sizes[$0] == first }
  }

  private func refusal(_ item: Int) -> LayoutFailure {
    .invalidValue(
      "size of item \(item) in section \(section) is \(describe(sizes[item])); width and height "
        + "must be finite and not negative")
  }

  private func unreachable(_ line: Line) -> LayoutFailure {
    .invalidValue(
      "items \(line.items) of section \(section) would lie further out than numbers reach; give "
        + "smaller sizes, spacings and insets")
  }
}

struct Cursor: Equatable {
  /// The start of the next element; never rounded.
  private(set) var y = 0.0
  /// The maximum end: negative spacing may lead back from it.
  private(set) var bottom = 0.0

  mutating func advance(by space: Double) {
    y += space
  }

  mutating func pass(_ height: Double) {
    y += height
    bottom = bottom < y ? y : bottom
  }
}

extension Size {
  /// Both lengths are finite and not negative, in the fewest comparisons.
  var isValid: Bool {
    let most = Double.greatestFiniteMagnitude
    return width >= 0 && width <= most && height >= 0 && height <= most
  }

  func turned(_ isTurned: Bool) -> Size {
    isTurned ? Size(width: height, height: width) : self
  }
}

extension Insets {
  func turned(_ isTurned: Bool) -> Insets {
    isTurned ? Insets(top: left, left: top, bottom: right, right: bottom) : self
  }
}

extension Rect {
  func turned(_ isTurned: Bool) -> Rect {
    isTurned ? Rect(x: y, y: x, width: height, height: width) : self
  }
}
