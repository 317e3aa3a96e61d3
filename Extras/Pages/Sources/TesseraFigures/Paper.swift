import TesseraDrawing
import TesseraHost

/// A format of paper, in points.
public enum Paper: String, CaseIterable, Sendable {
  case a5, a4, a3, a2, letter, tabloid

  /// 15 mm on each side.
  static let margin = 15 / 25.4 * 72

  /// The most pages of a figure.
  static let limit = 10_000

  /// The width and height of a page.
  public var size: Size {
    switch self {
    case .a5: Size(width: 419.528, height: 595.276)
    case .a4: Size(width: 595.276, height: 841.89)
    case .a3: Size(width: 841.89, height: 1190.551)
    case .a2: Size(width: 1190.551, height: 1683.78)
    case .letter: Size(width: 612, height: 792)
    case .tabloid: Size(width: 792, height: 1224)
    }
  }

  fileprivate var tooManyPages: HostError {
    HostError(
      .invalidValue,
      "the figure has more than \(Self.limit) pages of \(self); show less of the layout, or remove --paper"
    )
  }

  /// The part of a page within the margins.
  public var room: Size {
    Size(width: size.width - 2 * Self.margin, height: size.height - 2 * Self.margin)
  }
}

extension FigurePicture {
  /// Writes a figure as pages of its paper: one SVG document per page, separated by NUL.
  ///
  /// The first page has the title, the last one the source. A page that begins within a section
  /// repeats its name, or the headers of sections side by side. Content is scaled down if it is too
  /// wide, or a little too high for one page.
  ///
  /// Throws `.invalidValue` before writing anything if there are more than `Paper.limit` pages.
  public func writePages(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let paper = figure.paper else { return try writeSVG(to: sink) }
    let drawn = picture.drawnElements
    let region = region(of: drawn)
    let (columns, side) = dayColumns(of: region, paper, drawn)
    let width = columns.map(\.width).max() ?? region.width
    var scale = min(1, paper.room.width / (width + (side?.width ?? 0)))
    func page(
      _ look: Figure, _ rect: Rect, _ number: String, _ head: Rect?, _ legend: ColourScale?
    ) -> (FigurePicture, FigurePage) {
      var part = FigurePicture(picture, look)
      part.picture.extent = .rect(rect)
      part.picture.style.columns = 1
      part.figure.page = (paper.size, number, scale, head, side)
      return (part, FigurePage(part, region: rect, cuts: [], legend: legend))
    }
    func room(_ look: Figure, _ head: Rect?, _ legend: ColourScale?) -> Double {
      page(look, Rect(x: 0, y: 0, width: region.width, height: 0), "", head, legend).1.room
    }
    let fit = room(figure, nil, figure.colours) / region.height
    if fit >= 0.75 * scale { scale = min(scale, fit) }
    // A lower bound of the page count, before layout: a page shows at most its height, or 36
    // points.
    guard region.height <= Double(Paper.limit) * max(36, paper.size.height / scale) else {
      throw paper.tooManyPages
    }
    let plan = FigurePlan(self, order: drawn.order, scale: scale)
    let (rows, pages) = try parts(of: region, paper, drawn, plan) {
      room($0, $1, plan.colours) / scale
    }
    let parts = columns.enumerated().flatMap { index, column in
      rows.map { row in
        var part = row
        if index > 0 { (part.look.title, part.look.subtitle) = (nil, nil) }
        (part.rect.x, part.rect.width) = (column.x, column.width)
        part.head = row.head.map { head in
          Rect(x: column.x, y: head.y, width: column.width, height: head.height)
        }
        return part
      }
    }
    let orders = orders(drawn, of: rows.map(\.rect), pages)
    let heads = parts.compactMap(\.head)
    let headers =
      heads.isEmpty ? [] : drawn.order.filter { isHeader($0) || isInside($0, heads[0]) }
    for (index, part) in parts.enumerated() {
      if index > 0 { try withUnsafeBytes(of: UInt8(0), sink) }
      var look = part.look
      if index < parts.count - 1 { look.source = nil }
      let number = "\(index + 1) / \(parts.count)"
      let (drawing, page) = page(look, part.rect, number, part.head, plan.colours)
      try drawing.draw(
        page, plan, orders[index % rows.count] + (part.head == nil ? [] : headers), to: sink)
    }
  }

