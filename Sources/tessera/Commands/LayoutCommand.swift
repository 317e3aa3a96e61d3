import ArgumentParser
import FoundationEssentials
import TesseraCommand
import TesseraDrawing
import TesseraHost
import TesseraScenario

/// `tessera layout`: lays out, and prints or draws the elements.
struct LayoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout",
    abstract: "Lays out items, and prints or draws the result.",
    discussion: """
      Values are numbers, names of choices, true or false, and vectors such as 13,13,13,13 or \
      100x90. Any number can also be an expression with + - * / %, parentheses, comparisons and ?:, \
      the functions floor ceil round abs min max sqrt sin cos and noise, and the variables width, \
      height, scale and sections. Section values can also use section and items, item values also \
      item and index.

      EXAMPLES
        tessera layout mosaic --items 20 -o mosaic.svg
        tessera layout flow --set itemSize='floor((width-2)/3),90' --bounds 390x844
        tessera layout flow --item size='80+noise(item)*120,90' -o photographs.html
        tessera layout flow --items 200 --columns 4 --theme dark -o overview.png
        tessera layout grid --items 1000000000 --offset 0,1000000 --visible
        tessera layout flow --items-from pictures.csv --format csv
        tessera layout treemap --items-from files.csv --title 'Disk' --caption weight -o disk.pdf
        tessera layout waterfall --items-from countries.csv --color population -o countries.svg
        tessera layout aspect-flow --images ~/Pictures -o gallery.html
        tessera layout flow --images 'trip/*.jpg' --item size='row.width*120/row.height,120' -o trip.svg
        tessera layout aspect-flow --delegate layoutModeForItem='item % 2'
        tessera layout table --set estimatedRowHeight=44 --measure 'width,40+index*2'
      """)

  @Argument(help: .engine, completion: .engine)
  var engine: String

  @OptionGroup var scenarioOptions: ScenarioOptions
  @OptionGroup(title: "Content") var imageOptions: ImageOptions

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Print or draw the elements of this file instead of laying out.",
      discussion: """
        A layout that tessera layout wrote as .json or .ndjson, or that another program made. Without \
        --bounds, its bounds are used.
        """, valueName: "file"),
    completion: .file(extensions: ["json", "ndjson"]))
  var elements: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Return only the elements that intersect this rectangle of the content.", valueName: "x,y,w,h"
    ))
  var rect: String?

  @Flag(name: .long, help: "Return only the elements that intersect the viewport.")
  var visible = false

  @Flag(name: .long, help: "Log every engine call to standard error.")
  var trace = false
  @OptionGroup var recordOptions: RecordOptions

  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @OptionGroup(title: "Output") var figureOptions: FigureOptions
  @OptionGroup(title: "Output") var pictureOptions: PictureOptions
  @OptionGroup(title: "Output") var pageOptions: PageOptions
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    guard rect == nil || !visible else {
      throw ValidationError("give --rect or --visible, not both")
    }
    if elements != nil {
      let values = scenarioOptions.values
      let given = [
        ("--trace", trace), ("--record", recordOptions.record != nil),
        ("--widths", pageOptions.widths != nil), ("--items", scenarioOptions.content.items != nil),
        ("--sections", scenarioOptions.content.sections != nil),
        ("--set", !values.parameters.isEmpty),
        ("--list", !values.lists.isEmpty), ("--item", !values.itemValues.isEmpty),
        ("--section", !values.sectionValues.isEmpty), ("--delegate", !values.delegate.isEmpty),
        ("--measure", values.measure != nil),
      ]
      if let option = given.first(where: \.1)?.0 {
        throw ValidationError(
          "\(option) is for a layout, which --elements replaces; remove one of the two")
      }
    }
    guard figureOptions.paper != nil else { return }
    guard ["pdf", "png"].contains(outputOptions.chosenFormat.name) else {
      throw ValidationError(
        "--paper is for pdf and png, not for \(outputOptions.chosenFormat); write a .pdf, or remove it"
      )
    }
    guard outputOptions.chosenFormat.name == "pdf" || outputOptions.path != nil else {
      throw ValidationError(
        "--paper writes a png for each page; give -o with a name that ends with .png")
    }
    guard outputOptions.width == nil, outputOptions.columns == nil else {
      throw ValidationError("--width and --columns are not for paper; remove them, or --paper")
    }
  }

  func run() throws {
    var scenario = try imageOptions.scenario(
      scenarioOptions, keys: ["rect": rect.map(\.vectorJSON)])
    scenario.shownColumns = figureOptions.columns
    guard pageOptions.thumbnails == nil || isGallery(scenario) && !pictureOptions.embed else {
      throw ValidationError(
        "--thumbnails is for a page that links to its pictures; give --images and -o with a name that ends "
          + "with .html, and no --embed")
    }
    let engine = try engineOptions.engine(engine)
    var swipes = scenario.swipes(for: engine.chain)
    let wholeDays = try elements == nil ? adapt(&scenario, &swipes, to: engine.chain) : [:]
    var layouts: [FinishedLayout<Elements>] = []
    if let elements {
      let document = try LayoutDocument(contentsOf: elements)
      scenario.bounds = scenario.bounds ?? document.bounds
      try scenario.viewport.check()
      var layout = try document.layout(of: engine, scenario, visible: visible)
      layout.swipes = swipes
      layouts.append(layout)
    }
    scenario.bounds = scenario.bounds ?? figureOptions.paper?.room
    for bounds in try elements == nil ? bounds(of: scenario) : [] {
      var scenario = scenario
      scenario.bounds = bounds ?? scenario.bounds
      func layout() throws -> FinishedLayout<Elements> {
        let work = SessionWork(
          engine: engine, scenario: scenario, trace: trace, engineOptions: engineOptions,
          record: layouts.isEmpty ? recordOptions.record : nil)
        return try work.layout(visible: visible)
      }
      var finished = try layout()
      if outputOptions.chosenFormat.showsPictures, figureOptions.isFigure(scenario), !visible,
        let start = finished.startFromRight
      {
        scenario.offset = start
        finished = try layout()
      }
      finished.swipes = swipes
      layouts.append(finished)
      // The engine can stop elsewhere than at the offset that is set.
      if swipes.values.contains(where: { $0.start != 0 }), !figureOptions.isFigure(scenario) {
        scenario.sectionValues["orthogonalOffset"] = JSONNode(
          .number(0), source: "orthogonalOffset")
        layouts[layouts.count - 1].swipes = finished.starts(of: swipes, from: try layout())
      }
    }
    if !wholeDays.isEmpty { layouts = layouts.map { $0.placing(wholeDays) } }
    var layout = layouts[0]
    layout.pictures = try ShownPictures(
      scenario, shown: layouts.lazy.map(\.elements).joined(), pictureOptions, outputOptions,
      thumbnails: pageOptions.thumbnails)
    layout.others = Array(layouts.dropFirst())
    if outputOptions.chosenFormat.showsPictures {
      layout.figure = try figureOptions.figure(
        of: scenario, attributes: layout.attributes, kinds: layout.kinds,
        hasLabels: layout.labels.keys.contains { $0.category == .cell })
    }
    try outputOptions.write(.layout(layout))
  }

  /// Makes a tree of a table of paths if the engine takes parents, and room for names in a figure.
  ///
  /// - Parameter swipes: How sections scroll across the others, with where they start if a page scrolls them.
  /// - Returns: The events of whole days, which are placed after the layout.
  private func adapt(
    _ scenario: inout Scenario, _ swipes: inout Swipes, to chain: [EngineDescription]
  ) throws -> [ElementIdentity: (row: Int, days: Int)] {
    var isTree = false
    if case .table(let table) = scenario.content,
      chain.contains(where: { $0.itemValues.contains { $0.name == "parent" } }),
      let tree = try table.tree()
    {
      scenario.content = .table(tree)
      isTree = true
    }
    guard outputOptions.chosenFormat.showsPictures else { return [:] }
    let isFigure = figureOptions.isFigure(scenario)
    // A page scrolls these sections itself.
    if outputOptions.chosenFormat.name == "html", !swipes.isEmpty {
      let name = "orthogonalOffset"
      let input = try scenario.resolved(for: chain).input
      for section in swipes.keys {
        let value = input.sectionValues[name]?[section] ?? input.parameters[name]
        swipes[section]?.start = value?.numbers.first ?? 0
      }
      // A wireframe shows the places that the engine gives.
      if isFigure { scenario.sectionValues[name] = JSONNode(.number(0), source: name) }
    }
    guard isFigure else { return [:] }
    figureOptions.makeRoom(in: &scenario, for: chain, isTree: isTree)
    figureOptions.fitDays(in: &scenario, for: chain)
    return figureOptions.takeWholeDays(from: &scenario, for: chain)
  }

  /// Whether the output is a page with pictures.
  private func isGallery(_ scenario: Scenario) -> Bool {
    scenario.hasPictures && outputOptions.chosenFormat.name == "html"
  }

  /// The bounds to lay out for; nil for those of the scenario.
  private func bounds(of scenario: Scenario) throws -> [Size?] {
    let isGallery = isGallery(scenario)
    guard isGallery || pageOptions.widths == nil else {
      throw ValidationError(
        "--widths is for a page with pictures; give --images and -o with a name that ends with .html"
      )
    }
    let isPart = rect != nil || visible || scenario.rect != nil
    guard isGallery, !isPart || pageOptions.widths != nil else { return [nil] }
    if let bounds = scenario.bounds, scenarioOptions.viewport.bounds == nil,
      pageOptions.widths == nil
    {
      Diagnostics.say(
        "the page has one width, \(bounds.width.readableText), since the scenario has bounds; give --widths "
          + "375,768,1280 for others")
    }
    return pageOptions.bounds(scenario.bounds)
  }
}

