import TesseraSDK

/// The line-breaking grid: items side by side until a line is full, section after section.
final class Flow: ReusableLayout, AdjustingLayout, SizingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.flow", name: "Flow", version: "0.1.0", author: "The Tessera authors",
    license: "MIT",
    summary: "Items side by side in lines that fill the width, sections with headers and footers.")
  static let traits: Traits = [.mirrors, .incremental]
  static let laws: Laws = [.appends, .scales]
  static let adjustedColumns: BuiltInColumns = .zIndex
  static let measured: [(value: String, kind: String?)] = [("size", nil)]

  @Parameter("Size of an item without its own size.", unit: "pt", in: 0...)
  var itemSize = Size(width: 50, height: 50)
  @Parameter("Size of an item until it is measured; 0×0 turns measuring off.", unit: "pt", in: 0...)
  var estimatedItemSize = Size.zero
  @Parameter("Space between lines.", unit: "pt") var minimumLineSpacing = 10.0
  @Parameter("Least space between the items of a line.", unit: "pt")
  var minimumInteritemSpacing = 10.0
  @Parameter("Room around the items of a section.", unit: "pt") var sectionInset = Insets.zero
  @Parameter("Direction in which the content scrolls.")
  var scrollDirection = ScrollDirection.vertical
  @Parameter(
    "Size of headers, of which the length along the scroll direction counts.", unit: "pt", in: 0...)
  var headerReferenceSize = Size.zero
  @Parameter(
    "Size of footers, of which the length along the scroll direction counts.", unit: "pt", in: 0...)
  var footerReferenceSize = Size.zero
  @Parameter("Whether the header of a section stays in sight while the section is.")
  var sectionHeadersPinToVisibleBounds = false
  @Parameter("Whether the footer of a section stays in sight while the section is.")
  var sectionFootersPinToVisibleBounds = false
  @Parameter("What section insets are measured from.")
  var sectionInsetReference = InsetReference.contentInset

  @SectionValue("The section's own inset.", overriding: \Flow.$sectionInset) var insets
  @SectionValue("The section's own line spacing.", overriding: \Flow.$minimumLineSpacing)
  var lineSpacings
  @SectionValue("The section's own interitem spacing.", overriding: \Flow.$minimumInteritemSpacing)
  var interitemSpacings
  @SectionValue("The size of the section's header.", overriding: \Flow.$headerReferenceSize)
  var headerSizes
  @SectionValue("The size of the section's footer.", overriding: \Flow.$footerReferenceSize)
  var footerSizes
  @ItemValue("The item's own size.", fallback: \Flow.$itemSize) var size

  let header = Kind(.supplementary, role: .header)
  let footer = Kind(.supplementary, role: .footer)

  private let placed = PlacedElements()
  /// Nil unless headers or footers are pinned.
  private var pinned: PinnedSections?
  private var trail: Trail?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    guard input.scale > 0 else {
      throw .invalidValue("scale is \(describe(input.scale)); it must be above 0")
    }
    pinned = nil
    let surroundings = surroundings(input)
    var earlier = trail
    trail = nil
    if earlier?.surroundings != surroundings || input.change.what.contains(.parameters) {
      earlier = nil
    }
    var pinned = pinnedSections
    var sections: [[Checkpoint]] = []
    sections.reserveCapacity(input.sectionCount)
    var cursor = Cursor()
    for section in 0..<input.sectionCount {
      let style = try style(ofSection: section, surroundings)
      let start = cursor.y
      try addSupplementary(header, style.headerHeight, section, surroundings, at: &cursor, output)
      cursor.advance(by: style.inset.top)
      sections.append(
        try addCells(
          ofSection: section, style, surroundings, since: earlier?.sections, at: &cursor, input,
          output))
      cursor.advance(by: style.inset.bottom)
      pinned?.append(
        PinnedSections.Section(
          headerStart: start, headerLength: style.headerHeight, footerStart: cursor.y,
          footerLength: style.footerHeight))
      try addSupplementary(footer, style.footerHeight, section, surroundings, at: &cursor, output)
    }
    let content = Size(width: surroundings.width, height: max(cursor.y, cursor.bottom))
    try output.setContentSize(content.turned(isTurned))
    self.pinned = pinned
    if pinned == nil { output.needsNoAdjust() }
    trail = Trail(surroundings: surroundings, sections: sections)
  }

  func stillValid(_ input: Input) -> Bool { trail?.surroundings == surroundings(input) }

  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure) {
    try pinned?.adjust(input, rect: rect, into: output)
  }

  /// Whether the content scrolls sideways.
  ///
  /// The rules assume vertical scrolling, where lines are rows. Otherwise x and y are exchanged in
  /// all input and output.
  private var isTurned: Bool { scrollDirection == .horizontal }

  /// Without sections yet; nil without pinning.
  private var pinnedSections: PinnedSections? {
    let (headers, footers) = (sectionHeadersPinToVisibleBounds, sectionFootersPinToVisibleBounds)
    guard headers || footers else { return nil }
    return PinnedSections(
      isHorizontal: isTurned, header: headers ? header : nil, footer: footers ? footer : nil)
  }

  /// Full-width, unless its height is 0.
  private func addSupplementary(
    _ kind: Kind, _ height: Double, _ section: Int, _ surroundings: Surroundings,
    at cursor: inout Cursor, _ output: Output
  ) throws(LayoutFailure) {
    guard height > 0 else { return }
    let frame = Rect(x: 0, y: cursor.y, width: surroundings.width, height: height)
    try output.add(.elements(kind, inSection: section), frame: frame.turned(isTurned))
    cursor.pass(height)
  }
}

