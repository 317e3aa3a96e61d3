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
  /// The sections of the last prepare.
  private(set) var trail: Trail?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let earlier = trail
    trail = nil
    var trail = try self.trail(input)
    let isSame = earlier?.forest == trail.forest
    let known = isSame ? earlier?.sections ?? [] : []
    trail.mostItems = (0..<input.sectionCount).map { input.items(inSection: $0).count }.max() ?? 0
    let former = isSame ? earlier?.templates ?? [:] : [:]
    pinned = PinnedSections(isHorizontal: trail.isHorizontal, header: header, footer: footer)
    var (main, reach) = (0.0, Point.zero)
    for section in 0..<input.sectionCount {
      let style = try style(ofSection: section, trail)
      let start = main
      main += style.header
      main += style.isHorizontal ? style.insets.left : style.insets.top
      let template = try template(style, in: &trail, former)
      let cells = try addCells(
        ofSection: section, style, at: main, template,
        earlier: section < known.count ? known[section] : nil, input, to: output)
      main += cells.length + (style.isHorizontal ? style.insets.right : style.insets.bottom)
      let end = main
      main += style.footer
      let boundaries = try addBoundaries(
        ofSection: section, style, from: start, to: end, trail, output)
      reach.extend(to: boundaries)
      if backgrounds[section] {
        let rows = try output.add(.elements(backgroundKind, inSection: section))
        rows.frame[0] = trail.rect(from: start, to: main)
          .inset(by: backgroundInsetsOfSections[section])
        rows.zIndex[0] = -1
      }
      // Cells that scroll across the others do not widen the content.
      if !style.isOrthogonal || style.isHorizontal { reach.x = max(reach.x, cells.reach.x) }
      if !style.isOrthogonal || !style.isHorizontal { reach.y = max(reach.y, cells.reach.y) }
      if cells.style.isOrthogonal { trail.orthogonal.append(trail.sections.count) }
      trail.sections.append(cells)
    }
    reach.extend(to: trail.rect(from: 0, to: main).corner)
    try output.setContentSize(Size(width: reach.x, height: reach.y))
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
      extent: input.extent, isHorizontal: scrollDirection == .horizontal,
      forest: try NodeForest(nodes))
  }

  /// The template of a section: sections with one group in containers of one size share it, and take it over
  /// from the last prepare.
  private func template(
    _ style: SectionStyle, in trail: inout Trail, _ former: [Int: [Size: Template]]
  ) throws(LayoutFailure) -> Template {
    if let template = trail.templates[style.group]?[style.container] { return template }
    let template: Template
    if let known = former[style.group]?[style.container], known.isWhole(upTo: trail.mostItems) {
      template = known
    } else {
      template = try Template(style.nodes, in: style.container, limit: trail.mostItems)
    }
    trail.templates[style.group, default: [:]][style.container] = template
    return template
  }

  /// Adds the headers and footers of a section: those over the full extent, unless their length is 0, and
  /// the boundaries of its group.
  ///
  /// - Parameters:
  ///   - start: Where the section begins, with its header over the full extent.
  ///   - end: Where its footer begins.
  /// - Returns: How far the boundaries reach.
  private func addBoundaries(
    ofSection section: Int, _ style: SectionStyle, from start: Double, to end: Double,
    _ trail: Trail, _ output: Output
  ) throws(LayoutFailure) -> Point {
    var reach = Point.zero
    let (top, isHorizontal) = (start + style.header, trail.isHorizontal)
    let box = trail.rect(from: top, to: end)
    for (kind, length) in [(header, style.header), (footer, style.footer)] {
      let (isFooter, from) = (kind === footer, kind === footer ? end : start)
      var all: [(frame: Rect, start: Double, length: Double, zIndex: Int32, isPinned: Bool)] = []
      if length > 0 {
        let isPinned = !isFooter && pinning[section]
        all.append((trail.rect(from: from, to: from + length), from, length, 0, isPinned))
      }
      for node in style.boundaries where node.alignment.isFooter == isFooter {
        let frame = style.contained(style.frame(of: node, in: box), end: .zero, isFree: false)
        guard frame.isFinite else {
          throw .invalidValue(
            "nodes record \(node.record) would reach further than numbers do; give smaller sizes and offsets"
          )
        }
        reach.extend(to: frame.corner)
        all.append(
          (
            frame, frame.origin.position(horizontally: isHorizontal),
            frame.size.length(horizontally: isHorizontal), node.zIndex, node.isPinned
          ))
      }
      guard !all.isEmpty else { continue }
      let rows = try output.add(.elements(kind, inSection: section, items: 0..<all.count))
      for (row, element) in all.enumerated() {
        (rows.frame[row], rows.zIndex[row]) = (element.frame, element.zIndex)
        guard element.isPinned else { continue }
        pinned.append(
          PinnedSections.Section(
            // An element that is longer than its section stays where it is.
            headerStart: isFooter ? min(top, element.start) : element.start,
            headerLength: isFooter ? 0 : element.length,
            footerStart: isFooter ? element.start : max(end, element.start + element.length),
            footerLength: isFooter ? element.length : 0,
            section: section, item: row))
      }
    }
    return reach
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Compositional.self, host: host)
}

