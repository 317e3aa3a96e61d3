/// Writes a layout as text, piece by piece, so that the whole text is never in memory.
///
/// Numbers are written so that reading them gives the same doubles.
public struct LayoutWriter {
  /// The format of the text.
  public enum Format: String, CaseIterable, Sendable {
    /// One object with `engine`, `contentSize` and `elements`, one element per line.
    case json
    /// A line with `engine` and `contentSize`, then one line with an object for each element.
    case ndjson
    /// A header line, then a line for each element.
    case csv
  }

  let engine: String
  let contentSize: Size
  let attributes: [AttributeDescription]

  /// A writer for an engine's layout.
  ///
  /// The attributes are the engine's own, in the order in which elements have their values.
  public init(engine: String, contentSize: Size, attributes: [AttributeDescription]) {
    self.engine = engine
    self.contentSize = contentSize
    self.attributes = attributes
  }

  /// Writes elements in their order, calling `sink` with chunks of UTF-8 of about 64 KiB.
  ///
  /// Throws what the sink throws. O(k) in elements; memory for one chunk.
  public func write(
    _ elements: some Collection<Element>, as format: Format, to sink: ([UInt8]) throws -> Void
  ) rethrows {
    switch format {
    case .json: try writeJSON(elements, to: sink)
    case .ndjson: try writeLines(elements, to: sink)
    case .csv: try writeCSV(elements, to: sink)
    }
  }
}

extension LayoutWriter {
  func writeJSON(
    _ elements: some Collection<Element>, to sink: ([UInt8]) throws -> Void
  ) rethrows {
    var output = OutputBytes()
    appendHead(to: &output)
    output.append(",\"elements\":[" as StaticString)
    var isFirst = true
    for element in elements {
      output.append(isFirst ? "\n" as StaticString : ",\n" as StaticString)
      isFirst = false
      output.append(element, attributes: attributes)
      try output.flush(to: sink)
    }
    output.append(isFirst ? "]}\n" as StaticString : "\n]}\n" as StaticString)
    try output.flush(to: sink, atLeast: 1)
  }

  func writeLines(
    _ elements: some Collection<Element>, to sink: ([UInt8]) throws -> Void
  ) rethrows {
    var output = OutputBytes()
    appendHead(to: &output)
    output.append("}\n" as StaticString)
    for element in elements {
      output.append(element, attributes: attributes)
      output.append("\n" as StaticString)
      try output.flush(to: sink)
    }
    try output.flush(to: sink, atLeast: 1)
  }

  private func appendHead(to output: inout OutputBytes) {
    output.append("{\"engine\":" as StaticString)
    output.append(json: engine)
    output.append(",\"contentSize\":" as StaticString)
    output.append(list: [contentSize.width, contentSize.height])
  }
}

extension LayoutWriter {
  private static let columns: StaticString =
    "category,kind,section,item,x,y,width,height,zIndex,alpha,hidden"

  /// Writes a header line and a line for each element.
  ///
  /// A vector attribute has a column for each component, `contentRect.x`; sixteen columns
  /// `transform3D.m11` and so on follow if any element is transformed.
  func writeCSV(
    _ elements: some Collection<Element>, to sink: ([UInt8]) throws -> Void
  ) rethrows {
    let canBeTransformed = (elements as? Elements)?.columns.contains(.transform) ?? true
    let isTransformed = canBeTransformed && elements.contains { $0.transform != .identity }
    var output = OutputBytes()
    output.append(Self.columns)
    for attribute in attributes {
      let components = attribute.type.components
      for suffix in components.isEmpty ? [""] : components.map({ ".\($0)" }) {
        output.append("," as StaticString)
        output.append(csv: attribute.name + suffix)
      }
    }
    if isTransformed {
      for row in 1...4 { for column in 1...4 { output.append(",transform3D.m\(row)\(column)") } }
    }
    output.append("\n" as StaticString)
    if let plain = elements as? Elements, plain.columns.isEmpty, plain.attributes.isEmpty {
      for place in plain.indices {
        append(plain.identity(at: place), plain.frame(at: place), to: &output)
        output.append(",0,1,false\n" as StaticString)
        try output.flush(to: sink)
      }
    } else {
      for element in elements {
        append(element, isTransformed: isTransformed, to: &output)
        try output.flush(to: sink)
      }
    }
    try output.flush(to: sink, atLeast: 1)
  }

  private func append(_ element: Element, isTransformed: Bool, to output: inout OutputBytes) {
    append(element.identity, element.frame, to: &output)
    output.append("," as StaticString)
    output.append(Int64(element.zIndex))
    output.append("," as StaticString)
    output.append(element.alpha)
    output.append("," as StaticString)
    output.append(element.isHidden)
    for value in element.attributes {
      switch value {
      case .number, .vector: append(value.numbers, to: &output)
      default:
        output.append("," as StaticString)
        output.append(csv: value.description)
      }
    }
    if isTransformed { append(element.transform.elements, to: &output) }
    output.append("\n" as StaticString)
  }

  private func append(_ identity: ElementIdentity, _ frame: Rect, to output: inout OutputBytes) {
    output.append(identity.category)
    output.append("," as StaticString)
    if let kind = identity.kind { output.append(csv: kind) }
    output.append("," as StaticString)
    output.append(Int64(identity.section))
    output.append("," as StaticString)
    output.append(Int64(identity.item))
    output.append("," as StaticString)
    output.append(frame)
  }

  private func append(_ numbers: [Double], to output: inout OutputBytes) {
    for number in numbers {
      output.append("," as StaticString)
      output.append(number)
    }
  }
}
