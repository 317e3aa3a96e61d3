import TesseraDrawing
import TesseraHost

/// A web page of images, laid out for several widths.
///
/// The page needs no script. Its style sheet chooses the layout by the page's width, and scales the
/// nearest one in between. Layouts that scroll sideways or have perspective keep their size.
public struct Gallery<Content: RandomAccessCollection> where Content.Element == Element {
  /// Captions and texts of elements; its title is the page's.
  public var figure: Figure
  /// The fallback title.
  public var name: String
  /// The layouts, each for another viewport width.
  public var layouts: [Picture<Content>]

  /// Creates a page from at least one layout of the same items.
  public init(_ name: String, _ figure: Figure, layouts: [Picture<Content>]) {
    (self.name, self.figure) = (name, figure)
    self.layouts = layouts.sorted { $0.viewport.width < $1.viewport.width }
  }

  /// Writes the page in UTF-8, piece by piece.
  ///
  /// - Parameter sink: Receives each piece, valid during the call. Its errors end the writing.
  /// - Complexity: O(*n* log *n*) in elements; memory for the style sheet.
  public func writeHTML<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let bands = bands
    let (identities, texts) = identities(bands)
    let ends = ends(of: bands, identities)
    let style = Markup(PackageResources.gallery_css) + rules(bands)
    let script = PackageResources.gallery_js + (bands.isEmpty ? [] : PackageResources.bands_js)
    let hasCopies = identities.contains { image(of: $0)?.copies.isEmpty == false }
    let widths = hasCopies ? layouts.map(\.shownWidths) : []
    try Markup.stream(
      head: head(style: style, script: script, count: imageCount(of: identities)), identities,
      tail: tail(script: script), to: sink
    ) { identity in
      var page: Markup = ""
      if ends.first.contains(identity) {
        page += """
          <li class="band" id="b\(identity.section)" tabindex="0"\
          \(layouts.first?.direction == .rightToLeft ? " dir=\"rtl\"" : "" as Markup)><ul role="list">

          """
      }
      page += item(identity, texts, widths)
      if ends.last.contains(identity) { page += "</ul></li>\n" }
      return page
    }
  }

  /// Places of sections that scroll across the others, in each layout.
  private var bands: [[Int: Rect]] {
    let all = layouts.map(\.bands)
    let used = (all.first ?? [:]).keys.filter { section in
      all.allSatisfy { $0[section] != nil }
        && zip(layouts, all).contains { layout, bands in
          (bands[section]?.width ?? 0) > layout.contentSize.width + 0.5
        }
    }
    return all.map { bands in bands.filter { used.contains($0.key) } }
  }

  private func isInside(_ bands: [[Int: Rect]], _ identity: ElementIdentity) -> Bool {
    bands.first?[identity.section] != nil && layouts.first?.scrolls(identity) == true
  }

  private func ends(
    of bands: [[Int: Rect]], _ identities: [ElementIdentity]
  ) -> (first: Set<ElementIdentity>, last: Set<ElementIdentity>) {
    var (first, last) = ([Int: ElementIdentity](), [Int: ElementIdentity]())
    for identity in identities where isInside(bands, identity) {
      first[identity.section] = first[identity.section] ?? identity
      last[identity.section] = identity
    }
    return (Set(first.values), Set(last.values))
  }
}

// MARK: - The page

