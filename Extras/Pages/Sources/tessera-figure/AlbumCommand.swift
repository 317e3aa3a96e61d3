import ArgumentParser
import FoundationEssentials
import TesseraCommand
import TesseraDrawing
import TesseraFigures
import TesseraHost
import TesseraPictures
import TesseraScenario

/// The source of the large view.
enum Originals: String, CaseIterable, ExpressibleByArgument {
  case none, link
}

enum PictureOrder: String, CaseIterable, ExpressibleByArgument {
  case name, date
}

/// `tessera album`: a website of photographs in a folder.
struct AlbumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera album",
    abstract: "Makes a folder that is a site of photographs.",
    discussion: """
      The site has a page and smaller copies of the pictures, of three widths and one for the large view. \
      Nothing that is written lies outside of the folder, and no copy has the place or the camera that its \
      picture names. Each folder with pictures is a section with its name. Copies that are not older than \
      their pictures are kept.

      EXAMPLES
        tessera album ~/Pictures/2026 -o site
        tessera album Trip Garden -o site --title 'Summer' --captions --sort date
        tessera album Trip -o site --engine mosaic --originals link
      """)

  static let _errorPrefix = "tessera: "

  @Argument(
    help: ArgumentHelp("Folders of pictures, with all folders in them.", valueName: "folder"),
    completion: .directory)
  var folders: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
    help: ArgumentHelp("The folder of the site.", valueName: "site"), completion: .directory)
  var output: String

  @Option(name: .long, help: "The engine that lays out the pictures.", completion: .engine)
  var engine = "justified"

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Set a parameter of the engine.", valueName: "name=value"))
  var parameters: [String] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The title of the page (default: the name of the first folder).", valueName: "text"))
  var title: String?

  @Flag(name: .long, help: "Show with each picture what its file says that it shows.")
  var captions = false

  @Option(name: .long, help: "The order of the pictures of a section.")
  var sort = PictureOrder.name

  @Option(
    name: .long, help: ArgumentHelp("The width of the large view in pixels.", valueName: "n"))
  var large = 2048.0

  @Option(
    name: .long,
    help:
      "What the large view shows: a copy (none), or the file itself, by a link to its place (link)."
  )
  var originals = Originals.none

  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    guard (320...16_384).contains(large) else {
      throw ValidationError("--large is \(large.readableText); give 320 to 16384")
    }
  }

  func run() throws {
    let table = try ItemTable(
      pictures: folders.map { try PictureFiles($0, isRecursive: true) }, name: folders[0],
      by: sort == .date ? { ($0.date, $0.source) < ($1.date, $1.source) } : nil)
    var scenario = Scenario()
    scenario.content = .table(table)
    scenario.parameters = try settings("--set", parameters)
    var options = try FigureOptions.parse([])
    (options.title, options.caption) = (title, captions ? "caption" : nil)
    scenario.shownColumns = options.columns
    let page = "\(output)/index.html"
    var request = FigureRequest(
      scenario: scenario, engine: try engineOptions.engine(engine), engineOptions: engineOptions,
      figureOptions: options, partOptions: try PartOptions.parse([]), format: .html)
    request.bounds = try PageOptions.parse([]).bounds(nil)
    var result = try request.result()
    var copies = ThumbnailFolder(path: "\(output)/pictures")
    if originals == .none { copies.large = large.rounded() }
    try BufferedOutput.createFolder(output)
    result.pictures = try ShownPictures(
      scenario, shown: result.elements, .cover, .copied(copies), path: page)
    result.isGallery = true
    try BufferedOutput.write(to: page) { try result.writeHTML(to: $0) }
    if Terminal.showsDiagnostics { Diagnostics.say("wrote \(page), \(result.summary)") }
  }
}
