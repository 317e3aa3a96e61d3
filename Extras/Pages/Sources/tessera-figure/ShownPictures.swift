import ArgumentParser
import FoundationEssentials
import Glibc
import TesseraCommand
import TesseraDrawing
import TesseraHost
import TesseraPictures
import TesseraScenario

extension ImageFit: @retroactive ExpressibleByArgument {}

struct PictureOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How pictures fill their cells in svg and html: cover (default), contain or fill.",
      discussion: """
        cover cuts off what overhangs, contain shows all of it, fill distorts it. An engine that says \
        where a cell has its picture decides itself.
        """))
  var fit = ImageFit.cover

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "Embed the pictures in svg and html instead of linking to their files.",
      discussion: "Each is embedded in twice the size in which it is shown."))
  var embed = false
}

struct PageOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The widths for which html lays pictures out.",
      discussion: """
        The page shows the layout that is nearest to its own width, scaled to it. Without this and \
        --bounds, the widths are 375, 768, 1280 and 1920.
        """, valueName: "375,768,1280"))
  var widths: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Write each picture in three smaller sizes to this folder, from which browsers choose.",
      discussion: """
        They are 320, 640 and 1280 pixels wide, in WebP where this machine writes it. Only those that \
        are missing or older than their picture are written. The large view shows the file itself.
        """, valueName: "dir"), completion: .directory)
  var thumbnails: String?

  mutating func validate() throws {
    guard let widths else { return }
    let numbers = widths.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count <= 16, numbers.allSatisfy({ (1...100_000).contains($0 ?? 0) }),
      Set(numbers).count == numbers.count
    else {
      throw ValidationError(
        "--widths is \(Phrase.quoted(widths)); give up to 16 different widths from 1 to 100000, "
          + "such as 375,768,1280")
    }
  }

  /// The bounds to lay out for.
  ///
  /// - Parameter bounds: The scenario's, or nil.
  func bounds(_ bounds: Size?) -> [Size] {
    if let widths {
      let height = (bounds ?? Viewport().bounds).height
      return widths.split(separator: ",").compactMap { Double($0) }.map {
        Size(width: $0, height: height)
      }
    }
    if let bounds { return [bounds] }
    return [(375, 667), (768, 1024), (1280, 800), (1920, 1080)].map {
      Size(width: $0.0, height: $0.1)
    }
  }
}

/// A layout's pictures for drawings.
struct ShownPictures {
  let fit: ImageFit
  /// The fallback title of a page.
  let title: String
  /// By item, over all sections.
  private let images: [CellImage?]
  /// First item of each section, and the end.
  private let starts: [Int]

  /// How a drawing includes its pictures.
  enum Use {
    /// Links to files; formats that browsers don't support are embedded.
    case linked
    /// Embedded, at `density` pixels per point.
    case embedded(density: Double)
    /// Links to smaller copies, and to the files for the large view.
    case copied(ThumbnailFolder)
  }

  /// - Parameters:
  ///   - elements: The elements of all layouts of the drawing.
  ///   - path: The drawing's file; nil for standard output.
  /// - Returns: Nil if there are no pictures to show.
  init?(
    _ scenario: Scenario, shown elements: some Sequence<Element>, _ fit: ImageFit, _ use: Use,
    path: String?
  ) throws {
    guard case .table(let table) = scenario.content,
      table.pictures.contains(where: { $0 != nil })
    else { return nil }
    self.fit = fit
    title = table.title
    var starts = [0]
    for count in scenario.itemCounts { starts.append(starts[starts.count - 1] + count) }
    self.starts = starts
    var links = Links(output: path)
    var images = table.pictures.map { picture in
      picture.map { CellImage(address: links.address(of: $0.source), size: $0.size) }
    }
    for (index, text) in (table.texts(of: "caption") ?? []).enumerated() {
      images[index]?.caption = text
    }
    let sizes = Self.sizes(of: elements, starts)
    switch use {
    case .linked:
      try Self.embed(table.pictures, shown: sizes, 2, in: &images) { $0.hiddenFormat != nil }
    case .embedded(let density):
      try Self.embed(table.pictures, shown: sizes, density, in: &images) { _ in true }
    case .copied(let folder):
      try Self.addCopies(of: table.pictures, shown: sizes, in: folder, &links, &images)
    }
    self.images = images
  }

  func image(_ section: Int, _ item: Int) -> CellImage? {
    guard starts.indices.contains(section), item >= 0 else { return nil }
    let index = starts[section] + item
    return images.indices.contains(index) ? images[index] : nil
  }

