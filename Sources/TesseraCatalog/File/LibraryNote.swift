import CTessera

extension ELFImage {
  /// Bytes.
  private static let noteLimit = 65_536

  private static let noteName = Array("Tessera\0".utf8)
  private static let noteType: UInt32 = 1
  private static let noteHeaderSize = 12
  private static let noteDataSize = 12

  /// The ABI version in the Tessera note, if any.
  func notedVersion() throws(HostError) -> ABIVersion? {
    for segment in segments(of: .note) {
      let bytes = try bytes(of: segment, limit: Self.noteLimit, "notes")
      let alignment = segment.alignment == 8 ? 8 : 4
      if let found = try Self.version(inNotes: bytes, alignment: alignment) { return found }
    }
    return nil
  }

  private static func version(
    inNotes bytes: [UInt8], alignment: Int
  ) throws(HostError) -> ABIVersion? {
    var offset = 0
    while bytes.count - offset >= noteHeaderSize {
      // Each number is below 2^32, so their sums can't overflow.
      let nameSize = Int(bytes.uint32(at: offset))
      let dataSize = Int(bytes.uint32(at: offset + 4))
      let type = bytes.uint32(at: offset + 8)
      let data = aligned(offset + noteHeaderSize + nameSize, to: alignment)
      guard data + dataSize <= bytes.count else {
        throw HostError(
          .damagedLibrary,
          "it is malformed: a note of \(nameSize) and \(dataSize) bytes extends past the end of "
            + "its segment; build it again")
      }
      if type == noteType, nameSize == noteName.count,
        bytes.holds(noteName, at: offset + noteHeaderSize)
      {
        return try version(in: bytes, at: data, size: dataSize)
      }
      offset = aligned(data + dataSize, to: alignment)
    }
    return nil
  }

  private static func aligned(_ offset: Int, to alignment: Int) -> Int {
    (offset + alignment - 1) / alignment * alignment
  }

  /// A later ABI may have more data at the end.
  private static func version(
    in bytes: [UInt8], at offset: Int, size: Int
  ) throws(HostError) -> ABIVersion {
    guard size >= noteDataSize else {
      throw HostError(
        .missingNote,
        "its Tessera note has \(size) bytes of data; expected at least \(noteDataSize); write it with "
          + "TESSERA_NOTE")
    }
    return ABIVersion(major: bytes.uint32(at: offset), minor: bytes.uint32(at: offset + 4))
  }
}

/// A version of the contract between host and engine.
public struct ABIVersion: Equatable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Raised when engines built for an older version no longer work.
  public let major: UInt32
  /// Raised when something is added.
  public let minor: UInt32

  /// Creates a version.
  public init(major: UInt32, minor: UInt32) { (self.major, self.minor) = (major, minor) }

  /// The version of the header that this host was built with.
  public static let current = ABIVersion(
    major: UInt32(TESSERA_ABI_MAJOR), minor: UInt32(TESSERA_ABI_MINOR))

  /// Whether this host runs libraries that need the version.
  public var isSupported: Bool { major == Self.current.major && minor <= Self.current.minor }

  /// The library's major version with this host's minor version.
  package var served: ABIVersion {
    ABIVersion(major: major, minor: major == Self.current.major ? Self.current.minor : minor)
  }

  /// Compares major, then minor versions.
  public static func < (left: ABIVersion, right: ABIVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  /// "major.minor".
  public var description: String { "\(major).\(minor)" }
}
