import Glibc

/// The allowed SHA-256 sums, in a file as `sha256sum` writes it; paths don't matter.
public struct Allowlist: Sendable, Equatable {
  /// An allowed library.
  public struct Entry: Sendable, Equatable {
    /// The digest of its bytes.
    public let digest: SHA256Digest
    /// Its path when it was added.
    public let path: String
  }

  /// The path of the file.
  public let file: String
  /// Whether the file exists; if not, the list is empty.
  public let exists: Bool
  /// The entries, in file order.
  public var entries: [Entry] { lines.compactMap(\.entry) }

  var lines: [AllowlistLine]
  private let digests: Set<SHA256Digest>

  /// Reads a file; throws `.notAllowed`, `.notFound`, or `.invalidInput` with the line.
  public init(file: String) throws(HostError) {
    guard let text = try Self.text(of: file, limit: Self.sizeLimit) else {
      self.init(file: file, exists: false, lines: [])
      return
    }
    var lines: [AllowlistLine] = []
    // As characters, a carriage return and a line feed are one.
    let rawLines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, rawLine) in rawLines.enumerated() {
      let line = Substring(rawLine.last == UInt8(ascii: "\r") ? rawLine.dropLast() : rawLine)
      guard let read = AllowlistLine(line) else {
        throw HostError(
          .invalidAllowlist,
          "line \(index + 1) of \(file) is \"\(line.prefix(100))\"; expected a SHA-256 sum of 64 "
            + "digits, two spaces and a path, as sha256sum writes them, or a comment after #")
      }
      lines.append(read)
    }
    if lines.last == .other("") { lines.removeLast() }
    self.init(file: file, exists: true, lines: lines)
  }

  init(file: String, exists: Bool, lines: [AllowlistLine]) {
    (self.file, self.exists, self.lines) = (file, exists, lines)
    digests = Set(lines.compactMap { $0.entry?.digest })
  }

  /// Bytes.
  package static let sizeLimit = 16 << 20

  /// `tessera/trusted` in `XDG_CONFIG_HOME` or in `.config` of the home folder, if absolute.
  public static func standardFile(environment: [String: String]?, home: String?) -> String? {
    SearchPath.path("XDG_CONFIG_HOME", ".config", environment: environment, home: home)
      .map { "\($0)/tessera/trusted" }
  }

  /// Whether a library with this digest may be loaded.
  public func contains(_ digest: SHA256Digest) -> Bool { digests.contains(digest) }
}

extension Allowlist {
  /// The state of a library compared with its entry.
  public enum State: String, Sendable {
    case unchanged
    case changed
    case missing
  }

  /// Adds a library, which is inspected but not loaded; O(*n*) in bytes.
  ///
  /// - Returns: The entry, and whether it is new.
  /// - Throws: `.notFound`, `.cannotLoad` if it is not an engine library, or as `add(_:path:to:)`.
  public static func add(
    library path: String, to file: String
  ) throws(HostError) -> (entry: Entry, isNew: Bool) {
    let resolved = LibraryScan.resolve(path)
    let digest: SHA256Digest
    do throws(HostError) { digest = try SealedLibrary(path: resolved).digest } catch {
      throw error.about(path)
    }
    let entry = Entry(digest: digest, path: resolved)
    let isNew = try !Allowlist(file: file).entries.contains(entry)
    try add(digest, path: resolved, to: file)
    return (entry, isNew)
  }
}

extension Allowlist.Entry {
  /// Compares the library's file with the entry; O(*n*) in bytes.
  public func state() -> Allowlist.State {
    guard let file = try? LibraryFile(path: path),
      let found = try? SHA256Digest(ofDescriptor: file.descriptor)
    else { return .missing }
    return found == digest ? .unchanged : .changed
  }
}

extension Allowlist {
  /// Adds an entry under a file lock, creates the file if necessary, and returns the new list.
  ///
  /// Idempotent; throws as `init(file:)`, or `.cannotWrite`.
  @discardableResult
  public static func add(
    _ digest: SHA256Digest, path: String, to file: String
  ) throws(HostError) -> Allowlist {
    let entry = Entry(digest: digest, path: path)
    return try locked(file) { () throws(HostError) in
      let list = try Allowlist(file: file)
      guard !list.entries.contains(entry) else { return list }
      return try list.written(list.lines + [.entry(entry)])
    }
  }

  /// Removes entries by path or by the beginning of their sum, and returns them.
  ///
  /// - Throws: As `init(file:)`, `.notFound`, `.cannotWrite`, or `.invalidInput` if ambiguous.
  @discardableResult
  public static func remove(_ name: String, from file: String) throws(HostError) -> [Entry] {
    try locked(file) { () throws(HostError) in
      let list = try Allowlist(file: file)
      let removed = try list.entries(named: name)
      _ = try list.written(list.lines.filter { line in !removed.contains { line == .entry($0) } })
      return removed
    }
  }

