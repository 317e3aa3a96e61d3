import TesseraGeometry
import TesseraHost

extension Picture {
  /// The picture as one SVG document.
  ///
  /// - Complexity: O(*n*), O(*n* log *n*) where the elements do not come in their drawing order.
  public func svg() -> String {
    var bytes: [UInt8] = []
    writeSVG { part in bytes.append(contentsOf: part) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the picture as an SVG document, piece by piece, in UTF-8.
  ///
  /// - Parameter sink: takes each piece, which is valid during the call; what it throws ends the
  ///   writing.
  /// - Complexity: O(*n*), O(*n* log *n*) where the elements do not come in their drawing order.
  public func writeSVG<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let survey = Survey(elements, middle: viewport.middle)
    let region = region(of: survey)
    let sheet = Sheet(region: region, hasCaption: viewport.minY <= region.minY)
    let document = SVGDocument(picture: self, survey: survey, sheet: sheet)
    let artist = SVGArtist(picture: self, survey: survey, sheet: sheet)
    var pending = document.head
    for offset in survey.order {
      artist.draw(element(at: offset), into: &pending)
      if pending.bytes.count >= 1 << 16 {
        try pending.flush(to: sink)
      }
    }
    pending += document.tail
    try pending.flush(to: sink)
  }
}

extension Markup {
  /// Hands all of it to a sink and starts afresh.
  mutating func flush<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let whole = bytes
    let result = whole.withUnsafeBytes { part -> Result<Void, Failure> in
      do throws(Failure) {
        try sink(part)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    removeAll()
  }
}

/// All of an SVG picture but the elements: the sheet, the title and the viewport.
struct SVGDocument {
  /// What stands before the elements.
  let head: Markup
  /// What stands after them.
  let tail: Markup
  let sheet: Sheet

  init<Content: RandomAccessCollection>(
    picture: Picture<Content>, survey: Survey, sheet: Sheet
  ) {
    self.init(
      picture: picture, summary: picture.summary(of: survey), extentText: picture.extentText,
      sheet: sheet, ground: Self.ground(of: picture, sheet: sheet),
      viewport: SVGViewport(picture: picture, sheet: sheet).markup)
  }

  /// - Parameters:
  ///   - ground: what lies under the elements.
  ///   - viewport: what is drawn over all.
  init<Content: RandomAccessCollection>(
    picture: Picture<Content>, summary: String, extentText: String, sheet: Sheet, ground: Markup,
    viewport: Markup
  ) {
    self.sheet = sheet
    let size = sheet.size
    let frame = sheet.frame
    let region = sheet.region

    var head: Markup = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width)" height="\(size.height)" \
      viewBox="0 0 \(size.width) \(size.height)" role="img" font-family="\(Self.fonts)">
      <title>\(picture.engineName)</title>
      <desc>\(picture.engineID): \(summary); content \(extentText), \
      laid out at \(picture.scale)× for \(picture.viewport.width) × \(picture.viewport.height)</desc>

      """
    head += SVGPatterns.definitions(sheet: sheet)
    head += """
      <rect class="sheet" x="0.5" y="0.5" width="\(size.width - 1)" height="\(size.height - 1)" \
      rx="12" fill="#f5f6f8" stroke="#d8dce3"/>

      """
    head += Self.title(
      picture.engineName, summary: summary, extent: extentText, sheet: sheet)

    let isWhole = picture.extent == .content
    head += """
      <svg class="content" x="\(frame.x)" y="\(frame.y)" width="\(frame.width)" \
      height="\(frame.height)" viewBox="\(region.x) \(region.y) \(region.width) \
      \(region.height)" preserveAspectRatio="none" overflow="\(isWhole ? "visible" : "hidden")">

      """
    head += ground
    head += """
      <g text-anchor="middle" stroke-width="\(sheet.points(1))">

