import ArgumentParser
import FoundationEssentials
import Glibc
import TesseraCommand
import TesseraHost
import TesseraScenario

package struct PictureFiles {
  /// Extensions of pictures in a folder.
  static let endings: Set = [
    "png", "jpg", "jpeg", "jpe", "jfif", "gif", "webp", "avif", "heic", "heif", "hif", "tif",
    "tiff",
  ]
  /// Extensions of RAW files, which count as pictures too.
  static let rawEndings: Set = [
    "dng", "cr2", "cr3", "nef", "nrw", "arw", "orf", "rw2", "pef", "srw", "raf",
  ]

  package let argument: String
  /// In natural name order.
  package let paths: [String]
  /// Folder name by path, if folders are sections; otherwise empty.
  package private(set) var folders: [String] = []

  /// - Parameters:
  ///   - argument: A folder, a file, or a pattern with `*`, `?`, `[…]`, `{…}`, and once `**/` for
  ///     any folders.
  /// - Throws: `.fileNotFound` if there is no file.
  package init(_ argument: String, isRecursive: Bool = false) throws {
    self.argument = argument
    var status = stat()
    if stat(argument, &status) == 0 {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      if isFolder, isRecursive {
        (paths, folders) = try Self.grouped(argument, Self.pictures)
      } else {
        paths = isFolder ? try Self.pictures(inFolder: argument) : [argument]
        if isFolder { try Self.mentionUnread(argument) }
        guard paths.isEmpty else { return }
        throw HostError(
          .fileNotFound,
          "\(argument): the folder has no file that ends like a picture, such as .jpg, .png or "
            + ".heic; give another, or a pattern")
      }
    } else if Self.alternatives(argument) > Self.alternativeLimit {
      throw ValidationError(
        "\(argument): the braces stand for more than \(Self.alternativeLimit) patterns; give "
          + "fewer, or * in their place")
    } else if let stars = argument.firstRange(of: "**/") {
      let start = String(argument[..<stars.lowerBound])
      let rest = String(argument[stars.upperBound...])
      (paths, folders) = try Self.grouped(start.isEmpty ? "." : start) { folder in
        Self.matches("\(Self.escaped(folder))/\(rest)")
      }
    } else {
      paths = Self.matches(argument)
    }
    guard paths.isEmpty else { return }
    throw HostError(
      .fileNotFound,
      "\(argument): there is no such folder, and no file matches; give a folder, or a "
        + "pattern such as 'pictures/*.jpg' in quotes")
  }

  private static func grouped(
    _ root: String, _ files: (String) throws(HostError) -> [String]
  ) throws(HostError) -> ([String], folders: [String]) {
    let start = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    var (paths, names) = ([String](), [String]())
    var rest = [start]
    while let folder = rest.popLast() {
      let found = try files(folder)
      let name =
        folder == start
        ? start.split(separator: "/").last.map(String.init) ?? start
        : String(folder.dropFirst(start.count + 1))
      paths += found
      names += found.map { _ in name }
      rest += try subfolders(of: folder).reversed()
    }
    return (paths, names)
  }

  /// Skips hidden folders and links.
  private static func subfolders(of folder: String) throws(HostError) -> [String] {
    try names(inFolder: folder).compactMap { String(validating: $0, as: UTF8.self) }.filter {
      var status = stat()
      return lstat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }.sorted(by: isOrdered)
  }

  private static func mentionUnread(_ folder: String) throws(HostError) {
    let count = try subfolders(of: folder).count { !isPicture($0) }
    guard count > 0 else { return }
    Diagnostics.say(
      "\(folder): \(Phrase.counted(count, "subfolder")) not read; give --recursive to read "
        + (count == 1 ? "it" : "them"))
  }

  private static func escaped(_ path: String) -> String {
    path.map { "*?[]{}\\~,".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  private static func names(
    inFolder folder: String, where isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(HostError) -> [[UInt8]] {
    var found = glob_t()
    defer { globfree(&found) }
    let slash = folder.hasSuffix("/") ? "" : "/"
    let status = glob("\(escaped(folder))\(slash)*", GLOB_ERR | GLOB_NOSORT, nil, &found)
    guard status == 0 || status == GLOB_NOMATCH else {
      throw HostError(
        .fileNotFound, "\(folder): the folder cannot be read: \(String(cString: strerror(errno)))")
    }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0] }.map {
      UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:))
    }.filter(isWanted)
  }

  private static func pictures(inFolder folder: String) throws(HostError) -> [String] {
    let names = try Self.names(inFolder: folder) {
      isPicture(String(decoding: $0, as: UTF8.self))
    }
    let pictures = names.compactMap(path)
    guard names.isEmpty || !pictures.isEmpty else {
      throw HostError(.fileNotFound, "\(folder): no picture has a name in UTF-8")
    }
    return withoutRaw(pictures, folder).sorted(by: isOrdered)
  }

  /// Drops RAW files beside another picture of the same name; cameras can write both.
  private static func withoutRaw(_ pictures: [String], _ folder: String) -> [String] {
    func isRaw(_ path: String) -> Bool { rawEndings.contains(ending(of: path)) }
    func stem(_ path: String) -> Substring { path.dropLast(ending(of: path).count) }
    let shown = Set(pictures.filter { !isRaw($0) }.map(stem))
    let kept = pictures.filter { !isRaw($0) || !shown.contains(stem($0)) }
    if kept.count < pictures.count {
      Diagnostics.say(
        "\(folder): \(Phrase.counted(pictures.count - kept.count, "RAW file")) not read, with another picture "
          + "of the same name beside \(pictures.count - kept.count == 1 ? "it" : "them")")
    }
    return kept
  }

  /// Reports paths that aren't UTF-8, which no result can contain.
  private static func path(_ bytes: [UInt8]) -> String? {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let shown = String(decoding: bytes, as: UTF8.self)
    Diagnostics.say("\(shown) is left out: its name is not UTF-8; rename the file")
    return nil
  }

  private static func isPicture(_ name: String) -> Bool {
    endings.contains(ending(of: name)) || rawEndings.contains(ending(of: name))
  }

  /// Lower-case extension.
  private static func ending(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// Most expansions of braces; each is looked up separately.
  private static let alternativeLimit = 4096

  /// An upper bound of the number of expansions.
  private static func alternatives(_ pattern: String) -> Int {
    var (product, open, isEscaped) = (1, [Int](), false)
    for character in pattern.utf8 {
      switch character {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "{"): open.append(1)
      case UInt8(ascii: ",") where !open.isEmpty: open[open.count - 1] += 1
      case UInt8(ascii: "}"):
        product *= open.popLast() ?? 1
        if product > alternativeLimit { return product }
      default: break
      }
    }
    return product
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

  /// Byte order, but digits compare by value: 2.jpg before 10.jpg.
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
  /// Creates a table with one picture file per item; reports and skips other files.
  ///
  /// - Parameters:
  ///   - name: The table's name in messages.
  ///   - precedes: Order within a folder; by file by default.
  /// - Throws: `.fileNotFound` if none is left.
  package init(
    pictures files: [PictureFiles], name: String,
    by precedes: ((ItemPicture, ItemPicture) -> Bool)? = nil
  ) throws {
    let paths = files.flatMap(\.paths)
    let read = try PictureReader().pictures(of: paths)
    reportLeftOut(zip(paths, read))
    let folders = files.flatMap { $0.folders.isEmpty ? $0.paths.map { _ in "" } : $0.folders }
    var rows = zip(read, folders).compactMap { read, folder in
      (try? read.get()).map { (picture: $0, folder: folder) }
    }
    guard !rows.isEmpty else {
      throw HostError(.fileNotFound, "\(name): none of the files can be read as a picture")
    }
    if let precedes {
      let places = Dictionary(folders.enumerated().map { ($1, $0) }) { first, _ in first }
      rows.sort { one, other in
        let (place, next) = (places[one.folder] ?? 0, places[other.folder] ?? 0)
        return place == next ? precedes(one.picture, other.picture) : place < next
      }
    }
    self.init(
      pictures: rows.map(\.picture),
      sections: rows.allSatisfy { $0.folder.isEmpty } ? [] : rows.map(\.folder), name: name)
  }

  /// Reads the pictures in the column `image`, relative to the table's file.
  ///
  /// Reports and skips rows with unreadable files. A row without text has no picture; the size of a
  /// remote one is unknown.
  package func withPictures() throws -> ItemTable {
    guard let images = texts(of: "image"), images.contains(where: { !$0.isEmpty }) else {
      return self
    }
    if let row = images.firstIndex(where: { $0.utf8.contains(0) }) {
      throw HostError(
        .invalidValue,
        "\(name): column image has a text with a NUL character, in row \(row); give the path of a file"
      )
    }
    let sources = images.map { text in
      text.isEmpty || text.isAddress || text.hasPrefix("/") || folder == nil
        ? text : "\(folder ?? ".")/\(text)"
    }
    let files = sources.filter { !$0.isEmpty && !$0.isAddress }
    var read: [PictureReader.ReadPicture] = []
    do {
      read = try PictureReader().pictures(of: files)
    } catch let error as HostError where error.kind.status == 69 {
      Diagnostics.say("warning: the pictures of \(name) are not read: \(error.message)")
      return self
    }
    let known = Dictionary(zip(files, read)) { first, _ in first }
    reportLeftOut(zip(files, read))
    var isAnyLeft = false
    let kept = sources.map { source -> ItemPicture?? in
      guard let read = known[source] else {
        isAnyLeft = true
        return .some(source.isEmpty ? nil : ItemPicture(source: source, size: nil))
      }
      guard let picture = try? read.get() else { return nil }
      isAnyLeft = true
      return .some(picture)
    }
    guard isAnyLeft else {
      throw HostError(.fileNotFound, "\(name): no file of column image can be read as a picture")
    }
    return keeping(kept)
  }
}

extension String {
  package var isAddress: Bool { hasPrefix("https://") || hasPrefix("http://") }
}

private func reportLeftOut(_ files: some Sequence<(String, PictureReader.ReadPicture)>) {
  var problems: [(text: String, paths: [String])] = []
  for case (let path, .failure(let problem)) in files {
    if let index = problems.firstIndex(where: { $0.text == problem.message }) {
      problems[index].paths.append(path)
    } else {
      problems.append((problem.message, [path]))
    }
  }
  for (problem, paths) in problems {
    guard paths.count <= 10 else {
      Diagnostics.say("\(paths[0]) and \(paths.count - 1) others are left out: \(problem)")
      continue
    }
    for path in paths { Diagnostics.say("\(path) is left out: \(problem)") }
  }
}
