import TesseraGeometry
import TesseraHost

extension Picture {
  /// Writes an SVG document in UTF-8 chunks.
  public func writeSVG<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    do {
      // Specialized code for the usual type is twice as fast.
      if let picture = self as? Picture<Elements> {
        try picture.draw(to: sink)
      } else {
        try draw(to: sink)
      }
    } catch {
      // Only the sink throws.
      throw error as! Failure
    }
  }

  private func draw(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    let drawnElements = drawnElements
    let region = region(of: drawnElements)
    let arrangement = SVGArrangement(
      region: region, cuts: cuts(of: region), hasCaption: viewport.minY <= region.minY)
    let page = SVGPage(
      picture: self, hues: drawnElements.hues, summary: summary(of: drawnElements),
      extentText: extentText, arrangement: arrangement,
      ground: { SVGPage.ground(of: self, arrangement: arrangement, region: $0) },
      viewport: SVGPage.viewport(of: self, arrangement: arrangement))
    for (index, strip) in arrangement.strips.enumerated() {
      let artist = SVGArtist(
        picture: self, drawnElements: drawnElements, arrangement: arrangement,
        region: strip.region, isWhole: extent == .content && arrangement.strips.count == 1)
      try Markup.stream(
        head: (index == 0 ? page.head : "") + page.start(of: strip), drawnElements.order,
        tail: SVGPage.stripEnd + (index == arrangement.strips.count - 1 ? page.tail : ""), to: sink
      ) { offset, text in
        artist.draw(elements[elements.index(elements.startIndex, offsetBy: offset)], into: &text)
      }
    }
  }

  /// Cuts for the style's strips along the longer side, in points; between rows if possible.
  ///
  /// - Complexity: O(*n*) for each cut; none without strips.
  public func cuts(of region: Rect) -> [Double] {
    guard style.columns > 1 else { return [] }
    let isTall = region.height >= region.width
    let marks = Set(kinds.filter { $0.role == (isTall ? .label : .header) }.map(\.name))
    func mark(_ element: Element) -> Rect? {
      guard marks.contains(element.identity.kind ?? "") else { return nil }
      let frame = element.frame
      // The text of a scale's mark is around its top.
      return isTall ? Rect(x: frame.x, y: frame.y - 7, width: frame.width, height: 14) : frame
    }
    let shown = elements.lazy.filter {
      !$0.isHidden && $0.identity.category != .decoration && $0.transform == .identity
    }
    return region.cuts(
      into: style.columns, around: shown.map { mark($0) ?? $0.frame }, or: shown.compactMap(mark))
  }
}

struct SVGPage {
  /// Before the first strip.
  let head: Markup
  /// After the last strip.
  let tail: Markup
  private let ground: (Rect) -> Markup
  private let overflow: Markup
  private let lineWidth: Double

  private static let fonts =
    "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

