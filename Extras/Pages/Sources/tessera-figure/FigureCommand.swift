import ArgumentParser
import FoundationEssentials
import TesseraCommand
import TesseraDrawing
import TesseraFigures
import TesseraHost
import TesseraPictures
import TesseraScenario

/// `tessera figure`: lays out and draws the content for print.
struct FigureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera figure",
    abstract: "Draws items as one would print them, with names, values, colours and pictures.",
    discussion: """
      It takes the options of tessera layout, whose help describes values and expressions.

      EXAMPLES
        tessera figure treemap --items-from files.csv --title 'Disk' --caption weight -o disk.pdf
        tessera figure waterfall --items-from countries.csv --color population -o countries.svg
        tessera figure aspect-flow --images ~/Pictures -o gallery.html
        tessera figure flow --images 'trip/*.jpg' --item size='row.width*120/row.height,120' -o trip.svg
        tessera figure timetable --items-from week.csv --title 'May' --paper a4 -o week.pdf
        tessera figure flow --items 200 --wireframe --columns 4 --theme dark -o overview.png
      """)

  static let _errorPrefix = "tessera: "

  @Argument(help: .engine, completion: .engine)
  var engine: String

  @OptionGroup var scenarioOptions: ScenarioOptions
  @OptionGroup(title: "Content") var imageOptions: ImageOptions

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Print or draw the elements of this file instead of laying out.",
      discussion: """
        A layout that tessera layout wrote as .json or .ndjson, or that another program made. Without \
        --bounds, its bounds are used.
        """, valueName: "file"),
    completion: .file(extensions: ["json", "ndjson"]))
  var elements: String?

  @OptionGroup var partOptions: PartOptions
  @OptionGroup var recordOptions: RecordOptions
  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @OptionGroup(title: "Output") var styleOptions: StyleOptions
  @OptionGroup(title: "Output") var figureOptions: FigureOptions
  @OptionGroup(title: "Output") var pictureOptions: PictureOptions
  @OptionGroup(title: "Output") var pageOptions: PageOptions
  @OptionGroup(title: "Engines") var engineOptions: EngineOptions

  mutating func validate() throws {
    try styleOptions.check(for: outputOptions.chosenFormat)
    if elements != nil {
      let values = scenarioOptions.values
      let given = [
        ("--trace", partOptions.trace), ("--record", recordOptions.record != nil),
        ("--widths", pageOptions.widths != nil), ("--items", scenarioOptions.content.items != nil),
        ("--sections", scenarioOptions.content.sections != nil),
        ("--set", !values.parameters.isEmpty),
        ("--list", !values.lists.isEmpty), ("--item", !values.itemValues.isEmpty),
        ("--section", !values.sectionValues.isEmpty), ("--delegate", !values.delegate.isEmpty),
        ("--measure", values.measure != nil),
      ]
      if let option = given.first(where: \.1)?.0 {
        throw ValidationError(
          "\(option) is for a layout, which --elements replaces; remove one of the two")
      }
    }
    guard figureOptions.paper != nil else { return }
    guard ["pdf", "png"].contains(outputOptions.chosenFormat.name) else {
      throw ValidationError(
        "--paper is for pdf and png, not for \(outputOptions.chosenFormat); write a .pdf, or remove it"
      )
    }
    guard outputOptions.chosenFormat.name == "pdf" || outputOptions.path != nil else {
      throw ValidationError(
        "--paper writes a png for each page; give -o with a name that ends with .png")
    }
    guard styleOptions.width == nil, styleOptions.columns == nil else {
      throw ValidationError("--width and --columns are not for paper; remove them, or --paper")
    }
  }

  func run() throws {
    var scenario = try imageOptions.scenario(scenarioOptions, keys: partOptions.keys)
    scenario.shownColumns = figureOptions.columns
    let format = outputOptions.chosenFormat
    let isGallery = scenario.hasPictures && format.name == "html" && !figureOptions.wireframe
    guard pageOptions.thumbnails == nil || isGallery && !pictureOptions.embed else {
      throw ValidationError(
        "--thumbnails is for a page that links to its pictures; give --images and -o with a name that ends "
          + "with .html, and no --embed")
    }
    var request = FigureRequest(
      scenario: scenario, engine: try engineOptions.engine(engine), engineOptions: engineOptions,
      figureOptions: figureOptions, partOptions: partOptions, format: format)
    request.record = recordOptions.record
    if let elements { request.document = try LayoutDocument(contentsOf: elements) }
    request.bounds = try bounds(of: scenario, isGallery: isGallery)
    var result = try request.result()
    if format.showsPictures {
      let isEmbedded = pictureOptions.embed || ["png", "pdf"].contains(format.name)
      // The renderer of png and pdf opens no files.
      let use: ShownPictures.Use =
        isEmbedded
        ? .embedded(density: 2)
        : pageOptions.thumbnails.map { .copied(ThumbnailFolder(path: $0)) } ?? .linked
      result.pictures = try ShownPictures(
        scenario, shown: result.elements, pictureOptions.fit, use, path: outputOptions.path)
    }
    result.isGallery = isGallery
    try result.write(outputOptions, styleOptions.style(for: format))
  }

  /// Nil means the scenario's bounds.
  private func bounds(of scenario: Scenario, isGallery: Bool) throws -> [Size?] {
    guard isGallery || pageOptions.widths == nil else {
      throw ValidationError(
        "--widths is for a page with pictures; give --images and -o with a name that ends with .html"
      )
    }
    let isPart = partOptions.rect != nil || partOptions.visible || scenario.rect != nil
    guard isGallery, !isPart || pageOptions.widths != nil else { return [nil] }
    if let bounds = scenario.bounds, scenarioOptions.viewport.bounds == nil,
      pageOptions.widths == nil
    {
      Diagnostics.say(
        "the page has one width, \(bounds.width.readableText), since the scenario has bounds; give --widths "
          + "375,768,1280 for others")
    }
    return pageOptions.bounds(scenario.bounds)
  }
}