extension Engine {
  /// The engine's name and id.
  var names: (name: String, id: String) { (description.name, description.id) }
}

extension SessionWork {
  /// Lays out; an engine that hangs ends the command.
  ///
  /// - Parameter visible: Whether to query only the elements that intersect the viewport.
  func layout(visible: Bool) throws -> FinishedLayout<Elements> {
    try run { (session) throws(HostError) in try finish(session, visible) }
  }

  private func finish(
    _ recorded: RecordedSession, _ visible: Bool
  ) throws(HostError) -> FinishedLayout<Elements> {
    let session = recorded.session
    let elements =
      if visible {
        try recorded.visibleElements()
      } else if let rect = scenario.rect {
        try recorded.elements(in: rect)
      } else {
        try recorded.elements()
      }
    // Measuring items may have moved both.
    let rect = visible ? session.visibleRect : scenario.rect
    let contentSize = try recorded.contentSize()
    var layout = FinishedLayout(
      engine: engine.names, scenario: scenario, viewport: session.visibleRect, rect: rect,
      contentSize: contentSize, elements: elements, attributes: elements.attributes,
      kinds: elements.kinds, columns: elements.columns)
    layout.parameters = recorded.parameters
    return layout
  }
}

extension LayoutDocument {
  /// The layout of a file, to be printed or drawn as if an engine had returned it.
  ///
  /// - Parameter visible: Whether it has only the elements that intersect the viewport.
  fileprivate func layout(
    of engine: Engine, _ scenario: Scenario, visible: Bool
  ) throws -> FinishedLayout<Elements> {
    let viewport = Rect(origin: scenario.viewport.offset, size: scenario.viewport.bounds)
    let rect = visible ? viewport : scenario.rect
    let (size, elements, kinds) = try drawn(for: engine.chain, in: rect)
    var layout = FinishedLayout(
      engine: engine.names, scenario: scenario, viewport: viewport, rect: rect,
      contentSize: size, elements: elements, attributes: elements.attributes, kinds: kinds,
      columns: elements.columns)
    for entry in self.elements { layout.labels[entry.identity] = entry.label }
    return layout
  }
}

