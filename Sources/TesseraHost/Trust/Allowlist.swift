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
  static let sizeLimit = 16 << 20

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
