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
        placement.entries.append(
          Placement.Entry(
            identity: ElementIdentity(
              category: .supplementary, kind: kind, section: number, item: 0),
            frame: Rect(x: 0, y: main, width: cross, height: length)))
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
          placement.entries.append(
            Placement.Entry(
              identity: .cell(section: number, item: first + place),
              frame: Rect(x: x, y: y, width: size.width, height: size.height), scale: scale))
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
    session.bounds = bounds
    session.contentInsets = contentInsets
    session.safeAreaInsets = safeArea
    session.layoutMargins = layoutMargins
    session.scale = scale
    try session.setParameter(
      "scrollDirection", to: .choice(isHorizontal ? "horizontal" : "vertical"))
    try session.setParameter("sectionInsetReference", to: .choice(reference))
    try session.setSections(sections.map(\.sizes.count))
    let sizes = sections.flatMap(\.sizes)
    if let size = sizes.first, asParameters, sizes.allSatisfy({ $0 == size }) {
      try session.setParameter("itemSize", to: .size(size))
    } else {
      try session.setItemValues("size", .sizes(sizes))
    }
    if asParameters, let first = sections.first {
      try session.setParameter("sectionInset", to: .insets(first.inset))
      try session.setParameter("minimumLineSpacing", to: .number(first.lineSpacing))
      try session.setParameter("minimumInteritemSpacing", to: .number(first.interitemSpacing))
      try session.setParameter("headerReferenceSize", to: .size(first.header))
      try session.setParameter("footerReferenceSize", to: .size(first.footer))
    } else {
      try session.setSectionValues("sectionInset", .insets(sections.map(\.inset)))
      try session.setSectionValues("minimumLineSpacing", .numbers(sections.map(\.lineSpacing)))
      try session.setSectionValues(
        "minimumInteritemSpacing", .numbers(sections.map(\.interitemSpacing)))
      try session.setSectionValues("headerReferenceSize", .sizes(sections.map(\.header)))
      try session.setSectionValues("footerReferenceSize", .sizes(sections.map(\.footer)))
    }
  }
}
