import TesseraGeometry
import TesseraHost

/// Coordinates are points of the content, shifted if far from 0.
struct SVGArtist<Content: RandomAccessCollection> where Content.Element == Element {
  let picture: Picture<Content>
  let arrangement: SVGArrangement
  let shown: ShownAttributes

  /// Larger pictures have no tooltips, glyphs and decoration texts.
  private static var mostTitles: Int { 2000 }

  let hasTitles: Bool
  let canvas: SVGCanvas
  private let palette: Palette
  private let colours: SVGColours
  let looks: SVGLook.Others
  /// By section and shade.
  private let cells: [[SVGLook]]
  private let paleCells: [[SVGLook]]
  private let pictures: [[SVGLook]]
  /// Can cover decorations; empty without tooltips.
  private let covers: [Rect]

  init(
    picture: Picture<Content>, drawnElements: DrawnElements, arrangement: SVGArrangement,
    region: Rect, isWhole: Bool
  ) {
    let canvas = SVGCanvas(region: region, scale: arrangement.scale, isWhole: isWhole)
    (self.canvas, self.picture, self.arrangement) = (canvas, picture, arrangement)
    shown = ShownAttributes(names: picture.attributeNames)
    let (palette, colours) = (picture.style.theme.palette, picture.style.theme.colours)
    (self.palette, self.colours) = (palette, colours)
    self.looks = SVGLook.others(colours)
    func looks(_ look: (Colour, String) -> SVGLook) -> [[SVGLook]] {
      zip(palette.fills, palette.inks).map { fills, ink in fills.map { look($0, ink.hex) } }
    }
    cells = looks { .cell(fill: $0.hex, ink: $1) }
    paleCells = looks { .cell(fill: $0.paled(on: colours.ground).hex, ink: $1) }
    pictures = looks { .picture(fill: $0.hex, ink: $1) }
    hasTitles = drawnElements.order.count <= Self.mostTitles
    covers =
      hasTitles
      ? picture.elements.filter { !$0.isHidden && $0.identity.category != .decoration }
        .map { $0.frame.offset(by: canvas.shift) } : []
  }

  func draw(_ element: consuming Element, into text: inout TextBuffer) {
    let isFlat = element.transform == .identity
    let hasContent = shown.content(of: element) != nil
    guard canvas.place(&element, keepsFrame: hasContent) else { return }
    guard
      hasTitles || !isFlat || element.alpha < 1 || !element.attributes.isEmpty
        || picture.image != nil
    else { return drawPlain(element, into: &text) }
    text += markup(of: element, isFlat: isFlat)
  }

  /// Fast path.
  private func drawPlain(_ element: Element, into text: inout TextBuffer) {
    guard canvas.shows(element.frame) else { return }
    let look = look(of: element, isPale: false)
    canvas.write(element.frame, look: look, into: &text)
    if min(element.frame.width, element.frame.height) * arrangement.scale > SVGTypesetter.smallest
      / 2
    {
      text += self.text(of: element, look: look, tangent: nil)
    }
    text.append(UInt8(ascii: "\n"))
  }

  private func markup(of element: Element, isFlat: Bool) -> Markup {
    let projection = Projection(element)
    let outline = isFlat ? nil : projection.outline
    guard let reach = outline.map({ Rect(around: $0) }) ?? element.frame else { return "" }
    guard canvas.shows(reach) else { return "" }

    var markup: Markup = ""
    let image = picture.image(of: element)
    let look =
      image == nil
      ? look(of: element, isPale: shown.content(of: element) != nil) : looks.imageGround
    let isTranslucent = element.alpha < 1
    if isTranslucent { markup += "<g opacity=\"\(min(max(element.alpha, 0), 1))\">" }
    markup += canvas.shape(element.frame, outline, look: look, title(of: element))
    if let image {
      markup += self.image(image, in: element, projection: isFlat ? nil : projection)
    } else {
      markup += self.picture(in: element, projection: isFlat ? nil : projection)
    }
    let masking = shown.masking(of: element)
    if masking > 0 {
      markup += canvas.shape(element.frame, outline, look: mask(opacity: masking, over: look))
    }
    if image == nil {
      markup += text(of: element, look: look, tangent: isFlat ? nil : projection.tangent)
    }
    markup += isTranslucent ? "</g>\n" : "\n"
    return markup
  }

