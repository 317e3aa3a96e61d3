import TesseraSDK

/// Full-width rows in sections, with separators.
final class Table: ReusableLayout, AdjustingLayout, SizingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.table", name: "Table", version: "0.1.0", author: "The Tessera authors",
    license: "MIT", summary: "Full-width rows in sections, with separators and sticky headers.")
  static let traits: Traits = [.mirrors, .incremental]
  static let laws: Laws = [.flows, .appends, .scales]
  static let columns: BuiltInColumns = .zIndex
  static let measured: [(value: String, kind: String?)] = [
    ("height", nil), ("headerHeight", "header"), ("footerHeight", "footer"),
  ]

  /// Whether sticky headers or space separate sections.
  enum Style: String, Choice { case plain, grouped }

  @Parameter("Height of a row without its own height.", unit: "pt", in: 0...)
  var rowHeight = 44.0
  @Parameter(
    "Height of a row until it is measured; 0 turns measuring off.", unit: "pt", in: 0...)
  var estimatedRowHeight = 0.0
  @Parameter(
    "Height of a header until it is measured; 0 turns measuring off.", unit: "pt", in: 0...)
  var estimatedSectionHeaderHeight = 0.0
  @Parameter(
    "Height of a footer until it is measured; 0 turns measuring off.", unit: "pt", in: 0...)
  var estimatedSectionFooterHeight = 0.0
  @Parameter("Whether headers and footers stick, or scroll.") var style = Style.plain
  @Parameter("Height of headers.", unit: "pt", in: 0...) var sectionHeaderHeight = 28.0
  @Parameter("Height of footers.", unit: "pt", in: 0...) var sectionFooterHeight = 0.0
  @Parameter("How far separators stay from the edges.", unit: "pt")
  var separatorInset = Insets(left: 15)
  @Parameter("Height of separators.", unit: "pt", in: 0...) var separatorHeight = 0.5

  @ItemValue("The row's own height.", fallback: \Table.$rowHeight) var height
  @SectionValue("The height of the section's header.", fallback: \Table.$sectionHeaderHeight)
  var headerHeight
  @SectionValue("The height of the section's footer.", fallback: \Table.$sectionFooterHeight)
  var footerHeight

  let header = Kind(.supplementary, role: .header)
  let footer = Kind(.supplementary, role: .footer)
  let separator = Kind(.decoration, role: .separator)

  /// The space above the first header of grouped tables.
  private static let groupedTop = 35.0

  private let placed = PlacedElements()
  private var pinned: PinnedSections?
  /// The width of rows in the last prepare.
  private var preparedWidth: Double?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    pinned = nil
    let earlierWidth = preparedWidth
    preparedWidth = nil
    guard separatorInset.isFinite else {
      throw .invalidValue(
        "separatorInset is \(describe(separatorInset)); it must have finite edges")
    }
    var sections = PinnedSections(header: header, footer: footer)
    let width = input.extent.width
    let change = input.change
    let isSame = width == earlierWidth && !change.what.contains(.parameters)
    var y = style == .grouped && input.sectionCount > 0 ? Self.groupedTop : 0
    for section in 0..<input.sectionCount {
      let start = y
      let headerLength = try addSupplementary(
        header, headerHeight[section], ofSection: section, at: &y, width: width, to: output)
      try addRows(
        ofSection: section, unchanged: isSame ? change.unchangedItems(inSection: section) : 0,
        at: &y, width: width, input, to: output)
      let end = y
      let footerLength = try addSupplementary(
        footer, footerHeight[section], ofSection: section, at: &y, width: width, to: output)
      if style == .plain {
        sections.append(
          PinnedSections.Section(
            headerStart: start, headerLength: headerLength, footerStart: end,
            footerLength: footerLength))
      }
    }
    try output.setContentSize(Size(width: width, height: y))
    if style == .plain { pinned = sections }
    preparedWidth = width
  }

  func stillValid(_ input: Input) -> Bool { input.extent.width == preparedWidth }

  func estimates(_ run: Run, _ input: Input) -> [Size] {
    let height =
      run.isKind(header)
      ? estimatedSectionHeaderHeight
      : run.isKind(footer) ? estimatedSectionFooterHeight : estimatedRowHeight
    return height > 0 ? [Size(width: input.extent.width, height: height)] : []
  }

  func proposals(_ run: Run, _ input: Input) -> [Size] {
    [Size(width: input.extent.width, height: 0)]
  }

  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure) {
    try pinned?.adjust(input, rect: rect, into: output)
  }

  /// Adds a header or footer unless its height is 0.
  ///
  /// - Returns: Its height.
  private func addSupplementary(
    _ kind: Kind, _ height: Double, ofSection section: Int, at y: inout Double, width: Double,
    to output: Output
  ) throws(LayoutFailure) -> Double {
    let name = kind === header ? "headerHeight" : "footerHeight"
    guard height.isFinite, height >= 0 else {
      throw .invalidValue(
        "\(name) of section \(section) is \(describe(height)); it must be finite and not negative")
    }
    guard height > 0 else { return 0 }
    try output.add(
      .elements(kind, inSection: section), frame: Rect(x: 0, y: y, width: width, height: height))
    y += height
    return height
  }
}

