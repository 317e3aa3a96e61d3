import TesseraSDK

/// The line-breaking grid: items side by side until a line is full, sections one after the other.
final class Flow: ReusableLayout, AdjustingLayout, SizingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.flow", name: "Flow", version: "0.1.0", author: "The Tessera authors",
    license: "MIT",
    summary: "Items side by side in lines that fill the width, sections with headers and footers.")
  static let traits: Traits = [.mirrors, .incremental, .appends, .scales]
  static let adjustedColumns: BuiltInColumns = .zIndex
  static let measuredValue = "size"

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

  let header = Kind(.supplementary)
  let footer = Kind(.supplementary)

  /// The positions of sections, while headers or footers are pinned.
  private var pinned: PinnedSections?
  /// The trail of the last prepare.
  private var trail: Trail?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    pinned = nil
    let earlier = trail
    trail = nil
    switch scrollDirection {
    case .vertical: try place(along: Vertical.self, since: earlier, input, into: output)
    case .horizontal: try place(along: Horizontal.self, since: earlier, input, into: output)
    }
  }

  func stillValid(_ input: Input) -> Bool {
    switch scrollDirection {
    case .vertical: trail?.basis == basis(along: Vertical.self, input)
    case .horizontal: trail?.basis == basis(along: Horizontal.self, input)
    }
  }

  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure) {
    try pinned?.adjust(input, rect: rect, into: output)
  }

  private func place<Axis: ScrollAxis>(
    along axis: Axis.Type, since earlier: Trail?, _ input: Input, into output: Output
  ) throws(LayoutFailure) {
    guard input.scale > 0 else {
      throw .invalidValue("scale is \(describe(input.scale)); it must be above 0")
    }
    var pinned = pinnedSections
    var cursor = Cursor()
    var trail = Trail(basis: basis(along: axis, input))
    let isComparable = earlier?.basis == trail.basis && !input.change.what.contains(.parameters)
    let earlier = isComparable ? earlier : nil
    let cross = Axis.cross(input.extent)
    for section in 0..<input.sectionCount {
      let style = try style(ofSection: section, along: axis, input)
      let (header, footer) = (headerSizes[section], footerSizes[section])
      let start = cursor.main
      try addSupplementary(
        self.header, ofSection: section, length: Axis.main(header), along: axis, cross: cross,
        at: &cursor, to: output)
      cursor.advance(by: style.leadingMain)
      try addCells(
        ofSection: section, style, along: axis, since: earlier, noting: &trail, at: &cursor, input,
        to: output)
      cursor.advance(by: style.trailingMain)
      pinned?.append(
        PinnedSections.Section(
          headerStart: start, headerLength: Axis.main(header), footerStart: cursor.main,
          footerLength: Axis.main(footer)))
      try addSupplementary(
        self.footer, ofSection: section, length: Axis.main(footer), along: axis, cross: cross,
        at: &cursor, to: output)
    }
    try output.setContentSize(Axis.size(main: max(cursor.main, cursor.furthest), cross: cross))
    self.pinned = pinned
    self.trail = trail
  }

  /// The kinds to pin, without sections yet; nil for none.
  private var pinnedSections: PinnedSections? {
    let (headers, footers) = (sectionHeadersPinToVisibleBounds, sectionFootersPinToVisibleBounds)
    guard headers || footers else { return nil }
    return PinnedSections(
      isHorizontal: scrollDirection == .horizontal, header: headers ? header : nil,
      footer: footers ? footer : nil)
  }

  /// Adds a header or footer over the full extent, unless its length is 0.
  private func addSupplementary<Axis: ScrollAxis>(
    _ kind: Kind, ofSection section: Int, length: Double, along axis: Axis.Type, cross: Double,
    at cursor: inout Cursor, to output: Output
  ) throws(LayoutFailure) {
    guard length > 0 else { return }
    let frame = Axis.rect(
      AxisVector(main: cursor.main, cross: 0), size: Axis.size(main: length, cross: cross))
    try output.add(.elements(kind, inSection: section), frame: frame)
    cursor.pass(length)
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Flow.self, host: host)
}

/// The direction in which the content scrolls.
enum ScrollDirection: String, Choice { case vertical, horizontal }

/// The reference of section insets.
enum InsetReference: String, Choice { case contentInset, safeArea, layoutMargins }

extension Flow {
  /// Returns the values of a section along an axis.
  ///
  /// - Throws: If a value is invalid.
  func style<Axis: ScrollAxis>(
    ofSection section: Int, along axis: Axis.Type, _ input: Input
  ) throws(LayoutFailure) -> SectionStyle {
    let (inset, reference) = (insets[section], referenceInsets(input))
    let (line, interitem) = (lineSpacings[section], interitemSpacings[section])
    try check(inset.isFinite, "sectionInset", section, describe(inset), "have finite edges")
    try check(line.isFinite, "minimumLineSpacing", section, describe(line), "be finite")
    try check(
      interitem.isFinite, "minimumInteritemSpacing", section, describe(interitem), "be finite")
    try check(headerSizes[section], "headerReferenceSize", section)
    try check(footerSizes[section], "footerReferenceSize", section)
    let leadingCross = Axis.leadingCross(reference) + Axis.leadingCross(inset)
    return SectionStyle(
      leadingMain: Axis.leadingMain(inset), trailingMain: Axis.trailingMain(inset),
      leadingCross: leadingCross,
      available: Axis.cross(input.extent) - Axis.leadingCross(reference)
        - Axis.trailingCross(reference) - Axis.leadingCross(inset) - Axis.trailingCross(inset),
      lineSpacing: line, interitemSpacing: interitem, grid: PixelGrid(scale: input.scale))
  }