  private func title(of element: Element) -> Markup {
    guard hasTitles else { return "" }
    let frame = element.frame.offset(by: Point(x: -canvas.shift.x, y: -canvas.shift.y))
    let identity = element.identity
    // A cell with an image has no text.
    let label = picture.image(of: element).flatMap { _ in
      picture.label?(identity.section, identity.item)
    }
    return """
      <title>\(label.map { "\($0) · " } ?? "")\(identity.description) · \(frame.x), \(frame.y) · \
      \(frame.width) × \(frame.height)</title>
      """
  }

  private func picture(in element: Element, projection: Projection?) -> Markup {
    guard let content = shown.content(of: element) else { return "" }
    let look = pictureLook(of: element)
    if let projection {
      return canvas.polygon(projection.outline(of: content.corners), look: look)
        + path(glyphs(in: content).map(projection.outline), ink: look.ink)
    }
    let place = content.offset(by: element.frame.origin)
    return canvas.rectangle(place, look: look) + path(glyphs(in: place), ink: look.ink)
  }

  private func image(_ image: CellImage, in element: Element, projection: Projection?) -> Markup {
    let content = shown.content(of: element)
    return canvas.image(
      image, in: content ?? Rect(origin: .zero, size: element.frame.size), of: element.frame,
      content == nil ? picture.fit : .cover, projection: projection)
  }

  /// Empty in small pictures and if there are too many.
  func glyphs(in picture: Rect) -> [[Point]] {
    guard hasTitles, min(picture.width, picture.height) * arrangement.scale >= 20 else { return [] }
    return picture.pictureGlyph
  }

  func path(_ outlines: [[Point]], ink: String, _ content: Markup = "") -> Markup {
    guard !outlines.isEmpty else { return "" }
    return """
      <path class="glyph" d="\(Self.path(outlines))" fill="\(ink)" fill-opacity="0.16" \
      stroke="none" pointer-events="none">\(content)</path>
      """
  }

  static func path(_ outlines: [[Point]]) -> Markup {
    var path: Markup = ""
    for outline in outlines where !outline.isEmpty { path += "M\(SVGCanvas.points(outline))z" }
    return path
  }

  func text(of element: Element, look: SVGLook, tangent: PlaneTransform?) -> Markup {
    let identity = element.identity
    let magnification = arrangement.scale * (tangent?.magnification ?? 1)
    guard magnification > SVGCanvas.leastMagnification else { return "" }
    let frame = tangent == nil ? canvas.seen(element.frame) : element.frame
    let typesetter = SVGTypesetter(
      size: Size(width: frame.width * magnification, height: frame.height * magnification),
      isReversed: picture.direction == .rightToLeft)
    let lines =
      switch identity.category {
      case .cell:
        typesetter.cell(
          number: identity.item, label: picture.label?(identity.section, identity.item))
      case .supplementary:
        typesetter.bar(texts(of: element), isLevel: picture.role(of: element.identity) == .label)
      case .decoration:
        hasTitles && tangent == nil
          ? typesetter.note(texts(of: element)) { isFree($0, on: frame) } : []
      }
    var markup: Markup = ""
    let ink = lines.isEmpty ? look.ink : ink(of: element, look)
    for line in lines {
      markup += line.markup(ink: ink, pixel: 1 / magnification, frame: frame, tangent: tangent)
    }
    return markup
  }

  /// Longest first.
  private func texts(of element: Element) -> [String] {
    if let title = picture.title?(element) { return [title] }
    return [element.identity.description] + (element.identity.kind.map { [$0] } ?? [])
  }

