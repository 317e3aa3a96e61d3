import ArgumentParser
import FoundationEssentials
import TesseraCommand
import TesseraDrawing
import TesseraFigures
import TesseraHost
import TesseraPictures
import TesseraScenario

/// `tessera sheet`: photographs on pages of paper.
struct SheetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera sheet",
    abstract: "Prints photographs on pages of paper.",
    discussion: """
      About four pictures are in a row, each whole. Each folder with pictures is a section with its name.

      EXAMPLES
        tessera sheet ~/Pictures/2026 -o contacts.pdf
        tessera sheet Trip Garden -o summer.pdf --title 'Summer' --names --paper a3
        tessera sheet Trip -o poster.pdf --paper a2 --fit-page --dpi 200
      """)

  static let _errorPrefix = "tessera: "

  @Argument(
    help: ArgumentHelp("Folders of pictures, with all folders in them.", valueName: "folder"),
    completion: .directory)
  var folders: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp("The pdf to write.", valueName: "file"),
    completion: .file(extensions: ["pdf"]))
  var output: String

  @Option(name: .long, help: "The format of the paper.")
  var paper = Paper.a4

  @Option(
    name: .long, help: ArgumentHelp("The pixels of pictures for each inch.", valueName: "n"))
  var dpi = 300.0

  @Flag(name: .long, help: "Make the pictures so large that all of them just fit one page.")
  var fitPage = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("A title above the pictures of the first page.", valueName: "text"))
  var title: String?

  @Flag(name: .long, help: "Print the name of its file below each picture.")
  var names = false

  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    guard output.lowercased().hasSuffix(".pdf") else {
      throw ValidationError("-o is \(Phrase.quoted(output)); give a name that ends with .pdf")
    }
    guard (36...1200).contains(dpi) else {
      throw ValidationError("--dpi is \(dpi.readableText); give 36 to 1200")
    }
  }

  func run() throws {
    let table = try ItemTable(
      pictures: folders.map { try PictureFiles($0, isRecursive: true) }, name: folders[0])
    let result = try fitPage ? fitting(table) : sheet(table, height: nil)
    try BufferedOutput.write(to: output) { file in
      try result.draw(as: .pdf, to: file) {
        try result.writeSVG(to: $0, StyleOptions.usual(for: .pdf))
      }
    }
    if Terminal.showsDiagnostics { Diagnostics.say("wrote \(output), \(result.summary)") }
  }

  /// - Parameter height: Approximate row height in points; nil for about four pictures in a row.
  private func sheet(
    _ table: ItemTable, height: Double?, isDrawn: Bool = true
  ) throws -> FigureResult {
    var scenario = Scenario()
    scenario.content = .table(table)
    scenario.parameters["targetRowHeight"] = JSONNode(
      .number(height ?? (paper.room.width * 0.17).rounded()), source: "targetRowHeight")
    var options = try FigureOptions.parse([])
    (options.title, options.paper) = (title, paper)
    let request = FigureRequest(
      scenario: scenario, engine: try engineOptions.engine("justified"),
      engineOptions: engineOptions,
      figureOptions: options, partOptions: try PartOptions.parse([]), format: .pdf)
    var result = try request.result()
    result.hasNames = names
    if isDrawn {
      result.pictures = try ShownPictures(
        scenario, shown: result.elements, .contain, .embedded(density: dpi / 72), path: output)
    }
    return result
  }

  /// One page with pictures as large as possible.
  private func fitting(_ table: ItemTable) throws -> FigureResult {
    let most = min(paper.room.width, paper.room.height)
    var (low, high) = (16.0, most)
    while high - low > 1 {
      let height = ((low + high) / 2).rounded()
      let result = try sheet(table, height: height, isDrawn: false)
      // A slightly higher layout would be scaled down and not fill the width.
      let room = paper.room.height - (title == nil ? 0 : 28)
      let isOne = result.layouts[0].contentSize.height <= room
      if try isOne && result.pageCount() == 1 { low = height } else { high = height }
    }
    return try sheet(table, height: low)
  }
}
