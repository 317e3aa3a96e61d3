import TesseraSDK

/// Full-width rows in sections, with separators.
///
/// A row is stored only in the sums of heights: measuring one moves no later rows.
final class Table: ReusableLayout, LazyLayout, AdjustingLayout, SizingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.table", name: "Table", version: "0.1.0", author: "The Tessera authors",
    license: "MIT", summary: "Full-width rows in sections, with separators and sticky headers.")
  static let traits: Traits = .mirrors
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

  /// Above the first header.
  private static let groupedTop = 35.0

  private let placed = PlacedElements()
  private var rows = RowSums()
  /// Lengths of headers and footers before each section, and before the end.
  private var others: [Double] = []
  /// Of the last prepare.
  private var preparedWidth: Double?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let change = input.change
    let isKnown = preparedWidth != nil && !change.what.contains(.all)
    preparedWidth = nil
    guard separatorInset.isFinite else {
      throw .invalidValue(
        "separatorInset is \(describe(separatorInset)); it must have finite edges")
    }
    let (count, width) = (input.itemCount, input.extent.width)
    if !isKnown || change.what.contains(.parameters) {
      try sumOthers(from: 0, input)
      try sumRows(0..<count, input, output)
    } else if !change.what.isDisjoint(with: [.counts, .values]) {
      let section = min(change.firstSection, input.sectionCount)
      try sumOthers(from: section, input)
      let first =
        section < input.sectionCount
        ? input.items(inSection: section).lowerBound + change.firstItem : count
      let end = rows.count == count ? count - change.unchangedLastItems : count
      try sumRows(min(first, count)..<max(first, end), input, output)
    }
    let height = others[input.sectionCount] + rows.top(of: count, height)
    guard height.isFinite else {
      throw .invalidValue(
        "the rows would lie further out than numbers reach; give smaller heights")
    }
    try output.setContentSize(Size(width: width, height: height))
    if style != .plain || others[input.sectionCount] == 0 { output.needsNoAdjust() }
    preparedWidth = width
  }

  private func sumRows(
    _ changed: Range<Int>, _ input: Input, _ output: Output
  ) throws(LayoutFailure) {
    guard let row = try rows.update(height, changed, output) else { return }
    let section = (0..<input.sectionCount).first { input.items(inSection: $0).contains(row) } ?? 0
    let item = row - input.items(inSection: section).lowerBound
    throw .invalidValue(
      "height of item \(item) in section \(section) is \(describe(height[row])); it must be finite "
        + "and not negative")
  }

  private func sumOthers(from first: Int, _ input: Input) throws(LayoutFailure) {
    others.removeLast(max(0, others.count - first - 1))
    let top = style == .grouped && input.sectionCount > 0 ? Self.groupedTop : 0
    if first == 0 { others = [top] }
    for section in others.count - 1..<input.sectionCount {
      try checkLength(headerHeight[section], "headerHeight", ofSection: section)
      try checkLength(footerHeight[section], "footerHeight", ofSection: section)
      others.append(others[section] + headerHeight[section] + footerHeight[section])
    }
  }

  func stillValid(_ input: Input) -> Bool { input.extent.width == preparedWidth }

  func elementsInRect(_ rect: Rect, input: Input, into output: Output) throws(LayoutFailure) {
    let slack = rows.slack
    let (low, high) = (rect.minY - slack, rect.maxY + slack)
    // A query for all elements includes empty ones, which no rect intersects.
    let isEverything = rect.minX <= -1e12 && rect.maxX >= 1e12
    for section in firstSection(endingAt: low, input)..<input.sectionCount {
      let place = place(ofSection: section, input)
      guard place.start < high + separatorHeight else { return }
      for kind in [header, footer] {
        guard let frame = frame(of: kind, place, input), isEverything || frame.intersects(rect)
        else { continue }
        try output.add(.elements(kind, inSection: section), frame: frame)
      }
      guard !place.items.isEmpty else { continue }
      func row(at y: Double) -> Int {
        max(
          place.items.lowerBound, min(rows.row(at: y - place.above, height), place.items.upperBound)
        )
      }
      let first = row(at: low)
      let end = min(place.items.upperBound, row(at: high) + 1)
      try addCells(first..<max(first, end), place, input, to: output)
      // Separators may be higher than rows.
      let last = min(place.items.upperBound - 1, row(at: high + separatorHeight) + 1)
      try addSeparators(
        first..<max(first, last), place, input, to: output, withoutArea: isEverything)
    }
  }

  func element(_ run: Run, input: Input, into output: Output) throws(LayoutFailure) {
    guard run.section < input.sectionCount else { return }
    let place = place(ofSection: run.section, input)
    let row = place.items.lowerBound + run.items.lowerBound
    if run.category == .cell {
      guard row < place.items.upperBound else { return }
      try addCells(row..<row + 1, place, input, to: output)
    } else if run.isKind(separator) {
      guard row < place.items.upperBound - 1 else { return }
      try addSeparators(row..<row + 1, place, input, to: output, withoutArea: true)
    } else if run.items.lowerBound == 0,
      let frame = frame(of: run.isKind(header) ? header : footer, place, input)
    {
      try output.add(run, frame: frame)
    }
  }

  private func addCells(
    _ added: Range<Int>, _ place: SectionPlace, _ input: Input, to output: Output
  ) throws(LayoutFailure) {
    guard !added.isEmpty else { return }
    let (first, width) = (added.lowerBound, input.extent.width)
    let cells = try output.add(.cells(inSection: place.section, items: numbers(of: added, place)))
    cells.frame.withMutableSpan { frames in
      rows.visit(added, height) { row, top, height in
        frames[row - first] = Rect(x: 0, y: place.above + top, width: width, height: height)
      }
    }
  }

  /// Without empty separators by default.
  private func addSeparators(
    _ added: Range<Int>, _ place: SectionPlace, _ input: Input, to output: Output,
    withoutArea: Bool
  ) throws(LayoutFailure) {
    let (first, left, thickness) = (added.lowerBound, separatorInset.left, separatorHeight)
    let length = max(0, input.extent.width - left - separatorInset.right)
    guard !added.isEmpty, withoutArea || length > 0 && thickness > 0 else { return }
    let lines = try output.add(
      .elements(separator, inSection: place.section, items: numbers(of: added, place)))
    lines.frame.withMutableSpan { frames in
      rows.visit(added, height) { row, top, height in
        frames[row - first] = Rect(
          x: left, y: place.above + top + height - thickness, width: length, height: thickness)
      }
    }
    lines.zIndex.withMutableSpan { zIndex in
      for row in zIndex.indices { zIndex[row] = 1 }
    }
  }

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
    let width = input.extent.width
    guard style == .plain else { return }
    let first = firstSection(endingAt: rect.minY - rows.slack, input)
    var pinned = PinnedSections(
      header: header, footer: footer, firstSection: first, breadth: width)
    for section in first..<input.sectionCount {
      let place = place(ofSection: section, input)
      guard place.start <= rect.maxY else { break }
      pinned.append(
        PinnedSections.Section(
          headerStart: place.start, headerLength: headerHeight[section],
          footerStart: place.footerStart, footerLength: footerHeight[section]))
    }
    try pinned.adjust(input, rect: rect, into: output)
  }
}

