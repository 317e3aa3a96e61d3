import ArgumentParser
import TesseraDrawing
import TesseraHost
import TesseraScenario

/// The format and the file of a layout.
public struct OutputOptions: ParsableArguments {
  /// Creates options for the parser to fill.
  public init() {}

  /// The given format.
  @Option(
    "The output format; defaults to table on a terminal, otherwise to json.",
    more: "A table shows three decimals, and on a terminal only the first 40 elements.")
  public var format: LayoutFormat?

  /// The given file; `-` for standard output.
  @Option(
    "Write to this file; the file extension selects the format.", "file",
    name: [.customShort("o"), .customLong("output")],
    more: """
      The extensions are \(LayoutFormat.extensions), where .txt is a table. A png has --scale pixels \
      for each unit of the svg. With -, the result goes to standard output.
      """, completion: .file(extensions: LayoutFormat.allCases.compactMap(\.fileExtension)))
  public var output: String?

  /// Rejects a file name without a known format.
  public mutating func validate() throws {
    guard format == nil, let output = path, LayoutFormat(extensionOf: output) == nil else { return }
    throw ValidationError(
      "the extension of \(output) selects no format; use one of \(LayoutFormat.extensions), or give "
        + "--format")
  }

  /// The file; nil for standard output.
  public var path: String? { output == "-" ? nil : output }

  /// The given format, or the destination's default.
  public var chosenFormat: LayoutFormat {
    if let format { return format }
    if let path { return LayoutFormat(extensionOf: path) ?? .json }
    return Terminal.showsResults ? .table : .json
  }

  /// Writes a result; `style` is for drawings.
  public func write(_ result: some LayoutOutput, _ style: DrawingStyle? = nil) throws {
    let style = style ?? StyleOptions.usual(for: chosenFormat)
    try BufferedOutput.write(to: path) { try chosenFormat.write(result, to: $0, style) }
    if let path { sayWritten(path, result) }
  }

  /// Reports on a terminal what was written.
  public func sayWritten(_ what: String, _ result: some LayoutOutput) {
    if Terminal.showsDiagnostics { Diagnostics.say("wrote \(what), \(result.summary)") }
  }
}

/// The look of drawings.
public struct StyleOptions: ParsableArguments {
  /// Creates options for the parser to fill.
  public init() {}

  /// The width of a drawing.
  @Option(
    "The width of an svg, png or pdf; the height follows (default: what suits the content).", "n")
  public var width: Double?

  /// The number of strips.
  @Option(
    "Cut a tall svg, png or pdf into this many strips, side by side.", "n",
    more: """
      The cuts are between rows where one ends near the place that gives equal lengths. The strips \
      of a wide layout are below each other.
      """)
  public var columns: Int?

  /// The colours.
  @Option(
    "The colours of an svg, png or pdf; auto follows the viewer of an svg.",
    more: "The default is light, and auto for svg.")
  public var theme: DrawingStyle.Theme?

  /// Rejects options out of range, or not for the format.
  public func check(for format: LayoutFormat) throws {
    if let width, !(width >= 1 && width <= 1e5) {
      throw ValidationError("--width is \(width.readableText); give a number from 1 to 100000")
    }
    if let columns, !(1...100 ~= columns) {
      throw ValidationError("--columns is \(columns); give a number from 1 to 100")
    }
    let given = [
      width.map { _ in "--width" }, columns.map { _ in "--columns" }, theme.map { _ in "--theme" },
    ].compactMap(\.self)
    guard let option = given.first, !format.isDrawing else { return }
    throw ValidationError("\(option) is for svg, png and pdf, not for \(format); remove it")
  }

  /// The style of a drawing.
  public func style(for format: LayoutFormat) -> DrawingStyle {
    var style = Self.usual(for: format)
    style.width = width
    style.columns = columns ?? 1
    style.theme = theme ?? style.theme
    return style
  }

  /// The default style of a format.
  public static func usual(for format: LayoutFormat) -> DrawingStyle {
    var style = DrawingStyle()
    style.theme = format.name == "svg" ? .auto : .light
    return style
  }
}

/// A result for the formats of layouts.
public protocol LayoutOutput {
  /// Such as "a layout of 74 elements, 1000 × 700".
  var summary: String { get }
  /// Pixels per point.
  var scale: Double { get }

  func writeTable(to output: BufferedOutput) throws
  func write(as format: LayoutWriter.Format, to output: BufferedOutput) throws
  func writeSVG(to output: BufferedOutput, _ style: DrawingStyle) throws
  /// Writes a page.
  func writeHTML(to output: BufferedOutput) throws
}

extension LayoutOutput {
  /// Converts an SVG to a PNG or PDF.
  public func draw(
    as format: LayoutFormat, to output: BufferedOutput,
    svg: (BufferedOutput) throws -> Void
  ) throws {
    try PictureProgram().draw(as: format, scale: scale, to: output, svg: svg)
  }
}

/// A format of layouts and animations.
public enum LayoutFormat: String, CaseIterable, ExpressibleByArgument, CustomStringConvertible {
  case table, json, ndjson, csv, spreadsheet, svg, html, png, pdf

  /// The format of a file's extension, if known.
  public init?(extensionOf path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let format = Self.allCases.first(where: { $0.fileExtension == ending }) else {
      return nil
    }
    self = format
  }

  /// The name, such as `svg`.
  public var name: String { rawValue }
  /// The name.
  public var description: String { rawValue }

  /// Nil for a variant of another format.
  var fileExtension: String? { self == .table ? "txt" : self == .spreadsheet ? nil : name }

  static var extensions: String {
    list(allCases.compactMap { $0.fileExtension.map { ".\($0)" } })
  }

  package var holdsAnimations: Bool { [.table, .json, .svg, .html].contains(self) }
  var isDrawing: Bool { [.svg, .png, .pdf].contains(self) }
  /// Whether it can show the pictures of items.
  public var showsPictures: Bool { isDrawing || self == .html }

  func write(
    _ result: some LayoutOutput, to output: BufferedOutput, _ style: DrawingStyle
  ) throws {
    switch self {
    case .table: try result.writeTable(to: output)
    case .json: try result.write(as: .json, to: output)
    case .ndjson: try result.write(as: .ndjson, to: output)
    case .csv: try result.write(as: .csv, to: output)
    case .spreadsheet: try result.write(as: .spreadsheet, to: output)
    case .svg: try result.writeSVG(to: output, style)
    case .html: try result.writeHTML(to: output)
    case .png, .pdf:
      try result.draw(as: self, to: output) { try result.writeSVG(to: $0, style) }
    }
  }
}

extension DrawingStyle.Theme: ExpressibleByArgument {}

/// The formats of a single result.
public enum ResultFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}
