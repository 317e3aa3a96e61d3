/// Writes a layout as text, piece by piece, so that its whole text is never in memory.
///
/// Numbers are written so that reading them gives the same doubles.
public struct LayoutWriter {
  /// How the text is arranged.
  public enum Format: String, CaseIterable, Sendable {
    /// One object with `engine`, `contentSize` and `elements`, an element a line.
    case json
    /// A line with `engine` and `contentSize`, then an object a line for each element.
    case ndjson
    /// A header line, then a line for each element.
    case csv
  }

  let engine: String
  let contentSize: Size
  let attributes: [AttributeDescription]

  /// A writer for what an engine laid out.
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
