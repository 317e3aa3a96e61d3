/// Writes a layout as text in chunks; numbers read back as the same doubles.
public struct LayoutWriter {
  /// A format.
  public enum Format: String, CaseIterable, Sendable {
    /// An object with `engine`, `contentSize` and `elements`, one element per line.
    case json
    /// A line with `engine` and `contentSize`, then a line per element.
    case ndjson
    /// A header line, then a line per element.
    case csv
    /// `csv` with an apostrophe before texts that a spreadsheet would take for formulas.
    case spreadsheet
  }

  let engine: String
  let contentSize: Size
  let attributes: [AttributeDescription]
  /// The bounds; nil to omit them.
  public var bounds: Size?
  /// The set parameters, by name.
  public var parameters: [String: Value] = [:]
  /// Texts of cells, in the last columns of `csv`.
  public var texts: [(name: String, text: (_ section: Int, _ item: Int) -> String?)] = []

  /// Labels of elements other than cells.
  public var label: ((Element) -> String?)?

  /// Creates a writer; the attributes are in the order of each element's values.
  public init(engine: String, contentSize: Size, attributes: [AttributeDescription]) {
    (self.engine, self.contentSize, self.attributes) = (engine, contentSize, attributes)
  }

  /// Calls `sink` with UTF-8 chunks of about 64 KiB; O(k) in elements.
  public func write(
    _ elements: some Collection<Element>, as format: Format, to sink: ([UInt8]) throws -> Void
  ) rethrows {
    switch format {
    case .json: try writeJSON(elements, to: sink)
    case .ndjson: try writeLines(elements, to: sink)
    case .csv, .spreadsheet:
      try writeCSV(elements, isSpreadsheet: format == .spreadsheet, to: sink)
    }
  }
}

extension LayoutWriter {
  func writeJSON(
    _ elements: some Collection<Element>, to sink: ([UInt8]) throws -> Void
  ) rethrows {
    var output = TextBuffer()
    appendHead(to: &output)
    output.append(",\"elements\":[" as StaticString)
    var isFirst = true
    try append(elements, to: &output) { (output) in
      output.append(isFirst ? "\n" as StaticString : ",\n" as StaticString)
      isFirst = false
    } after: { (output) in
      try output.flush(to: sink)
    }
    output.append(isFirst ? "]}\n" as StaticString : "\n]}\n" as StaticString)
    try output.flush(to: sink, whole: true)
  }

  func writeLines(
    _ elements: some Collection<Element>, to sink: ([UInt8]) throws -> Void
  ) rethrows {
    var output = TextBuffer()
    appendHead(to: &output)
    output.append("}\n" as StaticString)
    try append(elements, to: &output) { _ in
    } after: { (output) in
      output.append(UInt8(ascii: "\n"))
      try output.flush(to: sink)
    }
    try output.flush(to: sink, whole: true)
  }

  @inline(__always)
  private func append(
    _ elements: some Collection<Element>, to output: inout TextBuffer,
    before: (inout TextBuffer) -> Void, after: (inout TextBuffer) throws -> Void
  ) rethrows {
    guard let plain = elements as? Elements, plain.attributes.isEmpty, texts.isEmpty,
      label == nil, !plain.columns.contains(.transform)
    else {
      for element in elements {
        before(&output)
        append(element, to: &output)
        try after(&output)
      }
      return
    }
    // Column by column, without making elements.
    let memory = plain.memory
    for place in plain.indices {
      before(&output)
      output.append(UInt8(ascii: "{"))
      output.appendMembers(of: plain.identity(at: place))
      output.append(UInt8(ascii: ","))
      output.appendMembers(
        plain.frame(at: place), zIndex: memory.zIndexes.map { Int($0[place]) } ?? 0,
        alpha: memory.alphas?[place] ?? 1, isHidden: memory.hidden?[place] == 1)
      output.append(UInt8(ascii: "}"))
      try after(&output)
    }
  }

  private func append(_ element: Element, to output: inout TextBuffer) {
    output.append(element, attributes: attributes)
    let isCell = element.identity.category == .cell
    let own = isCell ? nil : label?(element)
    guard own != nil || isCell && !texts.isEmpty else { return }
    output.removeLast()
    func append(_ name: String, _ text: String?) {
      guard let text else { return }
      output.append(UInt8(ascii: ","))
      output.append(json: name)
      output.append(UInt8(ascii: ":"))
      output.append(json: text)
    }
    if isCell {
      for column in texts { append(column.name, element.identity.text(column.text)) }
    } else {
      append("label", own)
    }
    output.append(UInt8(ascii: "}"))
  }