extension Gallery {
  private func head(style: Markup, script: [UInt8], count: Int) -> Markup {
    let fit = layouts.first?.fit ?? .cover
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      img-src 'self' data: file: \(remoteOrigins); style-src '\(Self.hash(style.bytes))'; \
      script-src '\(Self.hash(script))'; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(figure.title ?? name)</title>
      <style>\(style)</style>
      </head>
      <body>
      <header>
      <h1>\(figure.title ?? name)</h1>
      <p>\(count) \(count == 1 ? "picture" : "pictures")</p>
      </header>
      <main class="scroller">
      <ul class="stage \(fit.rawValue)" role="list">

      """
  }

  private func tail(script: [UInt8]) -> Markup {
    """
    </ul>
    </main>
    <a class="close" href="#closed" aria-label="Close the large view">×</a>
    <script>\(Markup(script))</script>
    </body>
    </html>

    """
  }

  /// A source for the content security policy.
  private static func hash(_ bytes: [UInt8]) -> Markup {
    "sha256-\(base64(SHA256Digest(of: bytes).bytes))"
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      var bits = part.reduce(0) { $0 << 8 | Int($1) }
      bits <<= 8 * (3 - part.count)
      for place in 0..<4 {
        text.append(
          place > part.count ? UInt8(ascii: "=") : digits[bits >> (18 - 6 * place) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private var remoteOrigins: String {
    guard let picture = layouts.first else { return "" }
    for element in picture.elements {
      let address = picture.image(of: element)?.address ?? ""
      if address.hasPrefix("https:") || address.hasPrefix("http:") { return "https: http:" }
    }
    return ""
  }

  private func imageCount(of identities: [ElementIdentity]) -> Int {
    identities.count { image(of: $0) != nil }
  }

  private func image(of identity: ElementIdentity) -> CellImage? {
    identity.category == .cell
      ? layouts.first?.image?(identity.section, identity.item) : nil
  }

  /// Elements of all layouts in reading order: headers, cells, other elements of each section; and
  /// the texts of non-cells.
  private func identities(
    _ bands: [[Int: Rect]]
  ) -> ([ElementIdentity], texts: [ElementIdentity: String]) {
    var known: Set<ElementIdentity> = []
    var all: [ElementIdentity] = []
    var texts: [ElementIdentity: String] = [:]
    for layout in layouts {
      for element in layout.elements
      where !element.isHidden && known.insert(element.identity).inserted {
        all.append(element.identity)
        guard element.identity.category == .supplementary else { continue }
        texts[element.identity] = figure.text?(element) ?? layout.title?(element)
      }
    }
    func rank(_ identity: ElementIdentity) -> Int {
      identity.category == .cell || isInside(bands, identity)
        ? 1 : layouts.first?.role(of: identity) == .header ? 0 : 2
    }
    let sorted = all.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      let keys = (a.section, rank(a), a.item)
      let others = (b.section, rank(b), b.item)
      return keys == others ? left.offset < right.offset : keys < others
    }.map(\.element)
    return (sorted, texts)
  }

  /// - Parameter widths: CSS widths of each element by layout.
  private func item(
    _ identity: ElementIdentity, _ texts: [ElementIdentity: String],
    _ widths: [[ElementIdentity: Markup]]
  ) -> Markup {
    let id = Self.id(of: identity)
    guard identity.category == .cell else {
      let text = texts[identity] ?? ""
      let role = String(describing: layouts.first?.role(of: identity) ?? .other)
      return """
        <li class="e \(identity.category.name) \(role)" id="\(id)"\
        \(text.isEmpty ? " aria-hidden=\"true\"" : "" as Markup)>\(text)</li>

        """
    }
    let picture = layouts.first
    let caption = figure.caption?(identity.section, identity.item) ?? ""
    let name = picture?.label?(identity.section, identity.item) ?? identity.description
    let label = caption.isEmpty ? name : caption
    let own = image(of: identity)?.caption ?? ""
    let words = own.isEmpty || own == caption ? label : caption.isEmpty ? own : "\(own), \(caption)"
    guard let image = image(of: identity) else {
      return "<li class=\"e cell\" id=\"\(id)\"><span class=\"name\">\(label)</span></li>\n"
    }
    let size: Markup =
      image.size.map { " width=\"\($0.width)\" height=\"\($0.height)\"" } ?? ""
    let shown = image.copies.last ?? image
    // The large view loads the original lazily.
    let large: Markup =
      image.copies.isEmpty
      ? "" : "<img class=\"large\" src=\"\(image.markup)\" alt=\"\" loading=\"lazy\">"
    return """
      <li class="e cell" id="\(id)"><a class="open" href="#\(id)"><img src="\(shown.markup)"\
      \(sources(of: image, identity, widths)) alt="\(words)"\(size) loading="lazy" decoding="async">\
      \(large)</a><span class="caption" aria-hidden="true">\(label)</span></li>

      """
  }

  /// `srcset` and `sizes`; empty without copies.
  private func sources(
    of image: CellImage, _ identity: ElementIdentity, _ widths: [[ElementIdentity: Markup]]
  ) -> Markup {
    guard !image.copies.isEmpty else { return "" }
    let copies = image.copies.map { copy -> Markup in
      "\(copy.markup) \(copy.size?.width ?? 0)w"
    }
    var sizes: [Markup] = []
    for (index, widths) in widths.enumerated().reversed() {
      let width = widths[identity] ?? "1px"
      sizes.append(
        index > 0
          ? "(min-width: \(Self.threshold(layouts[index - 1], layouts[index]))px) \(width)" : width)
    }
    return " srcset=\"\(copies.joined(", "))\" sizes=\"\(sizes.joined(", "))\""
  }

  /// "c0-3" for cell 3 of section 0.
  private static func id(of identity: ElementIdentity) -> String {
    switch identity.category {
    case .cell: "c\(identity.section)-\(identity.item)"
    case .supplementary, .decoration:
      "\(identity.category.name)-\(hexadecimal(identity.kind ?? ""))-\(identity.section)-\(identity.item)"
    }
  }

  /// Encodes any name for an id.
  private static func hexadecimal(_ name: String) -> String {
    name.utf8.map { String($0, radix: 16) }.joined(separator: "_")
  }
}

// MARK: - The style sheet

extension Gallery {
  private func rules(_ bands: [[Int: Rect]]) -> Markup {
    var rules: Markup = ""
    for (index, layout) in layouts.enumerated() {
      var conditions: [Markup] = []
      if index > 0 {
        conditions.append("(width >= \(Self.threshold(layouts[index - 1], layout))px)")
      }
      if index + 1 < layouts.count {
        conditions.append("(width < \(Self.threshold(layout, layouts[index + 1]))px)")
      }
      let places = layout.placeRules(bands[index]) { Self.id(of: $0) } + captionRules(layout)
      rules +=
        conditions.isEmpty
        ? places : "@media \(conditions.joined(" and ")) {\n\(places)}\n"
    }
    return rules
  }

  /// Shows captions below pictures if there is room; over them if requested.
  private func captionRules(_ layout: Picture<Content>) -> Markup {
    let order = layout.drawnElements.order
    if FigurePicture(layout, figure).hasRoomBelowImages(order, height: 20) {
      return """
        .stage { margin-bottom: 20px }
        .band { padding-bottom: 20px }
        .header { background: none }
        .cell .caption { display: block; top: 100% }

        """
    }
    guard figure.caption != nil else { return "" }
    return """
      .cell .caption { display: block; bottom: 0; padding: 20px 8px 3px; color: #fff; \
      background: linear-gradient(transparent, rgb(0 0 0 / .6) 20px) }

      """
  }

  /// The geometric mean of two widths, where the wider layout takes over.
  private static func threshold(_ narrow: Picture<Content>, _ wide: Picture<Content>) -> Double {
    (narrow.viewport.width * wide.viewport.width).squareRoot().rounded()
  }
}

extension Picture {
  /// Limit of a page's width, as a multiple of its layout's.
  private static var mostGrowth: Double { 1.5 }

  private var isScaled: Bool {
    scrollableRect.width <= viewport.width + 0.5
      && elements.allSatisfy { $0.transform == .identity }
  }

  fileprivate var shownWidths: [ElementIdentity: Markup] {
    let (isScaled, stage) = (isScaled, max(scrollableRect.width, 1))
    var widths: [ElementIdentity: Markup] = [:]
    for element in elements where element.identity.category == .cell && !element.isHidden {
      let width = element.frame.width
      widths[element.identity] =
        isScaled
        ? "min(\((width / stage * 1000).rounded() / 10)vw, \((width * Self.mostGrowth).rounded())px)"
        : "\(width.rounded())px"
    }
    return widths
  }

  /// The style rules of the layout's elements.
  ///
  /// - Parameter bands: Sections that scroll across the others; they contain their cells.
  fileprivate func placeRules(_ bands: [Int: Rect], id: (ElementIdentity) -> String) -> Markup {
    let stage = scrollableRect
    let width = max(stage.width, 1)
    let height = max(stage.height, 1)
    let isFlat = elements.allSatisfy { $0.transform == .identity }
    let isScaled = isScaled
    // Percentages of the stage, as only its width changes.
    func across(_ length: Double, of width: Double) -> Markup {
      isScaled ? "\(exact: rounded(length / width * 100))%" : "\(length)px"
    }
    func down(_ length: Double, of height: Double) -> Markup {
      isScaled ? "\(exact: rounded(length / height * 100))%" : "\(length)px"
    }
    var rules: Markup =
      isScaled
      ? """
      .stage { width: 100%; max-width: \((width * Self.mostGrowth).rounded())px; \
      aspect-ratio: \(exact: width) / \(exact: height) }

      """
      : ".stage { width: \(width)px; height: \(height)px }\n"
    for (section, band) in bands.sorted(by: { $0.key < $1.key }) {
      rules += """
        #b\(section) { left: 0; top: \(down(band.minY - stage.y, of: height)); width: 100%; \
        height: \(down(band.height, of: height)); \(snapping(of: section, band)) }
        #b\(section) ul { width: \(across(band.width, of: width)) }
        #b\(section) .cell { scroll-snap-align: \(alignment(of: section)) }

