import TesseraSDK

/// Rows of pictures that fill the width, none of them cropped.
final class Justified: ReusableLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.justified", name: "Justified", version: "0.1.0",
    author: "The Tessera authors", license: "MIT",
    summary: "Rows of pictures that fill the width, none of them cropped.")
  static let traits: Traits = [.mirrors, .incremental]
  static let laws: Laws = [.appends, .scales]

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

  let header = Kind(.supplementary, role: .header)
  let footer = Kind(.supplementary, role: .footer)

  /// Kept for the next prepare.
  private var trace: (width: Double, sections: [SectionTrace])?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    guard targetRowHeight > 0 else {
      throw .invalidValue("targetRowHeight is \(describe(targetRowHeight)); it must be above 0")
    }
    let width = input.extent.width
    var sections: [SectionTrace] = []
    if let trace, trace.width == width, !input.change.what.contains(.parameters) {
      sections = trace.sections
      sections.removeLast(max(0, sections.count - input.sectionCount))
    }
    trace = nil
    var content = Size(width: width, height: 0)
    for section in 0..<input.sectionCount {
      try addSupplementary(header, headerSizes[section], section, below: &content, input, output)
      let inset = insets[section]
      try checkLengths(inset, "sectionInset", ofSection: section)
      content.height += inset.top
      if section == sections.count { sections.append(SectionTrace()) }
      try addCells(
        ofSection: section, style(inset, width), from: content.height, &sections[section], input,
        output)
      content.height = sections[section].end + inset.bottom
      // A row's rounding does not widen the content.
      let reach = sections[section].reach
      if reach > width + 1e-6 { content.width = max(content.width, reach) }
      try addSupplementary(footer, footerSizes[section], section, below: &content, input, output)
    }
    try output.setContentSize(content)
    trace = (width, sections)
  }

  func stillValid(_ input: Input) -> Bool { input.extent.width == trace?.width }

  /// Full-width below the content, unless its height is 0.
  private func addSupplementary(
    _ kind: Kind, _ size: Size, _ section: Int, below content: inout Size, _ input: Input,
    _ output: Output
  ) throws(LayoutFailure) {
    let name = kind === header ? "headerReferenceSize" : "footerReferenceSize"
    try checkLengths(size, name, ofSection: section)
    guard size.height > 0 else { return }
    try output.add(
      .elements(kind, inSection: section),
      frame: Rect(x: 0, y: content.height, width: input.extent.width, height: size.height))
    content.height += size.height
  }

  private func style(_ inset: Insets, _ width: Double) -> RowStyle {
    let available = max(0, width - inset.left - inset.right)
    return RowStyle(
      left: inset.left, available: available, target: targetRowHeight,
      least: available / targetRowHeight * (1 - rowHeightTolerance),
      most: available / targetRowHeight * (1 + rowHeightTolerance),
      interitemSpacing: minimumInteritemSpacing, lineSpacing: minimumLineSpacing, lastRow: lastRow)
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Justified.self, host: host)
}

struct SectionTrace {
  /// Nil before the first layout.
  var start: Double?
  var end = 0.0
  /// The maximum x in rows without room.
  var reach = 0.0
  /// The next prepare resumes it.
  var search = RowSearch()
}

extension Justified {
  /// Adds a section's cells from `start` on, keeping unchanged ones.
  private func addCells(
    ofSection section: Int, _ style: RowStyle, from start: Double, _ trace: inout SectionTrace,
    _ input: Input, _ output: Output
  ) throws(LayoutFailure) {
    let items = input.items(inSection: section)
    guard !items.isEmpty else {
      trace = SectionTrace(start: start, end: start)
      return
    }
    let rows = try output.add(.cells(inSection: section, items: 0..<items.count))
    var kept = 0
    // A row without room extends further than others and cannot be skipped.
    if trace.start == start, trace.reach <= input.extent.width + 1e-6 {
      let unchanged = input.change.unchangedItems(inSection: section)
      if unchanged == .max, rows.kept == items.count {
        output.leave(rows, first: items.count)
        return
      }
      kept = min(rows.kept, unchanged, items.count)
    }
    let placer = RowPlacer(
      style: style, section: section, ratios: aspectRatios[items], items: items,
      total: input.itemCount)
    let frames = rows.frame
    switch method {
    case .greedy:
      let first = placer.greedyStart(frames, kept: kept)
      output.leave(rows, first: first)
      (trace.end, trace.reach) = try placer.place(from: first, frames, below: start, output) {
        (first) throws(LayoutFailure) in try placer.greedyRow(from: first)
      }
    case .balanced:
      var ends = try trace.search.rows(placer, frames, kept: kept, output)
      let first = ends.removeLast()
      output.leave(rows, first: first)
      (trace.end, trace.reach) = try placer.place(from: first, frames, below: start, output) {
        (first) throws(LayoutFailure) in placer.row(first..<ends.removeLast())
      }
    }
    trace.start = start
    guard trace.reach.isFinite else {
      throw .invalidValue(
        "the items of section \(section) would lie further out than numbers reach; give a "
          + "smaller minimumInteritemSpacing")
    }
  }
}
