import TesseraDrawing
import TesseraHost

/// Draws elements: shapes without outlines, and texts that stay inside them.
struct FigureArtist<Content: RandomAccessCollection> where Content.Element == Element {
  private let drawing: FigurePicture<Content>
  private let plan: FigurePlan
  private let canvas: SVGCanvas
  private let shown: ShownAttributes
  private let hasTitles: Bool

  private var picture: Picture<Content> { drawing.picture }
  private var figure: Figure { drawing.figure }

  private static var mostTitles: Int { 40_000 }

  /// - Parameters:
  ///   - region: The drawn part of the content, in points.
  ///   - scale: Pixels per point.
  ///   - isWhole: Also draws the content outside of the region.
  init(
    _ drawing: FigurePicture<Content>, _ plan: FigurePlan, region: Rect, scale: Double,
    isWhole: Bool
  ) {
    self.drawing = drawing
    self.plan = plan
    canvas = SVGCanvas(region: region, scale: scale, isWhole: isWhole)
    shown = ShownAttributes(names: drawing.picture.attributeNames)
    hasTitles = plan.count <= Self.mostTitles
  }

  /// Empty outside the region or behind the viewer.
  func draw(at offset: Int) -> Markup {
    var element = drawing.element(at: offset)
    let hasContent = shown.content(of: element) != nil
    guard canvas.place(&element, keepsFrame: hasContent) else { return "" }
    let isFlat = element.transform == .identity
    let projection = Projection(element)
    let outline = isFlat ? nil : projection.outline
    guard let reach = outline.map({ Rect(around: $0) }) ?? element.frame else { return "" }
    guard canvas.shows(reach) else { return "" }
    let opacity = min(max(element.alpha, 0), 1)
    guard opacity > 0 else { return "" }

    let inside: Markup
    switch element.identity.category {
    case .cell:
      inside = cell(element, at: offset, outline, projection: isFlat ? nil : projection)
    case .decoration:
      inside =
        decoration(element, outline)
        + middle(of: element, plan.middles[offset].map { $0 + canvas.shift.y })
    case .supplementary: inside = supplementary(element, outline)
    }
    guard !inside.isEmpty else { return "" }
    return opacity < 1 ? "<g opacity=\"\(opacity)\">\(inside)</g>\n" : inside + "\n"
  }

