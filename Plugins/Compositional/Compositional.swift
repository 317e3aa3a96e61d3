import TesseraSDK

/// Sections made of groups of groups, whose shape is a list of nodes.
final class Compositional: ReusableLayout, AdjustingLayout, SizingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.compositional", name: "Compositional", version: "0.1.0",
    author: "The Tessera authors", license: "MIT",
    summary: "Sections made of groups within groups, which may scroll by themselves.")
  static let traits: Traits = [.mirrors, .incremental]
  static let laws: Laws = [.appends, .scales]
  static let columns: BuiltInColumns = .zIndex
  static let measured: [(value: String, kind: String?)] = [("size", nil)]

  @List("The groups, the groups and items in them; none: rows of one item, 44 high.")
  var nodes: Records<Node>

  @Parameter("Direction in which the content scrolls.")
  var scrollDirection = ScrollDirection.vertical
  @Parameter("The place in nodes of the group that a section repeats.", in: 0...) var group = 0
  @Parameter("Space between the groups of a section.", unit: "pt", in: 0...)
  var interGroupSpacing = 0.0
  @Parameter("Room around the groups of a section.", unit: "pt", in: 0...)
  var contentInsets = Insets.zero
  @Parameter(
    "Size of headers, of which the length along the scroll direction counts.", unit: "pt", in: 0...)
  var headerReferenceSize = Size.zero
  @Parameter(
    "Size of footers, of which the length along the scroll direction counts.", unit: "pt", in: 0...)
  var footerReferenceSize = Size.zero
  @Parameter("Whether the header of a section stays in sight while the section is.")
  var headerPins = false
  @Parameter("Whether a section has a background.") var background = false
  @Parameter("Room around the background within a section.", unit: "pt", in: 0...)
  var backgroundInsets = Insets.zero
  @Parameter("Whether the groups of a section scroll across the others.")
  var orthogonal = Orthogonal.none
  @Parameter(
    "How far the groups of an orthogonal section are scrolled.", unit: "pt", isInAdjust: true)
  var orthogonalOffset = 0.0

  @SectionValue("The section's own group.", overriding: \Compositional.$group) var groups
  @SectionValue("The section's own spacing.", overriding: \Compositional.$interGroupSpacing)
  var spacings
  @SectionValue("The section's own insets.", overriding: \Compositional.$contentInsets) var insets
  @SectionValue(
    "The size of the section's header.", overriding: \Compositional.$headerReferenceSize)
  var headerSizes
  @SectionValue(
    "The size of the section's footer.", overriding: \Compositional.$footerReferenceSize)
  var footerSizes
  @SectionValue(
    "Whether the section's header stays in sight.", overriding: \Compositional.$headerPins)
  var pinning
  @SectionValue("Whether the section has a background.", overriding: \Compositional.$background)
  var backgrounds
  @SectionValue(
    "Room around the section's background.", overriding: \Compositional.$backgroundInsets)
  var backgroundInsetsOfSections
  @SectionValue("Whether the section's groups scroll.", overriding: \Compositional.$orthogonal)
  var orthogonals
  @SectionValue(
    "How far the section's groups are scrolled.", overriding: \Compositional.$orthogonalOffset,
    isInAdjust: true)
  var orthogonalOffsets
  @ItemValue("What the item measures, where its node is estimated; 0×0: it is not known.")
  var size: Column<Size>

  let header = Kind(.supplementary, role: .header)
  let footer = Kind(.supplementary, role: .footer)
  let backgroundKind = Kind(.decoration, role: .background, named: "background")
  let badge = Kind(.supplementary, role: .badge)
  let separator = Kind(.decoration, role: .separator)

  let restingOrthogonalOffset = PublishedFunction(
    "Where the groups of a section come to rest: section, proposed offset, points per second.",
    Compositional.restingOffset)

  private var pinned = PinnedSections(header: nil, footer: nil)
  private(set) var trail: Trail?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    // Other nodes invalidate the last prepare.
    let earlier = input.change.what.isDisjoint(with: [.all, .lists]) ? trail : nil
    trail = nil
    var trail = try self.trail(input)
    // Sections with one group and container size share a template.
    var templates: [Int: [Size: Template]] = [:]
    let mostItems = (0..<input.sectionCount).map { input.items(inSection: $0).count }.max() ?? 0
    pinned = PinnedSections(isHorizontal: trail.axis == .x, header: header, footer: footer)
    var (main, reach) = (0.0, Point.zero)
    for section in 0..<input.sectionCount {
      let style = try style(ofSection: section, trail)
      let (start, insets) = (main, style.insets[style.axis])
      main += style.header
      main += insets.start
      var template = templates[style.group]?[style.container]
      if template == nil {
        template = try Template(style.nodes, in: style.container, limit: mostItems)
        templates[style.group, default: [:]][style.container] = template
      }
      let cells = try addCells(
        ofSection: section, style, at: main, template!,
        earlier: section < earlier?.sections.count ?? 0 ? earlier?.sections[section] : nil, input,
        to: output)
      main += cells.length + insets.end
      for kind in [header, footer] {
        try addBoundaries(kind, ofSection: section, style, from: start, to: main, &reach, output)
      }
      main += style.footer
      if backgrounds[section] {
        let rows = try output.add(.elements(backgroundKind, inSection: section))
        rows.frame[0] = style.rect(from: start, to: main)
          .inset(by: backgroundInsetsOfSections[section])
        rows.zIndex[0] = -1
      }
      // Orthogonal cells do not widen the content.
      for axis in [Axis.x, .y] where !style.isOrthogonal || axis == style.axis {
        reach[axis] = max(reach[axis], cells.reach[axis])
      }
      if style.isOrthogonal { trail.orthogonal.append(section) }
      trail.sections.append(cells)
    }
    reach.extend(
      to: Rect(along: trail.axis, start: 0, length: main, breadth: trail.extent[trail.axis.other])
        .corner)
    try output.setContentSize(Size(width: reach.x, height: reach.y))
    if pinned.isEmpty, trail.orthogonal.isEmpty { output.needsNoAdjust() }
    trail.reach = reach
    self.trail = trail
  }

  func stillValid(_ input: Input) -> Bool { trail?.extent == input.extent }

  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure) {
    try moveCells(rect, output)
    try pinned.adjust(input, rect: rect, into: output)
  }

  private func trail(_ input: Input) throws(LayoutFailure) -> Trail {
    Trail(
      extent: input.extent, axis: scrollDirection == .horizontal ? .x : .y,
      groups: try nodes.rootGroups())
  }

  /// Adds a section's full-width header or footer, unless 0 high, and its group's boundaries.
  ///
  /// - Parameters:
  ///   - start: The start of the section.
  ///   - end: The start of the full-width footer.
  ///   - reach: Grows with the boundaries.
  private func addBoundaries(
    _ kind: Kind, ofSection section: Int, _ style: SectionStyle, from start: Double, to end: Double,
    _ reach: inout Point, _ output: Output
  ) throws(LayoutFailure) {
    let (axis, isFooter, top) = (style.axis, kind === footer, start + style.header)
    let box = style.rect(from: top, to: end)
    var all: [(frame: Rect, length: Double, zIndex: Int32, isPinned: Bool)] = []
    let (place, length) = isFooter ? (end, style.footer) : (start, style.header)
    if length > 0 {
      let frame = style.rect(from: place, to: place + length)
      all.append((frame, length, 0, !isFooter && pinning[section]))
    }
    for node in style.boundaries where node.isFooter == isFooter {
      let frame = style.contained(style.frame(of: node, in: box))
      try node.check(frame.isFinite, "offsets")
      reach.extend(to: frame.corner)
      all.append((frame, frame.size[axis], node.zIndex, node.isPinned))
    }
    guard !all.isEmpty else { return }
    let rows = try output.add(.elements(kind, inSection: section, items: 0..<all.count))
    for (row, element) in all.enumerated() {
      (rows.frame[row], rows.zIndex[row]) = (element.frame, element.zIndex)
      guard element.isPinned else { continue }
      let start = element.frame.origin[axis]
      // An element longer than its section stays in place.
      pinned.append(
        PinnedSections.Section(
          headerStart: isFooter ? min(top, start) : start,
          headerLength: isFooter ? 0 : element.length,
          footerStart: isFooter ? start : max(end, start + element.length),
          footerLength: isFooter ? element.length : 0, section: section, item: row))
    }
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Compositional.self, host: host)
}

