import TesseraDrawing
import TesseraHost
import TesseraScenario

/// An animation with all that is needed to print or draw it, or one moment of it.
struct FinishedAnimation {
  let subject: Subject
  /// The scenario after.
  let scenario: Scenario
  let animation: LayoutAnimation
  let writer: TrackWriter

  /// Prints or draws one moment, 0...1, or where there is none the whole way.
  func write(
    as format: LayoutFormat, at progress: Double?, to output: BufferedOutput, isOnTerminal: Bool
  ) throws {
    if let progress {
      return try write(as: format, at: progress, to: output, isOnTerminal: isOnTerminal)
    }
    switch format {
    case .table: try writeTable(to: output, isOnTerminal: isOnTerminal)
    case .json: try writer.write { try $0.withUnsafeBytes { try output.write($0) } }
    case .svg: try picture.writeSVG { bytes throws in try output.write(bytes) }
    case .html: try picture.writeHTML { bytes throws in try output.write(bytes) }
    case .ndjson, .csv:
      throw CommandFailure(.usage, "--format \(format) tells one moment; give --progress 0 to 1")
    }
  }

  private func write(
    as format: LayoutFormat, at progress: Double, to output: BufferedOutput, isOnTerminal: Bool
  ) throws {
    switch format {
    case .svg:
      try picture.picture(at: progress).writeSVG { bytes throws in try output.write(bytes) }
    case .html:
      try picture.picture(at: progress).writeHTML { bytes throws in try output.write(bytes) }
    case .table, .json, .ndjson, .csv:
      try moment(at: progress).write(as: format, to: output, isOnTerminal: isOnTerminal)
    }
  }

  private func moment(at progress: Double) -> FinishedLayout<[Element]> {
    let elements = animation.elements(at: progress)
    return FinishedLayout(
      subject: subject, scenario: scenario,
      viewport: Rect(origin: animation.offset(at: progress), size: scenario.bounds ?? .zero),
      rect: nil, contentSize: animation.contentSize(at: progress), elements: elements,
      attributes: animation.attributes, columns: elements.columns)
  }

  private var picture: AnimatedPicture {
    var picture = AnimatedPicture(
      engineName: subject.name, engineID: subject.id, animation: animation,
      bounds: scenario.bounds ?? .zero)
    picture.contentInsets = scenario.contentInsets ?? .zero
    picture.scale = scenario.scale ?? 1
    picture.direction = scenario.direction ?? .leftToRight
    picture.label = scenario.label
    picture.labelBefore = scenario.label
    return picture
  }
}

extension [Element] {
  /// The built-in columns in which any element differs from what holds without them.
  fileprivate var columns: BuiltInColumns {
    var columns: BuiltInColumns = []
    for element in self {
      if element.zIndex != 0 { columns.insert(.zIndex) }
      if element.alpha != 1 { columns.insert(.alpha) }
      if element.isHidden { columns.insert(.hidden) }
      if element.transform != .identity { columns.insert(.transform) }
    }
    return columns
  }
}