  private func cell(
    _ whole: Element, at offset: Int, _ outline: [Point]?, projection: Projection?
  ) -> Markup {
    var element = whole
    let identity = element.identity
    let name = picture.label?(identity.section, identity.item) ?? ""
    let caption = figure.caption?(identity.section, identity.item) ?? ""
    let title: Markup = hasTitles ? title(of: offset, name, caption) : ""
    let masking = shown.masking(of: element)
    let image = picture.image(of: element)
    let fill = plan.fills[offset]
    // Shows the ground around a picture or in its empty place.
    let content = projection == nil ? shown.content(of: element) : nil
    let place = content?.moved(by: element.frame.origin).clipped(to: element.frame)
    let nameHeight = FigurePlan.nameHeight / canvas.scale
    let hasNameInCell =
      plan.hasNamesInCells && image != nil && place == nil && outline == nil && projection == nil
      && !(name.isEmpty && caption.isEmpty) && element.frame.height >= 4 * nameHeight
    if hasNameInCell { element.frame.height -= nameHeight }
    let look =
      image == nil && place == nil
      ? figureLook(fill: fill)
      : plainLook(
        "cell ground", FigureFill.ground(isDark: picture.style.theme == .dark), opacity: 1)
    var markup = canvas.shape(element.frame, outline, look: look, title)
    let hasBar =
      plan.hasScale && outline == nil && image == nil && fill < FigureFill.sequential.lowerBound
    if hasBar {
      let width = min(3 / canvas.scale, element.frame.width)
      let x = picture.direction == .rightToLeft ? element.frame.maxX - width : element.frame.minX
      markup += canvas.rectangle(
        Rect(x: x, y: element.frame.y, width: width, height: element.frame.height),
        look: plainLook(
          "f\(fill - fill % 4)",
          FigureFill.colour(fill - fill % 4, isDark: picture.style.theme == .dark), opacity: 1))
    }
    if let image {
      markup += self.image(image, in: element, projection: projection)
    } else if let place {
      markup += canvas.rectangle(place, look: figureLook(fill: fill), title)
    }
    if masking > 0 {
      markup += canvas.shape(
        element.frame, outline, look: .mask(figureColours.mask, opacity: masking, radius: 0))
    }
    if image != nil, projection == nil, canvas.scale > SVGCanvas.leastMagnification {
      let text = caption.isEmpty ? name : caption
      markup +=
        plan.hasNamesBelow || hasNameInCell
        ? captionBelow(element.frame, place ?? element.frame, text)
        : figure.caption != nil && masking < 0.3 ? captionOver(element.frame, text) : ""
    }
    guard image == nil, masking < 0.3 else { return markup }
    let tangent = projection?.tangent
    let magnification = canvas.scale * (tangent?.magnification ?? 1)
    guard magnification > SVGCanvas.leastMagnification, projection == nil || tangent != nil else {
      return markup
    }
    var seen = element
    if projection == nil { seen.frame = place ?? canvas.seen(element.frame) }
    let free = plan.rooms[offset] - (seen.frame.minY - element.frame.minY)
    let room = Size(
      width: seen.frame.width * magnification,
      height: max(0, min(seen.frame.height, free)) * magnification)
    var size = plan.size(at: offset)
    // An event of a quarter of an hour has one line.
    if plan.hasScale { size = plan.eventSize(size, height: room.height) }
    let inner = Size(
      width: room.width - (hasBar ? 3 : 0) - (plan.badges[offset] ?? 0) * magnification,
      height: room.height)
    var lines =
      plan.isList
      ? listLines(name: name, caption: caption, in: inner, size: size)
      : figureLines(
        name: name, caption: caption, in: inner, size: size, isBold: plan.areGroups[offset],
        least: plan.leastLines(room))
    // A whole name reading downward is better than a broken word.
    let line = projection == nil ? plan.uprightLine(name, in: room, size: size) : nil
    if let line, !line.hasSuffix("…"),
      name.split(separator: " ").contains(where: {
        textWidth($0, size: size) > inner.width - 2 * Self.inset
      })
    {
      lines = []
    }
    if lines.isEmpty, projection == nil {
      if let line {
        markup += upright(line, of: fill, in: seen.frame, size: size, bar: hasBar ? 3 : 0)
      } else if let line = plan.clippedLine(name, in: room) {
        let top = min(Self.inset, (room.height - line.size * FigurePlan.lineHeight) / 2)
        lines = [(line.text, line.size, 500, top + line.size * 0.95, false)]
      }
    }
    for line in lines {
      markup += text(
        line, of: fill, in: seen, inset: Self.inset + (hasBar ? 3 : 0),
        magnification: magnification, tangent)
    }
    return markup
  }

  private func image(_ image: CellImage, in element: Element, projection: Projection?) -> Markup {
    let content = shown.content(of: element)
    return canvas.image(
      image, in: content ?? Rect(origin: .zero, size: element.frame.size), of: element.frame,
      content == nil ? picture.fit : .cover, projection: projection)
  }

  /// Tooltip: names of the enclosing cells from the outermost, the cell's name, its caption.
  private func title(of offset: Int, _ name: String, _ caption: String) -> Markup {
    var names = [name]
    var parent = plan.parents[offset]
    let isNested = parent >= 0 || plan.areGroups[offset]
    // A group's value excludes its cells.
    let caption = plan.areGroups[offset] && ["0", "0 B"].contains(caption) ? "" : caption
    while parent >= 0 {
      let identity = drawing.element(at: parent).identity
      if let name = picture.label?(identity.section, identity.item), !name.isEmpty {
        names.insert(name, at: 0)
      }
      parent = plan.parents[parent]
    }
    let whole = names.joined(separator: " / ")
    guard !whole.isEmpty || !caption.isEmpty else { return "" }
    let separator = whole.isEmpty || caption.isEmpty ? "" : isNested ? ", " : "\n"
    return "<title>\(whole)\(separator)\(caption)</title>"
  }

