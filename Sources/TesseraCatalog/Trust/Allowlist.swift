import Glibc

/// The libraries that may be loaded, by their SHA-256 sums: a file as `sha256sum` writes it.
///
/// One library a line, its sum, two spaces and its path, of which only the sum decides. Lines that
/// begin with "#" and empty ones are for people, and stay when the file is written again.
public struct Allowlist: Sendable, Equatable {
  /// One library.
  public struct Entry: Sendable, Equatable {
    /// The sum of its bytes.
    public let digest: SHA256Digest
    /// Where it lay when it was added.
    public let path: String
  }

  /// The path of the file.
  public let file: String
  /// Whether there is a file; where there is none, nothing is listed.
  public let exists: Bool
  /// The libraries in the order of the file.
  public var entries: [Entry] { lines.compactMap(\.entry) }

  var lines: [AllowlistLine]
  private let digests: Set<SHA256Digest>

  /// Reads a file.
  ///
  /// - Throws: `.notAllowed` where others may change it, `.invalidInput` with the number of the first
  ///   line that is none, `.notFound` where it cannot be read.
  public init(file: String) throws(HostError) {
    guard let text = try AllowlistFile.text(of: file, limit: Self.sizeLimit) else {
      self.init(file: file, exists: false, lines: [])
      return
    }
    var lines: [AllowlistLine] = []
    // By bytes: as characters, a carriage return and a line feed are one that is neither.
    let ends = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, end) in ends.enumerated() {
      let line = Substring(end.last == UInt8(ascii: "\r") ? end.dropLast() : end)
      guard let read = AllowlistLine(line) else {
        throw HostError(
          .invalidInput,
          "line \(index + 1) of \(file) is \"\(line.prefix(100))\"; expected a SHA-256 sum of 64 "
            + "digits, two spaces and a path, as sha256sum writes them, or a comment after #")
      }
      lines.append(read)
    }
    // What ends a line begins no other.
    if lines.last == .other("") { lines.removeLast() }
    self.init(file: file, exists: true, lines: lines)
  }

  init(file: String, exists: Bool, lines: [AllowlistLine]) {
    self.file = file
    self.exists = exists
    self.lines = lines
    digests = Set(lines.compactMap { $0.entry?.digest })
  }

  /// The most bytes that a file may have.
  package static let sizeLimit = 16 << 20

  /// The user's own file.
  ///
  /// It is `tessera/trusted` in `XDG_CONFIG_HOME`, or in `.config` of the home folder; nil where
  /// neither is an absolute path.
  public static func standardFile(environment: [String: String]?, home: String?) -> String? {
    StandardFolder.path("XDG_CONFIG_HOME", ".config", environment: environment, home: home)
      .map { "\($0)/tessera/trusted" }
  }

  /// Whether a library of these bytes may be loaded.
  public func contains(_ digest: SHA256Digest) -> Bool { digests.contains(digest) }
}

extension Allowlist {
  /// What has become of a library since it was added.
  public enum State: String, Sendable {
    /// The file holds the bytes that were added.
    case unchanged
    /// The file holds other bytes, which are not allowed by this entry.
    case changed
    /// There is no file that can be read.
    case missing
  }

  /// What adding a library came to.
  public struct Addition: Sendable {
    /// The library as it is listed.
    public let entry: Entry
    /// Whether it was not listed before.
    public let isNew: Bool
  }

  /// Adds the library at a path, as it is now, to a file, which is made where it is missing.
  ///
  /// The file is inspected; nothing of it runs. It is listed by its path without symlinks.
  /// Complexity: O(*n*) in bytes.
  ///
  /// - Throws: `.notFound` where nothing lies at the path, `.cannotLoad` for what is no engine library,
  ///   and as `add(_:path:to:)`.
  public static func add(library path: String, to file: String) throws(HostError) -> Addition {
    let resolved = LibraryScan.resolve(path)
    let digest: SHA256Digest
    do throws(HostError) { digest = try SealedLibrary(path: resolved).digest } catch {
      throw error.about(path)
    }
    let entry = Entry(digest: digest, path: resolved)
    let isNew = try !Allowlist(file: file).entries.contains(entry)
    try add(digest, path: resolved, to: file)
    return Addition(entry: entry, isNew: isNew)
  }
}

extension Allowlist.Entry {
  /// What has become of the library's file.
  ///
  /// Complexity: O(*n*) in its bytes.
  public func state() -> Allowlist.State {
    guard let file = try? LibraryFile(path: path),
      let found = try? SHA256.digest(ofFile: file.descriptor)
    else { return .missing }
    return found == digest ? .unchanged : .changed
  }
}

extension Allowlist {
  /// Adds a library to a file, which is made where it is missing, and gives the new list.
  ///
  /// A sum that is listed for the same path already stays as it is. Others may add and remove at the
  /// same time: nothing is lost.
  ///
  /// - Throws: as `init(file:)`; `.cannotWrite` where the file cannot be written.
  @discardableResult
  public static func add(
    _ digest: SHA256Digest, path: String, to file: String
  ) throws(HostError) -> Allowlist {
    let entry = Entry(digest: digest, path: path)
    return try AllowlistFile.locked(file) { () throws(HostError) in
      let list = try Allowlist(file: file)
      guard !list.entries.contains(entry) else { return list }
      return try list.written(list.lines + [.entry(entry)])
    }
  }