/// The direction in which the content scrolls.
enum ScrollDirection: String, Choice { case vertical, horizontal }

/// Whether the groups of a section scroll across the others, and where they stop.
enum Orthogonal: String, Choice {
  case none, continuous, paging, continuousGroupLeadingBoundary, groupPaging, groupPagingCentered
}

/// What is kept of a prepare.
struct Trail {
  let extent: Size
  let isHorizontal: Bool
  let forest: NodeForest
  /// The number of items of the longest section.
  var mostItems = 0
  /// The templates of groups in containers of some sizes.
  var templates: [Int: [Size: Template]] = [:]
  var sections: [SectionCells] = []
  /// The numbers of the sections that scroll by themselves, so that a query need not look at all.
  var orthogonal: [Int] = []
  /// How far the content reaches.
  var reach = Point.zero

  /// The rect across the extent between two positions on the scroll axis.
  func rect(from start: Double, to end: Double) -> Rect {
    isHorizontal
      ? Rect(x: start, y: 0, width: end - start, height: extent.height)
      : Rect(x: 0, y: start, width: extent.width, height: end - start)
  }
}

/// The values of a section.
struct SectionStyle {
  let group: Int
  /// The nodes of the group.
  let nodes: [GroupNode]
  /// The headers and footers that the group has as records.
  let boundaries: [GroupNode]
  /// The room for boundaries at each edge.
  let bands: Insets
  /// The insets of the section, with that room.
  let insets: Insets
  let isHorizontal: Bool
  let orthogonal: Orthogonal
  let spacing: Double
  /// Lengths of the header and the footer along the scroll axis.
  let header, footer: Double
  /// What the insets leave of the extent.
  let container: Size
  let extent: Size
  /// What the insets of the section alone leave of it.
  let space: Size

  var isOrthogonal: Bool { orthogonal != .none }

  /// Whether its groups are side by side.
  var isAlongX: Bool { isHorizontal != isOrthogonal }

  /// Where a boundary is in a section with some box: at an edge of the section's cells and insets, along
  /// which it is within the insets.
  func frame(of boundary: GroupNode, in box: Rect) -> Rect {
    let edge = boundary.alignment.edge
    let room = Insets(
      top: edge.y == 0 ? insets.top : bands.top, left: edge.x == 0 ? insets.left : bands.left,
      bottom: edge.y == 0 ? insets.bottom : bands.bottom,
      right: edge.x == 0 ? insets.right : bands.right)
    return boundary.frame(
      at: box.inset(by: room), in: space, push: boundary.extendsBoundary ? edge : .zero)
  }

  /// Moves a rectangle back that lies before the content, where users cannot scroll, or beyond the extent
  /// across the scroll axis while what it is on, which ends at `end`, does not.
  ///
  /// - Parameter isFree: Whether it scrolls across by itself.
  func contained(_ frame: Rect, end: Point, isFree: Bool) -> Rect {
    let most = Point(
      x: isHorizontal ? .infinity : max(extent.width, end.x) - frame.width,
      y: isHorizontal ? max(extent.height, end.y) - frame.height : .infinity)
    let (x, y) = (max(0, min(frame.x, most.x)), max(0, min(frame.y, most.y)))
    return Rect(
      x: isFree && !isHorizontal ? frame.x : x, y: isFree && isHorizontal ? frame.y : y,
      width: frame.width, height: frame.height)
  }
}