  private static func sizes(
    of elements: some Sequence<Element>, _ starts: [Int]
  ) -> [Int: Size] {
    var sizes: [Int: Size] = [:]
    for element in elements
    where element.identity.category == .cell && !element.isHidden
      && starts.indices.contains(element.identity.section)
    {
      let index = starts[element.identity.section] + element.identity.item
      let (known, size) = (sizes[index] ?? .zero, element.frame.size)
      sizes[index] = Size(
        width: max(known.width, size.width), height: max(known.height, size.height))
    }
    return sizes
  }

  /// Replaces file addresses by thumbnails.
  ///
  /// - Parameter density: Pixels per point.
  private static func embed(
    _ pictures: [ItemPicture?], shown: [Int: Size], _ density: Double,
    in images: inout [CellImage?],
    where isWanted: (ItemPicture) -> Bool
  ) throws {
    let wanted = pictures.indices.filter { index in
      shown[index] != nil && pictures[index].map { !$0.source.isAddress && isWanted($0) } ?? false
    }
    guard !wanted.isEmpty else { return }
    let files = wanted.map { index in
      let size = shown[index] ?? .zero
      return (
        path: pictures[index]?.source ?? "",
        size: Size(width: density * size.width, height: density * size.height)
      )
    }
    let progress = ProgressLine("embedding pictures")
    defer { progress.erase() }
    var done = 0
    let thumbnails = try PictureReader().thumbnails(of: files) {
      done += 1
      progress.update(Double(done) / Double(files.count))
    }
    for (index, thumbnail) in zip(wanted, thumbnails) {
      switch thumbnail {
      case .success(let thumbnail):
        images[index]?.address =
          "data:image/\(thumbnail.type);base64,\(thumbnail.bytes.base64EncodedString())"
      case .failure(let failure):
        Diagnostics.say("\(pictures[index]?.source ?? "") is not embedded: \(failure.message)")
      }
    }
  }

  private static func addCopies(
    of pictures: [ItemPicture?], shown: [Int: Size], in folder: ThumbnailFolder,
    _ links: inout Links,
    _ images: inout [CellImage?]
  ) throws {
    try BufferedOutput.createFolder(folder.path)
    let wanted = shown.keys.sorted().compactMap { index -> (index: Int, picture: ItemPicture)? in
      guard let picture = pictures[index], !picture.source.isAddress else { return nil }
      return (index, picture)
    }
    let files = try folder.files(of: wanted.map(\.picture))
    for ((index, picture), files) in zip(wanted, files) where !files.isEmpty {
      var copies = files.map { file in
        CellImage(address: links.address(of: file.path), size: file.size)
      }
      // A picture hardly larger than its last copy is the largest choice itself.
      if picture.hiddenFormat != nil || folder.large != nil {
        images[index]?.address = copies[copies.count - 1].address
      } else if let image = images[index],
        (picture.size?.width ?? .infinity) <= ThumbnailFolder.widest
      {
        copies.append(image)
      }
      images[index]?.copies = copies
    }
  }
}

extension ItemTable {
  fileprivate var title: String {
    let prefix = "--images "
    let path = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    if name.hasPrefix(prefix) {
      var status = stat()
      let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      let full = Links.absolute(path)
      let folder = isFolder ? full : full.split(separator: "/").dropLast().joined(separator: "/")
      return folder.split(separator: "/").last.map(String.init) ?? "Pictures"
    }
    return ItemPicture(source: path, size: nil).label
  }
}

/// File addresses relative to the document's folder.
private struct Links {
  private let base: [Substring]
  private var folders: [String: String] = [:]

  init(output: String?) {
    let folder = output.map { Self.folder(of: Self.absolute($0)) } ?? Self.absolute(".")
    base = Self.real(folder: folder).split(separator: "/")
  }

  mutating func address(of source: String) -> String {
    if source.isAddress { return source }
    let path = Self.absolute(source)
    let folder = Self.folder(of: path)
    let real = folders[folder] ?? Self.real(folder: folder)
    folders[folder] = real
    let name = path.split(separator: "/").last ?? ""
    let parts = real.split(separator: "/") + [name]
    let shared = zip(base, parts.dropLast()).prefix { $0 == $1 }.count
    let steps = Array(repeating: Substring(".."), count: base.count - shared) + parts[shared...]
    let address = steps.map(Self.encoded).joined(separator: "/")
    // A colon before any slash would read as a scheme.
    return address.prefix { $0 != "/" }.contains(":") ? "./\(address)" : address
  }

  static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  private static func folder(of path: String) -> String {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    return "/\(folder)"
  }

  private static func real(folder: String) -> String {
    guard let real = realpath(folder, nil) else { return folder }
    defer { free(real) }
    return String(cString: real)
  }

  private static func encoded(_ part: Substring) -> String {
    var text = ""
    for byte in part.utf8 {
      let isPlain =
        byte < 0x80
        && (UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
          || "-._~!$()*+,=:@".utf8.contains(byte))
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += byte < 16 ? "%0" : "%"
        text += String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