extension Table {
  /// A section: its rows among all, its start, the height above its first row besides rows, and the
  /// end of its rows.
  fileprivate typealias SectionPlace = (
    section: Int, items: Range<Int>, start: Double, above: Double, footerStart: Double
  )

  fileprivate func place(ofSection section: Int, _ input: Input) -> SectionPlace {
    let items = input.items(inSection: section)
    let above = others[section] + headerHeight[section]
    return (
      section, items, others[section] + rows.top(of: items.lowerBound, height), above,
      above + rows.top(of: items.upperBound, height)
    )
  }

  /// Counted within the section.
  fileprivate func numbers(of rows: Range<Int>, _ place: SectionPlace) -> Range<Int> {
    let first = place.items.lowerBound
    return rows.lowerBound - first..<rows.upperBound - first
  }

  private func firstSection(endingAt y: Double, _ input: Input) -> Int {
    (0..<input.sectionCount).partitioningIndex {
      others[$0 + 1] + rows.top(of: input.items(inSection: $0).upperBound, height) >= y
    }
  }

  /// Nil if it has no height.
  private func frame(of kind: Kind, _ place: SectionPlace, _ input: Input) -> Rect? {
    let isHeader = kind === header
    let frame = Rect(
      x: 0, y: isHeader ? place.start : place.footerStart, width: input.extent.width,
      height: isHeader ? headerHeight[place.section] : footerHeight[place.section])
    return frame.height > 0 ? frame : nil
  }
}

extension Table: ReorderingLayout {
  /// A row makes room when the dragged one's middle passes its own.
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
