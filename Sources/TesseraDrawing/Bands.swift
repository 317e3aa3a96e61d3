import TesseraGeometry
import TesseraHost

// Sections that scroll across the others are bands on a page.
extension Picture {
  /// The rect of each band, from the content's leading edge to the section's end.
  public var bands: [Int: Rect] {
    let width = contentSize.width
    guard !swipes.isEmpty, width <= viewport.width + 0.5, elements.allSatisfy({ $0.frame.isFinite })
    else { return [:] }
    var bands: [Int: Rect] = [:]
    for element in elements where !element.isHidden && scrolls(element.identity) {
      let section = element.identity.section
      guard swipes[section] != nil else { continue }
      let frame = element.frame.offset(by: Point(x: scrolled(section), y: 0))
      bands[section, default: frame].formUnion(frame)
    }
    for element in elements where element.identity.category != .decoration && !element.isHidden {
      for (section, band) in bands where section != element.identity.section {
        if element.frame.minY < band.maxY - 0.5, element.frame.maxY > band.minY + 0.5 {
          bands[section] = nil
        }
      }
    }
    return bands.mapValues { band in
      // The end is as far from the edge as the start.
      let isReversed = direction == .rightToLeft
      let lead = max(0, isReversed ? width - band.maxX : band.minX)
      let start = isReversed ? min(0, band.minX - lead) : 0
      let end = isReversed ? width : max(width, band.maxX + lead)
      return Rect(x: start, y: band.minY, width: end - start, height: band.height)
    }
  }

  private func scrolled(_ section: Int) -> Double {
    let start = isSwiped ? swipes[section]?.start ?? 0 : 0
    return direction == .rightToLeft ? -start : start
  }

  /// Section, rect, scroll offset, CSS style and the alignment of cells; and the kinds in bands.
  func bandData(_ drawnElements: DrawnElements) -> Markup {
    let bands = extent == .content ? bands : [:]
    let rows = bands.sorted { $0.key < $1.key }.map { section, band -> Markup in
      let stops = swipes[section]?.stops != "continuous"
      return """
        {"section": \(section), "rect": \(json: band), "scrolled": \(scrolled(section)), \
        "style": \(json: snapping(of: section, band).text), \
        "stops": \(stops ? "\(json: alignment(of: section).text)" : "null" as Markup)}
        """
    }
    let kinds = drawnElements.kinds.enumerated().filter { _, kind in
      scrolls(ElementIdentity(category: kind.category, kind: kind.name, section: 0, item: 0))
    }.map { index, _ -> Markup in "\(index)" }
    return "\"bands\": \(list: rows), \"scrolling\": \(list: kinds),\n"
  }

  /// Whether an element is a cell of its section, or scrolls with them.
  public func scrolls(_ identity: ElementIdentity) -> Bool {
    identity.category == .cell || [.badge, .separator].contains(role(of: identity))
  }

  /// The declared role of a kind.
  public func role(of identity: ElementIdentity) -> KindDescription.Role {
    guard let kind = identity.kind else { return .other }
    return kinds.first { $0.name == kind }?.role ?? .other
  }

  /// Whether an element is in the band of its section.
  public func isInside(_ band: Rect?, _ element: Element) -> Bool {
    guard let band else { return false }
    return scrolls(element.identity)
      || element.identity.category != .decoration && element.frame.minY >= band.minY - 0.5
        && element.frame.maxY <= band.maxY + 0.5
  }

  /// The scroll snapping of a band, as CSS.
  public func snapping(of section: Int, _ band: Rect) -> Markup {
    let kind = swipes[section]?.stops ?? ""
    let start = max(0, swipes[section]?.start ?? 0)
    let position: Markup = start > 0 ? "--start: \(exact: start / max(1, band.width)); " : ""
    guard kind != "continuous" else { return position }
    let cells = elements.filter { $0.identity.category == .cell && $0.identity.section == section }
    let lead =
      direction == .rightToLeft
      ? band.maxX - (cells.map(\.frame.maxX).max() ?? 0) - scrolled(section)
      : (cells.map(\.frame.minX).min() ?? 0) - band.minX + scrolled(section)
    let part = max(0, lead) / max(1, contentSize.width) * 100
    return """
      \(position)scroll-snap-type: x \(kind == "continuousGroupLeadingBoundary" ? "proximity" : "mandatory"); \
      scroll-padding-inline: \(part)%
      """
  }

  /// The snap alignment of a band's cells, as CSS.
  public func alignment(of section: Int) -> Markup {
    swipes[section]?.stops == "groupPagingCentered" ? "center" : "start"
  }
}