extension Flow: ReorderingLayout {
  /// A dragged item's middle must pass the cell's own, or its line.
  func target(
    of item: ItemPlace, at point: Point, proposed: ItemPlace, _ input: Input
  ) throws(LayoutFailure) -> ItemPlace {
    try placed.target(of: item, at: point, proposed: proposed, input) { frame in
      isTurned
        ? point.x >= frame.maxX || (point.x >= frame.minX && point.y >= frame.midY)
        : point.y >= frame.maxY || (point.y >= frame.minY && point.x >= frame.midX)
    }
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Flow.self, host: host)
}

enum ScrollDirection: String, Choice { case vertical, horizontal }

enum InsetReference: String, Choice { case contentInset, safeArea, layoutMargins }

/// What lines depend on besides the data and the parameters.
struct Surroundings: Equatable {
  let width: Double
  /// The edges that section insets are measured from.
  let left, right: Double
  let scale: Double
}

/// Turned if the content scrolls sideways.
struct SectionStyle {
  let headerHeight, footerHeight: Double
  let inset: Insets
  let left: Double
  /// The length of lines; negative if insets exceed the extent.
  let room: Double
  let lineSpacing, interitemSpacing: Double
}

extension Flow {
  private func surroundings(_ input: Input) -> Surroundings {
    let reference: Insets =
      switch sectionInsetReference {
      case .contentInset: .zero
      case .safeArea: input.insideContent(input.safeArea).turned(isTurned)
      case .layoutMargins: input.insideContent(input.layoutMargins).turned(isTurned)
      }
    return Surroundings(
      width: input.extent.turned(isTurned).width, left: reference.left, right: reference.right,
      scale: input.scale)
  }

  /// Throws if a value is invalid.
  private func style(
    ofSection section: Int, _ surroundings: Surroundings
  ) throws(LayoutFailure) -> SectionStyle {
    let (line, interitem) = (lineSpacings[section], interitemSpacings[section])
    let inset = insets[section]
    try checkLengths(inset, "sectionInset", ofSection: section, mayBeNegative: true)
    let (header, footer) = (headerSizes[section], footerSizes[section])
    try checkLengths(header, "headerReferenceSize", ofSection: section)
    try checkLengths(footer, "footerReferenceSize", ofSection: section)
    let turned = inset.turned(isTurned)
    return SectionStyle(
      headerHeight: header.turned(isTurned).height, footerHeight: footer.turned(isTurned).height,
      inset: turned, left: surroundings.left + turned.left,
      room: surroundings.width - surroundings.left - surroundings.right - turned.left
        - turned.right,
      lineSpacing: line, interitemSpacing: interitem)
  }

  func estimates(_ run: Run, _ input: Input) -> [Size] {
    estimatedItemSize == .zero ? [] : [estimatedItemSize]
  }

  func proposals(_ run: Run, _ input: Input) -> [Size] {
    // Prepare reports invalid values.
    let room = (try? style(ofSection: run.section, surroundings(input)))?.room ?? 0
    return [Size(width: room.isFinite ? max(0, room) : 0, height: 0).turned(isTurned)]
  }
}

/// Kept for the next prepare, which can resume in the middle.
struct Trail {
  let surroundings: Surroundings
  /// By section: the start of its cells, a line start every few thousand items, and the end.
  let sections: [[Checkpoint]]
}

/// The start of a line, or the end of the last one.
struct Checkpoint {
  let item: Int
  let cursor: Cursor
}

extension Flow {
  /// Skips unchanged frames, and returns the checkpoints.
  ///
  /// - Parameter earlier: Checkpoints of the last prepare; nil if invalid.
  private func addCells(
    ofSection section: Int, _ style: SectionStyle, _ surroundings: Surroundings,
    since earlier: [[Checkpoint]]?, at cursor: inout Cursor, _ input: Input, _ output: Output
  ) throws(LayoutFailure) -> [Checkpoint] {
    let items = input.items(inSection: section)
    // Most sections have two.
    var checkpoints: [Checkpoint] = []
    checkpoints.reserveCapacity(2)
    checkpoints.append(Checkpoint(item: 0, cursor: cursor))
    guard !items.isEmpty else { return checkpoints }
    let rows = try output.add(.cells(inSection: section, items: 0..<items.count))
    if let earlier, section < earlier.count, earlier[section][0].cursor == cursor {
      let unchanged = input.change.unchangedItems(inSection: section)
      let isWhole = unchanged == .max && rows.kept == items.count
      // The line before a checkpoint also depends on the length and existence of the item at it.
      checkpoints += earlier[section].dropFirst()
        .prefix { isWhole || $0.item < min(rows.kept, unchanged) }
    }
    let last = checkpoints[checkpoints.count - 1]
    cursor = last.cursor
    // Derived engines may rely on these rows ending with a line.
    output.leave(rows, first: last.item)
    let lines = Lines(
      section: section, style: style, sizes: size[items], scale: surroundings.scale,
      isTurned: isTurned)
    var next = last.item
    while next < items.count {
      try rows.frame.withMutableSpan { (frames) throws(LayoutFailure) in
        try lines.place(from: &next, &frames, at: &cursor)
      }
      checkpoints.append(Checkpoint(item: next, cursor: cursor))
      guard next < items.count else { break }
      try output.progress(Double(items.lowerBound + next) / Double(input.itemCount))
    }
    return checkpoints
  }
}
