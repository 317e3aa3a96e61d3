import TesseraGeometry
import TesseraHost

extension Picture {
  /// Writes the picture as an SVG document in UTF-8, piece by piece.
  public func writeSVG<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var failure: Failure?
    func pass(_ piece: UnsafeRawBufferPointer) throws(SinkFailed) {
      do throws(Failure) {
        try sink(piece)
      } catch {
        failure = error
        throw SinkFailed()
      }
    }
    do throws(SinkFailed) {
      // The compiler specializes the code for the usual type of the elements, which is twice as fast.
      if let picture = self as? Picture<Elements> {
        try picture.draw(to: pass)
      } else {
        try draw(to: pass)
      }
    } catch {
      if let failure { throw failure }
    }
  }

  private func draw(
    to sink: (UnsafeRawBufferPointer) throws(SinkFailed) -> Void
  ) throws(SinkFailed) {
    let survey = Survey(elements, middle: viewport.middle)
    let region = region(of: survey)
    let sheet = Sheet(region: region, hasCaption: viewport.minY <= region.minY)
    let page = SVGPage(
      picture: self, summary: summary(of: survey), extentText: extentText, sheet: sheet,
      ground: SVGPage.ground(of: self, sheet: sheet),
      viewport: SVGPage.viewport(of: self, sheet: sheet))
    let artist = SVGArtist(picture: self, survey: survey, sheet: sheet)
    try Markup.stream(head: page.head, survey.order, tail: page.tail, to: sink) { offset, text in
      artist.draw(
        elements[elements.index(elements.startIndex, offsetBy: offset)], into: &text)
    }
  }
}

/// A sink failed with an error that its caller keeps.
private struct SinkFailed: Error {}

/// An SVG document without its elements: the sheet, the title and the viewport.
struct SVGPage {
  /// The document before the elements.
  let head: Markup
  /// The document after the elements.
  let tail: Markup

  private static let accent = "#d6336c"
  private static let fonts =
    "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

  /// - Parameters:
  ///   - summary: What the elements are, for the title.
  ///   - extentText: The size of the content, for the title.
  ///   - ground: What is drawn under the elements.
  ///   - viewport: What is drawn over everything else.
  init<Content: RandomAccessCollection>(
    picture: Picture<Content>, summary: String, extentText: String, sheet: Sheet, ground: Markup,
    viewport: Markup
  ) {
    let size = sheet.size
    let frame = sheet.frame
    let region = sheet.region
    let overflow = picture.extent == .content ? "visible" : "hidden"
    head = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width)" height="\(size.height)" \
      viewBox="0 0 \(size.width) \(size.height)" role="img" font-family="\(Self.fonts)">
      <title>\(picture.engineName)</title>
      <desc>\(picture.engineID): \(summary); content \(extentText), \
      laid out at \(picture.scale)× for \(picture.viewport.width) × \(picture.viewport.height)</desc>
      \(SVGLook.definitions(sheet: sheet))
      <rect class="sheet" x="0.5" y="0.5" width="\(size.width - 1)" height="\(size.height - 1)" \
      rx="12" fill="#f5f6f8" stroke="#d8dce3"/>
      \(Self.title(picture.engineName, summary: summary, extent: extentText, sheet: sheet))
      <svg class="content" x="\(frame.x)" y="\(frame.y)" width="\(frame.width)" \
      height="\(frame.height)" viewBox="\(region.x) \(region.y) \(region.width) \
      \(region.height)" preserveAspectRatio="none" overflow="\(overflow)">
      \(ground)<g text-anchor="middle" stroke-width="\(sheet.points(1))">

      """
    tail = "</g>\n</svg>\n\(viewport)</svg>\n"
  }

  /// The name and the size of the content on one line, the summary below.
  private static func title(
    _ name: String, summary: String, extent: String, sheet: Sheet
  ) -> Markup {
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

  /// The paper under the elements: the scrollable area, and on it the content.
  ///
  /// - Parameter growth: Returns what animates a rectangle of the paper, given its final size.
  static func ground<Content: RandomAccessCollection>(
    of picture: Picture<Content>, sheet: Sheet, growth: (Size) -> Markup = { _ in "" }
  ) -> Markup {
    func paper(_ name: String, _ rect: Rect, fill: String, stroke: String) -> Markup {
      let growth = growth(rect.size)
      let end: Markup = growth.isEmpty ? "/>" : ">\(growth)</rect>"
      return """
        <rect class="\(name)" \(place: rect) fill="\(fill)" stroke="\(stroke)" \
        stroke-width="\(sheet.points(1))"\(end)