enum ScrollDirection: String, Choice { case vertical, horizontal }

struct Trail {
  let extent: Size
  let axis: Axis
  /// The root groups by record.
  let groups: [Int: [GroupNode]]
  var sections: [SectionCells] = []
  /// A query need not look at other sections.
  var orthogonal: [Int] = []
  var reach = Point.zero
}

struct SectionStyle {
  let group: Int
  let nodes: [GroupNode]
  /// The group's headers and footers.
  let boundaries: [GroupNode]
  /// Room for boundaries.
  let bands: Insets
  /// The section's insets plus `bands`.
  let insets: Insets
  let axis: Axis
  let orthogonal: Orthogonal
  let spacing: Double
  let header, footer: Double
  let extent: Size
  /// The extent without the section's own insets.
  let space: Size

  var isOrthogonal: Bool { orthogonal != .none }
  var groupAxis: Axis { isOrthogonal ? axis.other : axis }
  /// The extent without all insets.
  var container: Size { extent.inset(by: insets) }

  /// Full-width, between two positions on the scroll axis.
  func rect(from start: Double, to end: Double) -> Rect {
    Rect(along: axis, start: start, length: end - start, breadth: extent[axis.other])
  }

  /// At an edge of cells and insets; along the edge, within the insets.
  func frame(of boundary: GroupNode, in box: Rect) -> Rect {
    let edge = boundary.edge
    let room = Insets(
      top: edge.y == 0 ? insets.top : bands.top, left: edge.x == 0 ? insets.left : bands.left,
      bottom: edge.y == 0 ? insets.bottom : bands.bottom,
      right: edge.x == 0 ? insets.right : bands.right)
    return boundary.frame(
      at: box.inset(by: room), in: space, push: boundary.extendsBoundary ? edge : .zero)
  }

