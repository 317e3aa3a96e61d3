import TesseraDrawing
import TesseraHost

/// Measures all elements before drawing: text sizes, nesting and overlaps.
struct FigurePlan {
  let count: Int
  /// Text size of outermost cells, in pixels.
  private(set) var textSize = 11.0
  /// Smallest text in cells: 9 pixels; 7 points beside a scale on paper.
  private let smallest: Double
  /// Text size of group names, in pixels.
  private(set) var groupSize = 11.0
  /// By offset: free height from the top in points; infinite if uncovered.
  private(set) var rooms: [Double]
  /// By offset: width covered by a badge at the trailing side, in points.
  private(set) var badges: [Int: Double] = [:]
  /// By offset: the innermost enclosing cell, or -1.
  private(set) var parents: [Int] = []
  /// By offset: number of enclosing cells.
  private(set) var depths: [UInt8]
  /// By offset: whether a cell contains others.
  private(set) var areGroups: [Bool]
  /// By offset: fill of a cell.
  private(set) var fills: [Int]
  /// Colours of leaf cells.
  private(set) var colours: ColourScale?
  /// Whether cells lie beside a scale, such as events beside hours.
  let hasScale: Bool
  let isList: Bool
  /// Free height of every header from its top, in points; cells can lie on day headers.
  private(set) var headRoom = Double.infinity
  /// Horizontal extent of the cells, in points.
  private(set) var sides = Rect.zero
  /// Text size of headers, in pixels.
  private(set) var headSize = 13.0
  let hasNamesBelow: Bool
  /// On paper, if the engine leaves no room below pictures, names are in the cells.
  let hasNamesInCells: Bool
  /// By offset of a line: halfway to the next line, in points.
  private(set) var middles: [Int: Double] = [:]

  /// - Complexity: O(*n*) if few elements overlap.
  init<Content: RandomAccessCollection>(
    _ drawing: FigurePicture<Content>, order: [Int], scale: Double
  ) where Content.Element == Element {
    let (picture, figure, elements) = (drawing.picture, drawing.figure, drawing.picture.elements)
    let count = elements.count
    self.count = order.count
    rooms = Array(repeating: .infinity, count: count)
    depths = Array(repeating: 0, count: count)
    areGroups = Array(repeating: false, count: count)
    fills = Array(repeating: FigureFill.neutral(1), count: count)
    func element(_ offset: Int) -> Element {
      elements[elements.index(elements.startIndex, offsetBy: offset)]
    }
    // 9 on a small screen, 11 on 800 × 600, up to 14.
    let area = picture.viewport.width * picture.viewport.height * scale * scale
    hasNamesBelow = drawing.hasRoomBelowImages(order)
    hasNamesInCells = figure.paper != nil && picture.image != nil && !hasNamesBelow
    let hasScale = picture.kinds.contains { $0.role == .label }
    self.hasScale = hasScale
    let cells = order.lazy.map(element).filter { $0.identity.category == .cell }
    isList = cells.allSatisfy { cell in
      !hasScale && cell.frame.width >= 4 * cell.frame.height && cell.frame.height * scale <= 60
    }
    let isScaleOnPaper = hasScale && figure.paper != nil
    smallest = isScaleOnPaper ? 7 : 9
    textSize = isScaleOnPaper ? 8 : min(14, max(9, 11 * (area / 480_000).squareRoot()))

    let (first, last) = (cells.map(\.frame.minX).min() ?? 0, cells.map(\.frame.maxX).max() ?? 0)
    sides = Rect(x: first, y: 0, width: last - first, height: 0)
    parents = findOverlaps(order, element, isReversed: picture.direction == .rightToLeft)
    var roots: [Int: Int] = [:]
    var sections: Set<Int> = []
    var root = Array(repeating: -1, count: count)
    let isNested = areGroups.contains(true)
    for offset in order {
      let identity = element(offset).identity
      guard identity.category == .cell else { continue }
      sections.insert(identity.section)
      let parent = parents[offset]
      root[offset] = parent < 0 ? offset : root[parent]
      if roots[root[offset]] == nil { roots[root[offset]] = roots.count }
    }
    colours = figure.colours?.leaving(
      out: order.filter { areGroups[$0] }.map { offset in
        let identity = element(offset).identity
        return (identity.section, identity.item)
      })
    if hasScale {
      findMiddles(order, element, scale: scale)
      // Prefers smaller text to truncated dates.
      let headers = Set(picture.kinds.filter { $0.role == .header }.map(\.name))
      for offset in order where headers.contains(element(offset).identity.kind ?? "") {
        let header = element(offset)
        let name = figure.text?(header) ?? picture.title?(header) ?? ""
        let width = textWidth(name, size: 1, isBold: true)
        guard width > 0 else { continue }
        headSize = max(8, min(headSize, (header.frame.width * scale - 8.1) / width))
      }
    }
    // Beside a scale, events of one name recur or are parts, and share a colour.
    var sectionsOfNames: [String: Int] = [:]
    func colouredSection(_ identity: ElementIdentity) -> Int {
      guard hasScale, let name = picture.label?(identity.section, identity.item), !name.isEmpty
      else { return identity.section }
      let section = sectionsOfNames[name] ?? identity.section
      sectionsOfNames[name] = section
      return section
    }
    for offset in order {
      let identity = element(offset).identity
      guard identity.category == .cell else { continue }
      // Events are paler than the bars at their sides.
      let depth = isNested ? Int(depths[offset]) : hasScale ? 3 : 1
      if let colours {
        fills[offset] =
          areGroups[offset]
          ? FigureFill.neutral(depth)
          : colours.fill(section: identity.section, item: identity.item)
      } else {
        let category =
          sections.count > 1 ? colouredSection(identity) : isNested ? roots[root[offset]] ?? 0 : 0
        fills[offset] = FigureFill.category(max(0, category), depth: depth)
      }
    }

    if hasScale {
      fitNames(picture, order, element, scale: scale)
    } else {
      let step = max(1, order.count / 2000)
      let sizes = stride(from: 0, to: order.count, by: step).map { order[$0] }
        .filter {
          element($0).identity.category == .cell && !areGroups[$0] && element($0).frame.isFinite
        }
        .map { element($0).frame.size }
      // The weighted median over cells with room for eight letters, or else one line.
      func middle(_ side: KeyPath<Size, Double>) -> Double {
        let sizes = sizes.sorted { $0[keyPath: side] < $1[keyPath: side] }
        var left = sizes.reduce(0) { $0 + $1.width * $1.height } / 2
        let size = sizes.first { size in
          left -= size.width * size.height
          return left <= 0
        }
        return (size?[keyPath: side] ?? .infinity) * scale
      }
      let fit = min((middle(\.width) - 8) / 4.8, middle(\.height) / Self.lineHeight)
      textSize = min(textSize, max(smallest, fit))
    }

    // Group names share a size that fits most of the free strips.
    let strips = order.filter { areGroups[$0] }.map { rooms[$0] * scale }.filter { $0 >= 9 }
      .sorted()
    groupSize = textSize
    if !strips.isEmpty {
      groupSize = min(textSize, max(9, strips[strips.count / 4] / FigurePlan.lineHeight))
    }
  }

