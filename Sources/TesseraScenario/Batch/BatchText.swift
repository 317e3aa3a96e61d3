/// Writes the outcomes of a batch as JSON, one line each.
///
/// The line of a layout is the document that `LayoutWriter` writes, on one line and with the `id`
/// first.
package final class BatchText {
  private let engine: String
  @exclusivity(unchecked) private var output = TextBuffer()
  /// What the elements of a piece begin with.
  @exclusivity(unchecked) private var beginning = TextBuffer()

  package init(engine: String) { self.engine = engine }

  /// Calls a closure with the lines so far, and removes them.
  package func take(_ sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    try output.take(sink)
  }

  /// The number of bytes so far.
  package var count: Int { output.count }

  /// Appends the line of a layout.
  package func append(_ layout: BatchedLayout, id: ArraySlice<UInt8>?) {
    let elements = layout.elements
    var writer = LayoutWriter(
      engine: engine, contentSize: layout.contentSize, attributes: elements.attributes)
    writer.bounds = layout.scenario.viewport.bounds
    writer.parameters = layout.parameters
    writer.texts = layout.scenario.cellTexts
    writer.appendHead(to: &output, id: id)
    output.append(",\"elements\":[" as StaticString)
    if elements.attributes.isEmpty, writer.texts.isEmpty, !elements.columns.contains(.transform) {
      appendPlain(layout)
    } else {
      for place in layout.range {
        if place > layout.range.lowerBound { output.append(UInt8(ascii: ",")) }
        var element = elements[place]
        element.identity.section -= layout.firstSection
        writer.append(element, to: &output)
      }
    }
    output.append("]}\n" as StaticString)
  }

  /// Appends the line of an error.
  package func append(_ error: JSON, id: ArraySlice<UInt8>?) {
    output.append(opening: id)
    output.append("\"error\":" as StaticString)
    output.append(error)
    output.append("}\n" as StaticString)
  }

  /// Appends the elements by columns, without an element for each object.
  private func appendPlain(_ layout: BatchedLayout) {
    let memory = layout.elements.memory
    for piece in layout.pieces {
      let identity = ElementIdentity(
        category: piece.category,
        kind: piece.category == .cell ? nil : layout.elements.kinds[piece.kind].name,
        section: piece.section, item: 0)
      beginning.append(",{" as StaticString)
      beginning.appendMembers(of: identity)
      // Without the item.
      beginning.removeLast()
      beginning.take { beginning in
        for place in piece.places {
          let isFirst = place == layout.range.lowerBound
          beginning.dropFirst(isFirst ? 1 : 0).withUnsafeBytes { output.append($0) }
          output.append(Int64(piece.firstItem + (place - piece.places.lowerBound)))
          output.append(UInt8(ascii: ","))
          output.appendMembers(
            memory.frames[place], zIndex: memory.zIndexes.map { Int($0[place]) } ?? 0,
            alpha: memory.alphas?[place] ?? 1, isHidden: memory.hidden?[place] == 1)
          output.append(UInt8(ascii: "}"))
        }
      }
    }
  }
}

extension Scenario {
  /// The texts that the items have, such as their labels.
  package var cellTexts: [(name: String, text: (_ section: Int, _ item: Int) -> String?)] {
    ItemTable.textColumns.compactMap { column in text(of: column).map { (column, $0) } }
  }
}
