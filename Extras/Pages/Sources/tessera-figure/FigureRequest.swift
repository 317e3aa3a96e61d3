import FoundationEssentials
import TesseraCommand
import TesseraDrawing
import TesseraFigures
import TesseraHost
import TesseraScenario

struct FigureRequest {
  var scenario: Scenario
  let engine: Engine
  let engineOptions: EngineOptions
  let figureOptions: FigureOptions
  let partOptions: PartOptions
  let format: LayoutFormat
  /// Records the first layout in this file.
  var record: String?
  /// Elements instead of a layout.
  var document: LayoutDocument?
  /// Nil means the scenario's bounds.
  var bounds: [Size?] = [nil]

  private var isFigure: Bool { format.showsPictures && !figureOptions.wireframe }

  func result() throws -> FigureResult {
    var scenario = scenario
    var swipes = scenario.swipes(for: engine.chain)
    var wholeDays: [ElementIdentity: (row: Int, days: Int)] = [:]
    if document == nil { wholeDays = try adapt(&scenario, &swipes) }
    var layouts: [FinishedLayout<Elements>] = []
    if let document {
      scenario.bounds = scenario.bounds ?? document.bounds
      var layout = try document.layout(of: engine, scenario, visible: partOptions.visible)
      layout.swipes = swipes
      layouts.append(layout)
    }
    scenario.bounds = scenario.bounds ?? figureOptions.paper?.room
    for bounds in document == nil ? bounds : [] {
      var scenario = scenario
      scenario.bounds = bounds ?? scenario.bounds
      func layout(_ scenario: Scenario) throws -> FinishedLayout<Elements> {
        try engineOptions.layout(
          engine, scenario, visible: partOptions.visible, trace: partOptions.trace,
          record: layouts.isEmpty ? record : nil)
      }
      var finished = try layout(scenario)
      if isFigure, !partOptions.visible, let start = finished.startFromRight {
        scenario.offset = start
        finished = try layout(scenario)
      }
      finished.swipes = swipes
      // The engine may snap to another offset.
      if swipes.values.contains(where: { $0.start != 0 }), !isFigure {
        finished.swipes = finished.starts(of: swipes, from: try layout(scenario.unscrolled))
      }
      layouts.append(finished)
    }
    if !wholeDays.isEmpty { layouts = layouts.map { $0.placing(wholeDays) } }
    var figure: Figure?
    if format.showsPictures {
      figure = try figureOptions.figure(
        of: scenario, attributes: layouts[0].attributes, kinds: layouts[0].kinds,
        isLong: !["png", "pdf"].contains(format.name))
    }
    return FigureResult(layouts: layouts, figure: figure)
  }

  /// Turns a table of paths into a tree if the engine takes parents, and makes room for names.
  ///
  /// - Parameter swipes: Scrolling sections, with their start if a page scrolls them.
  /// - Returns: Whole-day events, to be placed after the layout.
  private func adapt(
    _ scenario: inout Scenario, _ swipes: inout Swipes
  ) throws -> [ElementIdentity: (row: Int, days: Int)] {
    let isTree = try scenario.makeTree(for: engine.chain)
    guard format.showsPictures else { return [:] }
    // A page scrolls these sections itself.
    if format.name == "html", !swipes.isEmpty {
      swipes = try scenario.started(swipes, for: engine.chain)
      if isFigure { scenario = scenario.unscrolled }
    }
    guard isFigure else { return [:] }
    figureOptions.makeRoom(in: &scenario, for: engine.chain, isTree: isTree)
    figureOptions.fitDays(in: &scenario, for: engine.chain)
    return figureOptions.takeWholeDays(from: &scenario, for: engine.chain)
  }
}

extension FinishedLayout {
  /// The start of a right-to-left layout wider than its bounds, so that pinned elements are beside
  /// the first section; nil otherwise, or if the offset is given.
  fileprivate var startFromRight: Point? {
    let width = contentSize.width - scenario.viewport.bounds.width
    guard scenario.viewport.direction == .rightToLeft, scenario.offset == nil, rect == nil,
      width > 0.5
    else { return nil }
    return Point(x: width, y: 0)
  }
}

/// A figure's layouts and everything needed to print or draw them.
struct FigureResult {
  /// Several widths for a page with pictures, else one.
  var layouts: [FinishedLayout<Elements>]
  /// Nil for a wireframe.
  var figure: Figure?
  /// Nil without pictures.
  var pictures: ShownPictures?
  var isGallery = false
  var hasNames = true

  init(layouts: [FinishedLayout<Elements>], figure: Figure?) {
    (self.layouts, self.figure) = (layouts, figure)
  }

