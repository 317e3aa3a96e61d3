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
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The output format; defaults to table on a terminal, otherwise to json.",
      discussion: "A table shows three decimals, and on a terminal only the first 40 elements."))
  public var format: LayoutFormat?

  /// The given file; `-` for standard output.
  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp(
      "Write to this file; the file extension selects the format.",
      discussion: """
        The extensions are \(LayoutFormat.extensions), where .txt is a table. A png has --scale pixels \
        for each unit of the svg. With -, the result goes to standard output.
        """, valueName: "file"),
    completion: .file(extensions: LayoutFormat.all.compactMap(\.fileExtension)))
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
    try BufferedOutput.write(to: path) { try chosenFormat.write(result, $0, style) }
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
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The width of an svg, png or pdf; the height follows (default: what suits the content).",
      valueName: "n"))
  public var width: Double?

  /// The number of strips.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Cut a tall svg, png or pdf into this many strips, side by side.",
      discussion: """
        The cuts are between rows where one ends near the place that gives equal lengths. The strips \
        of a wide layout are below each other.
        """, valueName: "n"))
  public var columns: Int?

  /// The colours.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The colours of an svg, png or pdf; auto follows the viewer of an svg.",
      discussion: "The default is light, and auto for svg."))
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
    as format: PictureProgram.Format, to output: BufferedOutput,
    svg: (BufferedOutput) throws -> Void
  ) throws {
    try PictureProgram().draw(as: format, scale: scale, to: output, svg: svg)
  }
}

/// A format of layouts and animations.
public struct LayoutFormat: ExpressibleByArgument, CustomStringConvertible, Sendable {
  /// The name, such as `svg`.
  public let name: String
  /// Nil for a variant of another format.
  let fileExtension: String?
  package let holdsAnimations: Bool
  let isDrawing: Bool
  /// Whether it can show the pictures of items.
  public var showsPictures: Bool { isDrawing || name == "html" }
  let write: @Sendable (any LayoutOutput, BufferedOutput, DrawingStyle) throws -> Void

  /// A new format is a line here, and its writer.
  static let all = [
    table, json,
    LayoutFormat("ndjson", "ndjson", holdsAnimations: false) { result, file, _ in
      try result.write(as: .ndjson, to: file)
    },
    LayoutFormat("csv", "csv", holdsAnimations: false) { result, file, _ in
      try result.write(as: .csv, to: file)
    },
    LayoutFormat("spreadsheet", nil, holdsAnimations: false) { result, file, _ in
      try result.write(as: .spreadsheet, to: file)
    },
    LayoutFormat("svg", "svg", isDrawing: true) { try $0.writeSVG(to: $1, $2) },
    html,
    LayoutFormat("png", "png", holdsAnimations: false, isDrawing: true) { result, file, style in
      try result.draw(as: .png, to: file) { try result.writeSVG(to: $0, style) }
    },
    pdf,
  ]
  /// The default on a terminal.
  static let table = LayoutFormat("table", "txt") { result, file, _ in
    try result.writeTable(to: file)
  }
  /// The default elsewhere.
  static let json = LayoutFormat("json", "json") { result, file, _ in
    try result.write(as: .json, to: file)
  }

  /// A page for a browser.
  public static let html = LayoutFormat("html", "html") { result, file, _ in
    try result.writeHTML(to: file)
  }
  /// A page to print.
  public static let pdf = LayoutFormat(
    "pdf", "pdf", holdsAnimations: false, isDrawing: true
  ) { result, file, style in
    try result.draw(as: .pdf, to: file) { try result.writeSVG(to: $0, style) }
  }

  private init(
    _ name: String, _ fileExtension: String?, holdsAnimations: Bool = true,
    isDrawing: Bool = false,
    write: @escaping @Sendable (any LayoutOutput, BufferedOutput, DrawingStyle) throws -> Void
  ) {
    (self.name, self.fileExtension, self.holdsAnimations) = (name, fileExtension, holdsAnimations)
    (self.isDrawing, self.write) = (isDrawing, write)
  }

  /// The format of a name.
  public init?(argument: String) {
    guard let format = Self.all.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  /// The format of a file's extension, if known.
  public init?(extensionOf path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let format = Self.all.first(where: { $0.fileExtension == ending }) else { return nil }
    self = format
  }

  /// The name.
  public var description: String { name }

  /// The names of all formats.
  public static var allValueStrings: [String] { all.map(\.name) }
  /// The names of all formats.
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  static var extensions: String {
    let names = all.compactMap { $0.fileExtension.map { ".\($0)" } }
    return names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
  }
}

extension DrawingStyle.Theme: ExpressibleByArgument {}

/// The formats of a single result.
public enum ResultFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}