  /// - Parameter place: The picture's frame in the cell.
  private func captionBelow(_ frame: Rect, _ place: Rect, _ text: String) -> Markup {
    let pixel = 1 / canvas.scale
    let width = (frame.maxX - place.minX) / pixel
    guard let line = wrapped(text, width: width, lines: 1, size: 9).first else { return "" }
    return """
      <text class="soft" x="\(place.minX)" y="\(place.maxY + 10 * pixel)" \
      font-size="\(9 * pixel)" fill="\(figureColours.soft.hex)">\(line)</text>
      """
  }

  /// A caption over the darkened lower edge of a picture; empty if the picture is hardly higher.
  private func captionOver(_ frame: Rect, _ text: String) -> Markup {
    let pixel = 1 / canvas.scale
    let size = 10.0
    let height = size * FigurePlan.lineHeight + 5
    let (inset, room) = (6.0, Size(width: frame.width / pixel, height: frame.height / pixel))
    guard room.height >= 3 * height,
      let line = wrapped(text, width: room.width - 2 * inset, lines: 1, size: size).first
    else { return "" }
    let top = frame.maxY - height * pixel
    let isReversed = picture.direction == .rightToLeft
    return """
      <path d="M\(frame.minX),\(top - height * pixel)h\(frame.width)v\(height * pixel)h\(-frame.width)z" \
      fill="url(#shade)"/><rect x="\(frame.minX)" y="\(top)" width="\(frame.width)" \
      height="\(height * pixel)" fill="#000000" fill-opacity="0.6"/>\
      <text x="\(isReversed ? frame.maxX - inset * pixel : frame.minX + inset * pixel)" \
      y="\(frame.maxY - 6 * pixel)" font-size="\(size * pixel)" \
      \(isReversed ? "text-anchor=\"end\" " : "" as Markup)fill="#ffffff">\(line)</text>
      """
  }

  private func figureLines(
    name: String, caption: String, in room: Size, size: Double, isBold: Bool, least: Int
  ) -> [(text: String, size: Double, weight: Int, y: Double, isTrailing: Bool)] {
    let width = room.width - 2 * Self.inset
    let height = size * FigurePlan.lineHeight
    let count = max(least, Int(min(40, max(0, (room.height + 0.01) / height))))
    guard width > 0, count > 0 else { return [] }
    var lines = wrapped(name, width: width, lines: count, size: size, isBold: isBold)
      .map { (text: $0, weight: isBold ? 600 : 500) }
    if !caption.isEmpty, lines.count < count, !lines.isEmpty || name.isEmpty {
      // Never truncates a number.
      let isNumber = caption.first?.isNumber == true || caption.first == "-"
      let added = wrapped(
        caption, width: width, lines: isNumber ? 1 : count - lines.count, size: size)
      if !isNumber || added == [caption] {
        lines += added.map { ($0, 400) }
      } else if let start = caption.split(separator: "–").first, start.contains(":"),
        textWidth(start, size: size) <= width
      {
        // If a time span doesn't fit, show its start.
        lines.append((String(start), 400))
      }
    }
    let top = min(Self.inset, (room.height - Double(lines.count) * height) / 2)
    return lines.enumerated().map { index, line in
      (line.text, size, line.weight, top + Double(index) * height + size * 0.95, false)
    }
  }

  private func listLines(
    name: String, caption: String, in room: Size, size: Double
  ) -> [(text: String, size: Double, weight: Int, y: Double, isTrailing: Bool)] {
    let width = room.width - 2 * Self.inset
    let height = size * FigurePlan.lineHeight
    let count = Int(min(40, max(0, (room.height + 0.01) / height)))
    guard width > 0, count > 0 else { return [] }
    let end =
      caption.isEmpty ? nil : wrapped(caption, width: width / 2, lines: 1, size: size).first
    let taken = end.map { textWidth($0, size: size) + 12 } ?? 0
    let names = wrapped(name, width: width - taken, lines: count, size: size)
    func baseline(_ index: Int, of count: Int) -> Double {
      (room.height - Double(count) * height) / 2 + Double(index) * height + size * 0.95
    }
    let lines = names.enumerated().map { index, line in
      (line, size, 500, baseline(index, of: names.count), false)
    }
    return lines + (end.map { [($0, size, 400, baseline(0, of: 1), true)] } ?? [])
  }