extension Compositional {
  /// Returns the values of a section.
  ///
  /// - Throws: If a value is invalid.
  private func style(ofSection section: Int, _ trail: Trail) throws(LayoutFailure) -> SectionStyle {
    let (group, spacing, insets) = (groups[section], spacings[section], self.insets[section])
    let (header, footer) = (headerSizes[section], footerSizes[section])
    func check(
      _ isSound: Bool, _ name: String, _ found: @autoclosure () -> String, _ rule: String
    ) throws(LayoutFailure) {
      guard !isSound else { return }
      throw .invalidValue("\(name) of section \(section) is \(found()); it must \(rule)")
    }
    let edges = "have edges that are finite and not negative"
    let lengths = "have a width and a height that are finite and not negative"
    let isLength = spacing.isFinite && spacing >= 0
    try check(isLength, "interGroupSpacing", describe(spacing), "be finite and not negative")
    try check(insets.isValid, "contentInsets", describe(insets), edges)
    let background = backgroundInsetsOfSections[section]
    try check(background.isValid, "backgroundInsets", describe(background), edges)
    // Further out, the place of the background has no room for its size.
    let farthest = max(
      max(background.top, background.left), max(background.bottom, background.right))
    try check(farthest <= 1e300, "backgroundInsets", describe(background), "have edges up to 1e300")
    try check(header.isValid, "headerReferenceSize", describe(header), lengths)
    try check(footer.isValid, "footerReferenceSize", describe(footer), lengths)
    guard let nodes = trail.forest.groups[group] else {
      let roots = trail.forest.groups.keys.sorted().prefix(5).map(String.init)
      let all = roots.count < trail.forest.groups.count ? roots + ["…"] : roots
      throw .invalidValue(
        "group of section \(section) is \(group); it must be the place of a nodes record that is a "
          + "group and whose parent is -1: " + all.joined(separator: ", "))
    }
    let (boundaries, space) = (
      nodes[0].attached.filter { $0.kind == .boundary }, trail.extent.inset(by: insets)
    )
    var (bands, all) = (Insets.zero, insets)
    for boundary in boundaries where boundary.extendsBoundary {
      let (size, edge) = (boundary.size(in: space), boundary.alignment.edge)
      bands.top = max(bands.top, -edge.y * size.height)
      bands.left = max(bands.left, -edge.x * size.width)
      bands.bottom = max(bands.bottom, edge.y * size.height)
      bands.right = max(bands.right, edge.x * size.width)
    }
    all.top += bands.top
    all.left += bands.left
    all.bottom += bands.bottom
    all.right += bands.right
    return SectionStyle(
      group: group, nodes: nodes, boundaries: boundaries, bands: bands, insets: all,
      isHorizontal: trail.isHorizontal,
      orthogonal: orthogonals[section], spacing: spacing,
      header: header.length(horizontally: trail.isHorizontal),
      footer: footer.length(horizontally: trail.isHorizontal),
      container: trail.extent.inset(by: all), extent: trail.extent, space: space)
  }

  func estimates(_ run: Run, _ input: Input) -> [Size] {
    let (widths, heights, kinds) = (nodes.widthIs, nodes.heightIs, nodes.kind)
    return nodes.indices.contains {
      kinds[$0] == .item && (widths[$0] == .estimated || heights[$0] == .estimated)
    } ? [MeasuredSizes.estimate] : []
  }

  func proposals(_ run: Run, _ input: Input) -> [Size] {
    // Prepare reports what is invalid.
    guard let trail = try? trail(input), let style = try? style(ofSection: run.section, trail),
      let template = try? Template(style.nodes, in: style.container, limit: run.items.upperBound)
    else { return [.zero] }
    return template.proposals(to: run.items)
  }
}

extension Insets {
  fileprivate var isValid: Bool { isFinite && top >= 0 && left >= 0 && bottom >= 0 && right >= 0 }
}

extension Size {
  var isValid: Bool { isFinite && width >= 0 && height >= 0 }
}