  private func dayColumns(
    of region: Rect, _ paper: Paper, _ drawn: DrawnElements
  ) -> (columns: [Rect], side: Rect?) {
    let labels = Set(picture.kinds.filter { $0.role == .label }.map(\.name))
    let frames = drawn.order.lazy.map(element(at:))
    let hours = frames.filter { labels.contains($0.identity.kind ?? "") }.map(\.frame)
    let days = drawn.order.filter(isHeader).map { element(at: $0).frame }.sorted {
      $0.minX < $1.minX
    }
    guard region.width * 0.75 > paper.room.width, days.count > 7, let first = hours.first,
      zip(days, days.dropFirst()).allSatisfy({ $0.maxX <= $1.minX + 1 }),
      hours.allSatisfy({ abs($0.minX - first.minX) < 1 && $0.width == first.width })
    else { return ([region], nil) }
    let isReversed = picture.direction == .rightToLeft
    let (start, end) = (days[0].minX, days[days.count - 1].maxX)
    guard isReversed ? first.minX >= end - 1 : first.maxX <= start + 1 else {
      return ([region], nil)
    }
    // Seven days per page, in reading order.
    let weeks = stride(from: 0, to: days.count, by: 7).map { offset -> Rect in
      let last = min(offset + 7, days.count)
      let range = isReversed ? days.count - last..<days.count - offset : offset..<last
      let (from, to) = (days[range.lowerBound].minX, days[range.upperBound - 1].maxX)
      return Rect(x: from, y: region.y, width: to - from, height: region.height)
    }
    let side =
      isReversed
      ? Rect(x: end, y: region.y, width: region.maxX - end, height: region.height)
      : Rect(x: region.x, y: region.y, width: start - region.x, height: region.height)
    return (weeks, side)
  }

  private func isHeader(_ offset: Int) -> Bool {
    picture.role(of: element(at: offset).identity) == .header
  }

  private func isInside(_ offset: Int, _ head: Rect) -> Bool {
    let element = self.element(at: offset)
    return element.identity.category == .cell && element.frame.maxY <= head.maxY
      && element.frame.minY >= head.minY
  }