  private func upright(
    _ line: String, of fill: Int, in frame: Rect, size: Double, bar: Double
  ) -> Markup {
    let pixel = 1 / canvas.scale
    let isReversed = picture.direction == .rightToLeft
    let middle = frame.midX + (isReversed ? -bar : bar) / 2 * pixel
    let ink = FigureFill.ink(on: fill, isDark: picture.style.theme == .dark)
    return """
      <text class="i\(fill)" transform="translate(\(middle - size * 0.36 * pixel) \
      \(frame.minY + Self.inset * pixel)) rotate(90)" font-size="\(size * pixel)" \
      font-weight="500" fill="\(ink.hex)" pointer-events="none">\(line)</text>
      """
  }

  /// Pixels between text and the sides of a cell.
  private static var inset: Double { 4 }

  /// - Parameter line: The baseline is y pixels below the top of the element.
  private func text(
    _ line: (text: String, size: Double, weight: Int, y: Double, isTrailing: Bool), of fill: Int,
    in element: Element,
    inset: Double, magnification: Double, _ tangent: PlaneTransform?
  ) -> Markup {
    let pixel = 1 / magnification
    let frame = element.frame
    let isReversed = line.isTrailing != (picture.direction == .rightToLeft)
    let inset = (line.isTrailing ? Self.inset : inset) * pixel
    let x = isReversed ? frame.width - inset : inset
    var place: Markup = "x=\"\(frame.x + x)\" y=\"\(frame.y + line.y * pixel)\""
    if let tangent {
      place = """
        transform="matrix(\(tangent.a) \(tangent.b) \(tangent.c) \(tangent.d) \
        \(tangent.origin.x) \(tangent.origin.y))" x="\(x - frame.width / 2)" \
        y="\(line.y * pixel - frame.height / 2)"
        """
    }
    let ink = FigureFill.ink(on: fill, isDark: picture.style.theme == .dark)
    return """
      <text class="i\(fill)" \(place) font-size="\(line.size * pixel)" \
      font-weight="\(line.weight)"\(isReversed ? " text-anchor=\"end\"" : "" as Markup) \
      fill="\(ink.hex)" pointer-events="none">\(line.text)</text>
      """
  }

  private func figureLook(fill: Int) -> SVGLook {
    let isDark = picture.style.theme == .dark
    return SVGLook(
      name: "cell f\(fill) edge",
      paint: """
         fill="\(FigureFill.colour(fill, isDark: isDark).hex)" \
        stroke="\(FigureFill.ground(isDark: isDark).hex)"
        """)
  }

  private func plainLook(_ name: String, _ colour: Colour, opacity: Double) -> SVGLook {
    SVGLook(name: name, paint: " fill=\"\(colour.hex)\" fill-opacity=\"\(opacity)\"")
  }

  private func decoration(_ element: Element, _ outline: [Point]?) -> Markup {
    let colours = figureColours
    let side = min(element.frame.width, element.frame.height) * canvas.scale
    let isLine = picture.role(of: element.identity) == .separator || side < 5
    return canvas.shape(
      element.frame, outline,
      look: plainLook("decoration ink", colours.text, opacity: isLine ? 0.2 : 0.05))
  }

  private func middle(of element: Element, _ y: Double?) -> Markup {
    guard let y else { return "" }
    let pixel = 1 / canvas.scale
    return """
      <path class="middle" d="M\(element.frame.minX),\(y)H\(element.frame.maxX)" fill="none" \
      stroke="#8a8f98" stroke-opacity="0.5" stroke-width="\(pixel)" \
      stroke-dasharray="\(pixel) \(3 * pixel)"/>
      """
  }

  private var figureColours: SVGColours { picture.style.theme == .dark ? .dark : .light }

