import TesseraGeometry
import TesseraHost

/// What lies in an element: the picture of a cell, and the shade that dims it.
extension SVGArtist {
  /// A cell's picture where it does not move; nothing where it has none.
  ///
  /// - Parameter projection: where the cell goes; nil where it stays.
  func picture(in element: Element, projection: Projection?) -> Markup {
    guard let content = shown.content(of: element) else { return "" }
    let look = pictureLook(of: element)
    if let projection {
      return polygon(projection.outline(of: content.corners), look: look, title: "")
        + path(glyphs(in: content).map(projection.outline), ink: look.ink)
    }
    let place = content.offset(by: element.frame.origin)
    return rectangle(place, look: look, title: "")
      + path(glyphs(in: place), ink: look.ink)
  }

  /// The shade over an element that does not move; nothing where it is not dimmed.
  ///
  /// - Parameter outline: the element's corners; nil where it stays in its frame.
  func mask(over element: Element, look: SVGLook, outline: [Point]?) -> Markup {
    let masking = shown.masking(of: element)
    guard masking > 0 else { return "" }
    let mask = SVGLook.mask(opacity: masking, radius: look.radius)
    if let outline { return polygon(outline, look: mask, title: "") }
    return rectangle(element.frame, look: mask, title: "")
  }

  /// The sign in a picture that is large enough for one, among few enough.
  func glyphs(in picture: Rect) -> [[Point]] {
    guard hasTitles, min(picture.width, picture.height) * sheet.scale >= 20 else { return [] }
    return PictureGlyph.outlines(in: picture)
  }

  /// Outlines as one shape, lightly inked; nothing where there is none.
  func path(_ outlines: [[Point]], ink: String, motion: Markup = "") -> Markup {
    guard !outlines.isEmpty else { return "" }
    return """
      <path class="glyph" d="\(Self.path(outlines))" fill="\(ink)" fill-opacity="0.16" \
      stroke="none" pointer-events="none">\(motion)</path>
      """
  }

  /// Outlines as the `d` of a path; those without corners are left out.
  static func path(_ outlines: [[Point]]) -> Markup {
    var path: Markup = ""
    for outline in outlines where !outline.isEmpty { path += "M\(points(outline))z" }
    return path
  }
}