  init<Content: RandomAccessCollection>(
    picture: Picture<Content>, hues: Set<Int>, summary: String, extentText: String,
    arrangement: SVGArrangement, ground: @escaping (Rect) -> Markup, viewport: Markup
  ) {
    let size = arrangement.size
    let colours = picture.style.theme.colours
    let rules = picture.style.theme.rules(
      hues: hues, isPaled: picture.attributeNames.contains("contentRect"),
      isDimmed: picture.attributeNames.contains("maskingValue"))
    let shown = picture.style.width.map { width in
      Size(width: width, height: size.height * width / size.width)
    }
    self.ground = ground
    overflow = picture.extent == .content && arrangement.strips.count == 1 ? "visible" : "hidden"
    lineWidth = arrangement.points(1)
    head = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\((shown ?? size).width)" \
      height="\((shown ?? size).height)" \
      viewBox="0 0 \(size.width) \(size.height)" role="img" font-family="\(Self.fonts)">
      <title>\(picture.engineName)</title>
      <desc>\(picture.engineID): \(summary); content \(extentText), \
      laid out at \(picture.scale)× for \(picture.viewport.width) × \(picture.viewport.height)</desc>
      \(rules)\(SVGLook.definitions(arrangement: arrangement, colours))
      <rect class="sheet" x="0.5" y="0.5" width="\(size.width - 1)" height="\(size.height - 1)" \
      rx="12" fill="\(colours.sheet.hex)" stroke="\(colours.edge.hex)"/>
      \(Self.title(
        picture.engineName, summary: summary, extent: extentText, arrangement: arrangement, colours))

      """
    tail = "\(viewport)</svg>\n"
  }

  func start(of strip: (region: Rect, frame: Rect)) -> Markup {
    """
    <svg class="content" \(place: strip.frame) viewBox="\(viewBox: strip.region)" \
    preserveAspectRatio="none" overflow="\(overflow)">
    \(ground(strip.region))<g text-anchor="middle" stroke-width="\(lineWidth)">

    """
  }

  static let stripEnd: Markup = "</g>\n</svg>\n"

  private static func title(
    _ name: String, summary: String, extent: String, arrangement: SVGArrangement,
    _ colours: SVGColours
  ) -> Markup {
    let width = arrangement.size.width - 2 * SVGArrangement.margin
    let extentWidth = estimatedWidth(of: extent, fontSize: 12) + 12
    let name = fitted(name, width: width - extentWidth, fontSize: 16) ?? ""
    let summary = fitted(summary, width: width, fontSize: 12) ?? ""
    return """
      <text x="\(SVGArrangement.margin)" y="\(SVGArrangement.margin + 13)" font-size="16" font-weight="600" \
      fill="\(colours.text.hex)">\(name)</text>
      <text x="\(arrangement.size.width - SVGArrangement.margin)" y="\(SVGArrangement.margin + 13)" font-size="12" \
      text-anchor="end" fill="\(colours.soft.hex)">\(extent)</text>
      <text x="\(SVGArrangement.margin)" y="\(SVGArrangement.margin + 33)" font-size="12" \
      fill="\(colours.soft.hex)">\(summary)</text>
      """
  }

  static func ground<Content: RandomAccessCollection>(
    of picture: Picture<Content>, arrangement: SVGArrangement, region: Rect,
    growth: (Size) -> Markup = { _ in "" }
  ) -> Markup {
    let colours = picture.style.theme.colours
    func paper(_ name: String, _ rect: Rect, fill: Colour, stroke: Colour) -> Markup {
      let shift = region.shift
      let edge = arrangement.points(2)
      let near = Rect(
        x: region.x - edge, y: region.y - edge, width: region.width + 2 * edge,
        height: region.height + 2 * edge)
      let isFar = shift != .zero
      guard let rect = isFar ? rect.clipped(to: near)?.offset(by: shift) : rect else { return "" }
      let growth = isFar ? "" : growth(rect.size)
      let end: Markup = growth.isEmpty ? "/>" : ">\(growth)</rect>"
      return """
        <rect class="\(name)" \(place: rect) fill="\(fill.hex)" stroke="\(stroke.hex)" \
        stroke-width="\(arrangement.points(1))"\(end)

        """
    }
    let content = Rect(origin: .zero, size: picture.contentSize)
    let insets: Markup =
      picture.contentInsets == .zero
      ? ""
      : paper("insets", picture.scrollableRect, fill: colours.insets, stroke: colours.insetsEdge)
    return insets + paper("ground", content, fill: colours.ground, stroke: colours.edge)
  }

  static func viewport<Content: RandomAccessCollection>(
    of picture: Picture<Content>, arrangement: SVGArrangement
  ) -> Markup {
    let colours = picture.style.theme.colours
    let isCut = arrangement.strips.count > 1
    var markup: Markup = ""
    for strip in arrangement.strips {
      let rect = arrangement.place(picture.viewport, in: strip)
      guard let visible = rect.clipped(to: strip.frame) else { continue }
      var outline: Markup = """
        <rect class="viewport-halo" \(place: rect) fill="none" stroke="\(colours.halo.hex)" \
        stroke-opacity="0.7" stroke-width="3"/>
        <rect class="viewport" \(place: rect) fill="none" stroke="\(colours.accent.hex)" \
        stroke-width="1.5" stroke-dasharray="6 4"/>

        """
      var isClipped = isCut
      if case .rect = picture.extent { isClipped = true }
      if isClipped {
        let frame = strip.frame
        outline = """
          <svg \(place: frame) viewBox="\(frame.x) \(frame.y) \(frame.width) \(frame.height)">
          \(outline)</svg>

          """
      }
      if markup.isEmpty {
        outline +=
          caption(
            of: picture.viewport.size, at: visible, in: strip.frame, arrangement: arrangement,
            colours)
          + "\n"
      }
      markup += outline
    }
    return markup
  }

  /// Above the outline, along its right side, or else in its corner.
  private static func caption(
    of size: Size, at rect: Rect, in frame: Rect, arrangement: SVGArrangement,
    _ colours: SVGColours
  ) -> Markup {
    let caption = "viewport \(size.width.readableText) × \(size.height.readableText)"
    let width = estimatedWidth(of: caption, fontSize: 11)
    let start = max(6, min(rect.minX, arrangement.size.width - width - 6))
    func text(_ place: Markup, fill: Colour) -> Markup {
      """
      <text class="viewport-size" \(place) font-size="11" font-weight="600" \
      fill="\(fill.hex)">\(caption)</text>
      """
    }
    if rect.minY <= frame.minY + 1 {
      return text("x=\"\(start)\" y=\"\(rect.minY - 7)\"", fill: colours.accent)
    }
    if rect.maxX >= frame.maxX - 1, rect.height > width {
      return text(
        "transform=\"translate(\(rect.maxX + 7) \(rect.minY + 2)) rotate(90)\"",
        fill: colours.accent)
    }
    let label = Rect(x: start, y: rect.minY, width: width + 8, height: 18)
    return "<rect \(place: label) fill=\"\(colours.accent.hex)\"/>"
      + text("x=\"\(start + 5)\" y=\"\(rect.minY + 13)\"", fill: colours.barInk)
  }
}

extension Markup {
  /// Appends the view box of a part of the content, shifted as by `SVGCanvas`.
  public mutating func appendInterpolation(viewBox region: Rect) {
    let rect = region.offset(by: region.shift)
    appendInterpolation("\(rect.x) \(rect.y) \(rect.width) \(rect.height)" as Markup)
  }

  /// Appends the attributes x, y, width and height.
  public mutating func appendInterpolation(place rect: Rect) {
    appendInterpolation(
      "x=\"\(rect.x)\" y=\"\(rect.y)\" width=\"\(rect.width)\" height=\"\(rect.height)\"" as Markup)
  }
}