  private func supplementary(
    _ element: Element, _ outline: [Point]?
  ) -> Markup {
    let colours = figureColours
    let role = picture.role(of: element.identity)
    var frame = element.frame
    if [.header, .footer, .other].contains(role), outline == nil { frame = canvas.seen(frame) }
    // A part of a picture can begin between two marks of a scale.
    if role == .label, let region = canvas.region, frame.minY < region.minY { return "" }
    let text = figure.text?(element) ?? picture.title?(element) ?? ""
    let pixel = 1 / canvas.scale
    let (width, height) = (frame.width / pixel, frame.height / pixel)
    let ground = FigureFill.ground(isDark: picture.style.theme == .dark)
    func line(
      _ size: Double, isBold: Bool, inset: Double, isSoft: Bool = false, end: Bool = false,
      middle: Double
    ) -> Markup {
      guard outline == nil, pixel < 1 / SVGCanvas.leastMagnification,
        let shown = wrapped(text, width: width - 2 * inset, lines: 1, size: size, isBold: isBold)
          .first
      else { return "" }
      let isEnd = end != (picture.direction == .rightToLeft)
      let x = isEnd ? frame.maxX - inset * pixel : frame.minX + inset * pixel
      return """
        <text class="\(isSoft ? "soft" : "ink")" x="\(x)" y="\(frame.minY + (middle + size * 0.36) * pixel)" \
        font-size="\(size * pixel)" font-weight="\(isBold ? 600 : 400)"\
        \(isEnd ? " text-anchor=\"end\"" : "" as Markup) \
        fill="\((isSoft ? colours.soft : colours.text).hex)" pointer-events="none">\(shown)</text>
        """
    }
    func hairline(y: Double) -> Markup {
      canvas.rectangle(
        Rect(x: frame.x, y: y, width: frame.width, height: pixel),
        look: plainLook("hairline ink", colours.text, opacity: 0.2))
    }
    switch role {
    case .label:
      // Aligned with its line, at its top.
      let inset = width < 42 ? 2.0 : 6
      let length = max(textWidth(text, size: 1), textWidth("00:00", size: 1))
      let fit = (width - 2 * inset - 0.1) / length
      return line(
        max(7, min(10, fit)), isBold: false, inset: inset, isSoft: true, end: true, middle: 0)
    case .badge:
      let size = min(10, height * 0.7)
      let paint: Markup = " fill=\"\(colours.text.hex)\""
      let plate: Markup =
        outline.map { canvas.polygon($0, look: SVGLook(name: "badge ink", paint: paint)) } ?? """
          <rect class="badge ink" \(place: frame) rx="\(min(frame.width, frame.height) / 2)"\(paint)/>
          """
      guard size >= 7, !text.isEmpty, outline == nil, pixel < 1 / SVGCanvas.leastMagnification,
        let shown = wrapped(text, width: width - 4, lines: 1, size: size, isBold: true).first
      else { return plate }
      return plate + """
        <text class="onink" x="\(frame.midX)" y="\(frame.midY + size * 0.36 * pixel)" \
        font-size="\(size * pixel)" font-weight="600" text-anchor="middle" \
        fill="\(ground.hex)" pointer-events="none">\(shown)</text>
        """
    case .background:
      return canvas.shape(
        frame, outline, look: plainLook("supplementary ink", colours.text, opacity: 0.05))
    case .separator:
      return canvas.shape(
        frame, outline, look: plainLook("supplementary ink", colours.text, opacity: 0.2))
    case .header, .footer, .other:
      let isHeader = role == .header
      let free = isHeader ? min(height, plan.headRoom / pixel) : height
      let size = min(plan.headSize, free / FigurePlan.lineHeight)
      // Names of the pictures above reach down to the text.
      var covered = frame
      if isHeader, plan.hasNamesBelow {
        covered.y += max(0, frame.height - FigurePlan.headerText) / 2
        covered.height = frame.maxY - covered.y
      }
      var markup = canvas.shape(
        covered, outline, look: plainLook("supplementary ground", ground, opacity: 0.9))
      if size >= 8 {
        // Section names are aligned with the pictures or names of cells.
        let isReversed = picture.direction == .rightToLeft && plan.sides.width > 0
        let edge = isReversed ? frame.maxX - plan.sides.maxX : plan.sides.minX - frame.minX
        markup += line(
          isHeader ? size : min(size, 11), isBold: isHeader,
          inset: (picture.image == nil ? 4 : 0) + min(max(0, edge / pixel), width / 4),
          isSoft: !isHeader, middle: free / 2)
      }
      // Room for a button beside a title has no line, nor has a header repeated from the last page.
      if isHeader, outline == nil, frame.maxY >= element.frame.maxY - 0.01,
        !text.isEmpty || element.identity.item == 0
      {
        markup += hairline(y: frame.maxY - pixel)
      }
      return markup
    }
  }
}