  /// Takes libraries off a file: those of a path, or the one whose sum is given or begins so.
  ///
  /// - Returns: The entries that are gone.
  /// - Throws: as `init(file:)`; `.notFound` where nothing is listed under the name, `.invalidInput`
  ///   where several sums begin so, `.cannotWrite` where the file cannot be written.
  @discardableResult
  public static func remove(_ name: String, from file: String) throws(HostError) -> [Entry] {
    try AllowlistFile.locked(file) { () throws(HostError) in
      let list = try Allowlist(file: file)
      let gone = try list.entries(named: name)
      _ = try list.written(list.lines.filter { line in !gone.contains { line == .entry($0) } })
      return gone
    }
  }

  private func written(_ lines: [AllowlistLine]) throws(HostError) -> Allowlist {
    try AllowlistFile.replace(file, with: lines.map { $0.text + "\n" }.joined())
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
        .invalidInput,
        "\(sums.count) sums on the allowlist \(file) begin with \(name); give more of its digits")
    }
    guard !bySum.isEmpty else {
      throw HostError(
        .notFound,
        "the allowlist \(file) has neither a path nor a sum \(name); give one that it has")
    }
    return bySum
  }
}

/// Reads and writes the file of an allowlist.
enum AllowlistFile {
  /// What a file holds, or nil where there is none.
  ///
  /// - Throws: `.notAllowed` where others may change it, `.invalidInput` for one that is too large or
  ///   no text, `.notFound` where it cannot be read.
  static func text(of path: String, limit: Int) throws(HostError) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw HostError(.notFound, "the allowlist \(path) cannot be read: \(systemMessage(errno))")
    }
    defer { close(descriptor) }
    try FolderRule().check(file: path)
    var status = stat()
    guard fstat(descriptor, &status) == 0, FileKind(status) == .regular, status.st_size <= limit
    else {
      throw HostError(
        .invalidInput,
        "the allowlist \(path) is no file of at most \(limit) bytes; mend or remove it")
    }
    guard let bytes = WholeFile.read(descriptor, limit: limit) else {
      throw HostError(.notFound, "the allowlist \(path) cannot be read: \(systemMessage(errno))")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw HostError(.invalidInput, "the allowlist \(path) is not UTF-8; encode it so")
    }
    return text
  }

  /// Runs a body while nobody else changes what lies in the folder of a file; makes the folder.
  ///
  /// - Throws: `.cannotWrite` where the folder cannot be made or locked, `.notAllowed` where others
  ///   may change it, and what the body throws.
  static func locked<Answer>(
    _ path: String, _ body: () throws(HostError) -> Answer
  ) throws(HostError) -> Answer {
    try FolderLock.held(folder(of: path), failure: { unwritable(path, $0) }, body)
  }

  /// Puts a text in the place of what a file holds, all at once.
  ///
  /// - Throws: `.cannotWrite` where that fails; the file is then as it was.
  static func replace(_ path: String, with text: String) throws(HostError) {
    // A symlink stays one: what it leads to is replaced.
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    let target = resolved.map { String(cString: $0) } ?? path
    let beside = "\(target).\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unwritable(path, errno) }
    var failure = WholeFile.write(Array(text.utf8), to: descriptor)
    if failure == 0, fsync(descriptor) != 0 { failure = errno }
    close(descriptor)
    if failure == 0, rename(beside, target) != 0 { failure = errno }
    guard failure == 0 else {
      unlink(beside)
      throw unwritable(path, failure)
    }
  }

  private static func folder(of path: String) -> String {
    guard let end = path.lastIndex(of: "/") else { return "." }
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  private static func unwritable(_ path: String, _ number: Int32) -> HostError {
    HostError(
      .cannotWrite,
      "the allowlist \(path) cannot be written: \(systemMessage(number)); make it writable, or name "
        + "another one")
  }
}

/// A line of an allowlist: a library, or something for people.
enum AllowlistLine: Equatable, Sendable {
  case entry(Allowlist.Entry)
  case other(String)

  var entry: Allowlist.Entry? {
    if case .entry(let entry) = self { entry } else { nil }
  }

  /// Reads a line, or gives nil for one that says nothing.
  ///
  /// A backslash before the sum says that backslashes, line feeds and carriage returns in the path
  /// are written with one; a star for the second space, that `sha256sum` read the file as binary.
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

  /// The line as it is written, without its end.
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

/// Keeps those who change what lies in a folder from doing so at the same time.
package enum FolderLock {
  /// Runs a body while nobody else who asks for the same changes a folder; makes the folder.
  ///
  /// - Parameter failure: The error for a number of the system's, where the folder cannot be made or
  ///   locked.
  /// - Throws: `.notAllowed` where others may change the folder, and what the body throws.
  package static func held<Answer>(
    _ folder: String, failure: (Int32) -> HostError, _ body: () throws(HostError) -> Answer
  ) throws(HostError) -> Answer {
    let number = StandardFolder.make(folder)
    guard number == 0 else { throw failure(number) }
    try FolderRule().check(folder: folder)
    // The folder itself is locked: a file of its own for that would have to be left behind.
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure(errno) }
    }
    return try body()
  }
}
