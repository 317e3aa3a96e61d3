import ArgumentParser
import TesseraCommand
import TesseraScenario

/// Picture files as items.
public struct ImageOptions: ParsableArguments {
  /// Creates options for the parser.
  public init() {}

  /// A folder or a pattern.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Make one item of each picture of a folder, or of the files that match a pattern.",
      discussion: """
        Pictures are PNG, JPEG, GIF, WebP, AVIF, HEIF, TIFF and RAW files, in the order of their names, 2.jpg before 10.jpg. \
        They give the item value aspectRatio, or else size, scaled down to the itemSize that is set, or \
        else to the bounds. Expressions can use row.width and row.height, in pixels. Files that cannot be read are reported and left out. A \
        pattern can have **/ for any folders, each of which is then a section. A column image of --items-from does the same.
        """, valueName: "dir|pattern"),
    completion: .directory)
  public var images: String?

  /// Whether subfolders are read, too.
  @Flag(
    name: .long,
    help: "With --images: read the folders in the folder, too, each as a section with its name.")
  public var recursive = false

  /// Rejects `--recursive` without pictures.
  public mutating func validate() throws {
    guard !recursive || images != nil else {
      throw ValidationError("--recursive is for --images; give a folder of pictures, or remove it")
    }
  }

  /// Returns a scenario with a picture as each item.
  public func scenario(
    _ options: ScenarioOptions, keys: [String: JSON?] = [:]
  ) throws -> Scenario {
    var scenario = try options.scenario(keys: keys) { try $0.withPictures() }
    guard let images else { return scenario }
    let others = [
      options.content.items, options.content.sections, options.content.itemsFrom,
    ]
    guard others.allSatisfy({ $0 == nil }) else {
      throw ValidationError("give only one of --items, --sections, --items-from and --images")
    }
    scenario.content = .table(
      try ItemTable(
        pictures: [PictureFiles(images, isRecursive: recursive)], name: "--images \(images)"))
    return scenario
  }
}
