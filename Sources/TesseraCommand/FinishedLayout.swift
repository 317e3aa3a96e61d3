import TesseraDrawing
import TesseraHost
import TesseraScenario

/// A layout ready to be printed or drawn.
public struct FinishedLayout<Content: RandomAccessCollection>
where Content.Element == Element, Content.Index == Int {
  /// The engine's name for pictures, and its id for data.
  public let engine: (name: String, id: String)
  /// The input.
  public let scenario: Scenario
  /// The bounds at the scroll offset.
  public let viewport: Rect
  /// Limits the elements; nil for all.
  public let rect: Rect?
  /// The size of the content.
  public let contentSize: Size
  /// The elements in listing order.
  public var elements: Content
  /// The attributes of all engines.
  public let attributes: [AttributeDescription]
  /// The kinds of all engines.
  public var kinds: [KindDescription] = []
  /// The built-in columns of a table.
  public let columns: BuiltInColumns
  /// The set parameters.
  public var parameters: [String: Value] = [:]
  /// Labels from a file.
  public var labels: [ElementIdentity: String] = [:]
  /// Sections that scroll across the others, by number.
  public var swipes: Swipes = [:]

  /// Creates a layout without parameters, labels and swipes.
  public init(
    engine: (name: String, id: String), scenario: Scenario, viewport: Rect, rect: Rect?,
    contentSize: Size, elements: Content, attributes: [AttributeDescription],
    kinds: [KindDescription] = [], columns: BuiltInColumns
  ) {
    (self.engine, self.scenario) = (engine, scenario)
    (self.viewport, self.rect, self.contentSize) = (viewport, rect, contentSize)
    (self.elements, self.attributes) = (elements, attributes)
    (self.kinds, self.columns) = (kinds, columns)
  }
}

extension FinishedLayout: LayoutOutput {
  /// Such as "a layout of 74 elements, 1000 × 700".
  public var summary: String {
    "a layout of \(counted(elements.count, "element")), "
      + "\(contentSize.width.readableText) × \(contentSize.height.readableText)"
  }

  /// Pixels per point.
  public var scale: Double { scenario.viewport.scale }

  /// Writes a wireframe.
  public func writeSVG(to output: BufferedOutput, _ style: DrawingStyle) throws {
    var picture = picture
    picture.style = style
    _ = try picture.shownSize()
    try picture.writeSVG { bytes throws in try output.write(bytes) }
  }

  /// Writes a page with a wireframe.
  public func writeHTML(to output: BufferedOutput) throws {
    _ = try picture.shownSize()
    try picture.writeHTML { bytes throws in try output.write(bytes) }
  }

  /// Writes the elements as data.
  public func write(as format: LayoutWriter.Format, to output: BufferedOutput) throws {
    var writer = LayoutWriter(engine: engine.id, contentSize: contentSize, attributes: attributes)
    writer.bounds = scenario.viewport.bounds
    writer.parameters = parameters
    writer.texts = scenario.cellTexts
    if !labels.isEmpty {
      writer.texts.removeAll { $0.name == "label" }
      writer.texts.append(("label", { labels[.cell(section: $0, item: $1)] }))
    }
    writer.label = title
    try writer.write(elements, as: format) { bytes in
      try bytes.withUnsafeBytes { try output.write($0) }
    }
  }
}

extension FinishedLayout {
  /// Writes the elements as a table, truncated on a terminal.
  public func writeTable(to output: BufferedOutput) throws {
    try output.write(
      "\(engine.id)  content \(contentSize.width.readableText) × "
        + "\(contentSize.height.readableText)  \(counted(elements.count, "element"))\n")
    guard !elements.isEmpty else { return }
    let table = table
    try TextTable(table.map(\.column), rowCount: elements.count) { row in
      let element = elements[row]
      return table.map { $0.text(element) }
    }.writeStart(to: output)
  }

  private var table: [(column: TextTable.Column, text: (Element) -> String)] {
    func number(
      _ title: String, _ text: @escaping (Element) -> String
    ) -> (column: TextTable.Column, text: (Element) -> String) {
      (.init(title, isNumeric: true), text)
    }
    var table = [
      (TextTable.Column("ELEMENT"), { $0.identity.kind ?? $0.identity.category.name }),
      number("SECTION") { "\($0.identity.section)" }, number("ITEM") { "\($0.identity.item)" },
      number("X", \.frame.x.readableText), number("Y", \.frame.y.readableText),
      number("WIDTH", \.frame.width.readableText), number("HEIGHT", \.frame.height.readableText),
    ]
    if columns.contains(.zIndex) { table.append(number("Z") { "\($0.zIndex)" }) }
    if columns.contains(.alpha) { table.append(number("ALPHA", \.alpha.readableText)) }
    if columns.contains(.hidden) {
      table.append((.init("HIDDEN"), { $0.isHidden ? "hidden" : "" }))
    }
    if columns.contains(.transform) {
      table.append((.init("TRANSFORM"), { $0.transform == .identity ? "" : "transformed" }))
    }
    return table
      + attributes.enumerated().map { index, attribute in
        (.init(attribute.name), { $0.attributes[index].readableText })
      }
  }
}