      """
    self.head = head
    tail = "</g>\n</svg>\n" + viewport + "</svg>\n"
  }

  private static let fonts =
    "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

  /// The name with the content's size across from it, and what there is below.
  private static func title(_ name: String, summary: String, extent: String, sheet: Sheet)
    -> Markup
  {
    let width = sheet.size.width - 2 * Sheet.margin
    let extentWidth = estimatedWidth(of: extent, fontSize: 12) + 12
    let name = fitted(name, width: width - extentWidth, fontSize: 16) ?? ""
    let summary = fitted(summary, width: width, fontSize: 12) ?? ""
    return """
      <text x="\(Sheet.margin)" y="\(Sheet.margin + 13)" font-size="16" font-weight="600" \
      fill="#1f2733">\(name)</text>
      <text x="\(sheet.size.width - Sheet.margin)" y="\(Sheet.margin + 13)" font-size="12" \
      text-anchor="end" fill="#5d6878">\(extent)</text>
      <text x="\(Sheet.margin)" y="\(Sheet.margin + 33)" font-size="12" \
      fill="#5d6878">\(summary)</text>

      """
  }

  /// The paper under the elements: what can be scrolled to, and in it the content.
  ///
  /// - Parameter growth: what animates the extent of each, given its sides as they are drawn.
  static func ground<Content: RandomAccessCollection>(
    of picture: Picture<Content>, sheet: Sheet, growth: (Size) -> Markup = { _ in "" }
  ) -> Markup {
    let line = sheet.points(1)
    var ground: Markup = ""
    if picture.contentInsets != .zero {
      let whole = picture.scrollableRect
      ground += """
        <rect class="insets" x="\(whole.x)" y="\(whole.y)" width="\(whole.width)" \
        height="\(whole.height)" fill="#e9ecf1" stroke="#cfd5de" \
        stroke-width="\(line)"\(closed(growth(whole.size), "rect"))

        """
    }
    ground += """
      <rect class="ground" x="0" y="0" width="\(picture.contentSize.width)" \
      height="\(picture.contentSize.height)" fill="#ffffff" stroke="#d8dce3" \
      stroke-width="\(line)"\(closed(growth(picture.contentSize), "rect"))

      """
    return ground
  }

  /// The end of a tag, with what the element holds.
  private static func closed(_ content: Markup, _ tag: Markup) -> Markup {
    content.bytes.isEmpty ? "/>" : ">\(content)</\(tag)>"
  }
}

/// The dashed outline of the viewport, and its size in the margin beside it.
struct SVGViewport {
  let markup: Markup

  private static let accent = "#d6336c"

  init<Content: RandomAccessCollection>(picture: Picture<Content>, sheet: Sheet) {
    let rect = sheet.place(picture.viewport)
    guard let visible = rect.clipped(to: sheet.frame) else {
      markup = ""
      return
    }
    let size = picture.viewport.size
    let caption: Markup = "viewport \(size.width) × \(size.height)"
    let frame: Markup
    if case .rect = picture.extent {
      frame = Self.clipped(Self.outline(rect), to: sheet.frame)
    } else {
      frame = Self.outline(rect)
    }
    markup = """
      \(frame)\(Self.label(caption, at: visible, sheet: sheet))

      """
  }

  private static func outline(_ rect: Rect) -> Markup {
    """
    <rect class="viewport-halo" x="\(rect.x)" y="\(rect.y)" width="\(rect.width)" \
    height="\(rect.height)" fill="none" stroke="#ffffff" stroke-opacity="0.7" \
    stroke-width="3"/>
    <rect class="viewport" x="\(rect.x)" y="\(rect.y)" width="\(rect.width)" \
    height="\(rect.height)" fill="none" stroke="\(accent)" stroke-width="1.5" \
    stroke-dasharray="6 4"/>

    """
  }

  private static func clipped(_ markup: Markup, to frame: Rect) -> Markup {
    """
    <svg x="\(frame.x)" y="\(frame.y)" width="\(frame.width)" height="\(frame.height)" \
    viewBox="\(frame.x) \(frame.y) \(frame.width) \(frame.height)">
    \(markup)</svg>