/// A layout with everything needed to print or draw it.
struct FinishedLayout<Content: RandomAccessCollection>
where Content.Element == Element, Content.Index == Int {
  /// The engine's name, for pictures, and its id, for data.
  let engine: (name: String, id: String)
  let scenario: Scenario
  /// The bounds at the scroll offset.
  let viewport: Rect
  /// The rect that the elements intersect; nil for all elements.
  let rect: Rect?
  let contentSize: Size
  var elements: Content
  /// The engines' own attributes.
  let attributes: [AttributeDescription]
  /// The engines' kinds.
  var kinds: [KindDescription] = []
  /// The built-in columns besides the frame that a table shows.
  let columns: BuiltInColumns
  /// The parameters that were set.
  var parameters: [String: Value] = [:]
  /// What elements show, if they are from a file that says it.
  var labels: [ElementIdentity: String] = [:]
  /// The pictures that drawings show; nil for none.
  var pictures: ShownPictures?
  /// What a figure shows; nil for a wireframe.
  var figure: Figure?
  /// How sections scroll across the others, by their numbers.
  var swipes: Swipes = [:]
  /// Layouts for other bounds, which a page with pictures has too.
  var others: [FinishedLayout] = []
}

extension LayoutResult {
  /// Writes the elements, or the tracks of an animation, as a table.
  func writeTable(to output: BufferedOutput) throws {
    switch self {
    case .layout(let layout): try layout.writeTable(to: output)
    case .animation(let animation): try animation.writeTable(to: output)
    case .moment(let animation, let progress):
      try animation.moment(at: progress).writeTable(to: output)
    }
  }