  /// Reduces the text size if more events can then show their names.
  private mutating func fitNames<Content: RandomAccessCollection>(
    _ picture: Picture<Content>, _ order: [Int], _ element: (Int) -> Element, scale: Double
  ) where Content.Element == Element {
    let events = order.lazy.map(element).filter { $0.identity.category == .cell }.prefix(2000)
    let boxes = events.compactMap { event -> (name: String, room: Size)? in
      guard let name = picture.label?(event.identity.section, event.identity.item) else {
        return nil
      }
      return (name, Size(width: event.frame.width * scale, height: event.frame.height * scale))
    }
    var (best, most) = (textSize, -1)
    for size in stride(from: textSize, through: smallest, by: -0.5) {
      let count = boxes.count { box in
        let size = eventSize(size, height: box.room.height)
        let lines = max(
          leastLines(box.room), Int(min(40, (box.room.height + 0.01) / size / Self.lineHeight)))
        return !wrapped(box.name, width: box.room.width - 11, lines: lines, size: size).isEmpty
          || uprightLine(box.name, in: box.room, size: size) != nil
      }
      if count > most { (best, most) = (size, count) }
    }
    textSize = best
  }

  func eventSize(_ size: Double, height: Double) -> Double {
    min(size, max(smallest, height / Self.lineHeight))
  }

  /// Short events keep at least one line.
  func leastLines(_ room: Size) -> Int { hasScale && room.height >= smallest * 0.85 ? 1 : 0 }

  /// A name reading downward; nil if the box isn't narrow, or too small.
  ///
  /// - Parameter room: The box, including a bar of 3 pixels at one side.
  func uprightLine(_ name: String, in room: Size, size: Double) -> String? {
    guard hasScale, room.height >= 1.25 * room.width, room.width - 3 >= size * Self.lineHeight
    else { return nil }
    return wrapped(name, width: room.height - 8, lines: 1, size: size).first
  }

  /// The start of a name in the smallest text, without an ellipsis; nil below three letters.
  func clippedLine(_ name: String, in room: Size) -> (text: String, size: Double)? {
    guard leastLines(room) > 0 else { return nil }
    let size = smallest
    var (width, text) = (room.width - 6, "")
    for letter in name.drop(while: \.isWhitespace) {
      width -= textWidth(String(letter), size: size)
      guard width >= 0 else { break }
      text.append(letter)
    }
    return letters(text[...]) >= 3 ? (text, size) : nil
  }