        """
    }
    let shown = ShownAttributes(names: attributeNames)
    let isRanked = elements.contains { $0.zIndex != 0 } || !isFlat
    for (rank, offset) in drawnElements.order.enumerated() {
      let element = elements[
        elements.index(elements.startIndex, offsetBy: offset)]
      let band = scrolls(element.identity) ? bands[element.identity.section] : nil
      let box = band ?? Rect(x: stage.x, y: stage.y, width: width, height: height)
      let frame = element.frame.moved(by: Point(x: -box.x, y: -box.y))
      let boxHeight = max(box.height, 1)
      let selector: Markup = "#\(id(element.identity))"
      let display: Markup = element.identity.category == .supplementary ? "flex" : "block"
      rules += """
        \(selector) { display: \(display); left: \(across(frame.x, of: box.width)); \
        top: \(down(frame.y, of: boxHeight)); width: \(across(frame.width, of: box.width)); \
        height: \(down(frame.height, of: boxHeight))
        """
      if isRanked { rules += "; z-index: \(rank + 1)" }
      if element.alpha < 1 { rules += "; opacity: \(max(0, element.alpha))" }
      if !isFlat, element.transform != .identity, element.transform.isFinite {
        let numbers = element.transform.elements.map { number -> Markup in "\(exact: number)" }
        rules += "; transform: matrix3d(\(numbers.joined(",")))"
      }
      rules += " }\n"
      let masking = shown.masking(of: element)
      if masking > 0 {
        rules += """
          \(selector)::after { content: ""; position: absolute; inset: 0; pointer-events: none; \
          background: var(--mask); opacity: \(masking) }

          """
      }
      if let content = shown.content(of: element), image(of: element) != nil,
        element.frame.width > 0, element.frame.height > 0
      {
        rules += """
          \(selector) img { object-fit: cover; \
          left: \(part(content.x, of: element.frame.width)); \
          top: \(part(content.y, of: element.frame.height)); \
          width: \(part(content.width, of: element.frame.width)); \
          height: \(part(content.height, of: element.frame.height)) }

          """
      }
    }
    return rules
  }

  private func part(_ length: Double, of whole: Double) -> Markup {
    "\(exact: rounded(length / whole * 100))%"
  }

  /// Exact to a hundredth of a pixel on the longest pages.
  private func rounded(_ percentage: Double) -> Double { (percentage * 1e7).rounded() / 1e7 }
}