        """
    }
    let content = Rect(origin: .zero, size: picture.contentSize)
    let insets: Markup =
      picture.contentInsets == .zero
      ? "" : paper("insets", picture.scrollableRect, fill: "#e9ecf1", stroke: "#cfd5de")
    return insets + paper("ground", content, fill: "#ffffff", stroke: "#d8dce3")
  }

  /// The dashed outline of the viewport, with its size beside it.
  static func viewport<Content: RandomAccessCollection>(
    of picture: Picture<Content>, sheet: Sheet
  ) -> Markup {
    let rect = sheet.place(picture.viewport)
    guard let visible = rect.clipped(to: sheet.frame) else { return "" }
    var outline: Markup = """
      <rect class="viewport-halo" \(place: rect) fill="none" stroke="#ffffff" stroke-opacity="0.7" \
      stroke-width="3"/>
      <rect class="viewport" \(place: rect) fill="none" stroke="\(accent)" stroke-width="1.5" \
      stroke-dasharray="6 4"/>

      """
    if case .rect = picture.extent {
      let frame = sheet.frame
      outline = """
        <svg \(place: frame) viewBox="\(frame.x) \(frame.y) \(frame.width) \(frame.height)">
        \(outline)</svg>

        """
    }
    return "\(outline)\(caption(of: picture.viewport.size, at: visible, sheet: sheet))\n"
  }

  /// The size of the viewport: above the outline or, where that is not in the margin, along its right
  /// side, or else on a label in its corner.
  private static func caption(of size: Size, at rect: Rect, sheet: Sheet) -> Markup {
    let caption = "viewport \(size.width.readableText) × \(size.height.readableText)"
    let width = estimatedWidth(of: caption, fontSize: 11)
    let start = max(6, min(rect.minX, sheet.size.width - width - 6))
    func text(_ place: Markup, fill: String) -> Markup {
      """
      <text class="viewport-size" \(place) font-size="11" font-weight="600" \
      fill="\(fill)">\(caption)</text>
      """
    }
    if rect.minY <= sheet.frame.minY + 1 {
      return text("x=\"\(start)\" y=\"\(rect.minY - 7)\"", fill: accent)
    }
    if rect.maxX >= sheet.frame.maxX - 1, rect.height > width {
      return text(
        "transform=\"translate(\(rect.maxX + 7) \(rect.minY + 2)) rotate(90)\"", fill: accent)
    }
    let label = Rect(x: start, y: rect.minY, width: width + 8, height: 18)
    return "<rect \(place: label) fill=\"\(accent)\"/>"
      + text("x=\"\(start + 5)\" y=\"\(rect.minY + 13)\"", fill: "#ffffff")
  }
}

extension Markup.StringInterpolation {
  /// The attributes of a rectangle's place.
  mutating func appendInterpolation(place rect: Rect) {
    appendLiteral("x=\"")
    appendInterpolation(rect.x)
    appendLiteral("\" y=\"")
    appendInterpolation(rect.y)
    appendLiteral("\" width=\"")
    appendInterpolation(rect.width)
    appendLiteral("\" height=\"")
    appendInterpolation(rect.height)
    appendLiteral("\"")
  }
}

/// The arrangement of an SVG picture, in pixels.
///
/// The picture is at most 800 wide and 1200 high, as suits a web page. It grows beyond that only
/// where the content would become a thread. Small content is enlarged.
struct Sheet {
  /// The part of the content that is drawn, in points.
  let region: Rect
  /// Pixels per point.
  let scale: Double
  /// The rectangle of the region in the picture.
  let frame: Rect
  /// The size of the picture.
  let size: Size

  static let margin = 24.0
  /// The height of the title above the region.
  static let titleHeight = 46.0
  /// The height of the viewport's caption between the title and the region.
  static let captionHeight = 22.0

  private static let largest = Size(width: 800, height: 1200)
  private static let smallestWidth = 272.0
  /// The minimum length of the short side, even if the picture becomes larger than `largest`.
  private static let thinnest = 96.0
  /// The maximum length of the long side, even if the short side becomes thinner than `thinnest`.
  private static let longest = 12_000.0

  /// - Parameter hasCaption: Whether the viewport's caption is above the region.
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

  /// The place of a rectangle of the content in the picture.
  func place(_ rect: Rect) -> Rect {
    Rect(
      x: frame.x + (rect.x - region.x) * scale, y: frame.y + (rect.y - region.y) * scale,
      width: rect.width * scale, height: rect.height * scale)
  }

  /// A length of the content, given in pixels of the picture.
  func points(_ pixels: Double) -> Double { pixels / scale }
}