  /// Halves distances between lines of a scale that have room for another line.
  private mutating func findMiddles(
    _ order: [Int], _ element: (Int) -> Element, scale: Double
  ) {
    var lines: [String: [(y: Double, offset: Int)]] = [:]
    for offset in order {
      let (identity, frame) = (element(offset).identity, element(offset).frame)
      guard identity.category == .decoration, frame.width > frame.height else { continue }
      lines[identity.kind ?? "", default: []].append((frame.y, offset))
    }
    for lines in lines.values {
      let lines = lines.sorted { $0.y < $1.y }
      for (line, next) in zip(lines, lines.dropFirst()) where (next.y - line.y) * scale >= 24 {
        middles[line.offset] = line.y / 2 + next.y / 2
      }
    }
  }

  /// Height of a header's text, in points.
  static let headerText = 16.0

  /// Height of a name below a picture, in points.
  static let nameHeight = 12.0

  /// Line height, as a multiple of the text size.
  static let lineHeight = 1.2

  func size(at offset: Int) -> Double {
    if areGroups[offset] { return groupSize }
    return max(smallest, textSize - Double(min(depths[offset], 2)))
  }

  /// Finds nesting and overlaps with a grid of squares.
  ///
  /// - Returns: By offset: the innermost enclosing cell, or -1.
  private mutating func findOverlaps(
    _ order: [Int], _ element: (Int) -> Element, isReversed: Bool
  ) -> [Int] {
    var parents = Array(repeating: -1, count: rooms.count)
    var places: [(offset: Int, frame: Rect, isCell: Bool)] = []
    var all: Rect?
    for offset in order {
      let element = element(offset)
      let frame = element.frame
      guard element.identity.category != .decoration, element.transform == .identity,
        frame.isFinite, frame.width > 0, frame.height > 0, element.alpha > 0
      else { continue }
      places.append((offset, frame, element.identity.category == .cell))
      if all == nil { all = frame } else { all?.formUnion(frame) }
    }
    guard let all, all.isFinite, all.width > 0, all.height > 0 else { return parents }
    let side = Double(min(1024, max(1, Int(Double(places.count).squareRoot()))))
    let across = Int(side)
    func square(_ value: Double, _ start: Double, _ length: Double) -> Int {
      Int(min(side - 1, max(0, (value - start) / length * side)))
    }
    var heads = Array(repeating: Int32(-1), count: across * across)
    var entries: [(place: Int32, next: Int32)] = []
    // Elements in many squares; every later element checks them.
    var wide: [Int] = []
    for (place, this) in places.enumerated() {
      let frame = this.frame
      var best = -1
      func look(at other: Int) {
        let below = places[other]
        // Touching within rounding is no overlap.
        guard let shared = frame.clipped(to: below.frame), shared.width > 0.01, shared.height > 0.01
        else { return }
        let covered =
          isReversed ? frame.maxX - below.frame.minX : below.frame.maxX - frame.minX
        if !this.isCell, below.isCell, covered < below.frame.width / 2 {
          badges[below.offset] = max(badges[below.offset] ?? 0, covered)
        } else {
          rooms[below.offset] = min(rooms[below.offset], max(0, frame.minY - below.frame.minY))
        }
        let isInside =
          shared.width >= frame.width - 0.01 && shared.height >= frame.height - 0.01
        if this.isCell, below.isCell, isInside, other > best { best = other }
        if hasScale, this.isCell, !below.isCell {
          headRoom = min(headRoom, max(0, frame.minY - below.frame.minY))
        }
      }
      for other in wide { look(at: other) }
      let columns =
        square(frame.minX, all.minX, all.width)...square(frame.maxX, all.minX, all.width)
      let rows = square(frame.minY, all.minY, all.height)...square(frame.maxY, all.minY, all.height)
      let isWide = columns.count * rows.count > 256 && wide.count < 4096
      for row in rows {
        for column in columns {
          let index = row * across + column
          var entry = heads[index]
          while entry >= 0 {
            look(at: Int(entries[Int(entry)].place))
            entry = entries[Int(entry)].next
          }
          guard !isWide else { continue }
          entries.append((Int32(place), heads[index]))
          heads[index] = Int32(entries.count - 1)
        }
      }
      if isWide { wide.append(place) }
      guard best >= 0 else { continue }
      let parent = places[best].offset
      parents[this.offset] = parent
      areGroups[parent] = true
      depths[this.offset] = min(250, depths[parent]) + 1
    }
    return parents
  }
}
