import TesseraHost
import TesseraScenario

/// A layout with all that is needed to print or draw it.
struct FinishedLayout<Content: RandomAccessCollection>
where Content.Element == Element, Content.Index == Int {
  let subject: Subject
  let scenario: Scenario
  /// The bounds at their offset.
  let viewport: Rect
  /// What the elements are limited to; nil: they are all there are.
  let rect: Rect?
  let contentSize: Size
  let elements: Content
  /// The engines' own attributes.
  let attributes: [AttributeDescription]
  /// The built-in columns beside the frame that a table shows.
  let columns: BuiltInColumns
}

extension FinishedLayout {
  /// Prints or draws the layout.
  func write(as format: LayoutFormat, to output: BufferedOutput, isOnTerminal: Bool) throws {
    switch format {
    case .table: try writeTable(to: output, isOnTerminal: isOnTerminal)
    case .json: try write(as: LayoutWriter.Format.json, to: output)
    case .ndjson: try write(as: LayoutWriter.Format.ndjson, to: output)
    case .csv: try write(as: LayoutWriter.Format.csv, to: output)
    case .svg: try picture.writeSVG { bytes throws in try output.write(bytes) }
    case .html: try picture.writeHTML { bytes throws in try output.write(bytes) }
    }
  }

  private func write(as format: LayoutWriter.Format, to output: BufferedOutput) throws {
    let writer = LayoutWriter(
      engine: subject.id, contentSize: contentSize, attributes: attributes)
    try writer.write(elements, as: format) { bytes in
      try bytes.withUnsafeBytes { try output.write($0) }
    }
  }
}
