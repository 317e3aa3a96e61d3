import TesseraHost

/// For vertical scrolling; horizontal swaps x and y.
struct FlowRules {
  struct Section {
    var inset = Insets.zero
    var lineSpacing = 10.0
    var interitemSpacing = 10.0
    var header = Size.zero
    var footer = Size.zero
    var sizes: [Size] = []
  }

  var bounds = Size(width: 100, height: 100)
  var contentInsets = Insets.zero
  var safeArea = Insets.zero
  var layoutMargins = Insets.zero
  var scale = 2.0
  var isHorizontal = false
  var reference = "contentInset"
  var sections: [Section] = []

  func place() -> Placement {
    guard !isHorizontal else { return transposed.place().transposed }
    let cross = max(0, bounds.width - contentInsets.left - contentInsets.right)
    let (left, right) = referenceInsets
    var placement = Placement()
    var main = 0.0
    var furthest = 0.0
    for (number, section) in sections.enumerated() {
      func add(_ kind: String, _ length: Double) {
        guard length > 0 else { return }
        placement.add(
          .supplementary, kind, number, 0, Rect(x: 0, y: main, width: cross, height: length))
        main += length
        furthest = max(furthest, main)
      }
      add("header", section.header.height)
      main += section.inset.top
      let available = cross - left - right - section.inset.left - section.inset.right
      var first = 0
      while first < section.sizes.count {
        let line = section.line(from: first, available)
        let thickness = line.map(\.height).max() ?? 0
        let (lead, gap) = section.spread(line, from: first, available)
        var x = left + section.inset.left + lead
        for (place, size) in line.enumerated() {
          let y = main + (thickness - size.height) / 2
          placement.addCell(
            number, first + place,
            Rect(x: x, y: y, width: size.width, height: size.height), scale: scale)
          x += size.width + gap
        }
        first += line.count
        main += thickness
        furthest = max(furthest, main)
        if first < section.sizes.count { main += section.lineSpacing }
      }
      main += section.inset.bottom
      add("footer", section.footer.height)
    }
    // Negative spacing and insets move back, but the content still contains all elements.
    placement.contentSize = Size(width: cross, height: max(main, furthest))
    return placement
  }

  private var referenceInsets: (left: Double, right: Double) {
    let edges: Insets
    switch reference {
    case "safeArea": edges = safeArea
    case "layoutMargins": edges = layoutMargins
    default: return (0, 0)
    }
    return (max(0, edges.left - contentInsets.left), max(0, edges.right - contentInsets.right))
  }

  var transposed: FlowRules {
    var result = self
    result.isHorizontal = false
    result.bounds = bounds.transposed
    result.contentInsets = contentInsets.transposed
    result.safeArea = safeArea.transposed
    result.layoutMargins = layoutMargins.transposed
    result.sections = sections.map { section in
      Section(
        inset: section.inset.transposed, lineSpacing: section.lineSpacing,
        interitemSpacing: section.interitemSpacing, header: section.header.transposed,
        footer: section.footer.transposed, sizes: section.sizes.map(\.transposed))
    }
    return result
  }
}

extension FlowRules.Section {
  /// Takes items as long as lengths and gaps fit, at least one.
  fileprivate func line(from first: Int, _ available: Double) -> [Size] {
    var line = [sizes[first]]
    for next in sizes[(first + 1)...] {
      let lengths = line.map(\.width).reduce(0, +) + next.width
      guard lengths + Double(line.count) * interitemSpacing <= available + 1e-6 else { break }
      line.append(next)
    }
    return line
  }

  fileprivate func spread(
    _ line: [Size], from first: Int, _ available: Double
  ) -> (lead: Double, gap: Double) {
    let length = line[0].width
    let total = line.map(\.width).reduce(0, +)
    let centred = (lead: (available - total) / 2, gap: 0.0)
    let count = Double(line.count)
    if first + line.count < sizes.count {
      return line.count == 1 ? centred : (0, (available - total) / (count - 1))
    }
    guard line.allSatisfy({ $0 == line[0] }) else { return (0, interitemSpacing) }
    var filled = count
    if length + interitemSpacing > 0 {
      let fitting = (available + 1e-6 + interitemSpacing) / (length + interitemSpacing)
      filled = max(count, fitting.rounded(.down))
    }
    return filled == 1 ? centred : (0, (available - filled * length) / (filled - 1))
  }
}

extension FlowRules {
  /// Sets up the session.
  ///
  /// `asParameters` sets the first section's values as the fallback parameters. Equal sizes are
  /// given as one.
  func apply(to session: Session, asParameters: Bool = false) throws {
    try session.set([
      "scrollDirection": .choice(isHorizontal ? "horizontal" : "vertical"),
      "sectionInsetReference": .choice(reference),
    ])
    guard asParameters, let first = sections.first else { return try applyValues(to: session) }
    try applyViewport(to: session)
    let sizes = sections.flatMap(\.sizes)
    if let size = sizes.first, sizes.allSatisfy({ $0 == size }) {
      try session.setParameter("itemSize", to: .size(size))
    } else {
      try session.setItemValues("size", .sizes(sizes))
    }
    try session.set([
      "sectionInset": .insets(first.inset), "minimumLineSpacing": .number(first.lineSpacing),
      "minimumInteritemSpacing": .number(first.interitemSpacing),
      "headerReferenceSize": .size(first.header), "footerReferenceSize": .size(first.footer),
    ])
  }

  /// Also for engines derived from flow.
  func applyValues(to session: Session) throws {
    try applyViewport(to: session)
    try session.setItemValues("size", .sizes(sections.flatMap(\.sizes)))
    for (name, column) in [
      ("sectionInset", ValueColumn.insets(sections.map(\.inset))),
      ("minimumLineSpacing", .numbers(sections.map(\.lineSpacing))),
      ("minimumInteritemSpacing", .numbers(sections.map(\.interitemSpacing))),
      ("headerReferenceSize", .sizes(sections.map(\.header))),
      ("footerReferenceSize", .sizes(sections.map(\.footer))),
    ] {
      try session.setSectionValues(name, column)
    }
  }

  private func applyViewport(to session: Session) throws {
    (session.bounds, session.scale) = (bounds, scale)
    session.contentInsets = contentInsets
    session.safeAreaInsets = safeArea
    session.layoutMargins = layoutMargins
    try session.setSections(sections.map(\.sizes.count))
  }
}