  /// Lighter if more legible on a dimmed cell.
  private func ink(of element: Element, _ look: SVGLook) -> String {
    let (identity, masking) = (element.identity, shown.masking(of: element))
    guard masking > 0, identity.category == .cell else { return look.ink }
    let hue = Palette.hue(section: identity.section)
    let fill = palette.fills[hue][Palette.shade(item: identity.item)]
    let ground = fill.covered(by: colours.mask, opacity: masking)
    let inks = [palette.inks[hue], colours.dimmedInk, colours.whiteInk, colours.darkInk]
    let legible = inks.first { ground.contrast(to: $0) >= 4.5 }
    return legible == palette.inks[hue] ? look.ink : (legible ?? colours.dimmedInk).hex
  }

  func mask(opacity: Double, over look: SVGLook) -> SVGLook {
    .mask(colours.mask, opacity: opacity, radius: look.radius)
  }

  /// In pixels from the decoration's corner.
  private func isFree(_ room: Rect, on frame: Rect) -> Bool {
    let place = Rect(
      x: frame.x + arrangement.points(room.x), y: frame.y + arrangement.points(room.y),
      width: arrangement.points(room.width), height: arrangement.points(room.height))
    return !covers.contains { $0.intersects(place) }
  }

  /// - Parameter isPale: Whether a cell is paler than its picture.
  func look(of element: Element, isPale: Bool) -> SVGLook {
    let identity = element.identity
    switch identity.category {
    case .cell:
      let hue = Palette.hue(section: identity.section)
      return (isPale ? paleCells : cells)[hue][Palette.shade(item: identity.item)]
    case .decoration:
      let side = min(element.frame.width, element.frame.height)
      return side * arrangement.scale < 5 ? looks.line : looks.decoration
    case .supplementary:
      switch picture.role(of: element.identity) {
      case .header: return looks.header
      case .footer: return looks.footer
      default:
        return identity.kind == "header"
          ? looks.header : identity.kind == "footer" ? looks.footer : looks.badge
      }
    }
  }

  func pictureLook(of element: Element) -> SVGLook {
    let identity = element.identity
    return pictures[Palette.hue(section: identity.section)][Palette.shade(item: identity.item)]
  }
}

extension SVGLook {
  static func cell(fill: String, ink: String) -> SVGLook {
    SVGLook(
      name: "cell", paint: " fill=\"\(fill)\" stroke=\"\(ink)\" stroke-opacity=\"0.22\"", ink: ink,
      radius: 4)
  }

  static func picture(fill: String, ink: String) -> SVGLook {
    SVGLook(
      name: "picture", paint: " fill=\"\(fill)\" pointer-events=\"none\"", ink: ink, radius: 2)
  }

  /// `imageGround` is under an image that doesn't cover its cell.
  typealias Others = (
    header: SVGLook, footer: SVGLook, badge: SVGLook, decoration: SVGLook, line: SVGLook,
    imageGround: SVGLook
  )

  static func others(_ colours: SVGColours) -> Others {
    func look(
      _ name: String, fill: String, stroke: Colour? = nil, ink: Colour, radius: Double = 0
    ) -> SVGLook {
      let edge = stroke.map { " stroke=\"\($0.hex)\"" as Markup } ?? ""
      return SVGLook(name: name, paint: " fill=\"\(fill)\"\(edge)", ink: ink.hex, radius: radius)
    }
    return (
      header: look("header", fill: colours.bar.hex, ink: colours.barInk),
      footer: look("footer", fill: colours.ground.hex, stroke: colours.bar, ink: colours.bar),
      badge: look("supplementary", fill: colours.badge.hex, ink: colours.barInk, radius: 12),
      decoration: look(
        "decoration", fill: "url(#decoration)", stroke: colours.hatchEdge, ink: colours.note),
      line: look("decoration", fill: colours.line.hex, ink: colours.note),
      imageGround: look("cell", fill: colours.insets.hex, ink: colours.text)
    )
  }

  /// With the same density at any scale.
  static func definitions(arrangement: SVGArrangement, _ colours: SVGColours) -> Markup {
    let step = arrangement.points(7)
    return """
      <defs>
      <pattern id="decoration" width="\(step)" height="\(step)" \
      patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
      <rect width="\(step)" height="\(step)" fill="\(colours.hatch.hex)"/>\
      <rect width="\(step / 2.8)" height="\(step)" fill="\(colours.hatchLine.hex)"/></pattern>
      </defs>
      """
  }
}