  /// Writes the elements as data; for an animation the tracks, in the only format that holds them.
  func write(as format: LayoutWriter.Format, to output: BufferedOutput) throws {
    switch self {
    case .layout(let layout): try layout.write(as: format, to: output)
    case .animation(let animation): try animation.writeTracks(to: output)
    case .moment(let animation, let progress):
      try animation.moment(at: progress).write(as: format, to: output)
    }
  }

  /// What it is, for a message: "a layout of 74 elements, 1000 × 700".
  var summary: String {
    switch self {
    case .layout(let layout):
      let size = layout.contentSize
      return "a \(isFigure ? "figure" : "layout") of \(counted(layout.elements.count, "element")), "
        + "\(size.width.readableText) × \(size.height.readableText)"
    case .animation(let animation), .moment(let animation, _):
      return "an animation of \(counted(animation.animation.tracks.count, "element"))"
    }
  }

  /// Whether it is drawn as a figure.
  var isFigure: Bool {
    if case .layout(let layout) = self { layout.figure != nil } else { false }
  }

  /// Draws the elements or the animation.
  func writeSVG(to output: BufferedOutput, _ style: DrawingStyle) throws {
    func write(_ bytes: UnsafeRawBufferPointer) throws { try output.write(bytes) }
    func writeStill(_ still: Picture<some RandomAccessCollection<Element>>) throws {
      var still = still
      still.style = style
      try still.writeSVG(to: write)
    }
    switch self {
    case .layout(let layout):
      var picture = layout.picture
      picture.style = style
      let size = try picture.shownSize()
      guard layout.figure?.paper != nil else {
        if layout.figure != nil { warn(of: size, style) }
        return try writeStill(picture)
      }
      try picture.writePages(to: write)
    case .animation(let animation):
      var picture = animation.picture
      picture.style = style
      try picture.writeSVG(to: write)
    case .moment(let animation, let progress):
      try writeStill(animation.picture.picture(at: progress))
    }
  }

  /// The SVG document of each page of paper; nil for a result without pages.
  func pages(_ style: DrawingStyle) throws -> [Data]? {
    guard case .layout(let layout) = self, layout.figure?.paper != nil else { return nil }
    var picture = layout.picture
    picture.style = style
    _ = try picture.shownSize()
    var pages = [Data()]
    try picture.writePages { bytes in
      for (index, part) in bytes.split(separator: 0, omittingEmptySubsequences: false).enumerated()
      {
        if index > 0 { pages.append(Data()) }
        pages[pages.count - 1] += part
      }
    }
    return pages
  }