  private func appendHead(to output: inout TextBuffer) {
    output.append("{\"engine\":" as StaticString)
    output.append(json: engine)
    output.append(",\"contentSize\":" as StaticString)
    output.append(list: [contentSize.width, contentSize.height])
    if let bounds {
      output.append(",\"bounds\":" as StaticString)
      output.append(list: [bounds.width, bounds.height])
    }
    guard !parameters.isEmpty else { return }
    output.append(",\"parameters\":" as StaticString)
    let values = parameters.sorted { $0.key < $1.key }
    output.append(.object(values.map { ($0.key, JSON($0.value)) }))
  }
}

extension LayoutWriter {
  private static let columns: StaticString =
    "category,kind,section,item,x,y,width,height,zIndex,alpha,hidden"

  /// Columns `contentRect.x`… for vectors, `transform3D.m11`… if needed, then the texts.
  func writeCSV(
    _ elements: some Collection<Element>, isSpreadsheet: Bool = false,
    to sink: ([UInt8]) throws -> Void
  ) rethrows {
    func cell(_ text: String) -> String {
      isSpreadsheet && text.utf8.first.map("=+-@\t\r".utf8.contains) == true ? "'\(text)" : text
    }
    let canBeTransformed = (elements as? Elements)?.columns.contains(.transform) ?? true
    let isTransformed = canBeTransformed && elements.contains { $0.transform != .identity }
    var output = TextBuffer()
    output.append(Self.columns)
    for attribute in attributes {
      let components = attribute.type.components
      for suffix in components.isEmpty ? [""] : components.map({ ".\($0)" }) {
        output.append(UInt8(ascii: ","))
        output.append(csv: attribute.name + suffix)
      }
    }
    if isTransformed {
      for row in 1...4 { for column in 1...4 { output.append(",transform3D.m\(row)\(column)") } }
    }
    for column in texts {
      output.append(UInt8(ascii: ","))
      output.append(csv: cell(column.name))
    }
    output.append(UInt8(ascii: "\n"))
    if let plain = elements as? Elements, plain.attributes.isEmpty, !isTransformed, texts.isEmpty {
      // Column by column, without making elements.
      let memory = plain.memory
      for place in plain.indices {
        append(plain.identity(at: place), plain.frame(at: place), to: &output)
        append(
          zIndex: memory.zIndexes.map { Int($0[place]) } ?? 0, alpha: memory.alphas?[place] ?? 1,
          isHidden: memory.hidden?[place] == 1, to: &output)
        output.append(UInt8(ascii: "\n"))
        try output.flush(to: sink)
      }
    } else {
      for element in elements {
        append(element, isTransformed: isTransformed, cell: cell, to: &output)
        try output.flush(to: sink)
      }
    }
    try output.flush(to: sink, whole: true)
  }

  private func append(
    _ element: Element, isTransformed: Bool, cell: (String) -> String, to output: inout TextBuffer
  ) {
    append(element.identity, element.frame, to: &output)
    append(zIndex: element.zIndex, alpha: element.alpha, isHidden: element.isHidden, to: &output)
    for value in element.attributes {
      switch value {
      case .number, .vector: append(value.numbers, to: &output)
      default:
        output.append(UInt8(ascii: ","))
        output.append(csv: value.description)
      }
    }
    if isTransformed { append(element.transform.elements, to: &output) }
    for column in texts {
      output.append(UInt8(ascii: ","))
      let own = column.name == "label" ? label?(element) : nil
      output.append(csv: cell(element.identity.text(column.text) ?? own ?? ""))
    }
    output.append(UInt8(ascii: "\n"))
  }

  private func append(
    zIndex: Int, alpha: Double, isHidden: Bool, to output: inout TextBuffer
  ) {
    guard zIndex != 0 || alpha != 1 || isHidden else {
      return output.append(",0,1,false" as StaticString)
    }
    output.append(UInt8(ascii: ","))
    output.append(Int64(zIndex))
    output.append(UInt8(ascii: ","))
    output.append(alpha)
    output.append(UInt8(ascii: ","))
    output.append(isHidden)
  }

  private func append(_ identity: ElementIdentity, _ frame: Rect, to output: inout TextBuffer) {
    output.append(identity.category)
    output.append(UInt8(ascii: ","))
    if let kind = identity.kind { output.append(csv: kind) }
    output.append(UInt8(ascii: ","))
    output.append(Int64(identity.section))
    output.append(UInt8(ascii: ","))
    output.append(Int64(identity.item))
    output.append(UInt8(ascii: ","))
    output.append(frame)
  }

  private func append(_ numbers: [Double], to output: inout TextBuffer) {
    for number in numbers {
      output.append(UInt8(ascii: ","))
      output.append(number)
    }
  }
}

extension ElementIdentity {
  fileprivate func text(_ text: (_ section: Int, _ item: Int) -> String?) -> String? {
    category == .cell ? text(section, item) : nil
  }
}