extension FinishedLayout {
  /// The text of an element with a kind: a header's section, or an attribute's value.
  public var title: ((Element) -> String?)? {
    let names = attributes.map(\.name)
    let shown = kinds.reduce(into: [String: Int]()) { shown, kind in
      shown[kind.name] = kind.shows.flatMap { names.firstIndex(of: $0) }
    }
    let sections = scenario.sectionLabels
    let headers = Set(kinds.filter { $0.role == .header }.map(\.name))
    let hasNames = !headers.isEmpty && sections.contains { $0 != nil }
    guard !shown.isEmpty || hasNames || !labels.isEmpty else { return nil }
    let namedSection = hasNames ? namedSection(headers, shown) : { _ in nil }
    return { [attributes, labels] element in
      let identity = element.identity
      if let label = labels[identity] { return label }
      guard let kind = identity.kind else { return nil }
      if let section = namedSection(element), sections.indices.contains(section),
        let name = sections[section]
      {
        return name
      }
      return shown[kind].map { attributes[$0].text(of: element.attributes[$0]) }
    }
  }

  /// The section whose name a header shows; nil for other elements.
  ///
  /// Headers with different attributes stand for parts of a section; others repeat its name, except
  /// a header of another size above the cells, such as a button beside the title.
  private func namedSection(_ headers: Set<String>, _ shown: [String: Int]) -> (Element) -> Int? {
    var groups: [String: [Int: (first: Element, isAlike: Bool)]] = [:]
    for element in elements where element.identity.category == .supplementary {
      let identity = element.identity
      guard let kind = identity.kind, headers.contains(kind) else { continue }
      guard let group = groups[kind, default: [:]][identity.section] else {
        groups[kind, default: [:]][identity.section] = (element, true)
        continue
      }
      let isSame =
        shown[kind].map { element.attributes[$0] == group.first.attributes[$0] }
        ?? (element.frame.size == group.first.frame.size)
      if !isSame { groups[kind]?[identity.section]?.isAlike = false }
    }
    // Only needed if headers without attributes differ in size.
    var tops: [Int: Double] = [:]
    let isMixed = groups.contains { kind, sections in
      shown[kind] == nil && sections.contains { !$1.isAlike }
    }
    if isMixed {
      for element in elements where element.identity.category == .cell {
        let section = element.identity.section
        tops[section] = min(tops[section] ?? .infinity, element.frame.maxY)
      }
    }
    // In a table of dates, days are sections, even if one section has all headers.
    var hasDates = false
    if case .table(let table) = scenario.content { hasDates = table.hasDates }
    return { [attributes] element in
      let identity = element.identity
      guard let kind = identity.kind, let sections = groups[kind],
        let group = sections[identity.section]
      else { return nil }
      if let index = shown[kind] {
        if group.isAlike { return identity.section }
        return hasDates && sections.count == 1 && attributes[index].unit == "d"
          ? element.attributes[index].numbers.first.flatMap { Int(exactly: $0) } : nil
      }
      let isRepeated =
        group.isAlike || element.identity == group.first.identity
        || element.frame.size == group.first.frame.size
        || element.frame.minY >= tops[identity.section] ?? .infinity
      return isRepeated ? identity.section : nil
    }
  }

  /// The layout as a wireframe.
  public var picture: Picture<Content> {
    var picture = Picture(
      engineName: engine.name, engineID: engine.id, contentSize: contentSize, viewport: viewport,
      elements: elements)
    picture.attributeNames = attributes.map(\.name)
    picture.contentInsets = scenario.viewport.contentInsets
    picture.scale = scenario.viewport.scale
    picture.direction = scenario.viewport.direction
    if let rect { picture.extent = rect == viewport ? .viewport : .rect(rect) }
    picture.label = scenario.text(of: "label")
    if !labels.isEmpty { picture.label = { [labels] in labels[.cell(section: $0, item: $1)] } }
    picture.kinds = kinds
    picture.title = title
    picture.swipes = swipes
    return picture
  }
}

extension Scenario {
  fileprivate var cellTexts: [(name: String, text: (_ section: Int, _ item: Int) -> String?)] {
    ItemTable.textColumns.compactMap { column in text(of: column).map { (column, $0) } }
  }
}

extension Engine {
  /// The name and id.
  public var names: (name: String, id: String) { (description.name, description.id) }
}

