import TesseraGeometry

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