    """
  }

  /// Above the outline where that is in the margin, else upright along its right side where that
  /// is, else on a plate in its corner.
  private static func label(_ caption: Markup, at rect: Rect, sheet: Sheet) -> Markup {
    let width = estimatedWidth(of: caption.text, fontSize: 11)
    let start = max(6, min(rect.minX, sheet.size.width - width - 6))
    if rect.minY <= sheet.frame.minY + 1 {
      return """
        <text class="viewport-size" x="\(start)" y="\(rect.minY - 7)" font-size="11" \
        font-weight="600" fill="\(accent)">\(caption)</text>
        """
    }
    if rect.maxX >= sheet.frame.maxX - 1, rect.height > width {
      return """
        <text class="viewport-size" transform="translate(\(rect.maxX + 7) \(rect.minY + 2)) \
        rotate(90)" font-size="11" font-weight="600" fill="\(accent)">\(caption)</text>
        """
    }
    return """
      <rect x="\(start)" y="\(rect.minY)" width="\(width + 8)" height="18" fill="\(accent)"/>\
      <text class="viewport-size" x="\(start + 5)" y="\(rect.minY + 13)" font-size="11" \
      font-weight="600" fill="#ffffff">\(caption)</text>
      """
  }
}

/// The hatching that sets decorations apart from cells, the same density at any scale.
enum SVGPatterns {
  static let decoration = "decoration"

  static func definitions(sheet: Sheet) -> Markup {
    let step = sheet.points(7)
    return """
      <defs>
      <pattern id="\(decoration)" width="\(step)" height="\(step)" \
      patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
      <rect width="\(step)" height="\(step)" fill="#e7eaef"/>\
      <rect width="\(step / 2.8)" height="\(step)" fill="#d3d9e2"/></pattern>
      </defs>

      """
  }
}

/// Where the parts of an SVG picture go, in pixels as drawn.
///
/// The picture is at most 800 wide and 1200 high, as suits a web page; only content that would
/// become a thread is let grow beyond that. Content smaller than a hand is enlarged.
struct Sheet {
  /// The part of the content that is drawn, in points.
  let region: Rect
  /// Pixels a point.
  let scale: Double
  /// Where the region goes.
  let frame: Rect
  /// The whole picture.
  let size: Size

  static let margin = 24.0
  /// Room for the title above the region.
  static let titleHeight = 46.0
  /// Room for the viewport's caption between title and region.
  static let captionHeight = 22.0

  private static let largest = Size(width: 800, height: 1200)
  private static let smallestWidth = 272.0
  /// The short side is not drawn thinner than this for the sake of the long one.
  private static let thinnest = 96.0
  /// The long side is not drawn longer than this for the sake of the short one.
  private static let longest = 12_000.0

  /// - Parameter hasCaption: whether the viewport's caption needs room above the region.
  init(region: Rect, hasCaption: Bool) {
    let top = Self.margin + Self.titleHeight + (hasCaption ? Self.captionHeight : 0)
    let width = max(region.width, 1)
    let height = max(region.height, 1)
    let fit = min(
      (Self.largest.width - 2 * Self.margin) / width,
      (Self.largest.height - top - Self.margin) / height)
    let enlarged = max(1, min(8, 240 / max(width, height)))
    let legible = min(1, Self.thinnest / min(width, height), Self.longest / max(width, height))
    let scale = max(min(fit, enlarged), legible)
    let drawn = Size(width: max(1, width * scale), height: max(1, height * scale))
    let total = max(Self.smallestWidth, drawn.width + 2 * Self.margin)

    self.region = region
    self.scale = scale
    frame = Rect(
      x: (total - drawn.width) / 2, y: top, width: drawn.width, height: drawn.height)
    size = Size(width: total, height: top + drawn.height + Self.margin)
  }

  /// Where a rectangle of the content is drawn.
  func place(_ rect: Rect) -> Rect {
    Rect(
      x: frame.x + (rect.x - region.x) * scale, y: frame.y + (rect.y - region.y) * scale,
      width: rect.width * scale, height: rect.height * scale)
  }

  /// Points of the content that are this many pixels long.
  func points(_ pixels: Double) -> Double { pixels / scale }
}