extension Table: ReorderingLayout {
  /// A row makes room when the middle of the dragged one has passed its own.
  func target(
    of item: ItemPlace, at point: Point, proposed: ItemPlace, _ input: Input
  ) throws(LayoutFailure) -> ItemPlace {
    try placed.target(of: item, at: point, proposed: proposed, input) { point.y >= $0.midY }
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Table.self, host: host)
}

extension Table {
  /// Places the rows of a section and the separators between them, and advances `y` past the last.
  ///
  /// - Parameter unchanged: The number of rows at the start whose frames are unchanged.
  func addRows(
    ofSection section: Int, unchanged: Int, at y: inout Double, width: Double, _ input: Input,
    to output: Output
  ) throws(LayoutFailure) {
    let items = input.items(inSection: section)
    guard !items.isEmpty else { return }
    let rows = TableRows(
      section: section, heights: height[items], width: width, separatorInset: separatorInset,
      separatorHeight: separatorHeight)
    var next = 0
    while next < items.count {
      let end = min(items.count, next + Self.rowsInRun)
      let cells = try output.add(.cells(inSection: section, items: next..<end))
      let keptCells = min(cells.kept, max(0, unchanged - next))
      output.leave(cells, first: keptCells)
      let below = next..<min(end, items.count - 1)
      let lines = try output.add(.elements(separator, inSection: section, items: below))
      let keptLines = min(lines.kept, keptCells)
      output.leave(lines, first: keptLines)
      try rows.place(
        next..<end, cells, lines, keptCells: keptCells, keptLines: keptLines, at: &y)
      next = end
      try output.progress(Double(items.lowerBound + next) / Double(input.itemCount))
    }
    guard y.isFinite else {
      throw .invalidValue(
        "the rows of section \(section) would lie further out than numbers reach; give smaller "
          + "heights")
    }
  }

  /// Rows and separators take turns in runs of this length, so that a row at the end moves none of
  /// the earlier ones in memory.
  private static let rowsInRun = 16384
}

/// The rows of a section.
struct TableRows {
  let section: Int
  let heights: Column<Double>
  let width: Double
  let separatorInset: Insets
  let separatorHeight: Double

  /// Places rows, each with the separator below it.
  ///
  /// Both in one pass, while a row's bottom is at hand: reading it again would take as long as
  /// writing it.
  ///
  /// - Parameters:
  ///   - items: The rows of the section that `cells` are.
  ///   - lines: The separators below all of these rows, or all but the section's last.
  ///   - keptCells: How many of the first rows are in place.
  ///   - keptLines: How many of the first separators are, at most as many.
  func place(
    _ items: Range<Int>, _ cells: Rows, _ lines: Rows, keptCells: Int, keptLines: Int,
    at y: inout Double
  ) throws(LayoutFailure) {
    let left = separatorInset.left
    let length = max(0, width - left - separatorInset.right)
    let heights = heights[items]
    var bottom = y
    try cells.frame.withMutableSpan { (frames) throws(LayoutFailure) in
      try lines.frame.withMutableSpan { (lines) throws(LayoutFailure) in
        if keptCells > 0 { bottom = frames[keptCells - 1].maxY }
        for row in keptLines..<min(keptCells, lines.count) {
          lines[row] = separator(below: frames[row].maxY, left, length)
        }
        for row in keptCells..<frames.count {
          let height = heights[row]
          // Two comparisons, fewer than with `isFinite`.
          guard height >= 0, height <= .greatestFiniteMagnitude else {
            throw refusal(of: height, items.lowerBound + row)
          }
          frames[row] = Rect(x: 0, y: bottom, width: width, height: height)
          bottom += height
          if row < lines.count { lines[row] = separator(below: bottom, left, length) }
        }
      }
    }
    lines.zIndex.withMutableSpan { zIndex in
      for row in keptLines..<zIndex.count { zIndex[row] = 1 }
    }
    y = bottom
  }

  private func separator(below bottom: Double, _ left: Double, _ length: Double) -> Rect {
    Rect(x: left, y: bottom - separatorHeight, width: length, height: separatorHeight)
  }

  private func refusal(of height: Double, _ item: Int) -> LayoutFailure {
    .invalidValue(
      "height of item \(item) in section \(section) is \(describe(height)); it must be finite and "
        + "not negative")
  }
}
