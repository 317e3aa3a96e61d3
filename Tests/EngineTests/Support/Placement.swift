import TesseraHost
import Testing

/// Reference rules of an engine, followed literally.
protocol EngineRules {
  func place() -> Placement
  func apply(to session: Session) throws
}

func check(_ rules: some EngineRules, _ session: Session) throws {
  try rules.apply(to: session)
  try rules.place().check(session, rules)
}

struct Placement {
  struct Entry {
    let identity: ElementIdentity
    let frame: Rect
    /// Pixels per point for rounding origins, half up; nil: unrounded.
    var scale: Double?
  }

  var contentSize = Size.zero
  var entries: [Entry] = []

  mutating func addCell(_ section: Int, _ item: Int, _ frame: Rect, scale: Double? = nil) {
    let identity = ElementIdentity.cell(section: section, item: item)
    entries.append(Entry(identity: identity, frame: frame, scale: scale))
  }

  mutating func add(
    _ category: ElementCategory, _ kind: String, _ section: Int, _ item: Int, _ frame: Rect
  ) {
    let identity = ElementIdentity(category: category, kind: kind, section: section, item: item)
    entries.append(Entry(identity: identity, frame: frame))
  }

  struct Deviation: Error, CustomStringConvertible {
    let description: String

    init(_ rule: Any, _ found: Any) { description = "\(rule): \(found)" }
  }

  /// Throws at the first deviation: there are thousands of layouts.
  func check(_ session: Session, _ rules: @autoclosure () -> Any) throws {
    let differences = try differences(from: session)
    guard differences.isEmpty else {
      throw Deviation(rules(), differences.joined(separator: "; "))
    }
  }

  /// Differences from the session's layout, a few lines at most.
  ///
  /// Tolerates 1e-9, since sums may be added in another order, and either rounding near half a
  /// pixel.
  func differences(from session: Session) throws -> [String] {
    let elements = try session.elements()
    let content = try session.contentSize()
    var result: [String] = []
    if !near(content.width, contentSize.width) || !near(content.height, contentSize.height) {
      result.append("content size \(content), by the rules \(contentSize)")
    }
    if elements.count != entries.count {
      result.append("\(elements.count) elements, by the rules \(entries.count)")
    }
    var expected: [ElementIdentity: Entry] = [:]
    for entry in entries { expected[entry.identity] = entry }
    for element in elements where result.count < 5 {
      guard let entry = expected.removeValue(forKey: element.identity) else {
        result.append("\(element.identity) has no place by the rules, or was there before")
        continue
      }
      if !entry.isMet(by: element.frame) {
        result.append("\(element.identity) at \(element.frame), by the rules \(entry)")
      }
    }
    return result
  }

  var transposed: Placement {
    Placement(
      contentSize: contentSize.transposed,
      entries: entries.map {
        Entry(identity: $0.identity, frame: $0.frame.transposed, scale: $0.scale)
      })
  }
}

extension Placement.Entry {
  fileprivate func isMet(by found: Rect) -> Bool {
    isMet(frame.x, by: found.x) && isMet(frame.y, by: found.y)
      && near(frame.width, found.width) && near(frame.height, found.height)
  }

  private func isMet(_ length: Double, by found: Double) -> Bool {
    guard let scale else { return near(length, found) }
    let slack = 1e-9 * max(1, length.magnitude)
    return [length - slack, length + slack].contains {
      near((($0 * scale + 0.5).rounded(.down)) / scale, found)
    }
  }
}

private func near(_ left: Double, _ right: Double) -> Bool {
  (left - right).magnitude <= 1e-9 * max(1, left.magnitude)
}

extension Size {
  var transposed: Size { Size(width: height, height: width) }
}

extension Rect {
  var transposed: Rect { Rect(x: y, y: x, width: height, height: width) }
}

extension Insets {
  var transposed: Insets { Insets(top: left, left: top, bottom: right, right: bottom) }
}

extension Placement {
  /// Sections below one another: full-width header, top inset, items, bottom inset, footer.
  ///
  /// - Parameter frames: Places a section's items from y on.
  init(
    stacking sections: [(header: Double, inset: Insets, footer: Double)], in extent: Double,
    frames: (_ section: Int, _ y: Double) -> [Rect]
  ) {
    self.init()
    contentSize.width = extent
    var y = 0.0
    for (number, section) in sections.enumerated() {
      func addBar(_ kind: String, _ height: Double) {
        guard height > 0 else { return }
        add(.supplementary, kind, number, 0, Rect(x: 0, y: y, width: extent, height: height))
        y += height
      }
      addBar("header", section.header)
      y += section.inset.top
      for (item, frame) in frames(number, y).enumerated() {
        addCell(number, item, frame)
        y = max(y, frame.maxY)
        if frame.maxX > extent + 1e-6 { contentSize.width = max(contentSize.width, frame.maxX) }
      }
      y += section.inset.bottom
      addBar("footer", section.footer)
    }
    contentSize.height = y
  }
}

extension Session {
  func set(_ parameters: KeyValuePairs<String, Value>) throws {
    for (name, value) in parameters { try setParameter(name, to: value) }
  }

  /// Sets what sections below one another have, with headers and footers by their heights.
  func set(_ sections: [(header: Double, inset: Insets, footer: Double)]) throws {
    func sizes(_ heights: [Double]) -> ValueColumn {
      .sizes(heights.map { Size(width: 0, height: $0) })
    }
    try setSectionValues("sectionInset", .insets(sections.map(\.inset)))
    try setSectionValues("headerReferenceSize", sizes(sections.map(\.header)))
    try setSectionValues("footerReferenceSize", sizes(sections.map(\.footer)))
  }

  /// Expects the engine to refuse the layout, in a sentence with all these parts.
  func expectRefusal(
    _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: HostError.self, sourceLocation: sourceLocation) { try elements() }
    #expect(error?.kind == .refused, sourceLocation: sourceLocation)
    for part in parts {
      let isIn = error?.message.contains(part) == true
      #expect(isIn, "\(part): \(error as Any)", sourceLocation: sourceLocation)
    }
  }
}

func cells(inSections counts: [Int]) -> [ElementIdentity] {
  counts.enumerated().flatMap { section, count in
    (0..<count).map { ElementIdentity.cell(section: section, item: $0) }
  }
}
