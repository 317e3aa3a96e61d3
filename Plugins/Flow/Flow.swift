import TesseraSDK

/// The line-breaking grid: items side by side until a line is full, sections one after the other.
final class Flow: ReusableLayout, AdjustingLayout, SizingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.flow", name: "Flow", version: "0.1.0", author: "The Tessera authors",
    license: "MIT",
    summary: "Items side by side in justified lines, sections with headers and footers.")
  static let traits: Traits = [.mirrors, .incremental, .appends, .scales]
  static let adjustedColumns: BuiltInColumns = .zIndex
  static let measuredValue = "size"

  @Parameter("Size of an item that has none of its own.", unit: "pt", in: 0...)
  var itemSize = Size(width: 50, height: 50)
  @Parameter("Size of an item that is measured, until it is; 0×0: none is.", unit: "pt", in: 0...)
  var estimatedItemSize = Size.zero
  @Parameter("Space between lines.", unit: "pt") var minimumLineSpacing = 10.0
  @Parameter("Least space between the items of a line.", unit: "pt")
  var minimumInteritemSpacing = 10.0
  @Parameter("Room around the items of a section.", unit: "pt") var sectionInset = Insets.zero
  @Parameter("Which way the content scrolls.") var scrollDirection = ScrollDirection.vertical
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

  /// Where the sections lie, while headers or footers are pinned.
  private var pinned: PinnedSections?
  /// What the last prepare noted.
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

  /// What is to be pinned, still without sections; nil for nothing.
  private var pinnedSections: PinnedSections? {
    let (headers, footers) = (sectionHeadersPinToVisibleBounds, sectionFootersPinToVisibleBounds)
    guard headers || footers else { return nil }
    return PinnedSections(
      isHorizontal: scrollDirection == .horizontal, header: headers ? header : nil,
      footer: footers ? footer : nil)
  }

  /// Adds a header or footer over the full extent, unless it has no length.
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