  private func written(_ lines: [AllowlistLine]) throws(HostError) -> Allowlist {
    try Self.replace(file, with: lines.map { $0.text + "\n" }.joined())
    return Allowlist(file: file, exists: true, lines: lines)
  }

  private func entries(named name: String) throws(HostError) -> [Entry] {
    let byPath = entries.filter { $0.path == name }
    if !byPath.isEmpty { return byPath }
    let prefix = name.lowercased()
    let bySum = name.isEmpty ? [] : entries.filter { $0.digest.description.hasPrefix(prefix) }
    let sums = Set(bySum.map(\.digest))
    guard sums.count <= 1 else {
      throw HostError(
        .ambiguousName,
        "\(sums.count) sums on the allowlist \(file) begin with \(name); give more of its digits")
    }
    guard !bySum.isEmpty else {
      throw HostError(
        .fileNotFound,
        "the allowlist \(file) has neither a path nor a sum \(name); give one that it lists")
    }
    return bySum
  }
}

extension Allowlist {
  /// Nil if the file doesn't exist.
  private static func text(of path: String, limit: Int) throws(HostError) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw unreadable(path)
    }
    defer { close(descriptor) }
    try FolderRule().check(file: path)
    var status = stat()
    guard fstat(descriptor, &status) == 0, FileKind(status) == .regular, status.st_size <= limit
    else {
      throw HostError(
        .invalidAllowlist,
        "the allowlist \(path) is not a file of at most \(limit) bytes; fix or remove it")
    }
    guard let bytes = readWholeFile(descriptor, limit: limit) else { throw unreadable(path) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw HostError(.invalidAllowlist, "the allowlist \(path) is not UTF-8; encode it as UTF-8")
    }
    return text
  }

  private static func locked<Answer>(
    _ path: String, _ body: () throws(HostError) -> Answer
  ) throws(HostError) -> Answer {
    try SearchPath.locked(SearchPath.folder(of: path), failure: { unwritable(path, $0) }, body)
  }

  private static func replace(_ path: String, with text: String) throws(HostError) {
    do throws(SystemError) {
      // A symlink stays.
      try NewFile.write(Array(text.utf8), replacing: LibraryScan.resolve(path), mode: 0o600)
    } catch { throw unwritable(path, error.number) }
  }

  private static func unreadable(_ path: String) -> HostError {
    HostError(.fileNotFound, "the allowlist \(path) cannot be read: \(systemMessage(errno))")
  }

  private static func unwritable(_ path: String, _ number: Int32) -> HostError {
    HostError(
      .unwritableFile,
      "the allowlist \(path) cannot be written: "
        + SystemError(number: number).sentence(advice: "make it writable, or name another one"))
  }
}

enum AllowlistLine: Equatable, Sendable {
  case entry(Allowlist.Entry)
  case other(String)

  var entry: Allowlist.Entry? { if case .entry(let entry) = self { entry } else { nil } }

  /// A leading backslash means escapes in the path; a star means `sha256sum` read in binary mode.
  init?(_ line: Substring) {
    let content = line.drop { $0 == " " || $0 == "\t" }
    guard let first = content.first, first != "#" else {
      self = .other(String(line))
      return
    }
    let isEscaped = first == "\\"
    let utf8 = (isEscaped ? content.dropFirst() : content).utf8
    let separator = utf8.dropFirst(64).prefix(2)
    guard utf8.count > 66, let digest = SHA256Digest(hex: Substring(utf8.prefix(64))),
      separator.elementsEqual("  ".utf8) || separator.elementsEqual(" *".utf8),
      let path = Self.path(Substring(utf8.dropFirst(66)), isEscaped: isEscaped)
    else { return nil }
    self = .entry(Allowlist.Entry(digest: digest, path: path))
  }

  var text: String {
    switch self {
    case .other(let text): return text
    case .entry(let entry):
      let escaped = entry.path.unicodeScalars.reduce(into: "") { text, scalar in
        switch scalar {
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        default: text.unicodeScalars.append(scalar)
        }
      }
      return "\(escaped == entry.path ? "" : "\\")\(entry.digest)  \(escaped)"
    }
  }

  private static func path(_ text: Substring, isEscaped: Bool) -> String? {
    guard isEscaped else { return String(text) }
    var path = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        path.append(scalar)
        continue
      }
      switch scalars.next() {
      case "\\": path.append("\\")
      case "n": path.append("\n")
      case "r": path.append("\r")
      default: return nil
      }
    }
    return String(path)
  }
}
