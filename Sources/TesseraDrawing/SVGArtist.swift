import TesseraGeometry
import TesseraHost

/// Draws elements as SVG, each as one shape with its text, in points of the content.
struct SVGArtist<Content: RandomAccessCollection> where Content.Element == Element {
  let picture: Picture<Content>
  let sheet: Sheet

  /// Where there are more elements than this they do not tell their frames on hovering, and
  /// decorations have no text.
  private static var mostTitles: Int { 2000 }

  let shown: ShownAttributes
  private let fills: [[String]]
  private let pales: [[String]]
  private let inks: [String]
  /// Whether shapes tell on hovering who they are.
  let hasTitles: Bool
  /// The frames of cells and supplementary elements, which lie on decorations; empty in pictures
  /// with too many.
  private let covers: [Rect]

  init(picture: Picture<Content>, survey: Survey, sheet: Sheet) {
    self.picture = picture
    self.sheet = sheet
    shown = ShownAttributes(names: picture.attributeNames)
    fills = Palette.light.fills.map { $0.map(\.hex) }
    pales = Palette.light.fills.map { $0.map(\.pale.hex) }
    inks = Palette.light.inks.map(\.hex)
    hasTitles = survey.order.count <= Self.mostTitles
    covers =
      hasTitles
      ? picture.elements.filter { !$0.isHidden && $0.identity.category != .decoration }
        .map(\.frame) : []
  }

  /// Appends an element, or nothing where it lies outside what is drawn or behind the viewer.
  func draw(_ element: Element, into markup: inout Markup) {
    let projection = Projection(element)
    let isFlat = element.transform == .identity
    let outline = isFlat ? [] : projection.outline
    guard let reach = isFlat ? element.frame : Rect(around: outline) else { return }
    if picture.extent != .content, reach.clipped(to: sheet.region) == nil { return }

    let look = look(of: element, isPale: shown.content(of: element) != nil)
    let title = title(of: element)
    let isWrapped = element.alpha < 1
    if isWrapped { markup += "<g opacity=\"\(min(max(element.alpha, 0), 1))\">" }
    if isFlat {
      markup += rectangle(element.frame, look: look, title: title)
    } else {
      markup += polygon(outline, look: look, title: title)
    }
    markup += self.picture(in: element, projection: isFlat ? nil : projection)
    markup += mask(over: element, look: look, outline: isFlat ? nil : outline)
    markup += text(of: element, look: look, tangent: isFlat ? nil : projection.tangent)
    markup += isWrapped ? "</g>\n" : "\n"
  }

  func rectangle(_ frame: Rect, look: SVGLook, title: Markup) -> Markup {
    return """
      <rect class="\(look.name)" x="\(frame.x)" y="\(frame.y)" width="\(max(0, frame.width))" \
      height="\(max(0, frame.height))"\(rounding(of: frame.size, look: look))\(look.paint)>\(title)</rect>
      """
  }

  /// How the corners of a rectangle are rounded.
  func rounding(of size: Size, look: SVGLook) -> Markup {
    let side = min(size.width, size.height)
    let radius = side * sheet.scale < 6 ? 0 : min(side * 0.12, sheet.points(look.radius))
    return radius > 0 ? " rx=\"\(radius)\"" : ""
  }

  func polygon(_ outline: [Point], look: SVGLook, title: Markup) -> Markup {
    return """
      <polygon class="\(look.name)" points="\(Self.points(outline))" stroke-linejoin="round"\(look.paint)>\
      \(title)</polygon>
      """
  }

  /// Corners as the `points` of a polygon.
  static func points(_ outline: [Point]) -> Markup {
    var points: Markup = ""
    for point in outline {
      points += points.bytes.isEmpty ? "\(point.x),\(point.y)" : " \(point.x),\(point.y)"
    }
    return points
  }

  private func title(of element: Element) -> Markup {
    guard hasTitles else { return "" }
    let frame = element.frame
    return """
      <title>\(element.identity.name) · \(frame.x), \(frame.y) · \
      \(frame.width) × \(frame.height)</title>
      """
  }

