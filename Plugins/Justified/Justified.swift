import TesseraSDK

/// Rows of pictures that fill the width, none of them cropped.
final class Justified: ReusableLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.justified", name: "Justified", version: "0.1.0",
    author: "The Tessera authors", license: "MIT",
    summary: "Rows of pictures that fill the width, none of them cropped.")
  static let traits: Traits = [.mirrors, .incremental, .appends, .scales]

  /// How items are divided into rows.
  enum Method: String, Choice { case greedy, balanced }

  @Parameter("The height that rows are to have.", unit: "pt", in: 0...) var targetRowHeight = 320.0
  @Parameter(
    "By which part a row may be higher or lower before greedy looks for a better one.",
    in: 0...0.9) var rowHeightTolerance = 0.25
  @Parameter("Space between the items of a row.", unit: "pt", in: 0...)
  var minimumInteritemSpacing = 10.0
  @Parameter("Space between rows.", unit: "pt", in: 0...) var minimumLineSpacing = 10.0
  @Parameter("Room around the items of a section.", unit: "pt", in: 0...)
  var sectionInset = Insets(top: 10, left: 10, bottom: 10, right: 10)
  @Parameter("Where the items of a last row lie that is not full.") var lastRow = LastRow.leading
  @Parameter("How items are divided into rows.") var method = Method.greedy
  @Parameter("Width of an item for each point of its height, for items without their own.")
  var aspectRatio = 1.0
  @Parameter("Size of headers, of which the height counts; 0: none.", unit: "pt", in: 0...)
  var headerReferenceSize = Size.zero
  @Parameter("Size of footers, of which the height counts; 0: none.", unit: "pt", in: 0...)
  var footerReferenceSize = Size.zero

  @SectionValue("The section's own inset.", overriding: \Justified.$sectionInset) var insets
  @SectionValue("The size of the section's header.", overriding: \Justified.$headerReferenceSize)
  var headerSizes
  @SectionValue("The size of the section's footer.", overriding: \Justified.$footerReferenceSize)
  var footerSizes
  @ItemValue(
    "Width of the item for each point of its height.", overriding: \Justified.$aspectRatio)
  var aspectRatios

  let header = Kind(.supplementary)
  let footer = Kind(.supplementary)

  /// What the next prepare can use of this one.
  private var trace: Trace?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let width = input.extent.width
    var earlier = trace
    trace = nil
    if earlier?.width != width || input.change.what.contains(.parameters) {
      earlier?.forgetPlaces()
    }
    guard targetRowHeight > 0 else {
      throw .invalidValue("targetRowHeight is \(describe(targetRowHeight)); it must be above 0")
    }
    var sections: [SectionTrace] = []
    sections.reserveCapacity(input.sectionCount)
    var content = Size(width: width, height: 0)
    for section in 0..<input.sectionCount {
      try addSupplementary(header, headerSizes[section], section, below: &content, input, output)
      let inset = try checkedInset(ofSection: section)
      content.height += inset.top
      let style = RowStyle(
        left: inset.left, available: max(0, width - inset.left - inset.right),
        target: targetRowHeight, tolerance: rowHeightTolerance,
        interitemSpacing: minimumInteritemSpacing, lineSpacing: minimumLineSpacing,
        lastRow: lastRow)
      var before: SectionTrace?
      if let earlier, section < earlier.sections.count { before = earlier.sections[section] }
      // So that its search is continued in place.
      if before?.search != nil { earlier?.sections[section].search = nil }
      let placed = try addCells(
        ofSection: section, style, from: content.height, since: &before, input, output)
      sections.append(placed)
      content.height = placed.end + inset.bottom
      // The rounding of the sum of a row's widths does not make the content wider.
      if placed.reach > width + 1e-6 { content.width = max(content.width, placed.reach) }
      try addSupplementary(footer, footerSizes[section], section, below: &content, input, output)
    }
    try output.setContentSize(content)
    trace = Trace(width: width, sections: sections)
  }

  func stillValid(_ input: Input) -> Bool { input.extent.width == trace?.width }

  /// Adds a header or footer over the full width below the content, unless its height is 0.
  private func addSupplementary(
    _ kind: Kind, _ size: Size, _ section: Int, below content: inout Size, _ input: Input,
    _ output: Output
  ) throws(LayoutFailure) {
    guard size.isFinite, size.width >= 0, size.height >= 0 else {
      let name = kind === header ? "headerReferenceSize" : "footerReferenceSize"
      throw .invalidValue(
        "\(name) of section \(section) is \(describe(size)); it must have a width and a height "
          + "that are finite and not negative")
    }
    guard size.height > 0 else { return }
    try output.add(
      .elements(kind, inSection: section),
      frame: Rect(x: 0, y: content.height, width: input.extent.width, height: size.height))
    content.height += size.height
  }

  private func checkedInset(ofSection section: Int) throws(LayoutFailure) -> Insets {
    let inset = insets[section]
    guard inset.isFinite, min(inset.top, inset.left, inset.bottom, inset.right) >= 0 else {
      throw .invalidValue(
        "sectionInset of section \(section) is \(describe(inset)); its edges must be finite and "
          + "not negative")
    }
    return inset
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Justified.self, host: host)
}