  /// Returns what all lines depend on in addition to the data and the parameters.
  func basis<Axis: ScrollAxis>(along axis: Axis.Type, _ input: Input) -> Trail.Basis {
    let reference = referenceInsets(input)
    return Trail.Basis(
      cross: Axis.cross(input.extent), leadingCross: Axis.leadingCross(reference),
      trailingCross: Axis.trailingCross(reference), scale: input.scale)
  }

  private func referenceInsets(_ input: Input) -> Insets {
    switch sectionInsetReference {
    case .contentInset: .zero
    case .safeArea: input.insideContent(input.safeArea)
    case .layoutMargins: input.insideContent(input.layoutMargins)
    }
  }

  private func check(_ size: Size, _ name: String, _ section: Int) throws(LayoutFailure) {
    try check(
      size.isFinite && size.width >= 0 && size.height >= 0, name, section, describe(size),
      "have a width and a height that are finite and not negative")
  }

  private func check(
    _ isSound: Bool, _ name: String, _ section: Int, _ found: @autoclosure () -> String,
    _ expected: String
  ) throws(LayoutFailure) {
    guard isSound else {
      throw .invalidValue("\(name) of section \(section) is \(found()); it must \(expected)")
    }
  }
}

/// The values of a section along the scroll axis (main) and across it (cross).
struct SectionStyle {
  let leadingMain, trailingMain: Double
  /// The start of lines.
  let leadingCross: Double
  /// The length of lines; negative if insets exceed the extent.
  let available: Double
  let lineSpacing, interitemSpacing: Double
  let grid: PixelGrid
}

extension Flow {
  /// Places the cells of a section, except for those whose frames are unchanged.
  ///
  /// - Parameters:
  ///   - earlier: The trail of the last prepare; nil if it is no longer valid.
  ///   - trail: The trail of this prepare.
  func addCells<Axis: ScrollAxis>(
    ofSection section: Int, _ style: SectionStyle, along axis: Axis.Type, since earlier: Trail?,
    noting trail: inout Trail, at cursor: inout Cursor, _ input: Input, to output: Output
  ) throws(LayoutFailure) {
    let items = input.items(inSection: section)
    let (start, firstCheckpoint) = (cursor, trail.checkpoints.count)
    defer { trail.endSection(from: start, to: cursor, firstCheckpoint: firstCheckpoint) }
    guard !items.isEmpty else { return }
    let rows = try output.add(.cells(inSection: section, items: 0..<items.count))
    var first = 0
    if let earlier, rows.kept > 0, let known = earlier.section(section, from: start) {
      let unchanged = input.change.unchangedItems(inSection: section)
      if unchanged == .max, rows.kept == items.count {
        trail.checkpoints += earlier.checkpoints[known.checkpoints]
        cursor = known.end
        output.leave(rows, first: items.count)
        return
      }
      let good = earlier.checkpoints(of: known, before: min(rows.kept, unchanged))
      if let last = good.last {
        trail.checkpoints += good
        (first, cursor) = (last.item, last.cursor)
      }
    }
    // Derived engines may rely on it that these rows end with a line, and that none of them is read.
    output.leave(rows, first: first)
    let lines = Lines<Axis>(section: section, style: style, sizes: size[items])
    try rows.frame.withMutableSpan { (frames) throws(LayoutFailure) in
      try lines.fill(&frames, from: first, at: &cursor, noting: &trail.checkpoints) {
        (placed) throws(LayoutFailure) in
        try output.progress(Double(items.lowerBound + placed) / Double(input.itemCount))
      }
    }
  }
}

extension Flow {
  func estimate(_ input: Input) -> Size? {
    estimatedItemSize == .zero ? nil : estimatedItemSize
  }

  func proposal(forSection section: Int, _ input: Input) -> Size {
    switch scrollDirection {
    case .vertical: Size(width: room(inSection: section, along: Vertical.self, input), height: 0)
    case .horizontal:
      Size(width: 0, height: room(inSection: section, along: Horizontal.self, input))
    }
  }

  /// The length of lines; 0 if it is invalid, which prepare reports.
  private func room<Axis: ScrollAxis>(
    inSection section: Int, along axis: Axis.Type, _ input: Input
  ) -> Double {
    guard let style = try? style(ofSection: section, along: axis, input),
      style.available.isFinite
    else { return 0 }
    return max(0, style.available)
  }
}
