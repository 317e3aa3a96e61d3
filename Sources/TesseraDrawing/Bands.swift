import TesseraGeometry
import TesseraHost

// Sections that scroll across the others: on a page, each is a band that a reader swipes. A script only
// scrolls it to where it starts.
extension Picture {
  /// Where the cells of each section are that scrolls across the others, from the leading edge of the
  /// content to the end of the section.
  ///
  /// There is none where the content scrolls sideways itself, or for a section beside another one.
  var bands: [Int: Rect] {
    let width = contentSize.width
    guard !swipes.isEmpty, width <= viewport.width + 0.5, elements.allSatisfy({ $0.frame.isFinite })
    else { return [:] }
    var bands: [Int: Rect] = [:]
    for element in elements where !element.isHidden && scrolls(element.identity) {
      let section = element.identity.section
      guard swipes[section] != nil else { continue }
      let frame = element.frame.offset(by: Point(x: scrolled(section), y: 0))
      bands[section, default: frame].formUnion(frame)
    }
    for element in elements where element.identity.category != .decoration && !element.isHidden {
      for (section, band) in bands where section != element.identity.section {
        if element.frame.minY < band.maxY - 0.5, element.frame.maxY > band.minY + 0.5 {
          bands[section] = nil
        }
      }
    }
    return bands.mapValues { band in
      // The end is as far from the edge as the start.
      let isReversed = direction == .rightToLeft
      let lead = max(0, isReversed ? width - band.maxX : band.minX)
      let start = isReversed ? min(0, band.minX - lead) : 0
      let end = isReversed ? width : max(width, band.maxX + lead)
      return Rect(x: start, y: band.minY, width: end - start, height: band.height)
    }
  }

  /// How far the elements of a section have to move to be where they are when it is not scrolled: by nothing in
  /// a figure, which is laid out so.
  private func scrolled(_ section: Int) -> Double {
    let start = figure == nil ? swipes[section]?.start ?? 0 : 0
    return direction == .rightToLeft ? -start : start
  }

  /// The bands of a wireframe, for the page's script, and the indexes of the kinds that scroll in them.
  ///
  /// Each has its section, its rectangle, how far its elements are scrolled, its style as CSS, and where cells
  /// stop; nil if they do not.
  func bandData(_ drawnElements: DrawnElements) -> Markup {
    let bands = extent == .content ? bands : [:]
    let rows = bands.sorted { $0.key < $1.key }.map { section, band -> Markup in
      let stops = swipes[section]?.stops != "continuous"
      return """
        {"section": \(section), "rect": \(json: band), "scrolled": \(scrolled(section)), \
        "style": \(json: snapping(of: section, band).text), \
        "stops": \(stops ? "\(json: alignment(of: section).text)" : "null" as Markup)}
        """
    }
    let kinds = drawnElements.kinds.enumerated().filter { _, kind in
      scrolls(ElementIdentity(category: kind.category, kind: kind.name, section: 0, item: 0))
    }.map { index, _ -> Markup in "\(index)" }
    return "\"bands\": \(list: rows), \"scrolling\": \(list: kinds),\n"
  }

  /// Whether an element is a cell of its section, or scrolls with them.
  func scrolls(_ identity: ElementIdentity) -> Bool {
    identity.category == .cell || [.badge, .separator].contains(role(of: identity))
  }

  /// What the engine declares elements of a kind to be for.
  func role(of identity: ElementIdentity) -> KindDescription.Role {
    guard let kind = identity.kind else { return .other }
    return kinds.first { $0.name == kind }?.role ?? .other
  }

  /// Whether an element is in the band of its section.
  func isInside(_ band: Rect?, _ element: Element) -> Bool {
    guard let band else { return false }
    return scrolls(element.identity)
      || element.identity.category != .decoration && element.frame.minY >= band.minY - 0.5
        && element.frame.maxY <= band.maxY + 0.5
  }

