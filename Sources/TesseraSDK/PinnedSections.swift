public import TesseraGeometry

/// Headers and footers that stick to the edges of the visible area with their section.
///
/// Append the sections in prepare and call `adjust` in adjust. Sticking elements get the z index
/// 1024 if the layout writes that column. Positions are along the scroll axis.
public struct PinnedSections {
  /// The natural positions of a section's header and footer; length 0 for a missing one.
  public struct Section: Sendable {
    let header, footer: Extent
    var headerEnd: Double { header.start + header.length }
    let section: Int?
    let item: Int

    /// Creates a section from the positions of its elements.
    ///
    /// - Parameters:
    ///   - headerStart: The start of the section, even without a header.
    ///   - footerStart: The end of its items and their inset, even without a footer.
    ///   - section: The section's number, unless sections are added in order.
    ///   - item: The number of the header and the footer in the section.
    public init(
      headerStart: Double, headerLength: Double, footerStart: Double, footerLength: Double,
      section: Int? = nil, item: Int = 0
    ) {
      self.section = section
      self.item = item
      header = (headerStart, headerLength)
      footer = (footerStart, footerLength)
    }
  }

  typealias Extent = (start: Double, length: Double)

  /// The z index of elements that stick.
  public static let zIndex: Int32 = 1024

  private let axis: Axis
  private let header, footer: Kind?
  private let firstSection: Int
  private let breadth: Double?
  private var sections: [Section] = []
  /// The maximum end of the first sections' elements; empty for few sections.
  private var reach: [Double] = []
  /// The minimum start of the last sections' elements; empty for few sections.
  private var onset: [Double] = []
  /// For so few sections, a linear search beats building two arrays.
  private static let few = 8

  /// Creates an empty list of sections.
  ///
  /// - Parameters:
  ///   - header: The kind of the headers, or nil if headers do not stick.
  ///   - footer: The kind of the footers, or nil if footers do not stick.
  ///   - firstSection: The number of the section added first; a lazy layout adds visible ones only.
  ///   - breadth: For a lazy layout, which keeps no frames: the size across the scroll axis, from
  ///     0.
  public init(
    isHorizontal: Bool = false, header: Kind?, footer: Kind?, firstSection: Int = 0,
    breadth: Double? = nil
  ) {
    axis = isHorizontal ? .x : .y
    self.header = header
    self.footer = footer
    self.firstSection = firstSection
    self.breadth = breadth
  }

  /// Whether `adjust` is a no-op.
  public var isEmpty: Bool { sections.isEmpty }

  /// Adds the next section.
  public mutating func append(_ section: Section) { sections.append(section) }

  /// Moves headers and footers in a query for `rect` to where they stick, and adds others there.
  ///
  /// O(log *n* + *k*) for *n* sections and *k* in the rectangle; O(*n*) the first time.
  public mutating func adjust(
    _ input: Input, rect: Rect, into output: Output
  ) throws(LayoutFailure) {
    let asked = along(rect)
    var (first, end) = (0, sections.count)
    if end > Self.few {
      if onset.count < end { findSpans() }
      first = sections.indices.partitioningIndex { reach[$0] >= asked.start }
      end = sections.indices.partitioningIndex { onset[$0] > asked.start + asked.length }
    }
    guard first < end else { return }
    let visible = visiblePart(input)
    for section in first..<end {
      let place = sections[section]
      if let header, place.header.length > 0 {
        try move(
          run(header, section), from: place.header, to: pinnedHeader(place, visible), asked, output)
      }
      if let footer, place.footer.length > 0 {
        try move(
          run(footer, section), from: place.footer, to: pinnedFooter(place, visible), asked, output)
      }
    }
  }

  private func run(_ kind: Kind, _ index: Int) -> Run {
    let place = sections[index]
    return .elements(
      kind, inSection: place.section ?? firstSection + index, items: place.item..<place.item + 1)
  }

  private func move(
    _ run: Run, from natural: Extent, to start: Double, _ asked: Extent, _ output: Output
  ) throws(LayoutFailure) {
    /// Touching counts: a query for one element uses its frame, which may be empty.
    func meetsAsked(from start: Double) -> Bool {
      start <= asked.start + asked.length && start + natural.length >= asked.start
    }
    guard meetsAsked(from: natural.start) || meetsAsked(from: start) else { return }
    let rows = try output.add(run)
    guard rows.count > 0 else { return }
    if let breadth {
      rows.frame[0] = Rect(along: axis, start: start, length: natural.length, breadth: breadth)
    } else {
      rows.frame[0].origin[axis] = start
    }
    if rows.zIndex.count > 0 { rows.zIndex[0] = Self.zIndex }
  }

  private func pinnedHeader(_ section: Section, _ visible: Extent) -> Double {
    // The next section pushes it off.
    min(max(visible.start, section.header.start), section.footer.start - section.header.length)
  }

  private func pinnedFooter(_ section: Section, _ visible: Extent) -> Double {
    max(
      min(visible.start + visible.length - section.footer.length, section.footer.start),
      section.headerEnd)
  }

  /// The range of the header and footer at all scroll offsets.
  private func span(of section: Section) -> (start: Double, end: Double) {
    let last = section.footer.start - section.header.length
    return (
      min(section.header.start, last, section.footer.start),
      max(
        section.headerEnd, section.footer.start, section.footer.start + section.footer.length,
        section.headerEnd + section.footer.length)
    )
  }

  private mutating func findSpans() {
    reach = []
    onset = Array(repeating: .infinity, count: sections.count)
    var (least, greatest) = (Double.infinity, -Double.infinity)
    for section in sections.indices.reversed() {
      least = min(least, span(of: sections[section]).start)
      onset[section] = least
    }
    for section in sections {
      greatest = max(greatest, span(of: section).end)
      reach.append(greatest)
    }
  }

  private func along(_ rect: Rect) -> Extent { (rect.origin[axis], rect.size[axis]) }

  private func visiblePart(_ input: Input) -> Extent {
    let (viewport, insets) = (along(input.viewport), input.contentInsets[axis])
    // If insets exceed the bounds, the length is negative, but the end is right.
    return (viewport.start + insets.start, viewport.length - insets.start - insets.end)
  }
}