/// What a prepare leaves for the next one.
struct Trace {
  let width: Double
  var sections: [SectionTrace]

  /// Keeps only the memory of searches.
  mutating func forgetPlaces() {
    for section in sections.indices { sections[section].start = nil }
  }
}

/// How a section was laid out.
struct SectionTrace {
  /// The y at which its cells begin; nil if the next prepare lays out all of them.
  var start: Double?
  /// The y at which its cells end.
  var end = 0.0
  /// The greatest x of a cell in a row without room for its items.
  var reach = 0.0
  /// The search for balanced rows, if it takes long enough to be continued.
  var search: RowSearch?
}

extension Justified {
  /// The number of items of a section from which on a search for balanced rows is kept.
  private static var itemsWorthKeeping: Int { 1000 }

  /// Adds the cells of a section from `start` on, of which those stay that nothing has changed for.
  private func addCells(
    ofSection section: Int, _ style: RowStyle, from start: Double,
    since before: inout SectionTrace?, _ input: Input, _ output: Output
  ) throws(LayoutFailure) -> SectionTrace {
    let items = input.items(inSection: section)
    var placed = SectionTrace(start: start, end: start)
    guard !items.isEmpty else { return placed }
    let rows = try output.add(.cells(inSection: section, items: 0..<items.count))
    var kept = 0
    // A row without room reaches further than others, so that it cannot be left out.
    if let before, before.start == start, before.reach <= input.extent.width + 1e-6 {
      let unchanged = input.change.unchangedItems(inSection: section)
      if unchanged == .max, rows.kept == items.count {
        output.leave(rows, first: items.count)
        return before
      }
      kept = min(rows.kept, unchanged, items.count)
      placed.reach = before.reach
    }
    let placer = RowPlacer(
      style: style, section: section, ratios: aspectRatios[items], items: items,
      total: input.itemCount)
    let place: RowPlacer.Place
    switch method {
    case .greedy:
      place = try rows.frame.withMutableSpan { (frames) throws(LayoutFailure) in
        try placer.placeGreedily(&frames, kept: kept, from: start, output)
      }
    case .balanced:
      var search = before?.search ?? RowSearch()
      before = nil
      try search.run(style, placer, from: kept, output)
      place = try rows.frame.withMutableSpan { (frames) throws(LayoutFailure) in
        let isLastOpen = search.chooseRows(style, placer, frames, kept: kept)
        return try placer.place(
          search.bounds, isLastOpen: isLastOpen, &frames, from: start, output)
      }
      if items.count >= Self.itemsWorthKeeping { placed.search = search }
    }
    output.leave(rows, first: min(kept, place.first))
    placed.end = place.bottom
    placed.reach = max(placed.reach, place.reach)
    guard placed.reach.isFinite else {
      throw .invalidValue(
        "the items of section \(section) would lie further out than numbers reach; give a "
          + "smaller minimumInteritemSpacing")
    }
    return placed
  }
}