  /// Says that a figure is scaled down so far that its texts have no room.
  private func warn(of size: Size, _ style: DrawingStyle) {
    let length = max(size.width, size.height)
    guard length > style.longest * Double(style.columns) else { return }
    Diagnostics.say(
      "warning: the figure of \(size.width.readableText) × \(size.height.readableText) points is "
        + "scaled down to a length of \(style.longest.readableText), which leaves no room for texts; give --paper "
        + "with a .pdf\(style.longest < 1e6 ? ", or a .svg or .html, which can be longer" : "")")
  }

  /// Draws an SVG as a picture of pixels or a page.
  func draw(
    as format: PictureProgram.Format, to output: BufferedOutput,
    svg: (BufferedOutput) throws -> Void
  ) throws {
    try PictureProgram().draw(as: format, scale: scale, to: output, svg: svg)
  }

  /// The display scale, in pixels per point.
  private var scale: Double {
    switch self {
    case .layout(let layout): layout.scenario.viewport.scale
    case .animation(let animation), .moment(let animation, _):
      animation.scenario.viewport.scale
    }
  }

  /// Writes a page that draws the elements or plays the animation.
  func writeHTML(to output: BufferedOutput) throws {
    func write(_ bytes: UnsafeRawBufferPointer) throws { try output.write(bytes) }
    switch self {
    case .layout(let layout):
      _ = try layout.picture.shownSize()
      guard let pictures = layout.pictures, layout.figure != nil else {
        return try layout.picture.writeHTML(to: write)
      }
      let drawings = ([layout] + layout.others).map { other in
        var other = other
        (other.pictures, other.figure) = (pictures, layout.figure)
        return other.picture
      }
      let title = layout.figure?.title ?? pictures.title
      try Gallery(title: title, layouts: drawings).writeHTML(to: write)
    case .animation(let animation): try animation.picture.writeHTML(to: write)
    case .moment(let animation, let progress):
      try animation.picture.picture(at: progress).writeHTML(to: write)
    }
  }
}

extension FinishedLayout {
  /// Where a layout from right to left begins that is wider than its bounds, so that what the engine pins to the
  /// viewport is beside the first section; nil if it is not, or if the offset is given.
  fileprivate var startFromRight: Point? {
    let width = contentSize.width - scenario.viewport.bounds.width
    guard scenario.viewport.direction == .rightToLeft, scenario.offset == nil, rect == nil,
      width > 0.5
    else { return nil }
    return Point(x: width, y: 0)
  }

  /// Writes the elements as data.
  func write(as format: LayoutWriter.Format, to output: BufferedOutput) throws {
    var writer = LayoutWriter(
      engine: engine.id, contentSize: contentSize, attributes: attributes)
    writer.bounds = scenario.viewport.bounds
    writer.parameters = parameters
    writer.texts = scenario.cellTexts
    if !labels.isEmpty {
      writer.texts.removeAll { $0.name == "label" }
      writer.texts.append(("label", { labels[.cell(section: $0, item: $1)] }))
    }
    writer.label = title
    try writer.write(elements, as: format) { bytes in
      try bytes.withUnsafeBytes { try output.write($0) }
    }
  }
}

extension Scenario {
  /// The texts that the items have, such as their labels.
  fileprivate var cellTexts: [(name: String, text: (_ section: Int, _ item: Int) -> String?)] {
    ItemTable.textColumns.compactMap { column in text(of: column).map { (column, $0) } }
  }
}

extension FinishedLayout {
  /// The number of rows that a table shows on a terminal.
  private static var terminalRows: Int { 40 }

  /// Writes the elements as a table; on a terminal only the first of them.
  func writeTable(to output: BufferedOutput) throws {
    try output.write(
      "\(engine.id)  content \(contentSize.width.readableText) × "
        + "\(contentSize.height.readableText)  \(elements.count) "
        + (elements.count == 1 ? "element" : "elements") + "\n")
    guard !elements.isEmpty else { return }
    try TextTable(tableColumns, rowCount: elements.count) { texts(of: elements[$0]) }
      .write(to: output, limit: output.isOnTerminal ? Self.terminalRows : .max)
    guard output.isOnTerminal && elements.count > Self.terminalRows else { return }
    try output.write(
      "… \(elements.count - Self.terminalRows) more; --format json prints all\n")
  }