  private var layout: FinishedLayout<Elements> { layouts[0] }

  var elements: some Sequence<Element> { layouts.lazy.map(\.elements).joined() }

  private func picture(of layout: FinishedLayout<Elements>) -> Picture<Elements> {
    var picture = layout.picture
    if figure != nil {
      picture.isSwiped = false
      if layout.rect == nil, !layout.swipes.isEmpty {
        // Excludes content out of sight.
        picture.extent = .rect(picture.scrollableRect)
      }
    }
    if !hasNames { picture.label = nil }
    if let pictures {
      picture.image = pictures.image
      picture.fit = pictures.fit
    }
    return picture
  }

  private func drawing(_ style: DrawingStyle) -> FigurePicture<Elements>? {
    guard let figure else { return nil }
    var picture = picture(of: layout)
    picture.style = style
    return FigurePicture(picture, figure)
  }

  private func pages(_ drawing: FigurePicture<Elements>) throws -> [Data] {
    _ = try drawing.picture.shownSize()
    var pages = [Data()]
    try drawing.writePages { bytes in
      for (index, part) in bytes.split(separator: 0, omittingEmptySubsequences: false).enumerated()
      {
        if index > 0 { pages.append(Data()) }
        pages[pages.count - 1] += part
      }
    }
    return pages
  }

  func pageCount() throws -> Int {
    guard let drawing = drawing(DrawingStyle()) else { return 1 }
    return try pages(drawing).count
  }

  /// A png on paper has a file for each page: sheet-1.png, sheet-2.png and so on.
  func write(_ output: OutputOptions, _ style: DrawingStyle) throws {
    guard output.chosenFormat.name == "png", figure?.paper != nil, let path = output.path,
      let drawing = drawing(style)
    else { return try output.write(self, style) }
    let pages = try pages(drawing)
    let end = path.lastIndex { $0 == "." || $0 == "/" }
    let dot = end.flatMap { path[$0] == "." ? $0 : nil } ?? path.endIndex
    for (index, page) in pages.enumerated() {
      try BufferedOutput.write(to: "\(path[..<dot])-\(index + 1)\(path[dot...])") { output in
        try draw(as: .png, to: output) { try page.withUnsafeBytes($0.write) }
      }
    }
    output.sayWritten(Phrase.counted(pages.count, "page"), self)
  }
}

extension FigureResult: LayoutOutput {
  var summary: String {
    let size = layout.contentSize
    return
      "a \(figure == nil ? "layout" : "figure") of "
      + "\(Phrase.counted(layout.elements.count, "element")), "
      + "\(size.width.readableText) × \(size.height.readableText)"
  }

  var scale: Double { layout.scenario.viewport.scale }

  func writeTable(to output: BufferedOutput) throws { try layout.writeTable(to: output) }

  func write(as format: LayoutWriter.Format, to output: BufferedOutput) throws {
    try layout.write(as: format, to: output)
  }

  func writeSVG(to output: BufferedOutput, _ style: DrawingStyle) throws {
    func write(_ bytes: UnsafeRawBufferPointer) throws { try output.write(bytes) }
    guard let drawing = drawing(style) else {
      var picture = picture(of: layout)
      picture.style = style
      _ = try picture.shownSize()
      return try picture.writeSVG(to: write)
    }
    let size = try drawing.picture.shownSize()
    guard drawing.figure.paper == nil else { return try drawing.writePages(to: write) }
    warn(of: size, drawing)
    try drawing.writeSVG(to: write)
  }

  func writeHTML(to output: BufferedOutput) throws {
    func write(_ bytes: UnsafeRawBufferPointer) throws { try output.write(bytes) }
    let picture = picture(of: layout)
    _ = try picture.shownSize()
    guard let figure else { return try picture.writeHTML(to: write) }
    guard isGallery, let pictures else {
      return try FigurePicture(picture, figure).writeHTML(to: write)
    }
    try Gallery(pictures.title, figure, layouts: layouts.map(self.picture)).writeHTML(to: write)
  }

  /// Warns that texts don't fit the scaled figure.
  private func warn(of size: Size, _ drawing: FigurePicture<Elements>) {
    let longest = drawing.figure.longest
    guard max(size.width, size.height) > longest * Double(drawing.picture.style.columns) else {
      return
    }
    Diagnostics.say(
      "warning: the figure of \(size.width.readableText) × \(size.height.readableText) points is "
        + "scaled down to a length of \(longest.readableText), which leaves no room for texts; give --paper "
        + "with a .pdf\(longest < 1e6 ? ", or a .svg or .html, which can be longer" : "")")
  }
}