  /// How an element looks.
  ///
  /// - Parameter isPale: whether a cell is paler than the picture in it.
  func look(of element: Element, isPale: Bool) -> SVGLook {
    let identity = element.identity
    switch identity.category {
    case .cell:
      let hue = Palette.hue(section: identity.section)
      let fills = isPale ? pales : fills
      return .cell(fill: fills[hue][Palette.shade(item: identity.item)], ink: inks[hue])
    case .decoration:
      let side = min(element.frame.width, element.frame.height)
      return side * sheet.scale < 5 ? .line : .decoration
    case .supplementary:
      return identity.kind == "header" ? .header : identity.kind == "footer" ? .footer : .badge
    }
  }

  /// How the picture in a cell looks.
  func pictureLook(of element: Element) -> SVGLook {
    let hue = Palette.hue(section: element.identity.section)
    return .picture(fill: fills[hue][Palette.shade(item: element.identity.item)], ink: inks[hue])
  }

  /// An element's number, label or name, as far as it fits.
  ///
  /// - Parameter tangent: where the neighbourhood of the frame's centre goes; nil where it stays.
  func text(
    of element: Element, look: SVGLook, tangent: PlaneTransform?
  ) -> Markup {
    let identity = element.identity
    let magnification = sheet.scale * (tangent?.magnification ?? 1)
    guard magnification > 0 else { return "" }
    let typesetter = SVGTypesetter(
      size: Size(
        width: element.frame.width * magnification, height: element.frame.height * magnification),
      isReversed: picture.direction == .rightToLeft)
    let lines =
      switch identity.category {
      case .cell:
        typesetter.cell(
          number: identity.item, label: picture.label?(identity.section, identity.item))
      case .supplementary: typesetter.bar(identity.name)
      case .decoration:
        hasTitles && tangent == nil
          ? typesetter.note(identity.name) { isFree($0, on: element.frame) } : []
      }
    var markup: Markup = ""
    for line in lines {
      markup += line.markup(
        ink: look.ink, pixel: 1 / magnification, frame: element.frame, tangent: tangent)
    }
    return markup
  }

  /// Whether no cell or header lies on a part of a decoration, given in pixels from its corner.
  private func isFree(_ room: Rect, on frame: Rect) -> Bool {
    let place = Rect(
      x: frame.x + sheet.points(room.x), y: frame.y + sheet.points(room.y),
      width: sheet.points(room.width), height: sheet.points(room.height))
    return !covers.contains { $0.intersects(place) }
  }
}

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

/// How a sort of element looks: its class, its paint, the colour of its text, its corners.
struct SVGLook {
  let name: String
  let paint: Markup
  let ink: String
  /// How round its corners are, in pixels.
  let radius: Double

  static func cell(fill: String, ink: String) -> SVGLook {
    SVGLook(
      name: "cell", paint: " fill=\"\(fill)\" stroke=\"\(ink)\" stroke-opacity=\"0.22\"", ink: ink,
      radius: 4)
  }

  /// A picture in a cell.
  static func picture(fill: String, ink: String) -> SVGLook {
    SVGLook(
      name: "picture", paint: " fill=\"\(fill)\" pointer-events=\"none\"", ink: ink, radius: 2)
  }

  /// What dims an element.
  static func mask(opacity: Double, radius: Double) -> SVGLook {
    SVGLook(
      name: "mask",
      paint: " fill=\"#3d4552\" fill-opacity=\"\(opacity)\" pointer-events=\"none\"",
      ink: "#3d4552", radius: radius)
  }

  /// A dark bar.
  static let header = SVGLook(
    name: "header", paint: " fill=\"#3b4758\"", ink: "#ffffff", radius: 0)
  /// A light bar with a dark edge.
  static let footer = SVGLook(
    name: "footer", paint: " fill=\"#ffffff\" stroke=\"#3b4758\"", ink: "#3b4758", radius: 0)
  /// Any other supplementary element: a dark plate with round ends.
  static let badge = SVGLook(
    name: "supplementary", paint: " fill=\"#5d6878\"", ink: "#ffffff", radius: 12)
  /// A hatched ground.
  static let decoration = SVGLook(
    name: "decoration",
    paint: " fill=\"url(#\(SVGPatterns.decoration))\" stroke=\"#aab3c0\"", ink: "#566173",
    radius: 0)
  /// A decoration too thin for hatching.
  static let line = SVGLook(
    name: "decoration", paint: " fill=\"#7b8797\"", ink: "#566173", radius: 0)
}