  private var tableColumns: [TextTable.Column] {
    var columns = [TextTable.Column("ELEMENT")]
    columns += ["SECTION", "ITEM", "X", "Y", "WIDTH", "HEIGHT"].map { .init($0, isNumeric: true) }
    if self.columns.contains(.zIndex) { columns.append(.init("Z", isNumeric: true)) }
    if self.columns.contains(.alpha) { columns.append(.init("ALPHA", isNumeric: true)) }
    if self.columns.contains(.hidden) { columns.append(.init("HIDDEN")) }
    if self.columns.contains(.transform) { columns.append(.init("TRANSFORM")) }
    return columns + attributes.map { .init($0.name) }
  }

  private func texts(of element: Element) -> [String] {
    let identity = element.identity
    let frame = element.frame
    var texts = [
      identity.kind ?? identity.category.name, "\(identity.section)", "\(identity.item)",
    ]
    texts += [frame.x, frame.y, frame.width, frame.height].map(\.readableText)
    if columns.contains(.zIndex) { texts.append("\(element.zIndex)") }
    if columns.contains(.alpha) { texts.append(element.alpha.readableText) }
    if columns.contains(.hidden) { texts.append(element.isHidden ? "hidden" : "") }
    if columns.contains(.transform) {
      texts.append(element.transform == .identity ? "" : "transformed")
    }
    return texts + element.attributes.map(\.readableText)
  }
}

extension Value {
  /// The value as text: numbers with at most three decimals.
  var readableText: String {
    let numbers = type.component == .double ? self.numbers : []
    return numbers.isEmpty
      ? description : numbers.map(\.readableText).joined(separator: ",")
  }
}

extension FinishedLayout {
  /// What an element that has a kind stands for: the name of its section for a header, or the attribute
  /// that the engine declares; nil if no element stands for anything.
  var title: ((Element) -> String?)? {
    let names = attributes.map(\.name)
    let shown = kinds.reduce(into: [String: Int]()) { shown, kind in
      shown[kind.name] = kind.shows.flatMap { names.firstIndex(of: $0) }
    }
    let sections = scenario.sectionLabels
    let headers = Set(kinds.filter { $0.role == .header }.map(\.name))
    let hasNames = !headers.isEmpty && sections.contains { $0 != nil }
    guard !shown.isEmpty || hasNames || !labels.isEmpty else { return nil }
    let namedSection = hasNames ? namedSection(headers, shown) : { _ in nil }
    return { [attributes, labels] element in
      let identity = element.identity
      if let label = labels[identity] { return label }
      guard let kind = identity.kind else { return nil }
      if let section = namedSection(element), sections.indices.contains(section),
        let name = sections[section]
      {
        return name
      }
      return shown[kind].map { attributes[$0].text(of: element.attributes[$0]) }
    }
  }

  /// Returns the section whose name a header shows; nil for other elements, and for a header that shows only
  /// its attribute.
  ///
  /// If several headers of a section differ in their attribute, each stands for its own part. Without
  /// attributes, each repeats the name, as on each of several pages, but not a further header of another
  /// size above the first cells, such as the place for a button beside the title.
  ///
  /// - Parameter shown: The index of the attribute that the elements of a kind show.
  private func namedSection(_ headers: Set<String>, _ shown: [String: Int]) -> (Element) -> Int? {
    var groups: [String: [Int: (first: Element, isAlike: Bool)]] = [:]
    for element in elements where element.identity.category == .supplementary {
      let identity = element.identity
      guard let kind = identity.kind, headers.contains(kind) else { continue }
      guard let group = groups[kind, default: [:]][identity.section] else {
        groups[kind, default: [:]][identity.section] = (element, true)
        continue
      }
      let isSame =
        shown[kind].map { element.attributes[$0] == group.first.attributes[$0] }
        ?? (element.frame.size == group.first.frame.size)
      if !isSame { groups[kind]?[identity.section]?.isAlike = false }
    }
    // The end of the highest cell of each section, where headers without attributes differ in size.
    var tops: [Int: Double] = [:]
    let isMixed = groups.contains { kind, sections in
      shown[kind] == nil && sections.contains { !$1.isAlike }
    }
    if isMixed {
      for element in elements where element.identity.category == .cell {
        let section = element.identity.section
        tops[section] = min(tops[section] ?? .infinity, element.frame.maxY)
      }
    }
    // In a table of dates, days are sections, also where one section has the headers of all.
    var hasDates = false
    if case .table(let table) = scenario.content { hasDates = table.hasDates }
    return { [attributes] element in
      let identity = element.identity
      guard let kind = identity.kind, let sections = groups[kind],
        let group = sections[identity.section]
      else { return nil }
      if let index = shown[kind] {
        if group.isAlike { return identity.section }
        return hasDates && sections.count == 1 && attributes[index].unit == "d"
          ? element.attributes[index].numbers.first.flatMap { Int(exactly: $0) } : nil
      }
      let isRepeated =
        group.isAlike || element.identity == group.first.identity
        || element.frame.size == group.first.frame.size
        || element.frame.minY >= tops[identity.section] ?? .infinity
      return isRepeated ? identity.section : nil
    }
  }

