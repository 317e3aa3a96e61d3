import TesseraDrawing
import TesseraHost

/// The content in print: names, values and colours, without a wireframe's numbers and viewport.
public struct Figure {
  /// The title above the content.
  public var title: String?
  /// A line below the title.
  public var subtitle: String?
  /// A line below the content, such as the data's origin.
  public var source: String?
  /// Returns the second text of a cell, below its name.
  public var caption: ((_ section: Int, _ item: Int) -> String?)?
  /// Colours of cells by value; nil for colours by section.
  public var colours: ColourScale?
  /// Returns the text of a supplementary element; nil for the default from the picture's `title`.
  public var text: ((Element) -> String?)?

  /// The paper for `writePages`; nil for one picture.
  public var paper: Paper?

  /// The longest side of the content in pixels; longer content is scaled down.
  ///
  /// Up to the default, browsers place shapes to half a pixel.
  public var longest = 8_388_608.0

  /// A part of a page has its own margins.
  var isPart = false

  /// The current page: scale of the content, repeated headers and side; nil without paper.
  var page: (paper: Size, number: String, scale: Double, head: Rect?, side: Rect?)?

  /// A figure without title and captions, coloured by section.
  public init() {}
}

/// A picture drawn as a figure.
public struct FigurePicture<Content: RandomAccessCollection>: Drawable
where Content.Element == Element {
  /// The layout, with the names and images of its cells.
  public var picture: Picture<Content>
  /// The figure's texts and colours.
  public var figure: Figure

  /// Creates a figure of a layout.
  public init(_ picture: Picture<Content>, _ figure: Figure) {
    (self.picture, self.figure) = (picture, figure)
  }

  /// Writes the figure as an SVG document in UTF-8, piece by piece.
  public func writeSVG<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    do {
      _ = try draw(picture.drawnElements, to: sink)
    } catch {
      // Only the sink throws.
      throw error as! Failure
    }
  }

  /// Writes the figure as one self-contained web page in UTF-8, piece by piece.
  ///
  /// The SVG is as wide as the window allows; if wider than the viewport, it scrolls. A script
  /// shows the names of nested cells. Sections that scroll across the others scroll in the page,
  /// too.
  public func writeHTML<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var still = self
    still.picture.style.theme = .auto
    let bands = picture.bands.filter { $0.value.width > picture.contentSize.width + 0.5 }
    let start = Self.pageStart(
      title: figure.title ?? picture.engineName,
      isWide: picture.contentSize.width > picture.viewport.width + 0.5)
    try Self.write(start, to: sink)
    var script: Markup = ""
    do {
      if !bands.isEmpty {
        try still.writeBands(bands, to: sink)
      } else if try still.draw(picture.drawnElements, to: sink) {
        script = "<script>\n\(Markup(PackageResources.figure_js))</script>\n"
      }
    } catch {
      // Only the sink throws.
      throw error as! Failure
    }
    try Self.write(script + "</body>\n</html>\n", to: sink)
  }

  static func write<Failure: Error>(
    _ markup: Markup, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    try Markup.stream(head: markup, EmptyCollection<Int>(), tail: "", to: sink) { _ in "" }
  }

  func element(at offset: Int) -> Element {
    picture.elements[picture.elements.index(picture.elements.startIndex, offsetBy: offset)]
  }

  /// - Returns: Whether cells are nested.
  private func draw(
    _ drawnElements: DrawnElements, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    let region = region(of: drawnElements)
    let cuts = picture.cuts(of: region)
    let plan = FigurePlan(
      self, order: drawnElements.order, scale: figure.scale(region: region, cuts: cuts))
    let page = FigurePage(
      self, region: region, cuts: cuts, legend: plan.colours, sides: plan.sides)
    try draw(page, plan, drawnElements.order, to: sink)
    return plan.areGroups.contains(true)
  }

  /// - Parameter order: Offsets of the page's elements, from back to front.
  func draw(
    _ page: FigurePage, _ plan: FigurePlan, _ order: [Int],
    to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let strips = page.arrangement.strips
    for (index, strip) in strips.enumerated() {
      let artist = FigureArtist(
        self, plan, region: strip.region, scale: page.arrangement.scale,
        isWhole: picture.extent == .content && strips.count == 1)
      let start: Markup = """
        <svg class="content" \(place: strip.frame) viewBox="\(viewBox: strip.region)" \
        preserveAspectRatio="none" overflow="hidden">
        <g stroke-width="\(1 / page.arrangement.scale)">

        """
      try Markup.stream(
        head: (index == 0 ? page.head : "") + start, order,
        tail: "</g>\n</svg>\n" + (index == strips.count - 1 ? page.tail : ""), to: sink
      ) { artist.draw(at: $0) }
    }
  }

  private static func pageStart(title: String, isWide: Bool) -> Markup {
    let (light, dark) = (FigureFill.ground(isDark: false), FigureFill.ground(isDark: true))
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>
      body { margin: 0; background: \(light.hex) }
      body > svg { display: block; max-width: \(isWide ? "none" : "100%" as Markup); height: auto; margin: 0 auto }
      main { margin: 0 auto }
      main svg { display: block; width: 100%; height: auto }
      .band { overflow: auto hidden; scrollbar-width: thin }
      .band > div { position: relative }
      .band i { position: absolute; top: 0; height: 1px }
      @media (prefers-color-scheme: dark) { body { background: \(dark.hex) } }
      </style>
      </head>
      <body>

      """
  }
}

extension Figure {
  /// 1, or less for content longer than `longest`.
  func scale(region: Rect, cuts: [Double]) -> Double {
    min(1, longest / max(SVGArrangement.longestSide(of: region, cuts: cuts), 1))
  }
}

extension FigurePicture {
  func region(of drawnElements: DrawnElements) -> Rect {
    guard picture.extent == .content else { return picture.region(of: drawnElements) }
    var region = picture.scrollableRect
    let reach = Rect(
      x: region.x - region.width / 2, y: region.y - region.height / 2,
      width: region.width * 2, height: region.height * 2)
    // A hairline at an edge needs no room.
    if let overhang = drawnElements.bounds?.clipped(to: reach),
      overhang.minX < region.minX - 1 || overhang.minY < region.minY - 1
        || overhang.maxX > region.maxX + 1 || overhang.maxY > region.maxY + 1
    {
      region.formUnion(overhang)
    }
    if hasRoomBelowImages(drawnElements.order) { region.height += FigurePlan.nameHeight }
    region.width = max(region.width, 1)
    region.height = max(region.height, 1)
    return region
  }

  /// Whether nearly all pictures with an element below have room for a name in between.
  ///
  /// - Parameter height: The height of a name in points.
  /// - Complexity: O(*n* log *n*) if rows are short.
  func hasRoomBelowImages(_ order: [Int], height: Double = FigurePlan.nameHeight) -> Bool {
    guard picture.image != nil, picture.label != nil || figure.caption != nil else { return false }
    var drawn: [Element] = []
    for offset in order {
      let element = self.element(at: offset)
      let isShape = element.identity.category != .decoration
      if isShape, element.transform == .identity { drawn.append(element) }
    }
    drawn.sort { $0.frame.minY < $1.frame.minY }
    var (all, roomy) = (0, 0)
    for element in drawn where picture.image(of: element) != nil {
      let frame = element.frame
      var low: Int = 0
      var high: Int = drawn.count
      while low < high {
        let middle: Int = (low + high) / 2
        let isAbove = drawn[middle].frame.minY < frame.maxY - 0.01
        if isAbove { low = middle + 1 } else { high = middle }
      }
      let below = drawn[low...].first { (other: Element) -> Bool in
        other.frame.minX < frame.maxX - 0.01 && other.frame.maxX > frame.minX + 0.01
      }
      guard let below else { continue }
      all += 1
      // There is free space above a header's text, too.
      let isHeader = picture.kinds.contains { $0.role == .header && $0.name == below.identity.kind }
      let free = isHeader ? max(0, below.frame.height - FigurePlan.headerText) / 2 : 0
      if below.frame.minY - frame.maxY + free >= height { roomy += 1 }
    }
    return all > 0 && roomy * 10 >= all * 9
  }
}
