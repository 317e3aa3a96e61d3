import TesseraGeometry

/// How headers and footers stick, as it is written down, for vertical scrolling.
struct PinningRule {
  /// Where a section's header and footer lie in content that is not scrolled.
  struct Section {
    var start, headerLength, footerStart, footerLength: Double
  }

  var sections: [Section]
  var sticksHeaders = true
  var sticksFooters = true
  /// The part of the content between the content insets.
  var visibleStart = 0.0
  var visibleEnd = 0.0

  func header(of section: Int) -> Double {
    let place = sections[section]
    guard sticksHeaders else { return place.start }
    return min(max(visibleStart, place.start), place.footerStart - place.headerLength)
  }

  func footer(of section: Int) -> Double {
    let place = sections[section]
    guard sticksFooters else { return place.footerStart }
    return max(
      min(visibleEnd - place.footerLength, place.footerStart), place.start + place.headerLength)
  }
}

extension FlowRules {
  /// Where the sections lie, found by laying out one more at a time; vertical, and no spacing or
  /// inset leads back.
  var extents: [PinningRule.Section] {
    sections.enumerated().map { number, section in
      func end(_ count: Int) -> Double {
        var rules = self
        rules.isHorizontal = false
        rules.sections = Array(sections.prefix(count))
        return rules.place().contentSize.height
      }
      return PinningRule.Section(
        start: end(number), headerLength: section.header.height,
        footerStart: end(number + 1) - section.footer.height, footerLength: section.footer.height)
    }
  }
}