  /// The layout as a picture.
  var picture: Picture<Content> {
    var picture = Picture(
      engineName: engine.name, engineID: engine.id, contentSize: contentSize, viewport: viewport,
      elements: elements)
    picture.attributeNames = attributes.map(\.name)
    picture.contentInsets = scenario.viewport.contentInsets
    picture.scale = scenario.viewport.scale
    picture.direction = scenario.viewport.direction
    if let rect { picture.extent = rect == viewport ? .viewport : .rect(rect) }
    picture.label = scenario.text(of: "label")
    if !labels.isEmpty {
      picture.label = { [labels] in labels[.cell(section: $0, item: $1)] }
    }
    picture.kinds = kinds
    picture.title = title
    picture.figure = figure
    picture.swipes = swipes
    if figure != nil, rect == nil, !swipes.isEmpty {
      // What is scrolled out of sight is not part of the figure.
      let insets = picture.contentInsets
      picture.extent = .rect(
        Rect(
          x: -insets.left, y: -insets.top, width: contentSize.width + insets.left + insets.right,
          height: contentSize.height + insets.top + insets.bottom))
    }
    if let pictures {
      picture.image = pictures.image
      picture.fit = pictures.fit
    }
    return picture
  }
}

extension FinishedLayout {
  /// How far sections are scrolled: by how far their cells are from where they are in a layout at 0.
  fileprivate func starts(of swipes: Swipes, from unscrolled: FinishedLayout) -> Swipes {
    var result = swipes.mapValues { (stops: $0.stops, start: 0.0) }
    var places: [ElementIdentity: Double] = [:]
    for element in unscrolled.elements where swipes[element.identity.section] != nil {
      places[element.identity] = element.frame.x
    }
    for element in elements where element.identity.category == .cell {
      guard let place = places[element.identity] else { continue }
      let section = element.identity.section
      let start = result[section]?.start ?? 0
      result[section]?.start = max(start, abs(element.frame.x - place))
    }
    return result
  }
}

extension Scenario {
  /// How sections scroll across the others by the value `orthogonal`, where the engine scrolls them by
  /// `orthogonalOffset`.
  func swipes(for chain: [EngineDescription]) -> Swipes {
    let values = chain.flatMap(\.sectionValues)
    guard values.contains(where: { $0.name == "orthogonalOffset" }),
      let kind = values.first(where: { $0.name == "orthogonal" })
    else { return [:] }
    var swipes: Swipes = [:]
    for (index, section) in sections.enumerated() {
      let node =
        sectionValues[kind.name] ?? section.values[kind.name]
        ?? kind.fallback.flatMap { parameters[$0] }
      if case .text(let name)? = node?.value, name != kind.choices.first {
        swipes[index] = (name, 0)
      }
    }
    return swipes
  }

  /// Whether any item has a picture.
  var hasPictures: Bool {
    guard case .table(let table) = content else { return false }
    return table.pictures.contains { $0 != nil }
  }
}
