import ArgumentParser
import TesseraCommand
import TesseraDrawing
import TesseraHost

/// The format and the file of a layout.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The output format; defaults to table on a terminal, otherwise to json.",
      discussion: """
        A table shows three decimals, and on a terminal only the first 40 elements; the other formats \
        contain everything.
        """))
  var format: LayoutFormat?

  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp(
      "Write to this file; the file extension selects the format.",
      discussion: """
        The extensions are \(LayoutFormat.extensions), where .txt is a table. The file is written \
        completely or not at all. A png has --scale pixels for each unit of the svg that it is drawn \
        from. With -, the result goes to standard output.
        """, valueName: "file"),
    completion: .file(extensions: LayoutFormat.all.compactMap(\.fileExtension)))
  var output: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The width of an svg, png or pdf; the height follows (default: what suits the content).",
      valueName: "n"))
  var width: Double?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Cut a tall svg, png or pdf into this many strips, side by side.",
      discussion: """
        The cuts are between rows where one ends near the place that gives equal lengths. The strips \
        of a wide layout are below each other.
        """, valueName: "n"))
  var columns: Int?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The colours of an svg, png or pdf; auto follows the viewer of an svg.",
      discussion: "The default is light, and auto for svg."))
  var theme: DrawingStyle.Theme?

  mutating func validate() throws {
    try validateStyle()
    guard format == nil, let output = path, LayoutFormat(extensionOf: output) == nil else { return }
    throw ValidationError(
      "the extension of \(output) selects no format; use one of \(LayoutFormat.extensions), or give "
        + "--format")
  }

  private func validateStyle() throws {
    if let width, !(width >= 1 && width <= 1e5) {
      throw ValidationError("--width is \(width.readableText); give a number from 1 to 100000")
    }
    if let columns, !(1...100 ~= columns) {
      throw ValidationError("--columns is \(columns); give a number from 1 to 100")
    }
    let given = [
      width.map { _ in "--width" }, columns.map { _ in "--columns" }, theme.map { _ in "--theme" },
    ].compactMap(\.self)
    guard let option = given.first, !chosenFormat.isDrawing else { return }
    throw ValidationError("\(option) is for svg, png and pdf, not for \(chosenFormat); remove it")
  }

  /// The file; nil for standard output.
  var path: String? { output == "-" ? nil : output }

  /// How a drawing looks.
  private var style: DrawingStyle {
    var style = DrawingStyle()
    style.width = width
    style.columns = columns ?? 1
    // Programs for these formats have smaller limits than browsers.
    if ["png", "pdf"].contains(chosenFormat.name) { style.longest = 12_000 }
    style.theme = theme ?? (chosenFormat.name == "svg" ? .auto : .light)
    return style
  }

  /// The given format, or the default of the destination.
  var chosenFormat: LayoutFormat {
    if let format { return format }
    if let path { return LayoutFormat(extensionOf: path) ?? .json }
    return Terminal.showsResults ? .table : .json
  }

  /// Writes a result in the chosen format to the chosen file.
  func write(_ result: LayoutResult) throws {
    if chosenFormat.name == "png", let path, let pages = try result.pages(style) {
      // sheet-1.png, sheet-2.png and so on.
      let end = path.lastIndex { $0 == "." || $0 == "/" }
      let dot = end.flatMap { path[$0] == "." ? $0 : nil } ?? path.endIndex
      for (index, page) in pages.enumerated() {
        try BufferedOutput.write(to: "\(path[..<dot])-\(index + 1)\(path[dot...])") { output in
          try result.draw(as: .png, to: output) { try page.withUnsafeBytes($0.write) }
        }
      }
      if Terminal.showsDiagnostics {
        Diagnostics.say("wrote \(counted(pages.count, "page")), \(result.summary)")
      }
      return
    }
    try BufferedOutput.write(to: path) { try chosenFormat.write(result, $0, style) }
    if let path, Terminal.showsDiagnostics { Diagnostics.say("wrote \(path), \(result.summary)") }
  }
}

/// A format of layouts and animations.
struct LayoutFormat: ExpressibleByArgument, CustomStringConvertible, Sendable {
  let name: String
  /// Nil for a variant of another format.
  let fileExtension: String?
  /// Whether it can hold a whole animation, not only a moment of one.
  let holdsAnimations: Bool
  /// Whether it is drawn in a style.
  let isDrawing: Bool
  /// Whether it can show the pictures of items.
  var showsPictures: Bool { isDrawing || name == "html" }
  /// Writes a result in this format, a drawing in a style.
  let write: @Sendable (LayoutResult, BufferedOutput, DrawingStyle) throws -> Void

  /// All formats; a new one is a line here, and its writer.
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
    LayoutFormat("html", "html") { result, file, _ in try result.writeHTML(to: file) },
    LayoutFormat("png", "png", holdsAnimations: false, isDrawing: true) { result, file, style in
      try result.draw(as: .png, to: file) { try result.writeSVG(to: $0, style) }
    },
    LayoutFormat("pdf", "pdf", holdsAnimations: false, isDrawing: true) { result, file, style in
      try result.draw(as: .pdf, to: file) { try result.writeSVG(to: $0, style) }
    },
  ]
  /// The default on a terminal.
  static let table = LayoutFormat("table", "txt") { result, file, _ in
    try result.writeTable(to: file)
  }
  /// The default elsewhere.
  static let json = LayoutFormat("json", "json") { result, file, _ in
    try result.write(as: .json, to: file)
  }

  private init(
    _ name: String, _ fileExtension: String?, holdsAnimations: Bool = true,
    isDrawing: Bool = false,
    write: @escaping @Sendable (LayoutResult, BufferedOutput, DrawingStyle) throws -> Void
  ) {
    self.name = name
    self.fileExtension = fileExtension
    self.holdsAnimations = holdsAnimations
    self.isDrawing = isDrawing
    self.write = write
  }

  init?(argument: String) {
    guard let format = Self.all.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  /// The format of a file's extension; nil for another extension or none.
  init?(extensionOf path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let format = Self.all.first(where: { $0.fileExtension == ending }) else { return nil }
    self = format
  }

  var description: String { name }

  static var allValueStrings: [String] { all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  /// ".txt, .json and .csv".
  static var extensions: String {
    let names = all.compactMap { $0.fileExtension.map { ".\($0)" } }
    return names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
  }
}

extension DrawingStyle.Theme: ExpressibleByArgument {}

/// What a format is written from.
enum LayoutResult {
  case layout(FinishedLayout<Elements>)
  case animation(FinishedAnimation)
  case moment(FinishedAnimation, progress: Double)
}

/// The formats of a single result.
enum ResultFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}