extension EngineOptions {
  /// Lays out, as `run`.
  public func layout(
    _ engine: Engine, _ scenario: Scenario, visible: Bool = false, trace: Bool = false,
    record: String? = nil
  ) throws -> FinishedLayout<Elements> {
    try run(engine, scenario, trace: trace, record: record) { (driver) throws(HostError) in
      guard
        case .elements(let elements) = try driver.ask(
          visible ? .visibleElements : .elements(in: scenario.rect)),
        case .value(let size) = try driver.ask(.contentSize)
      else { preconditionFailure("a call has an answer of its kind") }
      // Measuring items may have moved the viewport.
      let viewport = driver.session.visibleRect
      var layout = FinishedLayout(
        engine: engine.names, scenario: scenario, viewport: viewport,
        rect: visible ? viewport : scenario.rect, contentSize: Size(size) ?? .zero,
        elements: elements, attributes: elements.attributes, kinds: elements.kinds,
        columns: elements.columns)
      layout.parameters = driver.parameters
      return layout
    }
  }
}

extension LayoutDocument {
  /// The layout in a file, as if an engine had returned it.
  public func layout(
    of engine: Engine, _ scenario: Scenario, visible: Bool
  ) throws -> FinishedLayout<Elements> {
    try scenario.viewport.check()
    let viewport = Rect(origin: scenario.viewport.offset, size: scenario.viewport.bounds)
    let rect = visible ? viewport : scenario.rect
    let (size, elements, kinds) = try drawn(for: engine.chain, in: rect)
    var layout = FinishedLayout(
      engine: engine.names, scenario: scenario, viewport: viewport, rect: rect,
      contentSize: size, elements: elements, attributes: elements.attributes, kinds: kinds,
      columns: elements.columns)
    for entry in self.elements { layout.labels[entry.identity] = entry.label }
    return layout
  }
}

extension Value {
  /// Text with at most three decimals.
  public var readableText: String {
    let numbers = type.component == .double ? self.numbers : []
    return numbers.isEmpty
      ? description : numbers.map(\.readableText).joined(separator: ",")
  }
}

extension Scenario {
  /// Sections that scroll by the values `orthogonal` and `orthogonalOffset`.
  public func swipes(for chain: [EngineDescription]) -> Swipes {
    let values = chain.flatMap(\.sectionValues)
    guard values.contains(where: { $0.name == Self.scrolling }),
      let kind = values.first(where: { $0.name == "orthogonal" })
    else { return [:] }
    var swipes: Swipes = [:]
    for (index, section) in sections.enumerated() {
      let node =
        sectionValues[kind.name] ?? section.values[kind.name]
        ?? kind.fallback.flatMap { parameters[$0] }
      if case .text(let name)? = node?.value, name != kind.choices.first {
        swipes[index] = (name, 0)
      }
    }
    return swipes
  }

  /// Makes a tree from a table of paths if the engine takes parents; returns whether it did.
  public mutating func makeTree(for chain: [EngineDescription]) throws(HostError) -> Bool {
    guard case .table(let table) = content,
      chain.contains(where: { $0.itemValues.contains { $0.name == "parent" } }),
      let tree = try table.tree()
    else { return false }
    content = .table(tree)
    return true
  }

  /// The initial offsets from `orthogonalOffset`.
  public func started(
    _ swipes: Swipes, for chain: [EngineDescription]
  ) throws(HostError) -> Swipes {
    guard !swipes.isEmpty else { return swipes }
    let input = try resolved(for: chain).input
    var result = swipes
    for section in swipes.keys {
      let value = input.sectionValues[Self.scrolling]?[section] ?? input.parameters[Self.scrolling]
      result[section]?.start = value?.numbers.first ?? 0
    }
    return result
  }

  /// Without the offsets of swipes, which a page sets itself.
  public var unscrolled: Scenario {
    var scenario = self
    scenario.sectionValues[Self.scrolling] = JSONNode(.number(0), source: Self.scrolling)
    return scenario
  }

  private static let scrolling = "orthogonalOffset"
}

extension FinishedLayout {
  /// How far sections are scrolled: the distance of cells from their place in an unscrolled layout.
  public func starts(of swipes: Swipes, from unscrolled: FinishedLayout) -> Swipes {
    var result = swipes.mapValues { (stops: $0.stops, start: 0.0) }
    var places: [ElementIdentity: Double] = [:]
    for element in unscrolled.elements where swipes[element.identity.section] != nil {
      places[element.identity] = element.frame.x
    }
    for element in elements where element.identity.category == .cell {
      guard let place = places[element.identity] else { continue }
      let section = element.identity.section
      let start = result[section]?.start ?? 0
      result[section]?.start = max(start, abs(element.frame.x - place))
    }
    return result
  }
}
