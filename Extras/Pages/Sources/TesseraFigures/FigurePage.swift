import TesseraDrawing
import TesseraHost

/// The document around the content: head with title and legend, and tail.
struct FigurePage {
  let arrangement: SVGArrangement
  let room: Double
  private(set) var head: Markup
  private(set) var tail: Markup

  private static let fonts =
    "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"

  /// - Parameters:
  ///   - scale: The colours of the legend.
  ///   - sides: The horizontal extent of the cells in points.
  init<Content: RandomAccessCollection>(
    _ drawing: FigurePicture<Content>, region: Rect, cuts: [Double], legend scale: ColourScale?,
    sides: Rect? = nil
  ) {
    let (picture, figure) = (drawing.picture, drawing.figure)
    let isDark = picture.style.theme == .dark
    let colours = isDark ? SVGColours.dark : .light
    let isReversed = picture.direction == .rightToLeft
    let given = [figure.title, figure.subtitle, figure.source].contains { $0 != nil }
    let margin =
      figure.page != nil ? Paper.margin : !figure.isPart && (given || scale != nil) ? 18.0 : 0
    let magnification =
      figure.page?.scale ?? figure.scale(region: region, cuts: cuts)
    let content = SVGArrangement.size(of: region, cuts: cuts, scale: magnification)
    let width =
      figure.page.map { $0.paper.width - 2 * margin } ?? max(content.width, margin > 0 ? 240 : 1)
    let edge = sides.map { isReversed ? region.maxX - $0.maxX : $0.minX - region.minX } ?? 0
    let inset = 0...24 ~= edge * magnification ? edge * magnification : 0
    let start = isReversed ? margin + width - inset : margin + inset
    let anchor: Markup = isReversed ? " text-anchor=\"end\"" : ""
    var above: Markup = ""
    var y = margin
    func add(
      _ text: String, size: Double, isBold: Bool = false, lines: Int, soft: Bool = false
    ) {
      for line in wrapped(text, width: width - inset, lines: lines, size: size, isBold: isBold) {
        above += """
          <text class="\(soft ? "soft" : "ink")" x="\(start)" y="\(y + size)" font-size="\(size)" \
          font-weight="\(isBold ? 600 : 400)"\(anchor) \
          fill="\(soft ? colours.soft.hex : colours.text.hex)">\(line)</text>

          """
        y += size * FigurePlan.lineHeight + 1
      }
    }
    if let title = figure.title { add(title, size: 17, isBold: true, lines: 3) }
    if let subtitle = figure.subtitle { add(subtitle, size: 12, lines: 3, soft: true) }
    if y > margin { y += 6 }
    if let scale {
      above += Self.legend(
        scale, at: Point(x: isReversed ? margin : start, y: y), width: width - inset,
        isDark: isDark, height: &y)
    }
    let top = y + (figure.page?.head?.height ?? 0) * magnification
    var bottom = margin
    var below: Markup = ""
    if let source = figure.source {
      let edge = top + content.height + 8
      let lines = wrapped(source, width: width - inset, lines: 3, size: 10)
      for (index, line) in lines.enumerated() {
        below += """
          <text class="soft" x="\(start)" y="\(edge + 10 + Double(index) * 13)" font-size="10"\(anchor) \
          fill="\(colours.soft.hex)">\(line)</text>

          """
      }
      bottom = 8 + Double(lines.count) * 13 + (figure.page == nil ? margin / 2 : margin)
    }
    if let page = figure.page {
      below += """
        <text class="soft" x="\(page.paper.width / 2)" y="\(page.paper.height - margin / 2)" \
        font-size="8" text-anchor="middle" fill="\(colours.soft.hex)">\(page.number)</text>

        """
    }
    let shown = content.width + (figure.page?.side?.width ?? 0) * magnification
    arrangement = Self.arrangement(
      region, cuts: cuts, scale: magnification,
      origin: Point(x: isReversed ? max(margin, margin + width - shown) : margin, y: top),
      size: figure.page?.paper
        ?? Size(width: width + 2 * margin, height: top + content.height + bottom),
      head: figure.page?.head, side: figure.page?.side)
    let size = arrangement.size
    room = size.height - top - bottom
    let outer = picture.style.width.map { width in
      Size(width: width, height: size.height * width / size.width)
    }
    let name: Markup = figure.title.map { " aria-label=\"\($0)\"" } ?? ""
    head = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\((outer ?? size).width)" \
      height="\((outer ?? size).height)" \
      viewBox="0 0 \(size.width) \(size.height)" role="img"\(name) font-family="\(Self.fonts)">
      \(picture.style.theme == .auto ? Self.rules(picture) : "")\
      <rect class="ground" width="\(size.width)" height="\(size.height)" \
      fill="\(FigureFill.ground(isDark: isDark).hex)"/>
      \(figure.caption != nil && picture.image != nil ? Self.shade : "")\(above)
      """
    tail = "\(below)</svg>\n"
  }

  /// - Parameters:
  ///   - origin: The corner of the content in the picture.
  ///   - size: The size of the picture.
  ///   - head: A part of the content repeated above the region.
  ///   - side: A part repeated beside the region.
  private static func arrangement(
    _ region: Rect, cuts: [Double], scale: Double, origin: Point, size: Size, head: Rect?,
    side: Rect?
  ) -> SVGArrangement {
    var origin = origin
    let isLeft = side.map { $0.minX < region.minX } ?? false
    let beside = Point(x: origin.x + (isLeft ? 0 : region.width * scale), y: origin.y)
    if let side, isLeft { origin.x += side.width * scale }
    var arrangement = SVGArrangement(region, cuts: cuts, scale: scale, origin: origin, size: size)
    if let side {
      let part = Rect(x: side.x, y: region.y, width: side.width, height: region.height)
      let frame = Rect(
        x: beside.x, y: beside.y, width: side.width * scale, height: region.height * scale)
      arrangement.strips.insert((part, frame), at: 0)
    }
    if let head {
      let height = head.height * scale
      let frame = Rect(
        x: origin.x, y: origin.y - height, width: head.width * scale, height: height)
      arrangement.strips.insert((head, frame), at: 0)
    }
    return arrangement
  }

  /// Darkens a picture behind its caption.
  private static let shade: Markup = """
    <defs><linearGradient id="shade" x2="0" y2="1"><stop stop-opacity="0"/>\
    <stop offset="1" stop-opacity="0.6"/></linearGradient></defs>

    """

  private static func rules(_ picture: Picture<some RandomAccessCollection<Element>>) -> Markup {
    let dark = SVGColours.dark
    var rules: Markup = """
      .ground{fill:\(FigureFill.ground(isDark: true).hex)}.ink{fill:\(dark.text.hex)}\
      .onink{fill:\(FigureFill.ground(isDark: true).hex)}.soft{fill:\(dark.soft.hex)}.edge{stroke:\(FigureFill.ground(isDark: true).hex)}
      """
    for fill in 0...FigureFill.other {
      rules += """
        .f\(fill){fill:\(FigureFill.colour(fill, isDark: true).hex)}\
        .i\(fill){fill:\(FigureFill.ink(on: fill, isDark: true).hex)}
        """
    }
    return "<style>@media (prefers-color-scheme:dark){\(rules)}</style>\n"
  }

  private static func legend(
    _ scale: ColourScale, at origin: Point, width: Double, isDark: Bool, height y: inout Double
  ) -> Markup {
    let colours = isDark ? SVGColours.dark : .light
    var markup: Markup = ""
    func text(_ text: String, x: Double, _ anchor: Markup = "start", isTitle: Bool = false) {
      markup += """
        <text class="\(isTitle ? "ink" : "soft")" x="\(x)" y="\(y + 11)" font-size="11" \
        font-weight="\(isTitle ? 600 : 400)" text-anchor="\(anchor)" \
        fill="\(isTitle ? colours.text.hex : colours.soft.hex)">\(text)</text>

        """
    }
    func box(_ fill: Int, x: Double, width: Double) {
      markup += """
        <rect class="f\(fill)" x="\(x)" y="\(y + 1)" width="\(width)" height="11" \
        fill="\(FigureFill.colour(fill, isDark: isDark).hex)"/>

        """
    }
    let title = wrapped(scale.title, width: width * 0.6, lines: 1, size: 11, isBold: true).first
    var x = origin.x
    if let title {
      text(title, x: x, isTitle: true)
      x += textWidth(title, size: 11, isBold: true) + 12
    }
    for category in scale.categories {
      guard let name = wrapped(category.name, width: width - 18, lines: 1, size: 11).first else {
        continue
      }
      let length = 16 + textWidth(name, size: 11)
      if x > origin.x, x + length > origin.x + width {
        x = origin.x
        y += 17
      }
      box(category.fill, x: x, width: 11)
      text(name, x: x + 16)
      x += length + 12
    }
    if let range = scale.range {
      let ends = textWidth(range.low, size: 11) + textWidth(range.high, size: 11) + 12
      if x > origin.x, x + ends + 96 > origin.x + width {
        x = origin.x
        y += 17
      }
      text(range.low, x: x)
      x += textWidth(range.low, size: 11) + 6
      let left = origin.x + width - x - 6 - textWidth(range.high, size: 11)
      let length = max(32, min(192, left)) / Double(range.fills.count)
      let middle = y
      for (index, fill) in range.fills.enumerated() {
        // Overlaps slightly, so no gap shows.
        box(fill, x: x + Double(index) * length, width: length + 0.3)
      }
      if let text = range.middle {
        let centre = x + Double(range.fills.count) * length / 2
        markup += """
          <text class="soft" x="\(centre)" y="\(middle + 23)" font-size="10" text-anchor="middle" \
          fill="\(colours.soft.hex)">\(text)</text>

          """
      }
      text(range.high, x: x + Double(range.fills.count) * length + 6)
      if range.middle != nil { y += 12 }
    }
    y += 24
    return markup
  }
}
