import CTessera

extension LibraryInspection {
  /// Bytes.
  private static let limit = 65_536

  private static let name = Array("Tessera\0".utf8)
  private static let type: UInt32 = 1
  private static let headerSize = 12
  private static let dataSize = 12

  static func note(in image: borrowing ELFImage) throws(HostError) -> LibraryInspection? {
    for segment in image.segments(of: .note) {
      let bytes = try image.bytes(of: segment, limit: limit, "notes")
      if let found = try note(in: bytes, alignment: segment.alignment == 8 ? 8 : 4) { return found }
    }
    return nil
  }

  private static func note(
    in bytes: [UInt8], alignment: Int
  ) throws(HostError) -> LibraryInspection? {
    var offset = 0
    while bytes.count - offset >= headerSize {
      // Each number is below 2^32, so their sums can't overflow.
      let nameSize = Int(bytes.uint32(at: offset))
      let dataSize = Int(bytes.uint32(at: offset + 4))
      let type = bytes.uint32(at: offset + 8)
      let data = aligned(offset + headerSize + nameSize, to: alignment)
      guard data + dataSize <= bytes.count else {
        throw HostError(
          .damagedLibrary,
          "it is malformed: a note of \(nameSize) and \(dataSize) bytes extends past the end of "
            + "its segment; build it again")
      }
      if type == self.type, nameSize == name.count, bytes.holds(name, at: offset + headerSize) {
        return try read(bytes, at: data, size: dataSize)
      }
      offset = aligned(data + dataSize, to: alignment)
    }
    return nil
  }

  private static func aligned(_ offset: Int, to alignment: Int) -> Int {
    (offset + alignment - 1) / alignment * alignment
  }

  /// A later ABI may have more data at the end.
  private static func read(
    _ bytes: [UInt8], at offset: Int, size: Int
  ) throws(HostError) -> LibraryInspection {
    guard size >= dataSize else {
      throw HostError(
        .missingNote,
        "its Tessera note has \(size) bytes of data; expected at least \(dataSize); write it with "
          + "TESSERA_NOTE")
    }
    return LibraryInspection(
      abi: ABIVersion(
        major: bytes.uint32(at: offset), minor: bytes.uint32(at: offset + 4)),
      engineSize: bytes.uint32(at: offset + 8))
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
