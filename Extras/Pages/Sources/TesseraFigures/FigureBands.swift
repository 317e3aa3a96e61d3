import TesseraDrawing
import TesseraHost

extension FigurePicture {
  /// Writes sections that scroll across the others in scrolling boxes, the rest in between.
  func writeBands(
    _ bands: [Int: Rect], to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let drawn = picture.drawnElements
    let plan = FigurePlan(self, order: drawn.order, scale: 1)
    let region = picture.scrollableRect
    func write(_ text: Markup) throws { try Self.write(text, to: sink) }
    func part(_ rect: Rect, _ look: Figure, _ legend: ColourScale?, band: Int?) throws {
      var part = FigurePicture(picture, look)
      part.picture.extent = .rect(rect)
      part.figure.isPart = true
      let page = FigurePage(part, region: rect, cuts: [], legend: legend)
      let order = drawn.order.filter { offset in
        let element = element(at: offset)
        let section = element.identity.section
        return picture.isInside(bands[section], element) ? section == band : band == nil
      }
      try part.draw(page, plan, order, to: sink)
    }
    // Texts have a margin, content alone does not.
    let isTitled = figure.title != nil || figure.subtitle != nil || plan.colours != nil
    try write(
      "<main style=\"max-width:\(region.width)px\(isTitled ? ";padding:16px" : "" as Markup)\">\n")
    var top = region.minY
    var look = figure
    var legend = plan.colours
    look.source = nil
    for (section, band) in bands.sorted(by: { $0.value.minY < $1.value.minY }) {
      if band.minY - top >= 1 || look.title != nil || look.subtitle != nil || legend != nil {
        let rect = Rect(
          x: region.x, y: top, width: region.width, height: max(0, band.minY - top))
        try part(rect, look, legend, band: nil)
      }
      (look.title, look.subtitle, legend) = (nil, nil, nil)
      let length = band.width / region.width * 100
      try write(
        """
        <div class="band" role="region" aria-label="\(name(of: section))" tabindex="0"\
        \(picture.direction == .rightToLeft ? " dir=\"rtl\"" : "" as Markup) \
        style="\(picture.snapping(of: section, band))"><div style="width:\(length)%">

        """)
      try part(band, look, nil, band: section)
      try write(stops(in: band, of: section) + "</div></div>\n")
      top = band.maxY
    }
    look.source = figure.source
    if region.maxY - top >= 1 || look.source != nil {
      let rect = Rect(x: region.x, y: top, width: region.width, height: max(0, region.maxY - top))
      try part(rect, look, nil, band: nil)
    }
    try write("</main>\n")
    if bands.keys.contains(where: { (picture.swipes[$0]?.start ?? 0) > 0 }) {
      try write("<script>\(Markup(PackageResources.bands_js))</script>\n")
    }
  }

  private func name(of section: Int) -> String {
    let headers = Set(picture.kinds.filter { $0.role == .header }.map(\.name))
    let header = picture.elements.first { element in
      element.identity.section == section && headers.contains(element.identity.kind ?? "")
    }
    return header.flatMap { figure.text?($0) ?? picture.title?($0) } ?? "section \(section)"
  }

  private func stops(in band: Rect, of section: Int) -> Markup {
    guard picture.swipes[section]?.stops != "continuous" else { return "" }
    var places: [Double: Double] = [:]
    for element in picture.elements
    where element.identity.category == .cell && element.identity.section == section {
      let frame = element.frame
      let start =
        picture.direction == .rightToLeft ? band.maxX - frame.maxX : frame.minX - band.minX
      places[start] = max(places[start] ?? 0, frame.width)
    }
    var markup: Markup = ""
    for (place, width) in places.sorted(by: { $0.key < $1.key }) {
      markup += """
        <i style="inset-inline-start:\(place / band.width * 100)%;width:\(width / band.width * 100)%;\
        scroll-snap-align:\(picture.alignment(of: section))"></i>
        """
    }
    return markup
  }
}
