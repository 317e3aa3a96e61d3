import FoundationEssentials
import Glibc
import TesseraHost
import TesseraScenario

/// The picture files of a folder or a pattern.
struct PictureFiles {
  /// The endings of the files that count as pictures in a folder.
  static let endings: Set = ["png", "jpg", "jpeg", "jpe", "jfif", "gif", "webp", "avif"]

  /// What the user gave.
  let argument: String
  /// The paths in the order of names, in which numbers count as such.
  let paths: [String]

  /// - Parameter argument: A folder, a file, or a pattern with `*`, `?`, `[…]` and `{…}`.
  /// - Throws: `.noInput` if there is no file.
  init(_ argument: String) throws(CommandFailure) {
    self.argument = argument
    var status = stat()
    if stat(argument, &status) == 0 {
      paths =
        status.st_mode & S_IFMT == S_IFDIR
        ? try Self.pictures(inFolder: argument) : [argument]
    } else {
      paths = Self.matches(argument)
    }
    guard paths.isEmpty else { return }
    throw CommandFailure(
      .noInput,
      "--images \(argument): there is no such folder, and no file matches; give a folder, or a "
        + "pattern such as 'pictures/*.jpg' in quotes")
  }

  /// The files of a folder whose names end like a picture's; not those that begin with a dot.
  private static func pictures(inFolder folder: String) throws(CommandFailure) -> [String] {
    let names: [[UInt8]]
    do throws(HostError) {
      names = try LibraryScan.names(inFolder: folder) { name in
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
          return false
        }
        let ending = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
        return name.first != UInt8(ascii: ".") && endings.contains(ending)
      }
    } catch {
      throw CommandFailure(.noInput, "--images \(folder): \(error.message)")
    }
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    let pictures = names.compactMap { path(Array(start.utf8) + $0) }
    guard !names.isEmpty else {
      throw CommandFailure(
        .noInput,
        "--images \(folder): the folder has no file that ends with "
          + "\(endings.sorted().map { ".\($0)" }.joined(separator: ", ")); give another, or a pattern"
      )
    }
    guard !pictures.isEmpty else {
      throw CommandFailure(.noInput, "--images \(folder): no picture has a name in UTF-8")
    }
    return pictures.sorted(by: isOrdered)
  }

  /// A path as text; reports one that is not UTF-8, which no result can contain.
  private static func path(_ bytes: [UInt8]) -> String? {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let shown = String(decoding: bytes, as: UTF8.self)
    Diagnostics.say("\(shown) is left out: its name is not UTF-8; rename the file")
    return nil
  }

  private static func matches(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, GLOB_BRACE | GLOB_TILDE | GLOB_NOSORT, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0] }.filter { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }.compactMap {
      path(UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:)))
    }.sorted(by: isOrdered)
  }

  /// The order of bytes, but of values where both have digits: 2.jpg before 10.jpg.
  private static func isOrdered(_ left: String, _ right: String) -> Bool {
    let (a, b) = (Array(left.utf8), Array(right.utf8))
    func digits(_ text: [UInt8], from start: Int) -> ArraySlice<UInt8> {
      text[start...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      let (first, second) = (digits(a, from: i), digits(b, from: j))
      if first.isEmpty || second.isEmpty {
        if a[i] != b[j] { return a[i] < b[j] }
        (i, j) = (i + 1, j + 1)
        continue
      }
      let zero = UInt8(ascii: "0")
      let (value, other) = (first.drop { $0 == zero }, second.drop { $0 == zero })
      if value.count != other.count { return value.count < other.count }
      if value != other { return value.lexicographicallyPrecedes(other) }
      (i, j) = (first.endIndex, second.endIndex)
    }
    return a.count - i != b.count - j ? a.count - i < b.count - j : left < right
  }
}

extension ItemTable {
  /// The table of picture files, one item each.
  ///
  /// Files that are no pictures are reported and left out.
  ///
  /// - Throws: `.noInput` if none is left.
  init(pictures files: PictureFiles) throws {
    let sizes = try PictureReader().sizes(of: files.paths)
    let pictures = zip(files.paths, sizes).compactMap { path, size in
      size.known(of: path).map { ItemPicture(source: path, size: $0) }
    }
    guard !pictures.isEmpty else {
      throw CommandFailure(
        .noInput, "--images \(files.argument): none of the files can be read as a picture")
    }
    self.init(pictures: pictures, name: "--images \(files.argument)")
  }

  /// This table with the pictures of its column `image`, or the table as it is if it has none.
  ///
  /// Paths are relative to the table's file. Rows whose file is no picture are reported and left out.
  /// A row without text in the column has no picture, and the size of one elsewhere is unknown.
  func withPictures() throws -> ItemTable {
    guard let images = texts(of: "image"), images.contains(where: { !$0.isEmpty }) else {
      return self
    }
    if let row = images.firstIndex(where: { $0.utf8.contains(0) }) {
      throw CommandFailure(
        .data,
        "\(name): column image has a text with a NUL character, in row \(row); give the path of a file"
      )
    }
    let sources = images.map { text in
      text.isEmpty || text.isAddress || text.hasPrefix("/") || folder == nil
        ? text : "\(folder ?? ".")/\(text)"
    }
    let files = sources.filter { !$0.isEmpty && !$0.isAddress }
    var sizes: [PictureReader.ReadSize] = []
    do {
      sizes = try PictureReader().sizes(of: files)
    } catch let error as CommandFailure where error.status == .refused {
      Diagnostics.say("warning: the pictures of \(name) are not read: \(error.message)")
      return self
    }
    let known = Dictionary(zip(files, sizes)) { first, _ in first }
    var isAnyLeft = false
    let kept = sources.map { source -> ItemPicture?? in
      guard let size = known[source] else {
        isAnyLeft = true
        return .some(source.isEmpty ? nil : ItemPicture(source: source, size: nil))
      }
      guard let size = size.known(of: source) else { return nil }
      isAnyLeft = true
      return ItemPicture(source: source, size: size)
    }
    guard isAnyLeft else {
      throw CommandFailure(.noInput, "\(name): no file of column image can be read as a picture")
    }
    return keeping(kept)
  }
}

extension String {
  /// Whether the text is the address of a picture in the web.
  var isAddress: Bool { hasPrefix("https://") || hasPrefix("http://") }
}

extension PictureReader.ReadSize {
  /// The size; reports the problem of a file.
  fileprivate func known(of path: String) -> Size? {
    switch self {
    case .success(let size): return size
    case .failure(let problem):
      Diagnostics.say("\(path) is left out: \(problem.message)")
      return nil
    }
  }
}
