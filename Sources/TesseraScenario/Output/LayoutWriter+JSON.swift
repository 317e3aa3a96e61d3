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