  /// Moves a badge into view: not before the content, nor beyond the extent unless its parent's
  /// `end` is.
  ///
  /// - Parameter isFree: Whether it scrolls across by itself.
  func contained(_ frame: Rect, end: Point = .zero, isFree: Bool = false) -> Rect {
    var (frame, across) = (frame, axis.other)
    frame.origin[axis] = max(0, frame.origin[axis])
    if !isFree {
      let most = max(extent[across], end[across]) - frame.size[across]
      frame.origin[across] = max(0, min(frame.origin[across], most))
    }
    return frame
  }
}

extension Compositional {
  private func style(ofSection section: Int, _ trail: Trail) throws(LayoutFailure) -> SectionStyle {
    let (group, spacing, insets) = (groups[section], spacings[section], self.insets[section])
    let (header, footer) = (headerSizes[section], footerSizes[section])
    try checkLength(spacing, "interGroupSpacing", ofSection: section)
    try checkLengths(insets, "contentInsets", ofSection: section)
    try checkLengths(
      backgroundInsetsOfSections[section], "backgroundInsets", ofSection: section)
    try checkLengths(header, "headerReferenceSize", ofSection: section)
    try checkLengths(footer, "footerReferenceSize", ofSection: section)
    guard let nodes = trail.groups[group] else {
      let roots = trail.groups.keys.sorted().prefix(5).map(String.init)
      let all = roots.count < trail.groups.count ? roots + ["…"] : roots
      throw .invalidValue(
        "group of section \(section) is \(group); it must be the place of a nodes record that is a "
          + "group and whose parent is -1: " + all.joined(separator: ", "))
    }
    let space = trail.extent.inset(by: insets)
    let boundaries = nodes[nodes[0].attached].filter { $0.kind == .boundary }
    var bands = Insets.zero
    for boundary in boundaries where boundary.extendsBoundary {
      let (size, edge) = (boundary.size(in: space), boundary.edge)
      let thickness = Insets(
        top: -edge.y * size.height, left: -edge.x * size.width, bottom: edge.y * size.height,
        right: edge.x * size.width)
      bands = bands.combined(with: thickness, max)
    }
    return SectionStyle(
      group: group, nodes: nodes, boundaries: boundaries, bands: bands,
      insets: insets.combined(with: bands, +), axis: trail.axis,
      orthogonal: orthogonals[section], spacing: spacing, header: header[trail.axis],
      footer: footer[trail.axis], extent: trail.extent, space: space)
  }

  func estimates(_ run: Run, _ input: Input) -> [Size] {
    let (widths, heights, kinds) = (nodes.widthIs, nodes.heightIs, nodes.kind)
    return nodes.indices.contains {
      kinds[$0] == .item && (widths[$0] == .estimated || heights[$0] == .estimated)
    } ? [estimatedSize] : []
  }

  func proposals(_ run: Run, _ input: Input) -> [Size] {
    // Prepare reports invalid values.
    guard let trail = try? trail(input), let style = try? style(ofSection: run.section, trail),
      let template = try? Template(style.nodes, in: style.container, limit: run.items.upperBound)
    else { return [.zero] }
    return template.proposals(to: run.items)
  }
}
