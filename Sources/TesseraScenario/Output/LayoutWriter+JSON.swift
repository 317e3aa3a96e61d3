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
      append(element, to: &output)
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
      append(element, to: &output)
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

  /// Appends an element without what is as it is by default.
  private func append(_ element: Element, to output: inout OutputBytes) {
    let identity = element.identity
    output.append("{\"category\":\"" as StaticString)
    output.append(identity.category.name)
    if let kind = identity.kind {
      output.append("\",\"kind\":" as StaticString)
      output.append(json: kind)
    } else {
      output.append("\"" as StaticString)
    }
    output.append(",\"section\":" as StaticString)
    output.append(Int64(identity.section))
    output.append(",\"item\":" as StaticString)
    output.append(Int64(identity.item))
    let frame = element.frame
    output.append(",\"frame\":" as StaticString)
    output.append(list: [frame.x, frame.y, frame.width, frame.height])
    if element.zIndex != 0 {
      output.append(",\"zIndex\":" as StaticString)
      output.append(Int64(element.zIndex))
    }
    if element.alpha != 1 {
      output.append(",\"alpha\":" as StaticString)
      output.append(element.alpha)
    }
    if element.isHidden { output.append(",\"hidden\":true" as StaticString) }
    if element.transform != .identity {
      output.append(",\"transform3D\":" as StaticString)
      output.append(list: element.transform.elements)
    }
    if !element.attributes.isEmpty { append(element.attributes, to: &output) }
    output.append("}" as StaticString)
  }

  private func append(_ values: [Value], to output: inout OutputBytes) {
    output.append(",\"attributes\":{" as StaticString)
    for (index, (attribute, value)) in zip(attributes, values).enumerated() {
      if index > 0 { output.append("," as StaticString) }
      output.append(json: attribute.name)
      output.append(":" as StaticString)
      switch value {
      case .bool(let value): output.append(value)
      case .integer(let value): output.append(value)
      case .number(let value): output.append(value)
      case .choice(let name): output.append(json: name)
      case .point, .size, .rect, .insets: output.append(list: value.numbers)
      }
    }
    output.append("}" as StaticString)
  }
}
