import TesseraGeometry
import TesseraHost

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