  /// How a band scrolls, as CSS: where it stops, and how far from the edge.
  func snapping(of section: Int, _ band: Rect) -> Markup {
    let kind = swipes[section]?.stops ?? ""
    let start = max(0, swipes[section]?.start ?? 0)
    let position: Markup = start > 0 ? "--start: \(exact: start / max(1, band.width)); " : ""
    guard kind != "continuous" else { return position }
    let cells = elements.filter { $0.identity.category == .cell && $0.identity.section == section }
    let lead =
      direction == .rightToLeft
      ? band.maxX - (cells.map(\.frame.maxX).max() ?? 0) - scrolled(section)
      : (cells.map(\.frame.minX).min() ?? 0) - band.minX + scrolled(section)
    let part = max(0, lead) / max(1, contentSize.width) * 100
    return """
      \(position)scroll-snap-type: x \(kind == "continuousGroupLeadingBoundary" ? "proximity" : "mandatory"); \
      scroll-padding-inline: \(part)%
      """
  }

  /// Where the cells of a band stop, as CSS.
  func alignment(of section: Int) -> Markup {
    swipes[section]?.stops == "groupPagingCentered" ? "center" : "start"
  }

  /// Writes the figure in parts, of which those of sections that scroll across the others are as long as
  /// these, in boxes that scroll.
  func writeBands(
    _ figure: Figure, _ bands: [Int: Rect], to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let drawn = DrawnElements(elements, middle: viewport.middle)
    let plan = FigurePlan(self, figure, order: drawn.order, scale: 1)
    let region = scrollableRect
    func write(_ text: Markup) throws {
      try Markup.stream(head: text, EmptyCollection<Int>(), tail: "", to: sink) { _, _ in }
    }
    func part(_ rect: Rect, _ look: Figure, _ legend: ColourScale?, band: Int?) throws {
      var (picture, look) = (self, look)
      picture.extent = .rect(rect)
      look.isPart = true
      let page = FigurePage(picture, look, region: rect, cuts: [], legend: legend)
      let order = drawn.order.filter { offset in
        let element = elements[elements.index(elements.startIndex, offsetBy: offset)]
        let section = element.identity.section
        return isInside(bands[section], element) ? section == band : band == nil
      }
      try picture.draw(page, plan, drawn, order, to: sink)
    }
    // Texts have a margin, and content alone has none.
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
        \(direction == .rightToLeft ? " dir=\"rtl\"" : "" as Markup) \
        style="\(snapping(of: section, band))"><div style="width:\(length)%">

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
    if bands.keys.contains(where: { (swipes[$0]?.start ?? 0) > 0 }) {
      try write("<script>\(Markup(PackageResources.bands_js))</script>\n")
    }
  }

  /// What a section is called: what its header shows.
  private func name(of section: Int) -> String {
    let headers = Set(kinds.filter { $0.role == .header }.map(\.name))
    let header = elements.first { element in
      element.identity.section == section && headers.contains(element.identity.kind ?? "")
    }
    return header.flatMap { figure?.text?($0) ?? title?($0) } ?? "section \(section)"
  }

  /// An empty box for each place where a band stops.
  private func stops(in band: Rect, of section: Int) -> Markup {
    guard swipes[section]?.stops != "continuous" else { return "" }
    var places: [Double: Double] = [:]
    for element in elements
    where element.identity.category == .cell && element.identity.section == section {
      let frame = element.frame
      let start = direction == .rightToLeft ? band.maxX - frame.maxX : frame.minX - band.minX
      places[start] = max(places[start] ?? 0, frame.width)
    }
    var markup: Markup = ""
    for (place, width) in places.sorted(by: { $0.key < $1.key }) {
      markup += """
        <i style="inset-inline-start:\(place / band.width * 100)%;width:\(width / band.width * 100)%;\
        scroll-snap-align:\(alignment(of: section))"></i>
        """
    }
    return markup
  }
}