  /// Splits the content into pages, with texts and headers above and below.
  ///
  /// Splits an element only if it is higher than a page, and keeps a header with its content.
  ///
  /// - Parameter room: Returns a page's height for content, given its texts and headers.
  /// - Returns: The parts, and the page of each element by offset where pages overlap.
  private func parts(
    of region: Rect, _ paper: Paper, _ drawn: DrawnElements, _ plan: FigurePlan,
    room: (Figure, Rect?) -> Double
  ) throws(HostError) -> (parts: [(look: Figure, rect: Rect, head: Rect?)], pages: [Int: Int]) {
    let headerKinds = Set(picture.kinds.filter { $0.role == .header }.map(\.name))
    let labelKinds = Set(picture.kinds.filter { $0.role == .label }.map(\.name))
    // From the top, with the content to keep together. A label's text is around its top.
    var rows: [(element: Element, start: Double, end: Double, offset: Int)] = []
    for offset in drawn.order {
      let element = self.element(at: offset)
      guard element.identity.category != .decoration, element.frame.height > 0 else { continue }
      let hasName = plan.hasNamesBelow && picture.image(of: element) != nil
      let isLabel = labelKinds.contains(element.identity.kind ?? "")
      // Names of the row above use the space over a header's text.
      let isHeader = plan.hasNamesBelow && headerKinds.contains(element.identity.kind ?? "")
      let free = isHeader ? min(4, max(0, element.frame.height - FigurePlan.headerText) / 2) : 0
      rows.append(
        (
          element, element.frame.minY - (isLabel ? 6 : -free),
          isLabel
            ? element.frame.minY + 6 : element.frame.maxY + (hasName ? FigurePlan.nameHeight : 0),
          offset
        ))
    }
    rows.sort { $0.start < $1.start }
    var firsts: [Int: Double] = [:]
    var headers: [Int: (frame: Rect, name: String)] = [:]
    for row in rows.indices.reversed() {
      let (identity, frame) = (rows[row].element.identity, rows[row].element.frame)
      if identity.category == .cell {
        firsts[identity.section] = rows[row].end
      } else if headerKinds.contains(identity.kind ?? "") {
        rows[row].end = max(rows[row].end, firsts[identity.section] ?? 0)
        let name = figure.text?(rows[row].element) ?? picture.title?(rows[row].element)
        headers[identity.section] = name.map { (frame, $0) }
      }
    }
    // Sections side by side, such as days, continue together.
    var beside: Rect?
    if Set(headers.values.map(\.frame.y)).count < headers.count {
      for header in headers.values {
        if beside == nil { beside = header.frame } else { beside?.formUnion(header.frame) }
      }
      beside?.x = region.x
      beside?.width = region.width
    }

    var parts: [(look: Figure, rect: Rect, head: Rect?)] = []
    var pages: [Int: Int] = [:]
    var top = region.minY
    var next = 0
    // Lower edge of earlier elements.
    var reached = -Double.infinity
    while top < region.maxY - 0.01 {
      guard parts.count < Paper.limit else { throw paper.tooManyPages }
      while next < rows.count, rows[next].start < top - 0.01 {
        reached = max(reached, rows[next].end)
        next += 1
      }
      var look = figure
      if !parts.isEmpty {
        (look.title, look.subtitle) = (nil, nil)
        let first = rows[next...].first { $0.element.identity.category == .cell }
        let header = first.flatMap { headers[$0.element.identity.section] }
        if beside == nil, let header, header.frame.y < top - 4.01 {
          look.subtitle = "\(header.name) (continued)"
        }
      }
      let head = beside.flatMap { $0.maxY < top ? $0 : nil }
      let full = top + max(36, room(look, head)) + 0.01
      let begun = rows[next...].prefix { $0.start < full }.filter { pages[$0.offset] == nil }
      func firstDivided(at bottom: Double) -> Double? {
        guard bottom < region.maxY else { return nil }
        return begun.first {
          $0.start > top + 1 && $0.start < bottom && $0.end > bottom + 0.01
            && $0.end - $0.start < full - top
        }?.start
      }
      let late = firstDivided(at: full)
      var bottom = late ?? full
      while let start = firstDivided(at: bottom) { bottom = start }
      // No line separates masonry columns: a cell is on the page that shows it whole, and the next
      // page begins with the first remaining cell.
      var following: Double?
      if let late, late > bottom, !plan.hasScale { (bottom, following) = (full, late) }
      // Overlapping events would leave most of the page empty; break between hours instead.
      if plan.hasScale, bottom - top < (full - top) / 2 {
        bottom =
          rows[next...].prefix { $0.start < full }.last { row in
            labelKinds.contains(row.element.identity.kind ?? "") && row.start > top + 1
          }?.start ?? full
      }
      if reached <= top, next < rows.count, rows[next].start >= bottom {
        bottom = full
      }
      bottom = min(bottom, region.maxY)
      if following != nil || !pages.isEmpty {
        for row in begun where row.end <= bottom + 0.01 { pages[row.offset] = parts.count }
      }
      let rect = Rect(x: region.x, y: top, width: region.width, height: bottom - top)
      parts.append((look, rect, head))
      top = following ?? bottom
    }
    return (parts, pages)
  }

  /// By page: offsets of its elements, from back to front.
  ///
  /// - Parameter pages: The page of an element by offset, where pages overlap.
  private func orders(
    _ drawn: DrawnElements, of rects: [Rect], _ pages: [Int: Int]
  ) -> [[Int]] {
    var orders: [[Int]] = Array(repeating: [], count: rects.count)
    for offset in drawn.order {
      if let page = pages[offset] {
        orders[page].append(offset)
        continue
      }
      let element = self.element(at: offset)
      let outline = element.transform == .identity ? nil : Projection(element).outline
      guard let reach = outline.map({ Rect(around: $0) }) ?? element.frame else { continue }
      var (page, end) = (0, rects.count)
      // An area that touches the edge is excluded, as it would leave a row of pixels; a line is on
      // both.
      let edge = reach.height > 1 ? 0.01 : 0
      while page < end {
        let middle = (page + end) / 2
        if rects[middle].maxY - edge < reach.minY { page = middle + 1 } else { end = middle }
      }
      while page < rects.count, rects[page].minY <= reach.maxY - edge {
        orders[page].append(offset)
        page += 1
      }
    }
    return orders
  }
}
